//! The traffic of this node in its last hour, by minute. It is in memory only; monitoring keeps longer periods.

pub(crate) mod metrics_text;

use jiff::Timestamp;
use lombard_domain::payment::PaymentProduct;
use metrics_text::{Sample, read_samples};
use parking_lot::Mutex;
use std::collections::VecDeque;

/// The most minutes that are kept.
const MINUTES_MAX: usize = 60;

/// The listener of the TPPs.
const LISTENER: &str = "mtls";

/// The metric of the times of answers, whose sums and counts are read.
const TIMES: &str = "lombard_http_request_duration_seconds";

/// The requests of TPPs in one minute.
#[derive(Debug, Clone, PartialEq)]
pub struct TrafficMinute {
    /// The end of the minute (wall clock).
    pub until: Timestamp,
    /// The requests that were answered, refused and failed ones included.
    pub requests: u64,
    /// The requests that were answered 4xx.
    pub refused: u64,
    /// The requests that were answered 5xx.
    pub failed: u64,
    /// The orders that were created.
    pub orders: u64,
    /// The mean time of an answer in milliseconds; `None` without requests.
    pub mean_ms: Option<f64>,
}

/// The traffic of a node in its last hour.
#[derive(Debug, Default)]
pub struct TrafficHistory(Mutex<Recorded>);

#[derive(Debug, Default)]
struct Recorded {
    /// The totals when the last minute ended.
    last: Option<Totals>,
    minutes: VecDeque<TrafficMinute>,
}

/// What was counted since the process started.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Totals {
    requests: u64,
    refused: u64,
    failed: u64,
    orders: u64,
    timed: u64,
    seconds: f64,
}

impl TrafficHistory {
    /// Records the minute that ends now, from the metrics in Prometheus' text format. The first call records what was before and no minute.
    pub fn record(&self, now: Timestamp, metrics: &str) {
        let totals = Totals::read(metrics);
        let mut recorded = self.0.lock();
        if let Some(last) = recorded.last.replace(totals) {
            if recorded.minutes.len() >= MINUTES_MAX {
                recorded.minutes.pop_front();
            }
            recorded.minutes.push_back(totals.since(last, now));
        }
    }

    /// The recorded minutes, the oldest first; at most 60.
    pub fn minutes(&self) -> Vec<TrafficMinute> {
        self.0.lock().minutes.iter().cloned().collect()
    }
}

impl Totals {
    fn read(metrics: &str) -> Self {
        let mut totals = Self::default();
        for sample in read_samples(metrics).filter(|sample| sample.label("listener") == Some(LISTENER)) {
            totals.add(&sample);
        }
        totals
    }

    fn add(&mut self, sample: &Sample<'_>) {
        let count = sample.count();
        match sample.name {
            "lombard_http_requests_total" => {
                self.requests = self.requests.saturating_add(count);
                let of_class = match sample.label("status") {
                    Some("2xx") if creates_order(sample) => &mut self.orders,
                    Some("4xx") => &mut self.refused,
                    Some("5xx") => &mut self.failed,
                    _ => return,
                };
                *of_class = of_class.saturating_add(count);
            }
            name => match name.strip_prefix(TIMES) {
                Some("_sum") => self.seconds += sample.value,
                Some("_count") => self.timed = self.timed.saturating_add(count),
                _ => {}
            },
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "the requests of a minute are far below 2^52")]
    fn since(self, last: Self, until: Timestamp) -> TrafficMinute {
        let timed = self.timed.saturating_sub(last.timed);
        let millis = (self.seconds - last.seconds).max(0.0) * 1_000.0;
        TrafficMinute {
            until,
            requests: self.requests.saturating_sub(last.requests),
            refused: self.refused.saturating_sub(last.refused),
            failed: self.failed.saturating_sub(last.failed),
            orders: self.orders.saturating_sub(last.orders),
            mean_ms: (timed > 0).then(|| millis / timed as f64),
        }
    }
}

/// Whether the requests of a series create orders.
fn creates_order(sample: &Sample<'_>) -> bool {
    let route = sample.label("route").unwrap_or_default();
    sample.label("method") == Some("POST")
        && PaymentProduct::ALL.iter().any(|product| route.ends_with(product.orders_path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(reads: u64, orders: u64, seconds: f64) -> String {
        let listener = "listener=\"mtls\"";
        let all = reads + orders + 1;
        format!(
            "lombard_http_requests_total{{{listener},method=\"GET\",route=\"/a\",status=\"2xx\"}} {reads}\n\
             lombard_http_requests_total{{{listener},method=\"GET\",route=\"/a\",status=\"4xx\"}} 1\n\
             lombard_http_requests_total{{listener=\"ops\",method=\"GET\",route=\"/a\",status=\"5xx\"}} 9\n\
             lombard_http_requests_total{{{listener},method=\"POST\",route=\"/open-banking/v3.1/pisp/domestic-payments\",status=\"2xx\"}} {orders}\n\
             lombard_http_request_duration_seconds_sum{{{listener},route=\"/a\"}} {seconds}\n\
             lombard_http_request_duration_seconds_count{{{listener},route=\"/a\"}} {all}\n"
        )
    }

    #[test]
    fn a_minute_is_the_difference_of_two_readings_and_an_hour_is_kept() {
        let history = TrafficHistory::default();
        let at = |minute: i64| Timestamp::from_second(minute * 60).unwrap();
        history.record(at(0), &text(5, 1, 1.0));
        assert_eq!(history.minutes(), []);
        history.record(at(1), &text(8, 2, 1.5));
        let expected =
            TrafficMinute { until: at(1), requests: 4, refused: 0, failed: 0, orders: 1, mean_ms: Some(125.0) };
        assert_eq!(history.minutes(), [expected]);
        for minute in 2..70 {
            history.record(at(minute), &text(8, 2, 1.5));
        }
        let minutes = history.minutes();
        assert_eq!((minutes.len(), minutes[0].until, minutes[0].mean_ms), (60, at(10), None));
    }
}
