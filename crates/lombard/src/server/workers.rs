//! Background workers. Each runs periodically, and some also when they are notified. A stop takes effect between two batches.

use super::Core;
use super::audit::AuditLog;
use super::certificate_expiries::CertificateExpiries;
use super::maintenance_watch::MaintenanceWatch;
use super::node_clock::NodeClock;
use super::tls_reload::TlsReloader;
use crate::telemetry;
use lombard_auth::AuthorisationServer;
use lombard_auth::authorisation::backchannel::{advance_provider_logins, send_notifications};
use lombard_auth::callers::CallerResolver;
use lombard_auth::client_keys::ClientKeys;
use lombard_auth::keys::Keyring;
use lombard_domain::retention::RetentionRules;
use lombard_edge::request_log::RequestLog;
use lombard_ops::traffic::TrafficHistory;
use lombard_ports::bank::Scheduler;
use lombard_ports::clock::Clocks;
use lombard_ports::notification::NotificationSender;
use lombard_sandbox::controls::BankClock;
use lombard_service::events::EventPolling;
use lombard_service::payments::reconciliation::{self, FollowUp};
use lombard_service::purge::purge_ended_rows;
use lombard_service::workers::Quarantines;
use lombard_service::{Context, clients, consents, events, payments};
use metrics_exporter_prometheus::PrometheusHandle;
use std::convert::Infallible;
use std::error::Error;
use std::future::{pending, ready};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The interval at which old records are removed from the request log.
const REQUEST_LOG_EVERY: Duration = Duration::from_secs(30);
/// The interval at which records of the audit log are sealed.
const AUDIT_EVERY: Duration = Duration::from_secs(1);
/// The interval at which refusals of rules of security are recorded.
const REFUSALS_EVERY: Duration = Duration::from_secs(60);
/// The interval at which a node reads keys that other nodes added. Source: AS-008.
const KEYS_EVERY: Duration = Duration::from_secs(60);
/// The interval at which a node reads the bank's clock offset.
const CLOCK_EVERY: Duration = Duration::from_millis(500);
/// The interval of the built-in bank's scheduler.
const SCHEDULER_EVERY: Duration = Duration::from_millis(500);
/// The interval at which orders of other nodes, and orders to be retried, are submitted to the bank.
const SUBMISSION_EVERY: Duration = Duration::from_millis(500);
/// The interval at which status updates are polled.
const STATUS_UPDATES_EVERY: Duration = Duration::from_millis(500);
/// The interval at which expired payment consents are rejected and orders lapse. It is short because testers move the bank's clock.
/// Usually it costs only two index look-ups without a result.
const PAYMENTS_EVERY: Duration = Duration::from_secs(2);
/// The interval at which changes of consents are reported to the bank.
const REPORTS_EVERY: Duration = Duration::from_millis(500);
/// The interval at which decoupled logins at the identity provider are checked.
const PROVIDER_LOGINS_EVERY: Duration = Duration::from_millis(500);
/// The interval at which clients are notified of answered backchannel requests.
const NOTIFICATIONS_EVERY: Duration = Duration::from_millis(500);
/// The interval at which changes of accounts are fetched from the bank.
const ACCOUNT_CHANGES_EVERY: Duration = Duration::from_secs(2);
/// The interval at which consents of deleted clients are ended.
const REMOVALS_EVERY: Duration = Duration::from_secs(1);
/// The interval at which expired rows are purged.
const PURGE_EVERY: Duration = Duration::from_secs(60);

/// The interval at which the machine's clock is compared with that of the database's server.
const NODE_CLOCK_EVERY: Duration = Duration::from_secs(15);

/// The interval at which the ends of certificates are recorded, and warned of.
const EXPIRIES_EVERY: Duration = Duration::from_secs(3600);

/// The interval at which a node reads the notices of maintenance. Every node must follow within ten seconds. Source: DTN-006.
const MAINTENANCE_EVERY: Duration = Duration::from_secs(2);

/// The interval at which quarantined items are counted.
const MEASURE_EVERY: Duration = Duration::from_secs(15);

