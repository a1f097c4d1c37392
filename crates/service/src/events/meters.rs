//! Metrics of event delivery. The length of queues is queried from storage, after the commit.

use lombard_domain::ids::ClientId;
use parking_lot::Mutex;
use std::collections::BTreeSet;

const QUEUE_EVENTS: &str = "lombard_events_queue_waiting";
const QUEUE_AGE: &str = "lombard_events_queue_oldest_age_seconds";

fn count(name: &'static str, events: usize) {
    if events > 0 {
        metrics::counter!(name).increment(u64::try_from(events).unwrap_or(u64::MAX));
    }
}

/// The gauges of individual queues: the number of waiting events of each client, and the age of the oldest. Source: EVT-086.
#[derive(Debug, Default)]
pub(super) struct QueueMeters {
    /// The clients whose gauges are not zero.
    shown: Mutex<BTreeSet<ClientId>>,
}

impl QueueMeters {
    /// Sets the gauges of these clients (events, age of the oldest in seconds), and the gauges of all other clients to zero.
    pub(super) fn set(&self, queues: impl IntoIterator<Item = (ClientId, u64, f64)>) {
        let mut shown = self.shown.lock();
        let mut emptied = std::mem::take(&mut *shown);
        for (client, waiting, age_secs) in queues {
            set_queue(&client, waiting, age_secs);
            emptied.remove(&client);
            shown.insert(client);
        }
        for client in emptied {
            set_queue(&client, 0, 0.0);
        }
    }
}

fn set_queue(client: &ClientId, waiting: u64, age_secs: f64) {
    let waiting = f64::from(u32::try_from(waiting).unwrap_or(u32::MAX));
    metrics::gauge!(QUEUE_EVENTS, "client_id" => client.as_str().to_owned()).set(waiting);
    metrics::gauge!(QUEUE_AGE, "client_id" => client.as_str().to_owned()).set(age_secs);
}

pub(super) fn delivered(events: usize) {
    count("lombard_events_delivered_total", events);
}

pub(super) fn acknowledged(events: usize) {
    count("lombard_events_acknowledged_total", events);
}

pub(super) fn reported(events: usize) {
    count("lombard_events_reported_total", events);
}

pub(super) fn parked(events: usize) {
    count("lombard_events_parked_total", events);
}

pub(super) fn signature_doubted(reports: usize) {
    count("lombard_events_signature_doubts_total", reports);
}

pub(super) fn dropped(events: u64) {
    metrics::counter!("lombard_events_dropped_total").increment(events);
}

pub(super) fn waiting(oldest_age_secs: f64, parked: u64) {
    metrics::gauge!("lombard_events_oldest_age_seconds").set(oldest_age_secs);
    metrics::gauge!("lombard_events_parked").set(f64::from(u32::try_from(parked).unwrap_or(u32::MAX)));
}
