//! Log lines and metrics of the process.
//!
//! Both are the process's, not a server's: many servers can run in one process (tests do that) and share them.

mod log_lines;
mod metric_list;
mod metrics;

pub use log_lines::start_logging;
pub use metric_list::{METRICS, Metric, MetricKind, reference as metrics_reference};
pub use metrics::install_metrics;
