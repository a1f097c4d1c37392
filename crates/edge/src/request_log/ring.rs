//! The records, within bounds: of bytes altogether, of bytes of each owner, and of age.

use super::body::BodyBeside;
use super::chunk::{Chunk, KeptRecord, NumberedRecord};
use super::inbox::ArrivedRecord;
use super::owner::RecordOwner;
use super::record::Record;
use lombard_domain::ids::ClientId;
use std::collections::{HashMap, VecDeque};

/// Bounds in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct RingBounds {
    /// Of all records.
    pub(super) all: usize,
    /// Of the records of one owner.
    pub(super) owner: usize,
}

/// Into how many chunks an owner's share is divided at least.
const CHUNKS_MIN: usize = 16;
/// Most bytes of a chunk; a longer record has one for itself.
const CHUNK_BYTES_MAX: usize = 64 * 1024;
/// Most bytes beside the records of a chunk, as a multiple of those of a chunk.
const SHARED_MULTIPLE: usize = 8;

impl RingBounds {
    fn chunk(self) -> usize {
        (self.owner / CHUNKS_MIN).min(CHUNK_BYTES_MAX)
    }
}

/// The records of one owner, the oldest chunk first.
#[derive(Debug, Default)]
struct OwnedRecords {
    chunks: VecDeque<Chunk>,
    bytes: usize,
}

impl OwnedRecords {
    /// Drops the oldest chunk; gives it, emptied.
    fn drop_oldest(&mut self) -> Option<Chunk> {
        let mut oldest = self.chunks.pop_front()?;
        self.bytes = self.bytes.saturating_sub(oldest.bytes());
        oldest.clear();
        Some(oldest)
    }

    /// Copies a record behind the others, if need be into a new chunk.
    fn push(&mut self, record: NumberedRecord<'_>, chunk_bytes: usize, new: impl FnOnce() -> Chunk) {
        let shared_max = chunk_bytes.saturating_mul(SHARED_MULTIPLE);
        let is_full = |chunk: &Chunk| chunk.is_full(&record, chunk_bytes, shared_max);
        if self.chunks.back().is_none_or(is_full) {
            // The first one grows as it is filled: there may be many owners with a record each.
            let chunk = if self.chunks.is_empty() { Chunk::default() } else { new() };
            self.bytes = self.bytes.saturating_add(chunk.bytes());
            self.chunks.push_back(chunk);
        }
        let Some(chunk) = self.chunks.back_mut() else { return };
        let before = chunk.bytes();
        chunk.push(record);
        self.bytes = self.bytes.saturating_add(chunk.bytes()).saturating_sub(before);
    }

    /// Drops what is older.
    fn drop_before(&mut self, micros: i64) {
        while let Some(oldest) = self.chunks.front_mut() {
            let before = oldest.bytes();
            oldest.drop_before(micros);
            self.bytes = self.bytes.saturating_sub(before).saturating_add(oldest.bytes());
            if !oldest.is_empty() {
                return;
            }
            self.drop_oldest();
        }
    }
}

/// Which records are looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordRange<'q> {
    /// Those of one client, if it is given.
    pub(super) client: Option<&'q ClientId>,
    /// Those behind this number.
    pub(super) after: Option<u64>,
    /// Those before this number.
    pub(super) before: Option<u64>,
}

/// A record that was found, as it is written.
#[derive(Debug, Clone)]
pub(super) struct FoundRecord {
    pub(super) number: u64,
    written: Vec<u8>,
    beside: Option<BodyBeside>,
}

impl FoundRecord {
    fn of(kept: KeptRecord<'_>) -> Self {
        Self { number: kept.number, written: kept.written.to_vec(), beside: kept.beside() }
    }

    pub(super) fn record(&self) -> Option<Record<'_>> {
        Some(Record { beside: self.beside.as_ref(), ..Record::read(&self.written)? })
    }
}

/// All records.
#[derive(Debug)]
pub(super) struct Ring {
    bounds: RingBounds,
    /// By the owner's key.
    owners: HashMap<Box<[u8]>, OwnedRecords>,
    bytes: usize,
    last: u64,
    /// The memory of a chunk that was dropped, for the next one.
    spare: Option<Chunk>,
}

/// When the log overflows, so much more is dropped at once that the owner of the most records is not sought for each record: a
/// 64th of all bytes.
const SLACK: usize = 64;

impl Ring {
    pub(super) fn new(bounds: RingBounds) -> Self {
        Self { bounds, owners: HashMap::new(), bytes: 0, last: 0, spare: None }
    }

