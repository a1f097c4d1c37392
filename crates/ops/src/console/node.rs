//! The page of this node: its state, its traffic of the last hour, its queues and its certificates.

use super::charts::{BarParts, draw_bars, draw_line};
use super::frame::{ConsoleFrame, Section, moment, send};
use super::state::Console;
use crate::staff::StaffVisit;
use crate::traffic::TrafficMinute;
use crate::traffic::metrics_text::{Sample, read_samples};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use jiff::Timestamp;

/// The page of this node.
#[derive(Template)]
#[template(path = "ops/console/node.html")]
struct NodePage<'a> {
    frame: ConsoleFrame<'a>,
    /// What the node lacks to serve requests.
    missing: Vec<&'static str>,
    facts: Vec<(&'static str, String)>,
    charts: Vec<Chart>,
    queues: Vec<(&'static str, String)>,
}

/// A chart with what it says in words.
struct Chart {
    title: &'static str,
    summary: String,
    drawing: String,
    /// The colours of the bars and what they mean.
    legend: &'static [(&'static str, &'static str)],
}

/// The metrics of the page of queues and work, with their names in words.
const QUEUES: [(&str, &str); 11] = [
    ("lombard_http_requests_in_flight", "Requests being answered"),
    ("lombard_events_held_polls", "Polls that wait for an event"),
    ("lombard_events_oldest_age_seconds", "Age of the oldest event that waits, in seconds"),
    ("lombard_events_parked", "Parked events"),
    ("lombard_work_quarantined", "Work in quarantine"),
    ("lombard_orders_stalled", "Orders that should have ended"),
    ("lombard_core_calls_in_flight", "Calls of the core under way"),
    ("lombard_core_calls_waiting", "Calls of the core that wait"),
    ("lombard_signing_queue_depth", "Signatures that wait"),
    ("lombard_database_connections", "Connections to the database"),
    ("lombard_database_connections_waiting", "Transactions that wait for a connection"),
];

const OF_REQUESTS: &[(&str, &str)] = &[("all", "answered"), ("bad", "refused (4xx)"), ("worst", "failed (5xx)")];
const OF_REFUSALS: &[(&str, &str)] = &[("bad", "refused (4xx)"), ("worst", "failed (5xx)")];
const OF_ORDERS: &[(&str, &str)] = &[("all", "created")];

/// `GET /node`.
pub(super) async fn show(State(console): State<Console>, visit: StaffVisit) -> Response {
    let metrics = console.operations.metrics();
    let samples: Vec<_> = read_samples(&metrics).collect();
    send(&NodePage {
        frame: console.frame(&visit, Section::Node, None),
        missing: console.operations.unready_parts(),
        facts: facts(&samples),
        charts: charts(&console.operations.traffic()),
        queues: QUEUES.into_iter().filter_map(|(name, words)| Some((words, sum(&samples, name)?))).collect(),
    })
}

/// The sum of the series of a gauge; `None` if it has none.
fn sum(samples: &[Sample<'_>], name: &str) -> Option<String> {
    let mut series = samples.iter().filter(|sample| sample.name == name).peekable();
    series.peek()?;
    Some(format!("{:.0}", series.map(|sample| sample.value).sum::<f64>()))
}

fn facts(samples: &[Sample<'_>]) -> Vec<(&'static str, String)> {
    let first = |name: &str| samples.iter().find(|sample| sample.name == name);
    let mut facts = Vec::new();
    if let Some(build) = first("lombard_build_info") {
        let commit = build.label("commit").filter(|commit| !commit.is_empty());
        let commit = commit.map(|commit| format!(" ({commit})")).unwrap_or_default();
        facts.push(("Version", format!("{}{commit}", build.label("version").unwrap_or_default())));
    }
    if let Some(started) = first("process_start_time_seconds") {
        let second = i64::try_from(started.count()).unwrap_or_default();
        let at = Timestamp::from_second(second).unwrap_or_default();
        facts.push(("Started", moment(&at.to_string())));
    }
    if let Some(answers) = first("lombard_database_answers") {
        facts.push(("Database", if answers.count() > 0 { "answers" } else { "does not answer" }.to_owned()));
    }
    if let Some(skew) = first("lombard_clock_skew_seconds") {
        facts.push(("Clock beside the database’s", format!("{:+.3} s", skew.value)));
    }
    if let Some(memory) = first("process_resident_memory_bytes") {
        facts.push(("Memory", format!("{} MiB", memory.count() >> 20)));
    }
    facts
}

#[expect(clippy::cast_precision_loss, reason = "the requests of a minute are far below 2^52")]
fn charts(minutes: &[TrafficMinute]) -> Vec<Chart> {
    let bars = |parts: fn(&TrafficMinute) -> Vec<(&'static str, u64)>| -> Vec<BarParts> {
        let scaled = |minute| parts(minute).into_iter().map(|(class, count)| (class, count as f64)).collect();
        minutes.iter().map(scaled).collect()
    };
    let sum = |of: fn(&TrafficMinute) -> u64| minutes.iter().map(of).sum::<u64>();
    let highest = |of: fn(&TrafficMinute) -> u64| minutes.iter().map(of).max().unwrap_or_default();
    let requests = sum(|it| it.requests);
    let slowest = minutes.iter().filter_map(|it| it.mean_ms).fold(0.0_f64, f64::max);
    vec![
        Chart {
            title: "Requests of TPPs",
            summary: format!("{requests} in all, at most {} in a minute.", highest(|it| it.requests)),
            drawing: draw_bars(
                "Requests of TPPs by minute",
                &bars(|it| {
                    let fine = it.requests.saturating_sub(it.refused).saturating_sub(it.failed);
                    vec![("all", fine), ("bad", it.refused), ("worst", it.failed)]
                }),
            ),
            legend: OF_REQUESTS,
        },
        Chart {
            title: "Time of an answer",
            summary: format!("The slowest minute had a mean of {slowest:.1} ms."),
            drawing: draw_line(
                "Mean time of an answer by minute",
                &minutes.iter().map(|it| it.mean_ms).collect::<Vec<_>>(),
            ),
            legend: &[],
        },
        Chart {
            title: "Refusals and failures",
            summary: format!("{} refused, {} failed.", sum(|it| it.refused), sum(|it| it.failed)),
            drawing: draw_bars(
                "Refused and failed requests by minute",
                &bars(|it| vec![("bad", it.refused), ("worst", it.failed)]),
            ),
            legend: OF_REFUSALS,
        },
        Chart {
            title: "Payment orders",
            summary: format!("{} created.", sum(|it| it.orders)),
            drawing: draw_bars("Payment orders created by minute", &bars(|it| vec![("all", it.orders)])),
            legend: OF_ORDERS,
        },
    ]
}
