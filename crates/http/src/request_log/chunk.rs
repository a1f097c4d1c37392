//! Records written one behind the other into one piece of memory.

use std::collections::VecDeque;

/// Where a record is: behind those before it.
#[derive(Debug, Clone, Copy)]
struct RecordMark {
    /// Grows by one with each record of the log.
    number: u64,
    /// When its request came: microseconds since 1970 (wall clock).
    at_micros: i64,
    /// Its length, bytes.
    length: usize,
}

/// Some records of one owner, the oldest first. Filling memory piece by piece, and letting it go piece by piece, costs a request less
/// than an allocation for each text of a record.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    bytes: Vec<u8>,
    marks: VecDeque<RecordMark>,
}

impl Chunk {
    /// An empty one that holds so many bytes before it grows.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), marks: VecDeque::new() }
    }

    /// The bytes that it occupies.
    pub(super) fn bytes(&self) -> usize {
        let marks = self.marks.capacity().saturating_mul(size_of::<RecordMark>());
        size_of::<Self>().saturating_add(self.bytes.capacity()).saturating_add(marks)
    }

    /// Whether a record of so many bytes would make it longer than this.
    pub(super) fn is_full(&self, record_bytes: usize, bytes_max: usize) -> bool {
        !self.marks.is_empty() && self.bytes.len().saturating_add(record_bytes) > bytes_max
    }

    /// The number of its newest record.
    pub(super) fn last(&self) -> Option<u64> {
        self.marks.back().map(|mark| mark.number)
    }

    /// Copies a written record behind the others.
    pub(super) fn push(&mut self, number: u64, at_micros: i64, written: &[u8]) {
        self.bytes.extend_from_slice(written);
        self.marks.push_back(RecordMark { number, at_micros, length: written.len() });
    }

    /// Drops the records that came before this time.
    pub(super) fn drop_before(&mut self, micros: i64) {
        let (mut count, mut bytes) = (0_usize, 0_usize);
        for mark in self.marks.iter().take_while(|mark| mark.at_micros < micros) {
            (count, bytes) = (count.saturating_add(1), bytes.saturating_add(mark.length));
        }
        self.marks.drain(..count);
        self.bytes.drain(..bytes);
    }

    /// Drops all records and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.marks.clear();
    }

    /// Whether there is no record in it.
    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The records with their numbers, as they are written, the newest first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = (u64, &[u8])> {
        let mut rest = self.bytes.as_slice();
        self.marks.iter().rev().map_while(move |mark| {
            let (before, record) = rest.split_at_checked(rest.len().checked_sub(mark.length)?)?;
            rest = before;
            Some((mark.number, record))
        })
    }
}
