//! The receiver of a file's lines, and the errors that stop the parser.

use super::limits::FileLimits;
use lombard_domain::payment::file::{FileLine, FileTotals};
use lombard_domain::refusal::{Fault, FaultCode};
use std::io;

/// The largest number of faults in one response.
pub(super) const FAULTS_MAX: usize = 100;

/// Why a file was not parsed to its end. Lines that were yielded before must be discarded.
#[derive(Debug)]
pub enum FileParseError<E> {
    /// The file exceeds its maximum size. Source: FILE-018.
    TooLarge,
    /// The content is invalid; at least one fault, all of the code for its format. Source: FILE-012.
    Refused(Vec<Fault>),
    /// The input could not be read.
    Input(io::Error),
    /// The receiver of the lines returned an error.
    Stopped(E),
}

/// The receiver of a file's lines.
pub(super) struct LineSink<'a, E> {
    each: &'a mut dyn FnMut(FileLine) -> Result<(), E>,
    totals: FileTotals,
    lines_max: u32,
}

impl<'a, E> LineSink<'a, E> {
    /// A receiver for at most as many lines as a file may have.
    pub(super) fn new(each: &'a mut dyn FnMut(FileLine) -> Result<(), E>, limits: &FileLimits) -> Self {
        Self { each, totals: FileTotals::default(), lines_max: limits.lines_max }
    }

    /// The totals of the lines so far.
    pub(super) const fn totals(&self) -> &FileTotals {
        &self.totals
    }

    /// The totals of all lines.
    pub(super) fn into_totals(self) -> FileTotals {
        self.totals
    }

    /// The number of the next line.
    pub(super) fn next_number(&self) -> u32 {
        self.totals.count.saturating_add(1)
    }

    /// Counts a line and passes it on.
    pub(super) fn take(&mut self, line: FileLine) -> Result<(), FileParseError<E>> {
        if self.totals.count >= self.lines_max {
            return Err(refused("The file holds too many payments."));
        }
        self.totals.add(&line).map_err(|_| refused("The amounts in the file are too large."))?;
        (self.each)(line).map_err(FileParseError::Stopped)
    }
}

/// The refusal of the whole file.
pub(super) fn refused<E>(message: &'static str) -> FileParseError<E> {
    FileParseError::Refused(vec![Fault::new(FaultCode::InvalidFormat, message)])
}
