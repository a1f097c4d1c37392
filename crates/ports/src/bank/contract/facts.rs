//! The facts with which the bank's contract is checked.

use crate::bank::PaymentOrder;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::payment::exchange::{AgreedRate, CurrencyPair};
use lombard_domain::payment::order::PaymentConsentRequest;

/// The facts about the bank under test.
#[derive(Debug, Clone)]
pub struct BankFacts {
    /// A customer with at least two shareable accounts, each with entries and running balances on the booked ones.
    pub psu: PsuId,
    /// A customer without shareable accounts.
    pub nobody: PsuId,
    /// Accounts that are closed, blocked or not eligible, some of them unknown.
    pub withheld: Vec<BankAccountId>,
}

/// The facts about foreign exchange of the bank under test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeFacts {
    /// Two currencies between which the bank exchanges.
    pub pair: CurrencyPair,
    /// A rate that the bank has agreed for these currencies.
    pub deal: AgreedRate,
    /// Two currencies, the second of which the bank does not exchange.
    pub unknown: CurrencyPair,
}

/// The facts about payments at the bank under test.
#[derive(Debug, Clone)]
pub struct PaymentFacts {
    /// A customer with at least one account to pay from.
    pub psu: PsuId,
    /// Accounts from which no payment can be made, some of them unknown.
    pub withheld: Vec<BankAccountId>,
    /// A payment request that the bank accepts now.
    pub terms: PaymentConsentRequest,
    /// An order that can be paid several times. Each check submits the order under a new id that begins with the id of this
    /// order.
    pub order: PaymentOrder,
    /// The number of times that the bank is given time to work before an order must be final.
    pub rounds_max: u32,
}
