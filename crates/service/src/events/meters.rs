//! Metrics of delivery. What is queued is counted by storage, after the commit.

fn count(name: &'static str, events: usize) {
    if events > 0 {
        metrics::counter!(name).increment(u64::try_from(events).unwrap_or(u64::MAX));
    }
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

pub(super) fn signature_doubted() {
    count("lombard_events_signature_doubts_total", 1);
}

pub(super) fn dropped(events: u64) {
    metrics::counter!("lombard_events_dropped_total").increment(events);
}

pub(super) fn waiting(oldest_age_secs: f64, parked: u64) {
    metrics::gauge!("lombard_events_oldest_age_seconds").set(oldest_age_secs);
    metrics::gauge!("lombard_events_parked").set(f64::from(u32::try_from(parked).unwrap_or(u32::MAX)));
}
