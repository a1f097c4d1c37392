//! The audit log: seals what transactions have recorded, reads, verifies and purges it.
//!
//! A use-case stores an [`AuditRecord`] in its own transaction, which takes no lock for it. A worker of any
//! node seals the records of all nodes, so that those of a node that has ended are sealed too: each becomes the next entry of the chain of
//! the node that stored it. An entry has the hash of the entry before it, and the chain `joint` has the ends of all chains once a minute. An
//! entry that is altered, removed or moved therefore contradicts others, and [`AuditVerifier`] names it.
//!
//! Old entries are removed from the beginning. The entry `audit.purge` tells where each chain begins since then, and is sealed in the same
//! transaction.

mod purge;
mod records;
#[cfg(test)]
mod tests;
mod verifier;

pub use purge::purge_audit_before;
pub use records::{digest_client, digest_consent, digest_order};
pub use verifier::{AuditFault, AuditFaultKind, AuditVerifier, FAULTS_MAX};

use aws_lc_rs::digest::{SHA256, digest};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::audit::{AuditAction, AuditChain, AuditEntry, AuditRecord, JOINT_CHAIN};
use lombard_domain::grant::Digest;
use lombard_ports::store::{AuditDraft, AuditFilter, AuditPage, SealedEntry, ServerTransaction, Store, StoreError};
use std::collections::BTreeMap;

/// The most records that are sealed in a transaction.
const BATCH: u32 = 500;

/// The most entries of a page.
pub const PAGE_ENTRIES_MAX: u32 = 1000;

/// The most chains whose ends are read together.
const CHAINS_MAX: u32 = 10_000;

/// How often the ends of chains that grow are told in the joint chain.
const HEADS_EVERY: SignedDuration = SignedDuration::from_secs(60);

/// When the joint chain tells the ends of chains that have grown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeadTime {
    /// If it did so a minute ago or earlier.
    Due,
    /// In any case.
    Now,
}

/// The result of sealing a batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SealedBatch {
    /// The number of records that were sealed. 0 if none was left.
    pub sealed: usize,
    /// The new entry of the joint chain, for anchors outside of the database.
    pub head: Option<AuditEntry>,
}

/// A page of entries, with the ends of the chains if it is the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryPage {
    /// The entries.
    pub entries: Vec<SealedEntry>,
    /// The ends of all chains, as they were when the page was read; `None` if more entries may follow.
    pub chains: Option<Vec<AuditChain>>,
}

/// SHA-256 of the JSON of an entry without its hash, in hexadecimal digits.
pub fn hash_entry(entry: &AuditEntry) -> String {
    let unhashed = AuditEntry { hash: String::new(), ..entry.clone() };
    // Texts, numbers and `null` can always be written to memory.
    digest_bytes(&serde_json::to_vec(&unhashed).unwrap_or_default()).to_hex()
}

/// SHA-256 of a document, for the digests of a record.
pub fn digest_bytes(document: &[u8]) -> Digest {
    let mut bytes = [0; 32];
    bytes.iter_mut().zip(digest(&SHA256, document).as_ref()).for_each(|(byte, hashed)| *byte = *hashed);
    Digest(bytes)
}

/// Stores a record in a transaction of its own, for what is not done in a transaction.
///
/// # Errors
/// [`StoreError`].
pub async fn record(store: &Store, record: AuditRecord) -> Result<(), StoreError> {
    store.write(move |tx| tx.audit_append(&record)).await
}

/// Seals a batch of records. It is safe to run twice and on several nodes. `now` is the time of the wall clock. Nothing is written if there is
/// nothing to seal.
///
/// # Errors
/// [`StoreError`].
pub async fn seal_audit(store: &Store, now: Timestamp, heads: HeadTime) -> Result<SealedBatch, StoreError> {
    let look = move |tx: &mut dyn ServerTransaction| {
        Ok(!tx.audit_drafts(1)?.is_empty() || !heads_due(tx, now, heads, 1)?.is_empty())
    };
    if !store.read::<_, StoreError, _>(look).await? {
        return Ok(SealedBatch { sealed: 0, head: None });
    }
    store.write(move |tx| seal_in(tx, now, heads)).await
}

/// Seals all records, and has the joint chain tell the ends of all chains, so that what is read afterwards is complete. Returns the new
/// entries of the joint chain.
///
/// # Errors
/// [`StoreError`].
pub async fn seal_all(store: &Store, now: Timestamp) -> Result<Vec<AuditEntry>, StoreError> {
    let mut heads = Vec::new();
    loop {
        let batch = seal_audit(store, now, HeadTime::Now).await?;
        heads.extend(batch.head);
        if batch.sealed == 0 {
            return Ok(heads);
        }
    }
}

