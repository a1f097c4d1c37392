//! Metrics of the engines. Handles are created once, so the recorder must be installed before a store is opened.

use metrics::{Counter, Histogram};
use std::time::Instant;

/// The metric handles of one engine.
#[derive(Clone)]
pub(crate) struct EngineMetrics {
    write_seconds: Histogram,
    read_seconds: Histogram,
    group_size: Histogram,
    read_group_size: Histogram,
    retries: Counter,
    events_queued: Counter,
}

impl std::fmt::Debug for EngineMetrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Meters")
    }
}

impl EngineMetrics {
    pub(crate) fn new(engine: &'static str) -> Self {
        Self {
            write_seconds: metrics::histogram!("lombard_store_write_duration_seconds", "engine" => engine),
            read_seconds: metrics::histogram!("lombard_store_read_duration_seconds", "engine" => engine),
            group_size: metrics::histogram!("lombard_store_group_size", "engine" => engine),
            read_group_size: metrics::histogram!("lombard_store_read_group_size", "engine" => engine),
            retries: metrics::counter!("lombard_store_retries_total", "engine" => engine),
            events_queued: metrics::counter!("lombard_events_queued_total"),
        }
    }

    pub(crate) fn wrote(&self, since: Instant) {
        self.write_seconds.record(since.elapsed());
    }

    pub(crate) fn read(&self, since: Instant) {
        self.read_seconds.record(since.elapsed());
    }

    pub(crate) fn committed_group(&self, size: usize) {
        self.group_size.record(u32::try_from(size).unwrap_or(u32::MAX));
    }

    pub(crate) fn asked_group(&self, size: usize) {
        self.read_group_size.record(u32::try_from(size).unwrap_or(u32::MAX));
    }

    pub(crate) fn queued(&self, events: usize) {
        self.events_queued.increment(u64::try_from(events).unwrap_or(u64::MAX));
    }

    pub(crate) fn retried(&self) {
        self.retries.increment(1);
    }
}
