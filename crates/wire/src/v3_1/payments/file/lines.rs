//! Where the lines of a file go, and what ends their coming.

use super::limits::FileLimits;
use lombard_domain::file::{FileLine, FileTotals};
use lombard_domain::refusal::{Fault, FaultCode};
use std::io;

/// Most faults one answer lists.
pub(super) const FAULTS_MAX: usize = 100;

/// Why a file was not read to its end. Lines that were handed out before are void.
#[derive(Debug)]
pub enum FileParseError<E> {
    /// It is larger than a file may be. Source: FILE-018.
    TooLarge,
    /// It is not what it should be; at least one fault, all of them of its format. Source: FILE-012.
    Refused(Vec<Fault>),
    /// Its bytes could not be had.
    Input(io::Error),
    /// Whoever took the lines wanted no more.
    Stopped(E),
}

/// Where the lines of a file go.
pub(super) struct LineSink<'a, E> {
    each: &'a mut dyn FnMut(FileLine) -> Result<(), E>,
    totals: FileTotals,
    lines_max: u32,
}

impl<'a, E> LineSink<'a, E> {
    /// Lines go here, as many as a file may hold.
    pub(super) fn new(each: &'a mut dyn FnMut(FileLine) -> Result<(), E>, limits: &FileLimits) -> Self {
        Self { each, totals: FileTotals::default(), lines_max: limits.lines_max }
    }

    /// What the lines come to so far.
    pub(super) const fn totals(&self) -> &FileTotals {
        &self.totals
    }

    /// What all lines came to.
    pub(super) fn into_totals(self) -> FileTotals {
        self.totals
    }

    /// The number of the next line.
    pub(super) fn next_number(&self) -> u32 {
        self.totals.count.saturating_add(1)
    }

    /// Counts a line and hands it out.
    pub(super) fn take(&mut self, line: FileLine) -> Result<(), FileParseError<E>> {
        if self.totals.count >= self.lines_max {
            return Err(refused("The file holds too many payments."));
        }
        self.totals.add(&line).map_err(|_| refused("The amounts in the file are too large."))?;
        (self.each)(line).map_err(FileParseError::Stopped)
    }
}

/// The refusal of a whole file.
pub(super) fn refused<E>(message: &'static str) -> FileParseError<E> {
    FileParseError::Refused(vec![Fault::new(FaultCode::InvalidFormat, message)])
}
