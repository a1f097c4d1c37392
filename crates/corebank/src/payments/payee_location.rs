//! Finds the payee account of an order. Its location may change until the payee is credited.

use super::execution::OrderExecution;
use crate::account_availability::enabled_account;
use crate::storage::BankTransaction as Tables;
use lombard_domain::account::Account;
use lombard_domain::ids::BankAccountId;
use lombard_ports::store::StoreError;

/// The place where the payee's account is held.
#[derive(Debug)]
pub(super) enum PayeeLocation {
    /// The account is at this bank.
    ThisBank(Box<Account>),
    /// The account is at this bank but cannot be credited.
    Unusable,
    /// The account is at another bank.
    OtherBank,
}

/// Finds the present location of the payee's account for an order from this debtor account.
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
    let found = enabled_account(tx, &id)?.map(|record| record.account);
    let usable = found.filter(|it| it.currency == execution.transfer_currency() && it.id != *debtor);
    Ok(usable.map_or(PayeeLocation::Unusable, |it| PayeeLocation::ThisBank(Box::new(it))))
}
