//! Payment files: the announcement of a file, its lines, and the comparison of both.
//! Source: section 6.
//!
//! A file is never held in memory. A reader yields one [`FileLine`] at a time and adds it to [`FileTotals`], which
//! [`FileInitiation::faults`] compares with the announcement. A line that cannot be executed is counted and carries its
//! reason (FILE-023).

mod fault;
mod initiation;
mod line;
#[cfg(test)]
mod tests;
mod totals;
mod upload;
mod validation;

pub use fault::FileFault;
pub use initiation::{FileInitiation, FileType};
pub use line::{FileLine, FilePayee, UnexecutedReason, UnpayableReason};
pub use totals::{CommonValue, ControlSum, ControlSumOverflow, FileTotals};
pub use upload::{FileProgress, UploadedFile};