/// The interval at which orders that do not move are counted, and the bank is asked about some of them.
const STALLED_EVERY: Duration = Duration::from_secs(60);

/// The interval at which the last use of consents is stored.
const USES_EVERY: Duration = Duration::from_secs(30);

/// The interval at which deliveries of events are stored.
const DELIVERIES_EVERY: Duration = Duration::from_secs(1);

/// The interval at which TLS files are checked for changes. A change takes effect if a second check finds the same versions.
const TLS_FILES_EVERY: Duration = Duration::from_secs(1);

/// The interval at which due OCSP responses are refreshed.
const OCSP_EVERY: Duration = Duration::from_secs(1);

/// The interval at which due key sets of clients are refreshed. It is short because testers move the clock; usually it costs nothing.
const KEY_SETS_EVERY: Duration = Duration::from_secs(1);

/// The log message if the last use of consents cannot be stored.
const USES_FAILED: &str = "the last use of consents was not stored";
/// The log message if the audit log cannot be sealed.
const AUDIT_FAILED: &str = "records of the audit log were not sealed";
/// The log message if refusals cannot be recorded.
const REFUSALS_FAILED: &str = "refusals were not recorded in the audit log";
/// The log message if deliveries of events cannot be stored.
const DELIVERIES_FAILED: &str = "event deliveries were not stored";

/// The interval at which histogram samples are moved to their buckets. Until then they use about 54 bytes per request.
const METRICS_EVERY: Duration = Duration::from_secs(1);

/// The interval at which the traffic of the last minute is recorded for the console.
const TRAFFIC_EVERY: Duration = Duration::from_secs(60);

/// The interval at which lines that were left out are reported, if their minute has ended.
const LEFT_OUT_EVERY: Duration = Duration::from_secs(5);

/// The workers of a server.
#[derive(Debug, Default)]
pub(super) struct Workers {
    tasks: TaskTracker,
    stopping: CancellationToken,
}

impl Workers {
    /// Starts all workers. With a movable clock, this includes the workers of a sandbox.
    pub(super) fn start(
        context: Context,
        keys: Keyring,
        callers: CallerResolver,
        clock: Option<BankClock>,
        core: &Core,
        retention: RetentionRules,
    ) -> Self {
        let workers = Self::default();
        workers.run_log_worker();
        workers.every(KEYS_EVERY, &keys, "signing keys were not refreshed", |keys| async move {
            keys.refresh_keys().await.map(|()| 0)
        });
        workers.run_bank_workers(&context, core.scheduler.clone());
        let quarantines = Quarantines::new(context.store.clone(), core.quarantine.clone());
        workers.every(MEASURE_EVERY, &quarantines, "the quarantine was not counted", |quarantines| async move {
            quarantines.measure().await.map(|()| 0)
        });
        let failed = "the consents of deleted clients were not ended";
        workers.every(REMOVALS_EVERY, &context, failed, |context| async move {
            clients::end_consents_of_deleted_clients(&context).await
        });
        let purged = (context.clone(), retention);
        workers.every(PURGE_EVERY, &purged, "ended rows were not purged", |(context, retention)| async move {
            // Each failure was logged with the kind of its rows, which are retried.
            let _failed = purge_ended_rows(&context, &retention).await;
            Ok::<_, Infallible>(0)
        });
        workers.every(USES_EVERY, &callers, USES_FAILED, |callers| async move {
            callers.write_consent_uses().await.map(|()| 0)
        });
        if let Some(clock) = clock {
            workers.run_clock(clock);
        }
        workers
    }

    /// Starts the workers of a built-in bank in its own process: its scheduler and its clock.
    pub(super) fn start_bank(clock: BankClock, scheduler: Arc<dyn Scheduler>) -> Self {
        let workers = Self::default();
        workers.run_log_worker();
        workers.run_scheduler(scheduler, Arc::default());
        workers.run_clock(clock);
        workers
    }

    /// Starts the worker that follows the bank's clock.
    fn run_clock(&self, clock: BankClock) {
        let is_lost = Arc::<AtomicBool>::default();
        self.every(
            CLOCK_EVERY,
            &(clock, is_lost),
            "the bank's clock was not followed",
            |(clock, is_lost)| async move {
                follow_bank_clock(&clock, &is_lost).await;
                Ok::<_, Infallible>(0)
            },
        );
    }

