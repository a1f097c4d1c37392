//! Lists all metrics with their meaning. The `HELP` lines and `docs/reference/metrics.md` are generated from this list.

use std::fmt::Write;

/// The type of a metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetricKind {
    /// The value only increases during the life of the process.
    Counter,
    /// The value increases and decreases.
    Gauge,
    /// The samples are counted in buckets.
    Histogram,
}

impl MetricKind {
    /// The name of the kind in Prometheus.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Counter => "counter",
            Self::Gauge => "gauge",
            Self::Histogram => "histogram",
        }
    }
}

/// A metric, which is a family of series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metric {
    /// The metric's name. Durations end in `_seconds` and counters in `_total`.
    pub name: &'static str,
    /// The metric's kind.
    pub kind: MetricKind,
    /// The metric's unit.
    pub unit: &'static str,
    /// The metric's labels. Their values come from lists in the code, never from callers; `client_id` is the id of a registered client.
    pub labels: &'static [&'static str],
    /// The metric's meaning, in one sentence.
    pub help: &'static str,
}

const fn counter(
    name: &'static str,
    unit: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric { name, kind: MetricKind::Counter, unit, labels, help }
}

const fn gauge(name: &'static str, unit: &'static str, labels: &'static [&'static str], help: &'static str) -> Metric {
    Metric { name, kind: MetricKind::Gauge, unit, labels, help }
}

const fn histogram(
    name: &'static str,
    unit: &'static str,
    labels: &'static [&'static str],
    help: &'static str,
) -> Metric {
    Metric { name, kind: MetricKind::Histogram, unit, labels, help }
}

