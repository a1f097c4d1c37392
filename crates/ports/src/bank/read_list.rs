//! One list of a bank by the type of its records.

use super::{Bank, BankError, CallContext, ListAnswer, ListRecord};
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::ListWindow;

/// A page of the list of these records.
///
/// # Errors
/// [`BankError`] if the bank cannot answer.
pub async fn read_list<T: ListRecord>(
    bank: &dyn Bank,
    call: &CallContext,
    accounts: &[BankAccountId],
    window: &ListWindow,
) -> Result<ListAnswer<T>, BankError> {
    let listed = bank.list_records(call, T::LIST, accounts, window).await?;
    T::from_listed(listed).ok_or_else(|| BankError::Broken(format!("the answer is not the list {:?}", T::LIST)))
}
