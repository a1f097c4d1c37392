//! Scripts the payments of the stub bank for tests, and records its calls.

use super::{
    AccountChange, BankError, ConsentChange, CoreState, OrderStanding, OrderUpdate, Payer, PaymentOrder, StatusUpdate,
};
use jiff::Timestamp;
use lombard_domain::account::Account;
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::SignedAmount;
use lombard_domain::payment::exchange::{ConversionRate, CurrencyPair};
use lombard_domain::payment::order::PayeeConfirmation;
use lombard_domain::payment::transfer::PaymentConditions;
use std::collections::{HashMap, HashSet};

/// A call of the payment port.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentCall {
    /// [`PaymentBank::quote_conditions`](super::PaymentBank::quote_conditions).
    Conditions,
    /// [`PaymentBank::list_payers`](super::PaymentBank::list_payers),
    /// [`PaymentBank::find_payer`](super::PaymentBank::find_payer) and
    /// [`PaymentBank::find_payer_by_number`](super::PaymentBank::find_payer_by_number).
    Payers,
    /// [`PaymentBank::confirm_payee`](super::PaymentBank::confirm_payee).
    ConfirmPayee,
    /// [`PaymentBank::submit_orders`](super::PaymentBank::submit_orders).
    Submit,
    /// [`PaymentBank::fetch_status_updates`](super::PaymentBank::fetch_status_updates).
    StatusUpdates,
    /// [`PaymentBank::acknowledge_updates`](super::PaymentBank::acknowledge_updates).
    AcknowledgeUpdates,
    /// [`PaymentBank::find_orders`](super::PaymentBank::find_orders) and
    /// [`PaymentBank::list_orders`](super::PaymentBank::list_orders).
    Standings,
    /// [`Bank::report_consent_change`](super::Bank::report_consent_change).
    ConsentChange,
    /// [`Bank::fetch_account_changes`](super::Bank::fetch_account_changes).
    AccountChanges,
    /// [`Bank::acknowledge_account_changes`](super::Bank::acknowledge_account_changes).
    AcknowledgeAccountChanges,
}

/// The scripted behaviour of payments. The stub bank does nothing that is not scripted.
#[derive(Debug, Default)]
pub struct PaymentScript {
    /// The conditions of every payment.
    pub conditions: PaymentConditions,
    /// The customers with whom rates were agreed; `None` for all customers.
    pub agreed_rate_customers: Option<HashSet<PsuId>>,
    /// The prices. A rate equal to its price counts as agreed.
    pub prices: HashMap<CurrencyPair, ConversionRate>,
    /// The answer for every payee's name; `None` for a bank that does not offer Confirmation of Payee.
    pub payee: Option<PayeeConfirmation>,
    /// The time of quotes (bank clock).
    pub now: Timestamp,
    /// The available amount and the signatories of accounts that differ from the default.
    pub payer_overrides: HashMap<BankAccountId, (SignedAmount, Vec<PsuId>)>,
    /// The calls that fail without effect.
    pub unavailable_calls: HashSet<PaymentCall>,
    /// The calls that never return and have no effect.
    pub silent_calls: HashSet<PaymentCall>,
    /// The number of calls that have not returned.
    pub unanswered: u32,
    /// The calls whose answer is lost after they took effect.
    pub lost_answer_calls: HashSet<PaymentCall>,
    /// The submitted orders, in sequence.
    pub orders: Vec<PaymentOrder>,
    /// The number of calls that submitted orders.
    pub submissions: u32,
    /// The status updates that are not acknowledged.
    pub updates: Vec<StatusUpdate>,
    /// The status updates that are acknowledged.
    pub acknowledged_updates: Vec<StatusUpdate>,
    /// What the core answers about a customer whose export is asked for; `None` if it has no such method.
    pub customer_document: Option<Option<Vec<u8>>>,
    /// Why the core keeps a customer whose erasure is asked for, if it does; `None` if it has no such method.
    pub customer_kept: Option<Option<String>>,
    /// The customers that the core was asked to erase, in sequence.
    pub erased_customers: Vec<PsuId>,
    /// The state that the core sets on orders that it accepts.
    pub order_state: Option<CoreState>,
    /// Whether the bank wants changes of consents to be reported.
    pub takes_consent_changes: bool,
    /// The reported changes of consents, in sequence.
    pub consent_changes: Vec<ConsentChange>,
    /// The state that the core sets on a consent whose change is reported.
    pub consent_state: Option<CoreState>,
    /// The changes of accounts that are not acknowledged.
    pub account_changes: Vec<AccountChange>,
    update_numbers: HashMap<OrderId, u32>,
}

impl PaymentScript {
    /// Adds the next status update of an order.
    pub fn push_update(&mut self, order: &OrderId, at: Timestamp, what: OrderUpdate) {
        let number = self.update_numbers.entry(order.clone()).or_default();
        *number = number.saturating_add(1);
        self.updates.push(StatusUpdate { order: order.clone(), number: *number, at, change: what });
    }

    /// Has the updates of an order count on from this number, as after a restore of the bank.
    pub fn restart_numbers(&mut self, order: &OrderId, number: u32) {
        self.update_numbers.insert(order.clone(), number);
    }

    /// How the submitted orders stand, by the time of their creation, then by id.
    pub fn standings(&self) -> Vec<OrderStanding> {
        let mut all: Vec<_> = self.orders.iter().map(|order| self.standing(order)).collect();
        all.sort_by(|one, other| (one.received_at, &one.id).cmp(&(other.received_at, &other.id)));
        all
    }

    fn standing(&self, order: &PaymentOrder) -> OrderStanding {
        let known = self.acknowledged_updates.iter().chain(&self.updates);
        let mut updates: Vec<_> = known.filter(|update| update.order == order.id).cloned().collect();
        updates.sort_by_key(|update| update.number);
        let acknowledged = self.acknowledged_updates.iter().filter(|update| update.order == order.id);
        OrderStanding {
            id: order.id.clone(),
            debtor: order.debtor.clone(),
            amount: order.transfer.amount,
            received_at: order.created_at,
            last_update: updates.last().map_or(0, |update| update.number),
            acknowledged: acknowledged.map(|update| update.number).max().unwrap_or(0),
            updates,
        }
    }

    pub(super) fn begin(&self, call: PaymentCall) -> Result<(), BankError> {
        if self.unavailable_calls.contains(&call) { Err(unavailable()) } else { Ok(()) }
    }

    pub(super) fn end(&self, call: PaymentCall) -> Result<(), BankError> {
        if self.lost_answer_calls.contains(&call) { Err(unavailable()) } else { Ok(()) }
    }

    pub(super) fn payer(&self, holder: &PsuId, account: &Account) -> Payer {
        let usual = || (SignedAmount::from_minor(100, account.currency), vec![holder.clone()]);
        let (available, signatories) = self.payer_overrides.get(&account.id).cloned().unwrap_or_else(usual);
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
