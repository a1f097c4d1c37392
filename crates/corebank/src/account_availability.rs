//! Which accounts of the built-in bank are enabled, and which of them may be shared with TPPs.

use crate::storage::{BankAccountRecord, BankTransaction as Tables};
use lombard_domain::account::AccountStatus;
use lombard_domain::ids::BankAccountId;
use lombard_ports::store::StoreError;

/// Whether an account may be shared with TPPs. Source: AIS-082.
pub const fn is_shareable(status: AccountStatus, eligible: bool) -> bool {
    eligible && matches!(status, AccountStatus::Enabled)
}

/// Returns those of the given accounts that may be shared with TPPs, in the requested order.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn shareable_accounts(tx: &mut dyn Tables, ids: &[BankAccountId]) -> Result<Vec<BankAccountId>, StoreError> {
    let standings = tx.account_availability(ids)?;
    Ok(standings.into_iter().filter(|it| is_shareable(it.status, it.eligible)).map(|it| it.id).collect())
}

/// Returns the account if it is enabled; `None` otherwise. Arrangements of an account that is not enabled end.
///
/// # Errors
/// [`StoreError`].
pub(crate) fn enabled_account(
    tx: &mut dyn Tables,
    id: &BankAccountId,
) -> Result<Option<BankAccountRecord>, StoreError> {
    let found = tx.bank_accounts(std::slice::from_ref(id))?.pop();
    Ok(found.filter(|record| record.account.status == AccountStatus::Enabled))
}
