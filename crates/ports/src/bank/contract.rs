//! The contract of [`Bank`] as a list of promises, each with a function that checks an implementation, in this process or over
//! the wire. The caller supplies facts about the bank, such as its customers.

mod accounts;
mod changes;
mod exchange;
mod facts;
mod lists;
mod payments;
mod promise;
mod standings;
mod statements;

use super::Bank;
pub use facts::{BankFacts, ExchangeFacts, PaymentFacts};
pub use promise::{BankContractViolation, Checking, ContractFacts, Proceed, Promise, PromiseEffect, PromiseSubject};

/// The promises about accounts, then about foreign exchange, then about payments. The check of a connector runs all of them in
/// this order.
pub fn list_promises() -> impl Iterator<Item = &'static Promise> {
    let reading = [accounts::PROMISES, lists::PROMISES, statements::PROMISES, changes::READING, exchange::PROMISES];
    let payments = [payments::READING, payments::WRITING, standings::WRITING, changes::WRITING];
    reading.into_iter().chain(payments).flatten()
}

/// Checks the promises about accounts.
///
/// # Errors
/// The first [`BankContractViolation`].
pub async fn check_bank_contract(bank: &dyn Bank, facts: &BankFacts) -> Result<(), BankContractViolation> {
    let facts = ContractFacts { accounts: Some(facts), ..ContractFacts::default() };
    check_promises(bank, &facts).await
}

/// Checks every promise for which there are facts, and stops at the first broken promise.
async fn check_promises(bank: &dyn Bank, facts: &ContractFacts<'_>) -> Result<(), BankContractViolation> {
    for promise in list_promises() {
        if let Some(checking) = promise.check(bank, facts) {
            checking.await?;
        }
    }
    Ok(())
}

/// Checks the promises of payments. `proceed` gives the bank time to execute the orders to their end.
///
/// # Errors
/// The first [`BankContractViolation`].
pub async fn check_payment_contract(
    bank: &dyn Bank,
    facts: &PaymentFacts,
    exchange: &ExchangeFacts,
    proceed: &dyn Proceed,
) -> Result<(), BankContractViolation> {
    let facts =
        ContractFacts { exchange: Some(exchange), payments: Some((facts, proceed)), ..ContractFacts::default() };
    check_promises(bank, &facts).await
}