    /// Starts the worker of the built-in bank's scheduled work. It notifies when it has done any work.
    fn run_scheduler(&self, scheduler: Arc<dyn Scheduler>, updates_notify: Arc<Notify>) {
        let waiting = Arc::clone(&scheduler);
        let until_due = move || {
            let scheduler = Arc::clone(&waiting);
            async move { scheduler.wait_until_due().await }
        };
        let state = (scheduler, updates_notify);
        let failed = "due work of the built-in bank was not done";
        self.whenever(SCHEDULER_EVERY, until_due, &state, failed, |(scheduler, updates_notify)| async move {
            let done = scheduler.run_due().await.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
            notify_of_work(done, &updates_notify)
        });
    }

    /// Starts the workers that need the bank: submission of orders, the built-in bank's scheduler, status updates, changes of consents and
    /// of accounts, and expiry.
    fn run_bank_workers(&self, context: &Context, scheduler: Option<Arc<dyn Scheduler>>) {
        // Notified after work that may have produced status updates.
        let updates_notify = Arc::<Notify>::default();
        let submission_notify = Arc::clone(&context.payments.submission_notify);
        let ordered = move || Arc::clone(&submission_notify).notified_owned();
        let state = (context.clone(), Arc::clone(&updates_notify));
        let failed = "orders were not submitted to the bank";
        self.whenever(SUBMISSION_EVERY, ordered, &state, failed, |(context, updates_notify)| async move {
            notify_of_work(payments::submission::submit_orders(&context).await, &updates_notify)
        });
        if let Some(scheduler) = scheduler {
            self.run_scheduler(scheduler, Arc::clone(&updates_notify));
        }
        let updated = move || Arc::clone(&updates_notify).notified_owned();
        let failed = "the bank's status updates were not applied";
        self.whenever(STATUS_UPDATES_EVERY, updated, context, failed, |context| async move {
            payments::execution::apply_status_updates(&context).await
        });
        let failed = "changes and expiries of consents were not reported";
        self.every(REPORTS_EVERY, context, failed, |context| async move {
            consents::report_consent_changes(&context).await
        });
        let failed = "the bank's changes of accounts were not applied";
        self.every(ACCOUNT_CHANGES_EVERY, context, failed, |context| async move {
            events::apply_account_changes(&context).await
        });
        self.every(STALLED_EVERY, context, "orders that do not move were not counted", |context| async move {
            reconciliation::measure_stalled_orders(&context).await.map(|()| 0)
        });
        let failed = "the bank was not asked about orders that do not move";
        self.every(STALLED_EVERY, &Arc::new(FollowUp::new(context)), failed, |follow_up| async move {
            follow_up.ask_about_overdue_orders().await.map(|()| 0)
        });
        self.every(PAYMENTS_EVERY, context, "expired consents were not rejected", |context| async move {
            payments::expiry::reject_undecided_consents(&context).await
        });
        self.every(PAYMENTS_EVERY, context, "lapsed orders were not rejected", |context| async move {
            payments::expiry::reject_lapsed_orders(&context).await
        });
    }

    /// Starts the worker that logs how many lines were left out because equal ones were logged.
    fn run_log_worker(&self) {
        self.every(LEFT_OUT_EVERY, &(), "lines that were left out were not counted", |()| {
            telemetry::report_left_out_lines();
            ready(Ok::<_, Infallible>(0))
        });
    }

    /// Starts the worker that records the traffic of each minute for the console.
    pub(super) fn run_traffic_worker(&self, metrics: PrometheusHandle, history: &Arc<TrafficHistory>, clocks: &Clocks) {
        let recording = (metrics, Arc::clone(history), clocks.clone());
        self.every(TRAFFIC_EVERY, &recording, "the traffic was not recorded", |(metrics, history, clocks)| {
            history.record(clocks.wall_now(), &metrics.render());
            ready(Ok::<_, Infallible>(0))
        });
    }

