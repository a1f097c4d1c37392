//! Removes old entries, such that the rest can still be verified.

use super::{GrowingChains, PAGE_ENTRIES_MAX};
use jiff::Timestamp;
use lombard_domain::audit::{AuditAction, AuditChain, AuditRecord};
use lombard_domain::code::StoredCode;
use lombard_ports::store::{AuditFilter, AuditPage, SealedEntry, ServerTransaction, Store, StoreError};
use std::collections::BTreeMap;

/// Removes a batch of the entries before a time, the oldest first, up to the first one that is not older. Returns the number of removed
/// entries; 0 if none is left. Both times are of the wall clock.
///
/// # Errors
/// [`StoreError`].
pub async fn purge_audit_before(store: &Store, before: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
    store.write(move |tx| purge_in(tx, before, now)).await
}

fn purge_in(tx: &mut dyn ServerTransaction, before: Timestamp, now: Timestamp) -> Result<u64, StoreError> {
    let node = tx.audit_take_turn()?;
    let mut old = tx.audit_entries(&AuditFilter::default(), AuditPage::After(0), PAGE_ENTRIES_MAX)?;
    old.truncate(old.iter().take_while(|sealed| sealed.entry.at < before).count());
    let Some(last) = old.last().map(|sealed| sealed.number) else { return Ok(0) };
    let begins = begins_after(tx, &old)?;
    let removed = tx.audit_remove_through(last)?;
    let target = begins.values().map(AuditChain::mention).collect::<Vec<_>>().join(" ");
    let record = AuditRecord::of_server(now, AuditAction::AuditPurge, target);
    let mut chains = GrowingChains::default();
    chains.append(tx, record.seal(&AuditChain::new(&node)))?;
    chains.store(tx, &[])?;
    Ok(removed)
}

/// The last removed entry of each chain, by name. Of a purge that is itself removed, the entries are told again if their chain has others.
fn begins_after(
    tx: &mut dyn ServerTransaction,
    old: &[SealedEntry],
) -> Result<BTreeMap<String, AuditChain>, StoreError> {
    let mut begins = BTreeMap::new();
    for entry in old.iter().map(|sealed| &sealed.entry).filter(|entry| entry.action == AuditAction::AuditPurge.code()) {
        for told in AuditChain::parse_mentions(&entry.target).unwrap_or_default() {
            if tx.audit_chain(&told.node)?.is_some_and(|end| end.sequence > told.sequence) {
                begins.insert(told.node.clone(), told);
            }
        }
    }
    for SealedEntry { entry, .. } in old {
        begins.insert(entry.node.clone(), AuditChain::new(&entry.node).after(entry));
    }
    Ok(begins)
}
