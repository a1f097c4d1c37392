//! The records, within bounds: of bytes altogether, of bytes of each owner, and of age.

use super::record::Record;
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;
use std::collections::{HashMap, VecDeque};

/// Whose share of the log a record takes.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum RecordOwner {
    /// A client.
    Client(ClientId),
    /// Whoever has this certificate, which is not that of one client alone.
    Certificate(Digest),
    /// Everybody without a certificate.
    Anonymous,
}

/// A record and its number, which grows by one with each record.
#[derive(Debug)]
struct NumberedRecord {
    number: u64,
    bytes: usize,
    record: Record,
}

/// How many times the room of its records an owner keeps.
const SPARE: usize = 4;

/// The records of one owner, the oldest first.
#[derive(Debug, Default)]
struct OwnedRecords {
    records: VecDeque<NumberedRecord>,
    bytes: usize,
}

impl OwnedRecords {
    /// Drops the oldest record; gives its bytes.
    fn drop_oldest(&mut self) -> usize {
        let bytes = self.records.pop_front().map_or(0, |oldest| oldest.bytes);
        self.bytes = self.bytes.saturating_sub(bytes);
        // Room for many records that were displaced is not kept: there may be many owners.
        if self.records.len() < self.records.capacity() / SPARE {
            self.records.shrink_to(self.records.len().saturating_mul(2));
        }
        bytes
    }

    /// Drops what is older; gives its bytes.
    fn drop_before(&mut self, time: Timestamp) -> usize {
        let mut dropped = 0_usize;
        while self.records.front().is_some_and(|oldest| oldest.record.at < time) {
            dropped = dropped.saturating_add(self.drop_oldest());
        }
        dropped
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

/// All records.
#[derive(Debug, Default)]
pub(super) struct Ring {
    owners: HashMap<RecordOwner, OwnedRecords>,
    bytes: usize,
    last: u64,
}

/// When the log overflows, so much more is dropped at once that the owner of the most records is not sought for each record: a
/// 64th of all bytes.
const SLACK: usize = 64;

impl Ring {
    /// Adds a record and drops the oldest of its owner beyond the owner's bound, then the oldest of whoever has most beyond the
    /// bound of all. The record itself stays.
    pub(super) fn add(&mut self, owner: RecordOwner, record: Record, client_bytes_max: usize, bytes_max: usize) {
        self.last = self.last.saturating_add(1);
        let bytes = record.bytes();
        let own = self.owners.entry(owner).or_default();
        own.records.push_back(NumberedRecord { number: self.last, bytes, record });
        own.bytes = own.bytes.saturating_add(bytes);
        self.bytes = self.bytes.saturating_add(bytes);
        while own.bytes > client_bytes_max && own.records.len() > 1 {
            self.bytes = self.bytes.saturating_sub(own.drop_oldest());
        }
        if self.bytes > bytes_max {
            self.drop_to(bytes_max.saturating_sub(bytes_max / SLACK));
        }
    }

    fn drop_to(&mut self, bytes_max: usize) {
        while self.bytes > bytes_max {
            let Some(largest) = self.owners.values_mut().max_by_key(|own| own.bytes) else { return };
            let goal = largest.bytes / 2;
            let before = self.bytes;
            while self.bytes > bytes_max && largest.bytes > goal && largest.records.len() > 1 {
                self.bytes = self.bytes.saturating_sub(largest.drop_oldest());
            }
            if self.bytes == before {
                // The largest owner has one record.
                self.drop_oldest_of_all(bytes_max);
                return;
            }
        }
        self.owners.retain(|_, own| !own.records.is_empty());
    }

    /// Drops the oldest records, whoever has them, the newest of all excepted.
    fn drop_oldest_of_all(&mut self, bytes_max: usize) {
        let mut numbers: Vec<u64> = self.numbers().collect();
        numbers.sort_unstable();
        numbers.pop();
        for number in numbers {
            if self.bytes <= bytes_max {
                break;
            }
            let holder = self.owners.values_mut().find(|own| own.records.front().is_some_and(|it| it.number == number));
            let dropped = holder.map_or(0, OwnedRecords::drop_oldest);
            self.bytes = self.bytes.saturating_sub(dropped);
        }
        self.owners.retain(|_, own| !own.records.is_empty());
    }

    fn numbers(&self) -> impl Iterator<Item = u64> {
        self.owners.values().flat_map(|own| own.records.iter().map(|it| it.number))
    }

    /// Drops the records that are older.
    pub(super) fn drop_before(&mut self, time: Timestamp) {
        for own in self.owners.values_mut() {
            self.bytes = self.bytes.saturating_sub(own.drop_before(time));
        }
        self.owners.retain(|_, own| !own.records.is_empty());
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
        is_match: impl Fn(&Record) -> bool,
    ) -> Vec<(u64, Record)> {
        let RecordRange { client, after, before } = *range;
        let (since, until) = (after.unwrap_or_default(), before.unwrap_or(u64::MAX));
        // A certificate may be that of several clients.
        let may_have = |owner: &RecordOwner| match (client, owner) {
            (None, _) | (Some(_), RecordOwner::Certificate(_)) => true,
            (Some(client), RecordOwner::Client(it)) => it == client,
            (Some(_), RecordOwner::Anonymous) => false,
        };
        let owners = self.owners.iter().filter(|(owner, _)| may_have(owner)).map(|(_, own)| own);
        // The numbers of an owner's records ascend.
        let later = owners.flat_map(|own| own.records.iter().rev().take_while(|it| it.number > since));
        let mut found: Vec<_> = later.filter(|it| it.number < until && is_match(&it.record)).collect();
        found.sort_unstable_by_key(|it| std::cmp::Reverse(it.number));
        let skipped = if after.is_some() { found.len().saturating_sub(records_max) } else { 0 };
        found.into_iter().skip(skipped).take(records_max).map(|it| (it.number, it.record.clone())).collect()
    }

    /// The bytes of all records.
    #[cfg(test)]
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }
}