/// All metrics, ordered by name.
#[rustfmt::skip]
pub const METRICS: &[Metric] = &[
    counter("lombard_account_changes_repeated_total", "changes", &[], "Changes of accounts that the bank answered although they, or later ones, were applied before. One now and then is a lost acknowledgement; a steady rise is a core that keeps no acknowledgements, or began its numbers again."),
    counter("lombard_audit_anchor_failures_total", "entries", &[], "Entries of the audit log's joint chain that were not written to a file or to syslog."),
    counter("lombard_audit_entries_total", "entries", &[], "Entries of the audit log that this node sealed, for all nodes."),
    counter("lombard_authentication_failures_total", "attempts", &[], "Customers' passwords and one-time codes that were wrong."),
    counter("lombard_authentication_throttled_total", "attempts", &[], "Customers' attempts refused unread after too many failures."),
    counter("lombard_authorisation_refusals_total", "requests", &["rule", "error"], "Authorisation requests refused, those pushed ahead or over the backchannel included, by rule and OAuth error."),
    counter("lombard_backchannel_notifications_total", "notifications", &["outcome"], "Notifications of TPPs that a backchannel request was answered, by outcome; one that failed is tried again a few times."),
    gauge("lombard_build_info", "builds", &["version", "commit", "commit_date"], "1, with the version, the commit and its date as labels; the latter two are empty in a build that does not know them."),
    gauge("lombard_certificate_expiry_seconds", "seconds", &["certificate"], "When the first certificate of a kind or file ends, in seconds since 1970: the server certificates in force (server), those of signing keys (signing), or those of the file that the named setting names."),
    counter("lombard_client_authentication_refusals_total", "requests", &["reason"], "Requests to OAuth endpoints whose client did not authenticate, by reason."),
    counter("lombard_client_key_fetches_total", "fetches", &["outcome"], "Fetches of clients' key sets, by outcome."),
    gauge("lombard_clock_skew_seconds", "seconds", &[], "How far the clock of this machine is ahead of that of the database's server; less than zero if it is behind."),
    counter("lombard_connections_refused_total", "connections", &["listener", "reason"], "Connections closed without being served, by reason: the address has too many (address); the wait for a place without a certificate (anonymous) or for one of the client's places (client) was too long; it was not from a proxy, or did not begin with a header of the PROXY protocol, where it must (proxy)."),
    counter("lombard_consent_changes_not_reported_total", "attempts", &[], "Attempts to report a change of a consent to the bank that failed."),
    counter("lombard_consents_refused_total", "consents", &[], "Consents refused because their client had too many that no customer had decided on."),
    gauge("lombard_core_breaker_open", "breakers", &["part"], "1 while calls of a part of the bank's core fail at once because several failed in a row, else 0. The parts are core and confirm-payee."),
    histogram("lombard_core_call_duration_seconds", "seconds", &["method"], "Time of a call of the bank's core, repetitions included."),
    gauge("lombard_core_calls_in_flight", "calls", &[], "Calls of the bank's core under way now."),
    gauge("lombard_core_calls_max", "calls", &[], "Most calls of the bank's core under way at a time."),
    counter("lombard_core_calls_repeated_total", "calls", &["method"], "Calls of the bank's core that were sent again because their answer was lost."),
    counter("lombard_core_calls_total", "calls", &["method", "outcome"], "Calls of the bank's core: answered; the core failed (failed), said that it cannot answer (busy), did not answer within the deadline (late) or at all (lost); the answer could not be read (unreadable); the core has no such method (unknown); the call was given up before the deadline, as pages do (given-up); the breaker was open (not-tried)."),
    gauge("lombard_core_calls_waiting", "calls", &[], "Calls of the bank's core that wait because too many are under way."),
    gauge("lombard_crl_expiry_seconds", "seconds", &[], "When the first of the lists of revoked certificates is to be replaced, in seconds since 1970."),
    counter("lombard_crl_fetches_total", "fetches", &["outcome"], "Fetches of lists of revoked certificates, by outcome; after one that failed the former list stays in force."),
    gauge("lombard_database_answers", "databases", &[], "1 if the database answered when this node asked it last, every 15 seconds, else 0."),
    gauge("lombard_database_connections", "connections", &["state"], "Open connections to PostgreSQL that are used by transactions or shared by reads (in_use), and others (idle)."),
    gauge("lombard_database_connections_max", "connections", &[], "Most connections to PostgreSQL."),
    gauge("lombard_database_connections_waiting", "transactions", &[], "Transactions that wait for a connection to PostgreSQL."),
    counter("lombard_events_acknowledged_total", "events", &[], "Events acknowledged by their clients."),
    counter("lombard_events_delivered_total", "events", &[], "Events handed to a connection, each time."),
    counter("lombard_events_dropped_total", "events", &[], "Events dropped unacknowledged, by retention or the queue's limit."),
    gauge("lombard_events_held_polls", "polls", &[], "Polls that wait for an event now."),
    gauge("lombard_events_oldest_age_seconds", "seconds", &[], "Age of the oldest event that waits."),
    gauge("lombard_events_parked", "events", &[], "Events that are parked now."),
    counter("lombard_events_parked_total", "events", &[], "Events no longer offered because their client could not read them."),
    gauge("lombard_events_queue_oldest_age_seconds", "seconds", &["client_id"], "Age of the oldest event that waits for one client."),
    gauge("lombard_events_queue_waiting", "events", &["client_id"], "Events that wait for one client; a long queue is counted to 10000."),
    counter("lombard_events_queued_total", "events", &[], "Events added to clients' queues."),
    counter("lombard_events_reported_total", "reports", &[], "Reports of events that a client could not read."),
    counter("lombard_events_signature_doubts_total", "reports", &[], "Reports that a signature of the bank could not be checked."),
    counter("lombard_funds_questions_refused_total", "questions", &[], "Questions about funds refused because their consent had used up the day's."),
    histogram("lombard_http_request_duration_seconds", "seconds", &["listener", "method", "route"], "Time from a request's head to its answer's head, by route."),
    gauge("lombard_http_requests_in_flight", "requests", &["listener"], "Requests being answered now."),
    counter("lombard_http_requests_total", "requests", &["listener", "method", "route", "status"], "Requests answered, by route and class of status."),
    counter("lombard_http_responses_cut_total", "responses", &[], "HTTP/2 responses given up because their caller did not read them."),
    counter("lombard_http_unread_refusals_total", "requests", &[], "Requests refused because their caller does not read the answers it has, or has too many requests under way."),
    histogram("lombard_identity_call_duration_seconds", "seconds", &["call"], "Time of a call of the bank's identity provider, by what it is for."),
    counter("lombard_identity_calls_total", "calls", &["call", "outcome"], "Calls of the bank's identity provider: answered; the provider failed (failed), did not answer completely (lost), its answer could not be read (unreadable); the caller did not wait (given-up)."),
    counter("lombard_identity_refusals_total", "answers", &[], "Answers of the bank's identity provider that were refused."),
    counter("lombard_log_lines_left_out_total", "lines", &[], "Warnings and errors that were not logged because equal ones were."),
    gauge("lombard_maintenance", "nodes", &["kind"], "1 while this node refuses requests because of maintenance, else 0: within its announced period (planned), or outside of one (unplanned)."),
    gauge("lombard_node_ready", "nodes", &[], "1 while this node can serve requests, as /readyz says, else 0."),
    counter("lombard_ocsp_answers_total", "answers", &["outcome"], "Questions to OCSP responders about client certificates, by outcome; one that failed had no answer that counts."),
    counter("lombard_order_submission_failures_total", "attempts", &[], "Attempts to submit an order to the bank that failed."),
    gauge("lombard_orders_stalled", "orders", &["state", "age"], "Orders that wait for the bank although they should have ended, counted once a minute: by how far they have come (pending, in-process, settled), and by the time since their expected end: from one hour (1h), from one day (1d), from seven days (7d)."),
    counter("lombard_payee_checks_total", "checks", &["outcome"], "Times that a customer was told whether a payee's name is that of the account, by what was told."),
    counter("lombard_payment_upkeep_failures_total", "rows", &[], "Consents, orders and uploads whose time had run out and that could not be ended."),
    histogram("lombard_pkcs11_duration_seconds", "seconds", &["operation"], "Time of a call of the security module: of a signature (sign), of finding or making a key (find, generate), or of a login that an operator asked for (login)."),
    counter("lombard_pkcs11_failures_total", "calls", &["operation"], "Calls of the security module that failed, a repetition included; a signature is then answered 503."),
    counter("lombard_pkcs11_logins_total", "logins", &["outcome"], "Logins to the security module: accepted, already logged in (logged_in), refused PIN (refused), which is not tried again, or another failure (failed)."),
    gauge("lombard_pkcs11_sessions", "sessions", &[], "Sessions that are open with the security module."),
    counter("lombard_purged_rows_total", "rows", &[], "Rows removed because their time had passed."),
    counter("lombard_rows_unreadable_total", "rows", &[], "Rows of signing keys, clients and events that cannot be read, each time they are left out."),
    counter("lombard_signature_refusals_total", "requests", &["reason"], "Requests whose message signature was refused, by reason."),
    histogram("lombard_signing_duration_seconds", "seconds", &[], "Time a signature takes, in this process or by the security module."),
    gauge("lombard_signing_queue_depth", "signatures", &[], "Signatures that wait for a thread now."),
    counter("lombard_signing_refused_total", "signatures", &[], "Signatures refused because too many waited."),
    gauge("lombard_signing_threads", "threads", &[], "Threads that sign; each signature, in this process or by a security module, takes one."),
    gauge("lombard_signing_threads_busy", "threads", &[], "Threads that make a signature now."),
    histogram("lombard_signing_wait_seconds", "seconds", &[], "Time a signature waits for a thread."),
    counter("lombard_staff_refusals_total", "attempts", &[], "Logins at the ops listener, and requests with a bearer token or a certificate, that were refused because they identify no staff member."),
    counter("lombard_status_updates_rejected_total", "updates", &[], "Status updates from the bank that no state of their order allows."),
    histogram("lombard_store_group_size", "transactions", &["engine"], "Transactions that shared one commit; on PostgreSQL tokens of clients."),
    histogram("lombard_store_read_duration_seconds", "seconds", &["engine"], "Read-only transactions."),
    histogram("lombard_store_read_group_size", "queries", &["engine"], "Queries of single reads that were sent to PostgreSQL as one statement."),
    counter("lombard_store_retries_total", "transactions", &["engine"], "Transactions run again because others were faster, or because something was not as the request knew it."),
    histogram("lombard_store_write_duration_seconds", "seconds", &["engine"], "From handing a transaction over to its being durable."),
    counter("lombard_tls_reloads_total", "reloads", &["outcome"], "Times that TLS files were read again: other ones are in force (replaced), they are the same (unchanged), or they cannot be used and the former ones stay in force (failed)."),
    counter("lombard_token_refusals_total", "requests", &["reason"], "Requests whose access token or certificate was refused, by reason."),
    counter("lombard_token_request_refusals_total", "requests", &["error"], "Grants refused at the token endpoint, by OAuth error."),
    counter("lombard_tpp_requests_total", "requests", &["client_id", "status"], "Requests of authenticated TPPs on the mtls listener, by class of status: of the 100 busiest TPPs, and of all others together (other)."),
    counter("lombard_trace_spans_total", "spans", &["outcome"], "Spans of recorded traces: taken by the collector (sent) or not (failed), or dropped because too many waited (queue_full)."),
    gauge("lombard_work_quarantined", "pieces of work", &[], "Work in quarantine now."),
    counter("lombard_work_quarantined_total", "pieces of work", &["kind"], "Work put in quarantine because it cannot be done, by kind."),
    counter("process_cpu_seconds_total", "seconds", &[], "CPU time that the process has used."),
    gauge("process_max_fds", "descriptors", &[], "Most file descriptors that the process may open."),
    gauge("process_open_fds", "descriptors", &[], "File descriptors that the process has open."),
    gauge("process_resident_memory_bytes", "bytes", &[], "Memory of the process that is in the machine's memory."),
    gauge("process_start_time_seconds", "seconds", &[], "When the process was started, in seconds since 1970."),
    gauge("process_threads", "threads", &[], "Threads of the process."),
    gauge("process_virtual_memory_bytes", "bytes", &[], "Addresses that the process has reserved."),
];