/// Reads a page of entries, at most `limit` and at most [`PAGE_ENTRIES_MAX`].
///
/// # Errors
/// [`StoreError`].
pub async fn read_page(
    store: &Store,
    filter: AuditFilter,
    page: AuditPage,
    limit: u32,
) -> Result<EntryPage, StoreError> {
    let limit = limit.clamp(1, PAGE_ENTRIES_MAX);
    let read = move |tx: &mut dyn ServerTransaction| {
        let entries = tx.audit_entries(&filter, page, limit)?;
        let is_last = entries.len() < usize::try_from(limit).unwrap_or(usize::MAX);
        let chains = if is_last { Some(tx.audit_chains(false, CHAINS_MAX)?) } else { None };
        Ok(EntryPage { entries, chains })
    };
    store.read(read).await
}

fn seal_in(tx: &mut dyn ServerTransaction, now: Timestamp, heads: HeadTime) -> Result<SealedBatch, StoreError> {
    let node = tx.audit_take_turn()?;
    let drafts = tx.audit_drafts(BATCH)?;
    let mut chains = GrowingChains::default();
    let mut numbers = Vec::with_capacity(drafts.len());
    for AuditDraft { number, entry } in drafts {
        numbers.push(number);
        chains.append(tx, entry)?;
    }
    chains.store(tx, &numbers)?;
    let head = append_head(tx, &node, now, heads)?;
    Ok(SealedBatch { sealed: numbers.len(), head })
}

/// Has the joint chain tell the ends of chains that have grown, if it is time to.
fn append_head(
    tx: &mut dyn ServerTransaction,
    node: &str,
    now: Timestamp,
    heads: HeadTime,
) -> Result<Option<AuditEntry>, StoreError> {
    let grown = heads_due(tx, now, heads, CHAINS_MAX)?;
    if grown.is_empty() {
        return Ok(None);
    }
    let joint = joint_chain(tx)?;
    let target = grown.iter().map(AuditChain::mention).collect::<Vec<_>>().join(" ");
    let record = AuditRecord { from: node.to_owned(), ..AuditRecord::of_server(now, AuditAction::AuditHead, target) };
    let mut entry = record.seal(&joint);
    entry.hash = hash_entry(&entry);
    tx.audit_seal(std::slice::from_ref(&entry), &[])?;
    for chain in grown {
        tx.audit_chain_put(&AuditChain { headed: chain.sequence, ..chain })?;
    }
    tx.audit_chain_put(&AuditChain { headed: entry.sequence, ..joint.after(&entry) })?;
    Ok(Some(entry))
}

/// The chains that the joint chain is to tell now, at most `limit`.
fn heads_due(
    tx: &mut dyn ServerTransaction,
    now: Timestamp,
    heads: HeadTime,
    limit: u32,
) -> Result<Vec<AuditChain>, StoreError> {
    // A clock that was ahead once must not stop the joint chain.
    let is_due = heads == HeadTime::Now || now.duration_since(joint_chain(tx)?.last_at).abs() >= HEADS_EVERY;
    if is_due { tx.audit_chains(true, limit) } else { Ok(Vec::new()) }
}

fn joint_chain(tx: &mut dyn ServerTransaction) -> Result<AuditChain, StoreError> {
    Ok(tx.audit_chain(JOINT_CHAIN)?.unwrap_or_else(|| AuditChain::new(JOINT_CHAIN)))
}

/// Chains to which a transaction appends entries.
#[derive(Debug, Default)]
struct GrowingChains {
    ends: BTreeMap<String, AuditChain>,
    entries: Vec<AuditEntry>,
}

impl GrowingChains {
    /// Appends an entry to the chain of its node.
    fn append(&mut self, tx: &mut dyn ServerTransaction, entry: AuditEntry) -> Result<(), StoreError> {
        let last = match self.ends.get(&entry.node) {
            Some(end) => end.clone(),
            None => tx.audit_chain(&entry.node)?.unwrap_or_else(|| AuditChain::new(&entry.node)),
        };
        let sequence = last.sequence.saturating_add(1);
        let mut entry = AuditEntry { sequence, previous: last.hash.clone(), ..entry };
        entry.hash = hash_entry(&entry);
        self.ends.insert(entry.node.clone(), last.after(&entry));
        self.entries.push(entry);
        Ok(())
    }

    /// Stores the entries and the ends, and removes the drafts with these numbers.
    fn store(&self, tx: &mut dyn ServerTransaction, drafts: &[i64]) -> Result<(), StoreError> {
        if !self.entries.is_empty() {
            tx.audit_seal(&self.entries, drafts)?;
        }
        self.ends.values().try_for_each(|end| tx.audit_chain_put(end))
    }
}
