//! Stores the records within limits on total bytes, bytes of each owner, and age.

use super::owner::RecordOwner;
use super::query::RequestQuery;
use super::record::Record;
use std::cmp::Reverse;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

/// The limits on records, in bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct RecordBounds {
    /// The limit for all records.
    pub(super) all: usize,
    /// The limit for the records of one owner.
    pub(super) owner: usize,
}

/// The records of one owner, the oldest first.
#[derive(Debug, Default)]
struct OwnedRecords {
    records: VecDeque<Arc<Record>>,
    bytes: usize,
}

impl OwnedRecords {
    /// Drops the oldest record and returns the number of its bytes.
    fn drop_oldest(&mut self) -> usize {
        let bytes = self.records.pop_front().map_or(0, |record| record.bytes());
        self.bytes = self.bytes.saturating_sub(bytes);
        bytes
    }
}

/// All records, in a queue for each owner.
#[derive(Debug)]
pub(super) struct RecordQueues {
    bounds: RecordBounds,
    owners: HashMap<RecordOwner, OwnedRecords>,
    bytes: usize,
    /// The number of the newest record; 0 if there has been none.
    last: u64,
}

impl RecordQueues {
    pub(super) fn new(bounds: RecordBounds) -> Self {
        Self { bounds, owners: HashMap::new(), bytes: 0, last: 0 }
    }

    /// Adds a record. It then drops the oldest records of the same owner beyond the owner's limit, and the oldest records of the largest
    /// owners beyond the total limit. The new record stays.
    pub(super) fn add(&mut self, owner: RecordOwner, record: Record) {
        self.last = self.last.saturating_add(1);
        let record = Arc::new(Record { number: self.last, ..record });
        let bytes = record.bytes();
        let own = self.owners.entry(owner).or_default();
        own.records.push_back(record);
        own.bytes = own.bytes.saturating_add(bytes);
        self.bytes = self.bytes.saturating_add(bytes);
        while own.bytes > self.bounds.owner && own.records.len() > 1 {
            self.bytes = self.bytes.saturating_sub(own.drop_oldest());
        }
        while self.bytes > self.bounds.all && self.drop_one() {}
    }

    /// Drops the oldest record of the owner with the most bytes, or the oldest of all if no owner has several. The newest stays. Returns
    /// whether a record was dropped.
    fn drop_one(&mut self) -> bool {
        let several = |own: &OwnedRecords| if own.records.len() > 1 { own.bytes } else { 0 };
        let oldest = |own: &OwnedRecords| own.records.front().map(|record| record.number);
        let Some((owner, own)) = self.owners.iter_mut().max_by_key(|(_, own)| (several(own), Reverse(oldest(own))))
        else {
            return false;
        };
        if oldest(own) == Some(self.last) {
            return false;
        }
        self.bytes = self.bytes.saturating_sub(own.drop_oldest());
        if own.records.is_empty() {
            let owner = owner.clone();
            self.owners.remove(&owner);
        }
        true
    }

    /// Drops the records before this time, in microseconds since 1970 (wall clock).
    pub(super) fn drop_before(&mut self, micros: i64) {
        for own in self.owners.values_mut() {
            while own.records.front().is_some_and(|record| record.at_micros < micros) {
                self.bytes = self.bytes.saturating_sub(own.drop_oldest());
            }
        }
        self.owners.retain(|_, own| !own.records.is_empty());
    }

    /// The number of the newest record; 0 if there has been none.
    pub(super) const fn last(&self) -> u64 {
        self.last
    }

    /// The requested records, the newest first: the newest of all, or the oldest ones after a number.
    pub(super) fn find(&self, query: &RequestQuery) -> Vec<Arc<Record>> {
        let since = query.after.unwrap_or_default();
        // Among the newest records, no owner can have more than the requested number.
        let own_max = if query.after.is_some() { usize::MAX } else { query.limit };
        let mut found: Vec<&Arc<Record>> = Vec::new();
        for (owner, own) in &self.owners {
            if query.client_id.as_ref().is_none_or(|client| owner.may_be(client)) {
                let newest_first = own.records.iter().rev().take_while(|record| record.number > since);
                found.extend(newest_first.filter(|record| query.is_met(record)).take(own_max));
            }
        }
        found.sort_unstable_by_key(|record| Reverse(record.number));
        let skipped = if query.after.is_some() { found.len().saturating_sub(query.limit) } else { 0 };
        found.into_iter().skip(skipped).take(query.limit).cloned().collect()
    }

    /// The bytes of all records.
    #[cfg(test)]
    pub(super) const fn bytes(&self) -> usize {
        self.bytes
    }
}
