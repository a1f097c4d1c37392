//! Files of payments: what is said of a file beforehand, what is in it line by line, and whether the two agree.
//! Source: section 6.
//!
//! A file is never held in memory: whoever reads it hands out one [`FileLine`] after another and counts them in
//! [`Totals`], which [`FileInitiation::faults`] then compares with what the TPP announced. A line that cannot be paid is still
//! a line (FILE-023): it counts, and says why.

mod fault;
mod line;
mod terms;
#[cfg(test)]
mod tests;
mod totals;
mod upload;

pub use fault::{FileFault, FileField};
pub use line::{FileLine, NotMadeReason, Payee, Unpayable};
pub use terms::{FileInitiation, FileType};
pub use totals::{Agreement, ControlSum, ControlSumOverflow, Totals};
pub use upload::{Progress, UploadedFile};
