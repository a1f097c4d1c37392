//! Metrics of calls to the core.

use metrics::{Counter, Gauge, Histogram, counter, gauge, histogram};
use std::fmt;
use std::time::Duration;

/// The outcome of a call that the core answered, which is the usual one.
pub(crate) const ANSWERED: &str = "answered";

/// The metrics of the calls of one method. The metrics of the usual outcome are looked up only once.
pub(crate) struct CallMeters {
    method: &'static str,
    answered: Counter,
    duration: Histogram,
}

impl fmt::Debug for CallMeters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CallMeters").field(&self.method).finish()
    }
}

impl CallMeters {
    pub(crate) fn of(method: &'static str) -> Self {
        let answered = calls(method, ANSWERED);
        Self { method, answered, duration: histogram!("lombard_core_call_duration_seconds", "method" => method) }
    }

    /// Counts a call with its outcome and duration.
    pub(crate) fn count(&self, outcome: &'static str, took: Duration) {
        if outcome == ANSWERED {
            self.answered.increment(1);
        } else {
            calls(self.method, outcome).increment(1);
        }
        self.duration.record(took);
    }
}

fn calls(method: &'static str, outcome: &'static str) -> Counter {
    counter!("lombard_core_calls_total", "method" => method, "outcome" => outcome)
}

/// Counts an answer that cannot be read.
pub(crate) fn count_unreadable(method: &'static str) {
    calls(method, "unreadable").increment(1);
}

/// Counts a call that is sent again.
pub(crate) fn count_repetition(method: &'static str) {
    counter!("lombard_core_calls_repeated_total", "method" => method).increment(1);
}

/// Sets the metric that states whether the breaker of a part of the core is open.
pub(crate) fn show_breaker(part: &'static str, is_open: bool) {
    gauge!("lombard_core_breaker_open", "part" => part).set(f64::from(u8::from(is_open)));
}

/// The calls that wait for a place.
pub(crate) fn waiting_calls() -> Gauge {
    gauge!("lombard_core_calls_waiting")
}

/// The calls that have a place.
pub(crate) fn calls_under_way() -> Gauge {
    gauge!("lombard_core_calls_in_flight")
}

/// Sets the number of places.
pub(crate) fn show_places(places: usize) {
    gauge!("lombard_core_calls_max").set(f64::from(u32::try_from(places).unwrap_or(u32::MAX)));
}

/// A call that a gauge counts until this value is dropped.
pub(crate) struct CountedCall<'g>(&'g Gauge);

impl<'g> CountedCall<'g> {
    pub(crate) fn new(gauge: &'g Gauge) -> Self {
        gauge.increment(1.0);
        Self(gauge)
    }
}

impl Drop for CountedCall<'_> {
    fn drop(&mut self) {
        self.0.decrement(1.0);
    }
}
