//! Log lines and metrics of the process.
//!
//! Both belong to the process: several servers in one process, as in tests, share them.

mod log_lines;
mod metric_list;
mod metrics;

pub use log_lines::start_logging;
pub use metric_list::{METRICS, Metric, MetricKind, reference as metrics_reference};
pub use metrics::install_metrics;
