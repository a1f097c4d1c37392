//! Files of payments: what is announced of them, and their contents line by line. Source: section 6.
//!
//! A file is read once, from any reader, and never held: a line is handed out when its last byte has been read. What a
//! file can cost is bounded before it is believed: its size, the size and the depth of a line, and their number. Nothing
//! is hashed here: whoever brings the bytes does that on their way.

mod initiation;
mod json;
mod limits;
mod lines;
mod pain;
mod report;
#[cfg(test)]
pub(super) mod tests;

pub(super) use initiation::Initiation;
pub use initiation::{file_field_path, file_media_types};
pub use limits::FileLimits;
pub use lines::FileParseError;
pub use report::{
    OriginalBatch, OriginalMessage, ReportFrame, ReportedPayment, StatusCounts, StatusReport, read_original,
    write_report_entries,
};

use limits::{InputLimits, LimitExceeded};
use lines::{LineSink, refused};
use lombard_domain::file::{FileLine, FileTotals, FileType};
use std::io::BufRead;

/// Reads a file of a type and hands out its payments, in their order. Source: FILE-008, FILE-012, FILE-015.
///
/// What it says about itself (`GrpHdr`, `PmtInf`) has then been compared with what is in it; what was announced of it is
/// for [`FileInitiation::faults`](lombard_domain::file::FileInitiation::faults).
///
/// # Errors
/// [`FileParseError`].
pub fn read_file_lines<E>(
    kind: FileType,
    input: impl BufRead,
    limits: &FileLimits,
    mut each: impl FnMut(FileLine) -> Result<(), E>,
) -> Result<FileTotals, FileParseError<E>> {
    let meter = InputLimits::new(limits);
    let mut lines = LineSink::new(&mut each, limits);
    let read = match kind {
        FileType::Pain001 => pain::read(meter.measure(input), limits, &mut lines),
        FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => {
            json::read(meter.measure(input), limits, &mut lines)
        }
    };
    match (read, meter.spent()) {
        (Ok(()), _) => Ok(lines.into_totals()),
        // The format only saw that its input ended badly.
        (Err(FileParseError::Stopped(stop)), _) => Err(FileParseError::Stopped(stop)),
        (Err(_), Some(LimitExceeded::File)) => Err(FileParseError::TooLarge),
        (Err(_), Some(LimitExceeded::Line)) => Err(refused("A payment of the file is too large.")),
        (Err(why), None) => Err(why),
    }
}
