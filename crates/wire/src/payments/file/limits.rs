//! The limits of a file, and the input consumed so far: in total, and since its last line.

use std::cell::Cell;
use std::io::{self, BufRead, Read};

/// The limits of a payment file. Source: FILE-018, PIS-021.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileLimits {
    /// The maximum size of the file.
    pub file_bytes_max: u64,
    /// The maximum size of one payment; it also applies to the content between payments.
    pub line_bytes_max: usize,
    /// The maximum nesting.
    pub depth_max: usize,
    /// The maximum number of payments.
    pub lines_max: u32,
}

impl Default for FileLimits {
    fn default() -> Self {
        Self { file_bytes_max: 64 << 20, line_bytes_max: 64 << 10, depth_max: 24, lines_max: 100_000 }
    }
}

/// The remaining input.
pub(super) struct InputLimits {
    of_file: Cell<u64>,
    of_line: Cell<usize>,
    line_bytes_max: usize,
    spent: Cell<Option<LimitExceeded>>,
}

/// The limit that was exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LimitExceeded {
    /// The size of the file.
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

    /// The input with these limits.
    pub(super) const fn measure<R>(&self, input: R) -> LimitedInput<'_, R> {
        LimitedInput { input, meter: self }
    }

    /// Starts a line, with the full size limit of a line.
    pub(super) fn line_begins(&self) {
        self.of_line.set(self.line_bytes_max);
    }

    /// The limit that was exceeded, if that stopped the reading.
    pub(super) const fn spent(&self) -> Option<LimitExceeded> {
        self.spent.get()
    }
}

/// An input that fails when a limit is exceeded.
pub(super) struct LimitedInput<'m, R> {
    input: R,
    meter: &'m InputLimits,
}

impl<'m, R> LimitedInput<'m, R> {
    /// The limits of the input.
    pub(super) const fn meter(&self) -> &'m InputLimits {
        self.meter
    }
}

impl<R: BufRead> BufRead for LimitedInput<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let of_file = self.meter.of_file.get();
        let of_line = self.meter.of_line.get();
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
