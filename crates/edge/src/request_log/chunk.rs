//! Records written one behind the other into one piece of memory.

use super::body::BodyBeside;
use bytes::Bytes;
use std::collections::VecDeque;

/// Where a record is: behind those before it.
#[derive(Debug)]
struct RecordMark {
    /// Grows by one with each record of the log.
    number: u64,
    /// When its request came: microseconds since 1970 (wall clock).
    at_micros: i64,
    /// Its length, bytes.
    length: usize,
    /// The length of the body that is copied behind it, bytes.
    copied: usize,
    /// The body that stands beside it and is not copied.
    shared: Option<Bytes>,
}

impl RecordMark {
    /// The bytes beside the record that are not copied.
    fn shared_bytes(&self) -> usize {
        self.shared.as_ref().map_or(0, Bytes::len)
    }

    /// The bytes of the chunk that it occupies.
    const fn own_bytes(&self) -> usize {
        self.length.saturating_add(self.copied)
    }
}

/// A record to be kept, with its number.
#[derive(Debug)]
pub(super) struct NumberedRecord<'w> {
    /// Grows by one with each record of the log.
    pub(super) number: u64,
    /// When its request came: microseconds since 1970 (wall clock).
    pub(super) at_micros: i64,
    /// As it is written.
    pub(super) written: &'w [u8],
    /// What stands beside it.
    pub(super) beside: Option<BodyBeside>,
}

impl NumberedRecord<'_> {
    /// The part of the body beside it that is copied.
    fn copied(&self) -> &[u8] {
        let copied = |body: &BodyBeside| body.copied.map(|length| length.min(body.bytes.len()));
        let part = self.beside.as_ref().and_then(|body| body.bytes.get(..copied(body)?));
        part.unwrap_or_default()
    }

    /// The bytes of the record with what is copied, and those that stay beside it.
    fn bytes(&self) -> [usize; 2] {
        let shared = self.beside.as_ref().filter(|body| body.copied.is_none());
        [self.written.len().saturating_add(self.copied().len()), shared.map_or(0, |body| body.bytes.len())]
    }
}

/// A record of a chunk.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeptRecord<'c> {
    /// Its number.
    pub(super) number: u64,
    /// As it is written.
    pub(super) written: &'c [u8],
    /// The body that is copied behind it; empty if there is none.
    copied: &'c [u8],
    /// The body that stands beside it.
    shared: Option<&'c Bytes>,
}

impl KeptRecord<'_> {
    /// The body that stands beside it, to be kept further than the chunk.
    pub(super) fn beside(&self) -> Option<BodyBeside> {
        let copied = || (!self.copied.is_empty()).then(|| Bytes::copy_from_slice(self.copied));
        Some(BodyBeside { bytes: self.shared.cloned().or_else(copied)?, copied: None })
    }
}

/// Some records of one owner, the oldest first. Filling memory piece by piece, and letting it go piece by piece, costs a request less
/// than an allocation for each text of a record.
#[derive(Debug, Default)]
pub(super) struct Chunk {
    bytes: Vec<u8>,
    marks: VecDeque<RecordMark>,
    /// The bytes beside all records.
    shared_bytes: usize,
}

impl Chunk {
    /// An empty one that holds so many bytes before it grows.
    pub(super) fn with_capacity(bytes: usize) -> Self {
        Self { bytes: Vec::with_capacity(bytes), ..Self::default() }
    }

    /// The bytes that it occupies.
    pub(super) fn bytes(&self) -> usize {
        let marks = self.marks.capacity().saturating_mul(size_of::<RecordMark>());
        let own = size_of::<Self>().saturating_add(self.bytes.capacity()).saturating_add(marks);
        own.saturating_add(self.shared_bytes)
    }

    /// Whether this record would bring more than so many bytes into it, or more than `shared_max` beside its records.
    pub(super) fn is_full(&self, record: &NumberedRecord<'_>, bytes_max: usize, shared_max: usize) -> bool {
        let [own, shared] = record.bytes();
        let is_longer = self.bytes.len().saturating_add(own) > bytes_max;
        !self.marks.is_empty() && (is_longer || self.shared_bytes.saturating_add(shared) > shared_max)
    }

    /// The number of its newest record.
    pub(super) fn last(&self) -> Option<u64> {
        self.marks.back().map(|mark| mark.number)
    }

    /// Copies a written record behind the others.
    pub(super) fn push(&mut self, record: NumberedRecord<'_>) {
        self.bytes.extend_from_slice(record.written);
        self.bytes.extend_from_slice(record.copied());
        let copied = record.copied().len();
        let NumberedRecord { number, at_micros, written, beside } = record;
        let shared = beside.filter(|body| body.copied.is_none()).map(|body| body.bytes);
        let mark = RecordMark { number, at_micros, length: written.len(), copied, shared };
        self.shared_bytes = self.shared_bytes.saturating_add(mark.shared_bytes());
        self.marks.push_back(mark);
    }

    /// Drops the records that came before this time.
    pub(super) fn drop_before(&mut self, micros: i64) {
        let (mut count, mut bytes) = (0_usize, 0_usize);
        for mark in self.marks.iter().take_while(|mark| mark.at_micros < micros) {
            (count, bytes) = (count.saturating_add(1), bytes.saturating_add(mark.own_bytes()));
            self.shared_bytes = self.shared_bytes.saturating_sub(mark.shared_bytes());
        }
        self.marks.drain(..count);
        self.bytes.drain(..bytes);
    }

    /// Drops all records and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.marks.clear();
        self.shared_bytes = 0;
    }

    /// Whether there is no record in it.
    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The records, the newest first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = KeptRecord<'_>> {
        let mut rest = self.bytes.as_slice();
        self.marks.iter().rev().map_while(move |mark| {
            let (before, record) = rest.split_at_checked(rest.len().checked_sub(mark.own_bytes())?)?;
            let (written, copied) = record.split_at_checked(mark.length)?;
            rest = before;
            Some(KeptRecord { number: mark.number, written, copied, shared: mark.shared.as_ref() })
        })
    }
}
