//! Metrics of calls to the core.

use metrics::{counter, gauge, histogram};
use std::time::Duration;

/// Counts a call that ended like this.
pub(crate) fn count_call(method: &'static str, outcome: &'static str, took: Duration) {
    counter!("lombard_core_calls_total", "method" => method, "outcome" => outcome).increment(1);
    histogram!("lombard_core_call_duration_seconds", "method" => method).record(took);
}

/// Counts a call that is sent again.
pub(crate) fn count_repetition(method: &'static str) {
    counter!("lombard_core_calls_repeated_total", "method" => method).increment(1);
}

/// Says whether the breaker of a part of the core is open.
pub(crate) fn show_breaker(part: &'static str, is_open: bool) {
    gauge!("lombard_core_breaker_open", "part" => part).set(f64::from(u8::from(is_open)));
}
