//! Installs the metrics recorder of the process.

use super::metric_list::{METRICS, MetricKind};
use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use std::sync::{Mutex, PoisonError};

/// The bucket bounds of duration histograms in seconds, from a cached read to a timeout. Each bound adds one line per route.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

/// The bucket bounds of other histograms, such as the transactions of one commit.
const COUNTS: [f64; 9] = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0];

/// Returns the metrics handle of the process. The first call installs the recorder. It must happen before any metric handle is created.
///
/// A histogram keeps its samples until they are moved to the buckets. A server must therefore call
/// [`PrometheusHandle::run_upkeep`] periodically, whether or not `/metrics` is read.
///
/// # Errors
/// [`BuildError`] if another recorder is installed.
pub fn install_metrics() -> Result<PrometheusHandle, BuildError> {
    static HANDLE: Mutex<Option<PrometheusHandle>> = Mutex::new(None);
    let mut handle = HANDLE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = handle.as_ref() {
        return Ok(handle.clone());
    }
    let installed = builder()?.install_recorder()?;
    describe();
    *handle = Some(installed.clone());
    Ok(installed)
}

fn builder() -> Result<PrometheusBuilder, BuildError> {
    let mut counted = METRICS.iter().filter(|it| it.kind == MetricKind::Histogram && it.unit != "seconds");
    counted.try_fold(PrometheusBuilder::new().set_buckets(&SECONDS)?, |builder, metric| {
        builder.set_buckets_for_metric(Matcher::Full(metric.name.to_owned()), &COUNTS)
    })
}

/// Registers the `HELP` line of every metric, which includes the unit.
fn describe() {
    for metric in METRICS {
        let text = format!("{} Unit: {}.", metric.help, metric.unit);
        match metric.kind {
            MetricKind::Counter => metrics::describe_counter!(metric.name, text),
            MetricKind::Gauge => metrics::describe_gauge!(metric.name, text),
            MetricKind::Histogram => metrics::describe_histogram!(metric.name, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_recorder_is_installed_once_and_shared() {
        let first = super::install_metrics().unwrap();
        metrics::counter!("lombard_test_total").increment(1);
        assert!(super::install_metrics().unwrap().render().contains("lombard_test_total 1"));
        assert!(first.render().contains("lombard_test_total 1"));
    }

    #[test]
    fn every_family_says_its_unit_and_histograms_count_in_it() {
        let recorder = builder().unwrap().build_recorder();
        let text = metrics::with_local_recorder(&recorder, || {
            describe();
            for metric in METRICS {
                match metric.kind {
                    MetricKind::Counter => metrics::counter!(metric.name).increment(1),
                    MetricKind::Gauge => metrics::gauge!(metric.name).set(1.0),
                    MetricKind::Histogram => metrics::histogram!(metric.name).record(1.0),
                }
            }
            recorder.handle().render()
        });
        for metric in METRICS {
            let help = format!("# HELP {} {} Unit: {}.", metric.name, metric.help, metric.unit);
            assert!(text.lines().any(|line| line == help), "{help}\n{text}");
            let kind = format!("# TYPE {} {}", metric.name, metric.kind.name());
            assert!(text.lines().any(|line| line == kind), "{kind}\n{text}");
        }
        assert!(text.contains("lombard_store_group_size_bucket{le=\"256\"} 1"), "{text}");
        assert!(text.contains("lombard_signing_wait_seconds_bucket{le=\"30\"} 1"), "{text}");
    }
}
