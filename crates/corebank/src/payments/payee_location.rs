//! Where the payee of an order banks, which may change until the payee is paid.

use super::execution::OrderExecution;
use crate::account_availability::account_in_use;
use crate::storage::BankTransaction as Tables;
use lombard_domain::account::Account;
use lombard_domain::ids::BankAccountId;
use lombard_ports::store::StoreError;

/// Where a payee banks.
#[derive(Debug)]
pub(super) enum PayeeLocation {
    /// Here.
    ThisBank(Box<Account>),
    /// Here, and the account cannot be paid to.
    Unusable,
    /// Elsewhere.
    OtherBank,
}

/// Where the payee of an order that pays from this account banks now.
///
/// # Errors
/// [`StoreError`].
pub(super) fn locate_payee(
    tx: &mut dyn Tables,
    debtor: &BankAccountId,
    execution: &OrderExecution,
) -> Result<PayeeLocation, StoreError> {
    let Some(id) = tx.bank_account_by_number(&execution.payee.account())? else {
        return Ok(PayeeLocation::OtherBank);
    };
    let found = account_in_use(tx, &id)?.map(|record| record.account);
    let usable = found.filter(|it| it.currency == execution.sends() && it.id != *debtor);
    Ok(usable.map_or(PayeeLocation::Unusable, |it| PayeeLocation::ThisBank(Box::new(it))))
}
