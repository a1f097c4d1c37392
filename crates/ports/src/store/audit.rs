//! The audit log.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::audit::{AuditAction, AuditChain, AuditEntry, AuditRecord};

/// A record that is not sealed yet, as the entry that it becomes: without its place in the chain of `entry.node`, and without hashes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditDraft {
    /// The number by which [`AuditStore::audit_seal`] removes it.
    pub number: i64,
    /// The entry.
    pub entry: AuditEntry,
}

/// An entry with its place in the order in which entries were sealed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedEntry {
    /// Increases with every entry of any chain; has gaps.
    pub number: i64,
    /// The entry.
    pub entry: AuditEntry,
}

/// Which entries are read. The default is all of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Those of this target.
    pub target: Option<String>,
    /// Those of this actor.
    pub actor: Option<String>,
    /// Those of this action.
    pub action: Option<AuditAction>,
    /// Those at or after this time (wall clock).
    pub since: Option<Timestamp>,
    /// Those before this time (wall clock).
    pub until: Option<Timestamp>,
}

/// A page of entries.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AuditPage {
    /// The first entries after the one with this number, the oldest first. 0 begins at the oldest.
    After(i64),
    /// The last entries before the one with this number, the newest first. [`i64::MAX`] begins at the newest.
    Before(i64),
}

/// The audit log in storage. Entries are appended, and removed only by the purge of old ones.
pub trait AuditStore {
    /// Stores a record in this transaction, to be sealed by a worker. It waits for no other transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn audit_append(&mut self, record: &AuditRecord) -> Result<(), StoreError>;

    /// Makes transactions that seal or purge wait for each other, and returns the name of this node. It precedes the other calls.
    ///
    /// # Errors
    /// [`StoreError`].
    fn audit_take_turn(&mut self) -> Result<String, StoreError>;

    /// The first records that are not sealed; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn audit_drafts(&mut self, limit: u32) -> Result<Vec<AuditDraft>, StoreError>;

    /// Appends entries in this order, and removes the drafts with these numbers.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if a chain has an entry with the same number.
    fn audit_seal(&mut self, entries: &[AuditEntry], drafts: &[i64]) -> Result<(), StoreError>;

    /// The end of this chain.
    ///
    /// # Errors
    /// [`StoreError`].
    fn audit_chain(&mut self, node: &str) -> Result<Option<AuditChain>, StoreError>;

    /// The ends of chains, by name; at most `limit`. With `unheaded`, only those that have grown since the chain `joint` named them.
    ///
    /// # Errors
    /// [`StoreError`].
    fn audit_chains(&mut self, unheaded: bool, limit: u32) -> Result<Vec<AuditChain>, StoreError>;

    /// Stores the end of a chain.
    ///
    /// # Errors
    /// [`StoreError`].
    fn audit_chain_put(&mut self, chain: &AuditChain) -> Result<(), StoreError>;

    /// The entries of a page that match; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn audit_entries(
        &mut self,
        filter: &AuditFilter,
        page: AuditPage,
        limit: u32,
    ) -> Result<Vec<SealedEntry>, StoreError>;

    /// Removes the entries up to the one with this number. The caller stores who is removed; see `lombard_service::audit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn audit_remove_through(&mut self, number: i64) -> Result<u64, StoreError>;
}
