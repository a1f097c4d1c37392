//! Reads payment files and reports on their payments in the version of their consent.

use crate::RenderError;
use crate::payments::file::{FileLimits, FileParseError, read_lines, write_entries};
use crate::v3_1::V3_1;
use crate::v4_0::V4_0;
use lombard_domain::payment::file::{FileLine, FileTotals, FileType};
use lombard_domain::payment::order::PaymentDetailsEntry;
use lombard_domain::version::Version;
use std::io::BufRead;

/// Parses a file of a type and yields its payments in order; the payments of a JSON file have the form of the consent's
/// version. Source: FILE-006, FILE-008, FILE-012, FILE-015.
///
/// The file's own totals (`GrpHdr`, `PmtInf`) are compared with its content. The announcement is compared by
/// [`FileInitiation::faults`](lombard_domain::payment::file::FileInitiation::faults).
///
/// # Errors
/// [`FileParseError`].
pub fn read_file_lines<E>(
    version: Version,
    kind: FileType,
    input: impl BufRead,
    limits: &FileLimits,
    each: impl FnMut(FileLine) -> Result<(), E>,
) -> Result<FileTotals, FileParseError<E>> {
    match version {
        Version::V3_1 => read_lines::<V3_1, E>(kind, input, limits, each),
        Version::V4_0 => read_lines::<V4_0, E>(kind, input, limits, each),
    }
}

/// Serialises one or more entries of a list of payment details in a version; `is_first` states whether they begin the list.
///
/// # Errors
/// [`RenderError`].
pub fn write_report_entries(
    version: Version,
    payments: impl Iterator<Item = PaymentDetailsEntry>,
    is_first: bool,
) -> Result<Vec<u8>, RenderError> {
    match version {
        Version::V3_1 => write_entries::<V3_1>(payments, is_first),
        Version::V4_0 => write_entries::<V4_0>(payments, is_first),
    }
}
