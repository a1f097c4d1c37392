//! Payments at the bank: what it says to one before it is ordered, and what becomes of it afterwards.
//!
//! The bank takes an order once, whatever is repeated, and reports its status by [`StatusUpdate`]: status updates, numbered by
//! order and kept until they are acknowledged. A core that pushes messages keeps them in such a list; nobody above the port
//! waits for a payment.

use super::BankError;
use crate::store::FailedWork;
use async_trait::async_trait;
use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::account::{Account, AccountIdentification};
use lombard_domain::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::order::{
    PaymentConditions, PaymentConsentRequest, PaymentProduct, PaymentStatus, RailDetail, RejectionReason, Transfer,
};
use lombard_domain::stored;
use serde::{Deserialize, Serialize};

/// An account that payments can be made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payer {
    /// The account.
    pub account: Account,
    /// Its holder's name, as it is told to payees.
    pub holder: String,
    /// What may leave it now: reservations taken off, its credit line counted in. Source: PIS-083.
    pub available: SignedAmount,
    /// How many customers must agree to a payment, at least one. Source: PIS-112.
    pub authorisers: u16,
    /// Who may agree.
    pub signatories: Vec<PsuId>,
}

impl Payer {
    /// Whether so much may leave it now. An amount in another currency never may.
    pub fn can_pay(&self, amount: Amount) -> bool {
        let same = amount.currency() == self.available.currency();
        same && i128::from(amount.minor()) <= i128::from(self.available.minor())
    }
}

/// A payment as it is ordered. Its fields do not change afterwards, except the conditions, which the bank updates by status
/// updates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentOrder {
    /// The order's id: an order is taken once. Each payment of a file comes as an order of its own ([`OrderId::for_line`]).
    pub id: OrderId,
    /// Its product.
    pub product: PaymentProduct,
    /// What is to be paid.
    pub transfer: Transfer,
    /// The account that is debited.
    pub debtor: BankAccountId,
    /// What the bank said to it before.
    pub conditions: PaymentConditions,
    /// When it was made (bank clock).
    pub created_at: Timestamp,
}

/// A status update of an order at the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusUpdate {
    /// The order.
    pub order: OrderId,
    /// The number of the update within its order, from 1 without gaps.
    pub number: u32,
    /// When it happened (bank clock).
    pub at: Timestamp,
    /// What happened.
    pub change: OrderUpdate,
}

/// The new status of an order at the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderUpdate {
    /// It is kept until its day: a scheduled payment, a standing order that is set up.
    Warehoused,
    /// It was refused as a whole, before any payment was begun.
    Refused(RejectionReason),
    /// The warehoused order was cancelled: the customer cancelled it in the bank's own channel, or the account
    /// it was to be paid from is gone. Source: SCH-008.
    Cancelled(RejectionReason),
    /// Its times have changed. Source: PIS-104.
    TimesChanged {
        /// When it is expected to leave.
        execution_at: Option<Timestamp>,
        /// When it is expected to arrive.
        settlement_at: Option<Timestamp>,
    },
    /// One of its payments has a new status.
    PaymentChanged(PaymentUpdate),
}

/// How a payment of an order stands now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentUpdate {
    /// Which payment, from 1; an order that is one payment has only that.
    pub number: u32,
    /// The day it falls on by the schedule.
    #[serde(with = "stored")]
    pub due_on: Date,
    /// The day it is paid on.
    #[serde(with = "stored")]
    pub paid_on: Date,
    /// How much.
    pub amount: Amount,
    /// How it stands.
    pub status: PaymentStatus,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<RejectionReason>,
    /// What the rail says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<RailDetail>,
}

/// Payments at the bank.
#[async_trait]
pub trait PaymentBank {
    /// The bank's conditions for a payment requested now: charges, cut-off and expected times. The exchange rate is requested
    /// separately ([`Self::quote_rate`]). Source: PIS-100 to PIS-109,
    /// SCH-004, SCH-006.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn conditions(&self, terms: &PaymentConsentRequest) -> Result<PaymentConditions, BankError>;

    /// The rate for an exchange that is asked for now, its end included; `None` if the bank has none: it agreed to nothing
    /// under this contract, or does not deal in these currencies. Source: INT-013, INT-021.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn quote_rate(&self, wish: &ExchangeRateRequest, transfer: Currency) -> Result<Option<Quote>, BankError>;

    /// Whether a rate was agreed with this customer: nobody else pays at it. Source: INT-010, INT-013.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn has_agreed_rate(&self, psu: &PsuId, deal: &AgreedRate) -> Result<bool, BankError>;

    /// The bank's price for an exchange now, units of the second currency for one of the first; `None` if it does not deal
    /// in these currencies.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn exchange_price(&self, pair: CurrencyPair) -> Result<Option<ConversionRate>, BankError>;

    /// The accounts a customer may pay from, by id: open, and of a kind that payments are made from.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn payers(&self, psu: &PsuId) -> Result<Vec<Payer>, BankError>;

    /// An account that payments can be made from; `None` if it is unknown, not open or of another kind.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn payer(&self, account: &BankAccountId) -> Result<Option<Payer>, BankError>;

    /// The same, by one of its numbers. Source: PIS-115.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn payer_by_number(&self, number: &AccountIdentification) -> Result<Option<Payer>, BankError>;

    /// Submits orders. The bank is responsible for them from then on and reports their status, rejection included, by status
    /// updates. Idempotent by order id.
    ///
    /// # Errors
    /// [`BankError`] when it is not known whether the bank accepted all of them; submit them again.
    async fn submit(&self, orders: &[PaymentOrder]) -> Result<(), BankError>;

    /// Status updates that are not acknowledged, oldest first and of one order always in their numbers' order.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn status_updates(&self, limit: u32) -> Result<Vec<StatusUpdate>, BankError>;

    /// Holds back the status updates of these orders, of kind [`WorkKind::StatusUpdate`](crate::store::WorkKind::StatusUpdate):
    /// they cannot be applied. They are not delivered again until an operator releases them; updates of other orders are not
    /// affected. Returns how
    /// many were not held back before.
    ///
    /// # Errors
    /// [`BankError`] when nothing was held back.
    async fn quarantine_updates(&self, work: Vec<FailedWork>) -> Result<usize, BankError>;

    /// Acknowledges the status updates of each order up to this number.
    ///
    /// # Errors
    /// [`BankError`]; the updates are delivered again then.
    async fn acknowledge_updates(&self, heard: &[(OrderId, u32)]) -> Result<(), BankError>;
}
