//! Log lines and metrics of the process.
//!
//! Both are the process's, not a server's: many servers can run in one process (tests do that) and share them.

mod log_lines;

pub use log_lines::start_logging;

use metrics_exporter_prometheus::{BuildError, PrometheusBuilder, PrometheusHandle};
use std::sync::{Mutex, PoisonError};

/// Bounds of duration histograms, seconds: from a cached read to a timeout.
const BUCKETS: [f64; 16] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// The metrics of this process; the recorder is installed by the first who asks. Ask before handles are made.
///
/// # Errors
/// [`BuildError`] when another recorder is installed.
pub fn metrics() -> Result<PrometheusHandle, BuildError> {
    static HANDLE: Mutex<Option<PrometheusHandle>> = Mutex::new(None);
    let mut handle = HANDLE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(handle) = handle.as_ref() {
        return Ok(handle.clone());
    }
    let installed = PrometheusBuilder::new().set_buckets(&BUCKETS)?.install_recorder()?;
    lombard_http::layers::describe_meters();
    *handle = Some(installed.clone());
    Ok(installed)
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_recorder_is_installed_once_and_shared() {
        let first = super::metrics().unwrap();
        metrics::counter!("lombard_test_total").increment(1);
        assert!(super::metrics().unwrap().render().contains("lombard_test_total 1"));
        assert!(first.render().contains("lombard_test_total 1"));
    }
}
