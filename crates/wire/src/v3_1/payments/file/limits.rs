//! What a file may be, and how much of it has been read: all of it, and since its last line.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

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

/// What is left to read.
pub(super) struct InputLimits {
    of_file: Cell<u64>,
    of_line: Cell<usize>,
    line_bytes_max: usize,
    spent: Cell<Option<LimitExceeded>>,
}

/// What has been used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LimitExceeded {
    /// The size of a file.
    File,
    /// The size of a line.
    Line,
}

impl InputLimits {
    pub(super) const fn new(limits: &FileLimits) -> Self {
        Self {
            of_file: Cell::new(limits.file_bytes_max),
            of_line: Cell::new(limits.line_bytes_max),
            line_bytes_max: limits.line_bytes_max,
            spent: Cell::new(None),
        }
    }

    /// The input, measured.
    pub(super) const fn measure<R>(&self, input: R) -> LimitedInput<'_, R> {
        LimitedInput { input, meter: self }
    }

    /// A line begins: it may be as large as a line may be.
    pub(super) fn line_begins(&self) {
        self.of_line.set(self.line_bytes_max);
    }

    /// What was used up, if that ended the reading.
    pub(super) const fn spent(&self) -> Option<LimitExceeded> {
        self.spent.get()
    }
}

/// An input that ends in an error when too much was read of it.
pub(super) struct LimitedInput<'m, R> {
    input: R,
    meter: &'m InputLimits,
}

impl<'m, R> LimitedInput<'m, R> {
    /// What measures it.
    pub(super) const fn meter(&self) -> &'m InputLimits {
        self.meter
    }
}

impl<R: BufRead> BufRead for LimitedInput<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let (of_file, of_line) = (self.meter.of_file.get(), self.meter.of_line.get());
        let available = self.input.fill_buf()?;
        let spent = match (of_file, of_line) {
            _ if available.is_empty() => None,
            (0, _) => Some(LimitExceeded::File),
            (_, 0) => Some(LimitExceeded::Line),
            _ => None,
        };
        if let Some(spent) = spent {
            self.meter.spent.set(Some(spent));
            return Err(io::Error::other("more than a file may hold"));
        }
        let left = usize::try_from(of_file).unwrap_or(usize::MAX).min(of_line);
        Ok(available.get(..left).unwrap_or(available))
    }

    fn consume(&mut self, amount: usize) {
        self.input.consume(amount);
        let meter = self.meter;
        meter.of_file.set(meter.of_file.get().saturating_sub(u64::try_from(amount).unwrap_or(u64::MAX)));
        meter.of_line.set(meter.of_line.get().saturating_sub(amount));
    }
}

impl<R: BufRead> Read for LimitedInput<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.fill_buf()?.read(into)?;
        self.consume(count);
        Ok(count)
    }
}