    /// Adds a record and drops the oldest chunks of its owner beyond the owner's bound, then the oldest of whoever has most beyond the
    /// bound of all. The record itself stays.
    pub(super) fn add(&mut self, record: ArrivedRecord<'_>) {
        self.last = self.last.saturating_add(1);
        let (bounds, chunk_bytes) = (self.bounds, self.bounds.chunk());
        let spare = &mut self.spare;
        let ArrivedRecord { owner, at_micros, written, beside } = record;
        let own = match self.owners.get_mut(owner) {
            Some(own) => own,
            None => self.owners.entry(owner.into()).or_default(),
        };
        let before = own.bytes;
        let record = NumberedRecord { number: self.last, at_micros, written, beside };
        own.push(record, chunk_bytes, || spare.take().unwrap_or_else(|| Chunk::with_capacity(chunk_bytes)));
        while own.bytes > bounds.owner && own.chunks.len() > 1 {
            // That of a longer record would be filled no further than others.
            *spare = own.drop_oldest().filter(|chunk| chunk.bytes() <= chunk_bytes.saturating_mul(2));
        }
        self.bytes = self.bytes.saturating_add(own.bytes).saturating_sub(before);
        if self.bytes > bounds.all {
            self.drop_to(bounds.all.saturating_sub(bounds.all / SLACK));
        }
    }

    fn drop_to(&mut self, bytes_max: usize) {
        while self.bytes > bytes_max {
            let Some(largest) = self.owners.values_mut().max_by_key(|own| own.bytes) else { return };
            let (goal, before) = (largest.bytes / 2, largest.bytes);
            let beyond = self.bytes.saturating_sub(bytes_max);
            while before.saturating_sub(largest.bytes) < beyond && largest.bytes > goal && largest.chunks.len() > 1 {
                largest.drop_oldest();
            }
            self.bytes = self.bytes.saturating_sub(before).saturating_add(largest.bytes);
            if largest.bytes == before {
                // The largest owner has one chunk.
                self.drop_oldest_of_all(bytes_max);
                return;
            }
        }
    }

    /// Drops the oldest chunks, whoever has them: those to which nothing was added for the longest time. That with the newest record
    /// stays.
    fn drop_oldest_of_all(&mut self, bytes_max: usize) {
        let mut numbers: Vec<u64> =
            self.owners.values().flat_map(|own| own.chunks.iter().filter_map(Chunk::last)).collect();
        numbers.sort_unstable();
        numbers.pop();
        for number in numbers {
            if self.bytes <= bytes_max {
                break;
            }
            let is_holder = |own: &&mut OwnedRecords| own.chunks.front().and_then(Chunk::last) == Some(number);
            let Some(own) = self.owners.values_mut().find(is_holder) else { continue };
            let before = own.bytes;
            own.drop_oldest();
            self.bytes = self.bytes.saturating_sub(before).saturating_add(own.bytes);
        }
        self.owners.retain(|_, own| !own.chunks.is_empty());
    }

    /// Drops the records that came before this time: microseconds since 1970 (wall clock).
    pub(super) fn drop_before(&mut self, micros: i64) {
        for own in self.owners.values_mut() {
            let before = own.bytes;
            own.drop_before(micros);
            self.bytes = self.bytes.saturating_sub(before).saturating_add(own.bytes);
        }
        self.owners.retain(|_, own| !own.chunks.is_empty());
    }

    /// The number of the newest record; 0 if there has been none.
    pub(super) const fn last(&self) -> u64 {
        self.last
    }

    /// The matching records of the range with their numbers, the newest first: the newest of all, or the first ones behind a number.
    /// Records outside of the range are not looked at.
    pub(super) fn find(
        &self,
        range: &RecordRange<'_>,
        records_max: usize,
        is_match: impl Fn(&Record<'_>) -> bool,
    ) -> Vec<FoundRecord> {
        let RecordRange { client, after, before } = *range;
        let (since, until) = (after.unwrap_or_default(), before.unwrap_or(u64::MAX));
        // A certificate may be that of several clients.
        let own = client.map(|client| RecordOwner::Client(client.as_str()).key());
        let may_have =
            |owner: &[u8]| own.as_ref().is_none_or(|own| owner == own.as_slice() || RecordOwner::is_certificate(owner));
        let owners = self.owners.iter().filter(|(owner, _)| may_have(owner)).map(|(_, own)| own);
        // The numbers of an owner's records ascend.
        let newest_first = |own| OwnedRecords::newest_first(own).take_while(|it| it.number > since);
        let is_found = |it: &KeptRecord<'_>| Record::read(it.written).is_some_and(|record| is_match(&record));
        // Of the newest, no owner has more than are asked for.
        let own_max = if after.is_some() { usize::MAX } else { records_max };
        let own_found = |own| newest_first(own).filter(|it| it.number < until && is_found(it)).take(own_max);
        let mut found: Vec<_> = owners.flat_map(own_found).collect();
        found.sort_unstable_by_key(|it| std::cmp::Reverse(it.number));
        let skipped = if after.is_some() { found.len().saturating_sub(records_max) } else { 0 };
        let shown = found.into_iter().skip(skipped).take(records_max);
        shown.map(FoundRecord::of).collect()
    }

    /// The bytes of all records.
    #[cfg(test)]
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }
}

impl OwnedRecords {
    fn newest_first(&self) -> impl Iterator<Item = KeptRecord<'_>> {
        self.chunks.iter().rev().flat_map(Chunk::newest_first)
    }
}