/// Writes the list as a page of the reference.
pub fn reference() -> String {
    let mut page = String::from(
        "# Metrics\n\n<!-- Written by `cargo xtask docs` from crates/lombard/src/telemetry/metric_list.rs. -->\n\n\
         What `GET /metrics` of the ops listener can show. A series appears with its first use. docs/operating/watching.md\n\
         says of those that call for an operator when to look at them.\n\n\
         | Metric | Kind | Unit | Labels | Meaning |\n|---|---|---|---|---|\n",
    );
    for Metric { name, kind, unit, labels, help } in METRICS {
        let labels = labels.iter().map(|label| format!("`{label}`")).collect::<Vec<_>>().join(", ");
        // Writing to a `String` cannot fail.
        let _ = writeln!(page, "| `{name}` | {} | {unit} | {labels} | {help} |", kind.name());
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    /// Finds the source files of the program; tests and benchmarks use other metric names.
    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            if path.is_dir() && name != "tests" {
                sources(&path, found);
            } else if name.ends_with(".rs") && name != "tests.rs" && name != "metric_list.rs" {
                found.push(path);
            }
        }
    }

    /// Every text `"lombard_…"` or `"process_…"` before the tests of a file.
    fn names(text: &str) -> Vec<String> {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let is_name = |rest: &str| {
            !rest.is_empty()
                && rest.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let of_prefix = |prefix: &'static str| {
            let quote = format!("\"{prefix}");
            let quoted = code.split(&quote).skip(1).filter_map(|rest| rest.split('"').next());
            quoted.filter(|rest| is_name(rest)).map(|rest| format!("{prefix}{rest}")).collect::<Vec<_>>()
        };
        ["lombard_", "process_"].map(of_prefix).concat()
    }

    #[test]
    fn the_list_holds_exactly_the_metrics_of_the_code() {
        let mut files = Vec::new();
        for member in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap() {
            sources(&member.unwrap().path().join("src"), &mut files);
        }
        let used: BTreeSet<_> = files.iter().flat_map(|file| names(&fs::read_to_string(file).unwrap())).collect();
        let listed: BTreeSet<_> = METRICS.iter().map(|metric| metric.name.to_owned()).collect();
        assert_eq!(listed.difference(&used).collect::<Vec<_>>(), <[&String; 0]>::default(), "used nowhere");
        assert_eq!(used.difference(&listed).collect::<Vec<_>>(), <[&String; 0]>::default(), "not in the list");
    }

    #[test]
    fn names_are_in_order_and_carry_their_units() {
        assert!(METRICS.is_sorted_by(|one, next| one.name < next.name));
        for metric in METRICS {
            assert!(!metric.unit.is_empty() && metric.help.ends_with('.'), "{metric:?}");
            assert_eq!(metric.name.ends_with("_total"), metric.kind == MetricKind::Counter, "{metric:?}");
            let measured = metric.name.trim_end_matches("_total");
            assert_eq!(measured.ends_with("_seconds"), metric.unit == "seconds", "{metric:?}");
        }
    }
}
