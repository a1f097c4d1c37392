//! The data of one customer: the export, and the erasure. The ledger stays: its accounts, journals and postings have ids and amounts alone.

use crate::error::bank_error;
use crate::storage::{ArrangementKind, BankAccountRecord, BankStore, BankTransaction};
use jiff::Timestamp;
use lombard_domain::account::AccountStatus;
use lombard_domain::ids::{PsuId, RecordId};
use lombard_ports::bank::BankError;
use lombard_ports::store::StoreError;

/// The most rows of each table in an export.
const EXPORTED_MAX: u32 = 10_000;

/// The most rows of each table that are removed in a transaction.
const BATCH: u32 = 500;

/// Reads everything about a customer as a JSON document; `None` if there is nothing.
pub(super) async fn export(store: &BankStore, psu: &PsuId) -> Result<Option<Vec<u8>>, BankError> {
    let psu = psu.clone();
    let records = store.read(move |tx| tx.customer_records(&psu, EXPORTED_MAX)).await.map_err(bank_error)?;
    if records.iter().all(|table| table.rows.is_empty()) {
        return Ok(None);
    }
    serde_json::to_vec(&records).map(Some).map_err(|error| BankError::Broken(error.to_string()))
}

/// Erases a customer. The accounts of the customer alone are closed, and lose their numbers, entries, statements, arrangements and orders; an
/// account with other holders loses this holder. Returns why nothing is erased.
pub(super) async fn erase(store: &BankStore, psu: &PsuId, now: Timestamp) -> Result<Option<String>, BankError> {
    let asked = psu.clone();
    let open = store.read(move |tx| {
        for held in sole_accounts(tx, &asked)? {
            if let Some(order) = tx.account_order_open(&held.account.id)? {
                return Ok(Some(order));
            }
        }
        Ok::<_, StoreError>(None)
    });
    if let Some(order) = open.await.map_err(bank_error)? {
        return Ok(Some(format!("the order {order} has not ended")));
    }
    loop {
        let asked = psu.clone();
        if store.write(move |tx| erase_some(tx, &asked, now)).await.map_err(bank_error)? {
            return Ok(None);
        }
    }
}

/// Removes a part of the rows, or with the last part the customer. Returns whether the customer is erased.
fn erase_some(tx: &mut dyn BankTransaction, psu: &PsuId, now: Timestamp) -> Result<bool, StoreError> {
    for held in sole_accounts(tx, psu)? {
        if tx.account_records_remove(&held.account.id, BATCH)? > 0 {
            return Ok(false);
        }
    }
    let party = tx.customer(psu)?.and_then(|customer| customer.party);
    let party = party.map(|party| RecordId::from(party.id.as_str()));
    for held in tx.bank_accounts_of(psu)? {
        let Some(record) = tx.bank_account_for_update(&held.account.id)? else { continue };
        if let Some(party) = &party {
            tx.arrangement_remove(ArrangementKind::Party, &held.account.id, party)?;
        }
        tx.bank_account_update(&without_holder(record, psu, now))?;
    }
    tx.customer_remove(psu)?;
    Ok(true)
}

fn sole_accounts(tx: &mut dyn BankTransaction, psu: &PsuId) -> Result<Vec<BankAccountRecord>, StoreError> {
    let mut held = tx.bank_accounts_of(psu)?;
    held.retain(|record| is_sole_holder(record, psu));
    Ok(held)
}

fn is_sole_holder(record: &BankAccountRecord, psu: &PsuId) -> bool {
    record.holders.iter().all(|holder| holder == psu)
}

/// An account without this holder: if nobody else holds it, it is closed and keeps its id, currency and product.
fn without_holder(mut record: BankAccountRecord, psu: &PsuId, now: Timestamp) -> BankAccountRecord {
    if is_sole_holder(&record, psu) {
        let account = &mut record.account;
        account.status = AccountStatus::Deleted;
        account.status_changed_at = now;
        account.nickname = None;
        account.identifications = Vec::new();
        account.lei = None;
        account.core_state = None;
        record.eligible = false;
    }
    record.holders.retain(|holder| holder != psu);
    let holders = u16::try_from(record.holders.len()).unwrap_or(u16::MAX);
    record.authorisers = record.authorisers.min(holders.max(1));
    record
}
