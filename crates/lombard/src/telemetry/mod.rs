//! Log lines, metrics and traces of the process.
//!
//! They belong to the process: several servers in one process, as in tests, share them.

mod log_lines;
mod metric_list;
mod metrics;
mod refusals;
mod repeated_lines;
mod sampled;
mod traces;

pub use log_lines::start_logging;
pub use metric_list::{METRICS, Metric, MetricKind, reference as metrics_reference};
pub use metrics::install_metrics;
pub use refusals::{CountedRefusals, take_refusals};
pub use repeated_lines::{report_all_left_out_lines, report_left_out_lines};
pub use sampled::{SampledValues, write_sampled_metrics};
pub use traces::{TracesError, flush_traces, start_traces};
