//! Files of payments: what is announced of them, and their contents line by line. Source: section 6.
//!
//! A file is read once, from any reader, and never held: a line is handed out when its last byte has been read. What a
//! file can cost is bounded before it is believed: its size, the size and the depth of a line, and their number. Nothing
//! is hashed here: whoever brings the bytes does that on their way.

mod initiation;
mod json;
mod meter;
mod pain;
mod report;
#[cfg(test)]
pub(super) mod tests;

pub(super) use initiation::Initiation;
pub use initiation::{file_media_types, path};
pub use report::{Frame, OriginalBatch, OriginalMessage, Reported, StatusReport, Tally, entries, read_original};

use lombard_domain::file::{FileLine, FileType, Totals};
use lombard_domain::refusal::{Fault, FaultCode};
use meter::{InputLimits, Spent};
use std::io::{self, BufRead};

/// Most faults one answer lists.
const FAULTS_MAX: usize = 100;

/// What a file may be. Source: FILE-018, PIS-021.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLimits {
    /// The size of the file.
    pub file_bytes_max: u64,
    /// The size of one payment in it; also of what stands around them.
    pub line_bytes_max: usize,
    /// How deep it may nest.
    pub depth_max: usize,
    /// How many payments may be in it.
    pub lines_max: u32,
}

impl Default for FileLimits {
    fn default() -> Self {
        Self { file_bytes_max: 64 << 20, line_bytes_max: 64 << 10, depth_max: 24, lines_max: 100_000 }
    }
}

/// Why a file was not read to its end. Lines that were handed out before are void.
#[derive(Debug)]
pub enum Unread<E> {
    /// It is larger than a file may be. Source: FILE-018.
    TooLarge,
    /// It is not what it should be; at least one fault, all of them of its format. Source: FILE-012.
    Refused(Vec<Fault>),
    /// Its bytes could not be had.
    Input(io::Error),
    /// Whoever took the lines wanted no more.
    Stopped(E),
}

/// Reads a file of a type and hands out its payments, in their order. Source: FILE-008, FILE-012, FILE-015.
///
/// What it says about itself (`GrpHdr`, `PmtInf`) has then been compared with what is in it; what was announced of it is
/// for [`FileInitiation::faults`](lombard_domain::file::FileInitiation::faults).
///
/// # Errors
/// [`Unread`].
pub fn read_file_lines<E>(
    kind: FileType,
    input: impl BufRead,
    limits: &FileLimits,
    mut each: impl FnMut(FileLine) -> Result<(), E>,
) -> Result<Totals, Unread<E>> {
    let meter = InputLimits::new(limits);
    let mut lines = Lines { each: &mut each, totals: Totals::default(), lines_max: limits.lines_max };
    let read = match kind {
        FileType::Pain001 => pain::read(meter.measure(input), limits, &mut lines),
        FileType::PaymentInitiation31 | FileType::PaymentInitiation40 => {
            json::read(meter.measure(input), limits, &mut lines)
        }
    };
    match (read, meter.spent()) {
        (Ok(()), _) => Ok(lines.totals),
        // The format only saw that its input ended badly.
        (Err(Unread::Stopped(stop)), _) => Err(Unread::Stopped(stop)),
        (Err(_), Some(Spent::File)) => Err(Unread::TooLarge),
        (Err(_), Some(Spent::Line)) => Err(refused("A payment of the file is too large.")),
        (Err(why), None) => Err(why),
    }
}

/// Where the lines of a file go.
struct Lines<'a, E> {
    each: &'a mut dyn FnMut(FileLine) -> Result<(), E>,
    totals: Totals,
    lines_max: u32,
}

impl<E> Lines<'_, E> {
    /// The number of the next line.
    fn next_number(&self) -> u32 {
        self.totals.count.saturating_add(1)
    }

    /// Counts a line and hands it out.
    fn take(&mut self, line: FileLine) -> Result<(), Unread<E>> {
        if self.totals.count >= self.lines_max {
            return Err(refused("The file holds too many payments."));
        }
        self.totals.add(&line).map_err(|_| refused("The amounts in the file are too large."))?;
        (self.each)(line).map_err(Unread::Stopped)
    }
}

/// The refusal of a whole file.
fn refused<E>(message: &'static str) -> Unread<E> {
    Unread::Refused(vec![Fault::new(FaultCode::InvalidFormat, message)])
}