    /// Starts the worker that limits the memory of the metrics while `/metrics` is not read.
    pub(super) fn run_metric_workers(&self, metrics: PrometheusHandle) {
        self.every(METRICS_EVERY, &metrics, "metrics were not gathered", |metrics| {
            metrics.run_upkeep();
            ready(Ok::<_, Infallible>(0))
        });
    }

    /// Starts the workers that compare the machine's clock with the database's and record when certificates expire.
    pub(super) fn run_health_workers(&self, clock: &NodeClock, expiries: &CertificateExpiries) {
        self.every(NODE_CLOCK_EVERY, clock, "the machine's clock was not compared", |clock| async move {
            clock.compare().await.map(|()| 0)
        });
        self.every(EXPIRIES_EVERY, expiries, "the ends of certificates were not recorded", |expiries| async move {
            expiries.record().await.map(|()| 0)
        });
    }

    /// Starts the worker that follows what operators announce, begin and end at other nodes.
    pub(super) fn run_maintenance_worker(&self, maintenance: &MaintenanceWatch) {
        let failed = "the notices of maintenance were not read";
        self.every(MAINTENANCE_EVERY, maintenance, failed, |maintenance| async move {
            maintenance.look().await.map(|()| 0)
        });
    }

    /// Starts the workers that seal the audit log and count refusals in it.
    pub(super) fn run_audit_worker(&self, audit: &AuditLog) {
        self.every(AUDIT_EVERY, audit, AUDIT_FAILED, |audit| async move { audit.seal().await });
        self.every(
            REFUSALS_EVERY,
            audit,
            REFUSALS_FAILED,
            |audit| async move { audit.write_refusals().await.map(|()| 0) },
        );
    }

    /// Starts the worker that removes old records from the request log.
    pub(super) fn run_request_log_worker(&self, log: Option<&Arc<RequestLog>>) {
        let Some(log) = log else { return };
        self.every(REQUEST_LOG_EVERY, log, "old requests were not dropped", |log| async move {
            log.drop_expired();
            Ok::<_, Infallible>(0)
        });
    }

    /// Starts the workers that reload changed TLS files and fetch revocation lists.
    pub(super) fn run_tls_worker(&self, tls: &TlsReloader) {
        self.every(TLS_FILES_EVERY, tls, "TLS files were not looked at", |tls| async move {
            tls.reload_changed_files().await;
            Ok::<_, Infallible>(0)
        });
        self.every(OCSP_EVERY, tls, "the status of certificates was not refreshed", |tls| async move {
            tls.refresh_statuses().await;
            Ok::<_, Infallible>(0)
        });
        if let Some(interval) = tls.refresh_interval() {
            // The first run is immediate, although the start has fetched the lists; it costs one more fetch.
            self.every(interval, tls, "lists of revoked certificates were not refreshed", |tls| async move {
                tls.reload().await.map(|_| 0)
            });
        }
    }

    /// Starts the workers that store deliveries and drop expired events.
    pub(super) fn run_event_workers(&self, polling: &EventPolling) {
        self.every(DELIVERIES_EVERY, polling, DELIVERIES_FAILED, |polling| async move {
            polling.write_deliveries().await.map(|()| 0)
        });
        self.every(PURGE_EVERY, polling, "old events were not dropped", |polling| async move {
            polling.drop_expired_events().await.map(|()| 0)
        });
    }

    /// Starts the worker that refreshes key sets of clients, so that revoked and withdrawn keys are noticed.
    pub(super) fn run_key_set_worker(&self, keys: &ClientKeys) {
        self.every(KEY_SETS_EVERY, keys, "key sets of clients were not fetched again", |keys| async move {
            keys.refresh_key_sets().await.map(|()| 0)
        });
    }

    /// Starts the workers that forward backchannel requests to the identity provider and notify clients of answered ones.
    pub(super) fn run_backchannel_workers(&self, auth: AuthorisationServer, sender: Arc<dyn NotificationSender>) {
        self.every(PROVIDER_LOGINS_EVERY, &auth, "decoupled logins were not looked at", |auth| async move {
            advance_provider_logins(&auth).await
        });
        let state = (auth, sender);
        self.every(NOTIFICATIONS_EVERY, &state, "clients were not notified", |(auth, sender)| async move {
            send_notifications(&auth, &*sender).await
        });
    }

