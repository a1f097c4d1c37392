//! Payment files: the announcement, and the content line by line. Source: section 6.
//!
//! A file is read once from any reader and never held in memory: a line is yielded once its last byte has been read.
//! The cost is limited by the size of the file, the size and nesting of a line, and the number of lines. The caller
//! computes the hash of the file while reading.

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
pub(crate) use report::write_entries;
pub use report::{
    OriginalBatch, OriginalMessage, ReportFrame, ReportedPayment, StatusCounts, StatusReport, read_original,
};

use crate::encoding::{BYTE_ORDER_MARK, DECISIVE_BYTES, ForeignEncoding, recognise_encoding};
use crate::payments::forms::PaymentForms;
use limits::{InputLimits, LimitExceeded};
use lines::{LineSink, refused};
use lombard_domain::payment::file::{FileLine, FileTotals, FileType};
use lombard_domain::refusal::{Fault, FaultCode};
use std::io::{self, BufRead, Cursor, Read as _};

/// Parses a file of a type and yields its payments in order; those of a JSON file have the form of version `V`.
///
/// # Errors
/// [`FileParseError`].
pub(crate) fn read_lines<V: PaymentForms, E>(
    kind: FileType,
    input: impl BufRead,
    limits: &FileLimits,
    mut each: impl FnMut(FileLine) -> Result<(), E>,
) -> Result<FileTotals, FileParseError<E>> {
    let (head, input) = read_head(input).map_err(FileParseError::Input)?;
    if let Some(encoding) = recognise_encoding(&head)
        && encoding != ForeignEncoding::MarkedUtf8
    {
        let message = format!("The file {}; it must be text in UTF-8.", encoding.description());
        return Err(FileParseError::Refused(vec![Fault::new(FaultCode::InvalidFormat, message)]));
    }
    let input = Cursor::new(without_byte_order_mark(&head)).chain(input);
    let meter = InputLimits::new(limits);
    let mut lines = LineSink::new(&mut each, limits);
    let read = match kind {
        FileType::Pain001 => pain::read(meter.measure(input), limits, &mut lines),
        FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => {
            json::read::<V, _, _>(meter.measure(input), limits, &mut lines)
        }
    };
    match (read, meter.spent()) {
        (Ok(()), _) => Ok(lines.into_totals()),
        // The format's parser only reports that its input failed; the cause is here.
        (Err(FileParseError::Stopped(stop)), _) => Err(FileParseError::Stopped(stop)),
        (Err(_), Some(LimitExceeded::File)) => Err(FileParseError::TooLarge),
        (Err(_), Some(LimitExceeded::Line)) => Err(refused("A payment of the file is too large.")),
        (Err(why), None) => Err(why),
    }
}

/// Reads the first bytes of a file. Returns them and the input with the remaining bytes.
fn read_head<R: BufRead>(mut input: R) -> io::Result<(Vec<u8>, R)> {
    let mut head = Vec::with_capacity(DECISIVE_BYTES);
    let bytes = u64::try_from(DECISIVE_BYTES).unwrap_or(u64::MAX);
    input.by_ref().take(bytes).read_to_end(&mut head)?;
    Ok((head, input))
}

/// A byte order mark is ignored. Source: FILE-012.
fn without_byte_order_mark(head: &[u8]) -> &[u8] {
    head.strip_prefix(BYTE_ORDER_MARK).unwrap_or(head)
}
