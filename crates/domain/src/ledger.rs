//! Double-entry bookkeeping: a balance is the sum of an account's postings, and every journal sums to zero.
//!
//! External parties (shops, employers, other banks, the bank's own income) are ledger accounts as well, one per
//! currency, so the sum of all postings of a currency is always zero. Source: design of the built-in bank.

use crate::ids::{BankAccountId, JournalId, TransactionId};
use crate::money::Currency;
use jiff::Timestamp;

/// The balance to which a posting applies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum BalanceLayer {
    /// The booked balance: money that has moved.
    Booked,
    /// The pending balance: money that is reserved or announced.
    Pending,
}

crate::code::document_codes! {
    BalanceLayer { Booked = "booked", Pending = "pending", }
}

/// One line of a journal: a credit or debit of one account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Posting {
    /// The account.
    pub account: BankAccountId,
    /// Minor units of the account's currency; positive is in the holder's favour.
    pub minor: i64,
    /// The account's currency.
    pub currency: Currency,
    /// The balance to which it applies.
    pub layer: BalanceLayer,
    /// The statement entry for the customer; only accounts of customers have one.
    pub entry: Option<TransactionId>,
}

/// A balanced set of postings that are stored together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Journal {
    /// Its id.
    pub id: JournalId,
    /// The cause of the journal, for instance an order id and a step. The cause is unique, so that it is not posted twice.
    pub cause: String,
    /// When it was booked (bank clock).
    pub booked_at: Timestamp,
    /// Its postings.
    pub postings: Vec<Posting>,
}

/// A journal that violates double-entry bookkeeping.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unbalanced {
    /// The postings of a currency and layer do not sum to zero.
    #[error("postings do not sum to zero")]
    Sum,
    /// A sum overflows 64 bits.
    #[error("a sum is out of range")]
    Range,
    /// A journal has fewer than two postings.
    #[error("a journal needs two sides")]
    OneSided,
}

impl Journal {
    /// Checks that the postings of every currency and layer sum to zero.
    ///
    /// # Errors
    /// The violation; such a journal is never stored.
    pub fn check_balanced(&self) -> Result<(), Unbalanced> {
        if self.postings.len() < 2 {
            return Err(Unbalanced::OneSided);
        }
        for first in &self.postings {
            let sum = self
                .postings
                .iter()
                .filter(|posting| posting.currency == first.currency && posting.layer == first.layer)
                .try_fold(0_i64, |sum, posting| sum.checked_add(posting.minor))
                .ok_or(Unbalanced::Range)?;
            if sum != 0 {
                return Err(Unbalanced::Sum);
            }
        }
        Ok(())
    }
}

/// The balances of a ledger account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LedgerSums {
    /// The sum of booked postings, in minor units.
    pub booked: i64,
    /// The sum of pending postings, in minor units.
    pub pending: i64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn posting(minor: i64, currency: Currency) -> Posting {
        Posting { account: "a".into(), minor, currency, layer: BalanceLayer::Booked, entry: None }
    }

    fn journal(postings: Vec<Posting>) -> Journal {
        Journal { id: "j".into(), cause: "c".into(), booked_at: Timestamp::UNIX_EPOCH, postings }
    }

    #[test]
    fn every_currency_sums_to_zero_on_its_own() {
        assert_eq!(journal(vec![posting(5, Currency::GBP), posting(-5, Currency::GBP)]).check_balanced(), Ok(()));
        assert_eq!(
            journal(vec![posting(5, Currency::GBP), posting(-5, Currency::USD)]).check_balanced(),
            Err(Unbalanced::Sum)
        );
        assert_eq!(journal(vec![posting(0, Currency::GBP)]).check_balanced(), Err(Unbalanced::OneSided));
        let far = vec![posting(i64::MAX, Currency::GBP), posting(1, Currency::GBP), posting(i64::MIN, Currency::GBP)];
        assert_eq!(journal(far).check_balanced(), Err(Unbalanced::Range));
    }
}