    /// Runs work at a fixed interval, as [`Self::whenever`] does.
    fn every<S, F, E>(
        &self,
        period: Duration,
        state: &S,
        failed: &'static str,
        batch: impl Fn(S) -> F + Send + Sync + 'static,
    ) where
        S: Clone + Send + Sync + 'static,
        F: Future<Output = Result<usize, E>> + Send,
        E: Error + Send + 'static,
    {
        self.whenever(period, pending, state, failed, batch);
    }

    /// Runs work periodically and when notified, batch by batch, each with a clone of this state. A run ends when a batch has done nothing
    /// (zero) or has failed, or when the workers stop. A failure is logged with this message. A notification during a run starts another
    /// run.
    fn whenever<B, S, F, E>(
        &self,
        period: Duration,
        mut notify: impl FnMut() -> B + Send + 'static,
        state: &S,
        failed: &'static str,
        batch: impl Fn(S) -> F + Send + Sync + 'static,
    ) where
        B: Future<Output = ()> + Send,
        S: Clone + Send + Sync + 'static,
        F: Future<Output = Result<usize, E>> + Send,
        E: Error + Send + 'static,
    {
        let stopping = self.stopping.clone();
        let state = state.clone();
        self.tasks.spawn(async move {
            let mut due = interval(period);
            due.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut activated = async || {
                tokio::select! {
                    _ = due.tick() => {}
                    () = notify() => {}
                }
            };
            while stopping.run_until_cancelled(activated()).await.is_some() {
                while log_failure(failed, batch(state.clone()).await).is_some_and(|done| done > 0)
                    && !stopping.is_cancelled()
                {}
            }
        });
    }

    /// Waits for the running batches to finish, with this time limit.
    pub(super) async fn stop(&self, within: Duration) {
        self.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(within, self.tasks.wait()).await.is_err() {
            tracing::warn!("a worker did not finish in time");
        }
    }
}

/// Stores the data that a node has gathered in memory since its workers last stored it: the last use of consents, and deliveries of events.
pub(super) async fn write_gathered(callers: &CallerResolver, polling: &EventPolling) {
    log_failure(USES_FAILED, callers.write_consent_uses().await);
    log_failure(DELIVERIES_FAILED, polling.write_deliveries().await);
}

/// Records the last refusals and seals the audit log, once nothing adds to it any more.
pub(super) async fn write_audit(audit: &AuditLog) {
    log_failure(REFUSALS_FAILED, audit.write_refusals().await);
    log_failure(AUDIT_FAILED, audit.seal_all().await);
}

/// Logs a failure with this message and returns `None` for it.
fn log_failure<T, E: Error + 'static>(failed: &'static str, done: Result<T, E>) -> Option<T> {
    done.inspect_err(|error| tracing::warn!(error = error as &dyn Error, "{failed}")).ok()
}

/// Notifies if any work was done.
fn notify_of_work<E>(done: Result<usize, E>, notify: &Notify) -> Result<usize, E> {
    done.inspect(|count| {
        if *count > 0 {
            notify.notify_one();
        }
    })
}

/// Adopts the stored offset of the bank's clock. Of consecutive failures, only the first is logged.
async fn follow_bank_clock(clock: &BankClock, is_lost: &AtomicBool) {
    match clock.adopt_stored_offset().await {
        Ok(_) => is_lost.store(false, Ordering::Relaxed),
        Err(error) => {
            if !is_lost.swap(true, Ordering::Relaxed) {
                log_failure("the bank's clock offset is not read", Err::<(), _>(error));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_worker_that_always_finds_work_stops_between_two_batches() {
        let workers = Workers::default();
        let running = Arc::<Notify>::default();
        workers.every(METRICS_EVERY, &running, "nothing", |running| async move {
            running.notify_one();
            tokio::task::yield_now().await;
            Ok::<_, Infallible>(1)
        });
        running.notified().await;
        workers.stop(Duration::from_secs(10)).await;
        assert!(workers.tasks.is_empty(), "the worker has ended");
    }
}
