//! Files of payments: what is said of a file beforehand, what is in it line by line, and whether the two agree.
//! Source: section 6.
//!
//! A file is never held in memory: whoever reads it hands out one [`FileLine`] after another and counts them in
//! [`FileTotals`], which [`FileInitiation::faults`] then compares with what the TPP announced. A line that cannot be paid is still
//! a line (FILE-023): it counts, and says why.

mod fault;
mod field;
mod initiation;
mod line;
#[cfg(test)]
mod tests;
mod totals;
mod upload;
mod validation;

pub use fault::FileFault;
pub use field::FileField;
pub use initiation::{FileInitiation, FileType};
pub use line::{FileLine, FilePayee, NotMadeReason, UnpayableReason};
pub use totals::{CommonValue, ControlSum, ControlSumOverflow, FileTotals};
pub use upload::{FileProgress, UploadedFile};
