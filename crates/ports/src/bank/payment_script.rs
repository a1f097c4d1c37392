//! Scripts the payments of the stub bank for tests, and records its calls.

use super::{BankError, OrderUpdate, Payer, PaymentOrder, StatusUpdate};
use jiff::Timestamp;
use lombard_domain::account::Account;
use lombard_domain::exchange::{ConversionRate, CurrencyPair};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::SignedAmount;
use lombard_domain::order::PaymentConditions;
use std::collections::{HashMap, HashSet};

/// A call of the payment port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentCall {
    /// [`PaymentBank::conditions`](super::PaymentBank::conditions).
    Conditions,
    /// [`PaymentBank::payers`](super::PaymentBank::payers), [`PaymentBank::payer`](super::PaymentBank::payer) and [`PaymentBank::payer_by_number`](super::PaymentBank::payer_by_number).
    Payers,
    /// [`PaymentBank::submit`](super::PaymentBank::submit).
    Submit,
    /// [`PaymentBank::status_updates`](super::PaymentBank::status_updates).
    StatusUpdates,
    /// [`PaymentBank::acknowledge_updates`](super::PaymentBank::acknowledge_updates).
    AcknowledgeUpdates,
}

/// The scripted results of payments. Without a script nothing happens.
#[derive(Debug, Default)]
pub struct PaymentScript {
    /// What the bank says to every payment.
    pub conditions: PaymentConditions,
    /// Whom it agreed to rates with; with everybody, unless that is said.
    pub parties: Option<HashSet<PsuId>>,
    /// Its prices. It agreed to every rate that is its price.
    pub prices: HashMap<CurrencyPair, ConversionRate>,
    /// When it quotes (bank clock).
    pub now: Timestamp,
    /// What may leave an account and who must agree to it, all of them: of the accounts that are not like all others.
    pub means: HashMap<BankAccountId, (SignedAmount, Vec<PsuId>)>,
    /// The calls it does not answer, and does nothing at.
    pub is_unavailable: HashSet<PaymentCall>,
    /// The calls that never end, and do nothing.
    pub silent: HashSet<PaymentCall>,
    /// How many calls have not ended.
    pub unanswered: u32,
    /// The calls whose answer is lost after they were carried out.
    pub is_answer_lost: HashSet<PaymentCall>,
    /// The orders it has, in the order they came.
    pub orders: Vec<PaymentOrder>,
    /// The status updates that are not acknowledged.
    pub updates: Vec<StatusUpdate>,
    update_numbers: HashMap<OrderId, u32>,
}

impl PaymentScript {
    /// Adds the next status update of an order.
    pub fn push_update(&mut self, order: &OrderId, at: Timestamp, what: OrderUpdate) {
        let number = self.update_numbers.entry(order.clone()).or_default();
        *number = number.saturating_add(1);
        self.updates.push(StatusUpdate { order: order.clone(), number: *number, at, change: what });
    }

    pub(super) fn begin(&self, call: PaymentCall) -> Result<(), BankError> {
        if self.is_unavailable.contains(&call) { Err(unavailable()) } else { Ok(()) }
    }

    pub(super) fn end(&self, call: PaymentCall) -> Result<(), BankError> {
        if self.is_answer_lost.contains(&call) { Err(unavailable()) } else { Ok(()) }
    }

    pub(super) fn payer(&self, holder: &PsuId, account: &Account) -> Payer {
        let usual = || (SignedAmount::from_minor(100, account.currency), vec![holder.clone()]);
        let (available, signatories) = self.means.get(&account.id).cloned().unwrap_or_else(usual);
        Payer {
            account: account.clone(),
            holder: holder.as_str().to_owned(),
            available,
            authorisers: u16::try_from(signatories.len()).unwrap_or(u16::MAX),
            signatories,
        }
    }
}

fn unavailable() -> BankError {
    BankError::Unavailable("the script says so".into())
}
