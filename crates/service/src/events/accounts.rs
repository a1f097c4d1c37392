//! What happens to an account is told about every consent that shares it.

use super::Outbox;
use jiff::Timestamp;
use lombard_domain::event::{AccountReason, ResourceChange};
use lombard_domain::ids::BankAccountId;
use lombard_ports::store::{ServerTransaction, StoreError};

/// Consents looked at together.
const BATCH: u32 = 200;

/// Tells that an account was closed, switched or barred: one event for each consent that gives access to it now (bank
/// clock), or lets payments be made from it. In the transaction in which it happens. Source: SET-032, SET-033, SET-040,
/// VRP-087.
///
/// # Errors
/// [`StoreError`].
pub fn raise_account_changed(
    tx: &mut dyn ServerTransaction,
    outbox: &Outbox,
    account: &BankAccountId,
    reason: Option<AccountReason>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let mut after = None;
    loop {
        let consents = tx.consents_sharing(account, after.as_ref(), BATCH)?;
        let Some(last) = consents.last() else { return Ok(()) };
        after = Some(last.id.clone());
        let changes: Vec<ResourceChange> = consents
            .iter()
            .filter(|consent| consent.gives_access(now).is_ok())
            .filter_map(|consent| consent.linked_account_change(account, reason))
            .collect();
        outbox.raise_all(tx, &changes)?;
    }
}
