//! Payments at the bank: the conditions of a payment before it is ordered, and its execution afterwards.
//!
//! The bank accepts an order once, however often it is submitted. It reports progress by [`StatusUpdate`]s, which are numbered
//! per order and kept until acknowledged. A core that pushes messages must keep them in such a list, because no caller waits for
//! the end of a payment.

use super::{BankError, CallContext, CoreState, OrderStanding, OrdersReceived, StatusUpdate};
use crate::failed_work::FailedWork;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::account::{Account, AccountIdentification};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::payment::order::{PayeeConfirmation, PaymentConsentRequest, UnconfirmedReason};
use lombard_domain::payment::transfer::{NamedAccount, PaymentConditions, Transfer};

/// An account from which payments can be made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Payer {
    /// The account.
    pub account: Account,
    /// The account holder's name, as shown to payees.
    pub holder: String,
    /// The amount available for payments: reservations deducted, the credit line included. Source: PIS-083.
    pub available: SignedAmount,
    /// The number of PSUs who must authorise a payment, at least one. Source: PIS-112.
    pub authorisers: u16,
    /// The PSUs who may authorise.
    pub signatories: Vec<PsuId>,
}

impl Payer {
    /// Whether this amount can be paid now; always `false` for an amount in another currency.
    pub fn can_pay(&self, amount: Amount) -> bool {
        let same = amount.currency() == self.available.currency();
        same && i128::from(amount.minor()) <= i128::from(self.available.minor())
    }
}

/// A payment to be submitted. Its fields never change, except the conditions, which the bank updates by status updates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentOrder {
    /// The order's id; an order is accepted once. Each payment of a file is submitted as a separate order
    /// ([`OrderId::for_line`]).
    pub id: OrderId,
    /// Its product.
    pub product: PaymentProduct,
    /// The payment.
    pub transfer: Transfer,
    /// The debtor account.
    pub debtor: BankAccountId,
    /// The conditions that the bank stated before.
    pub conditions: PaymentConditions,
    /// When it was created (bank clock).
    pub created_at: Timestamp,
    /// The context of the order. Each order has its own, because a batch holds orders of many TPPs.
    pub call: CallContext,
    /// The state that the core set on the order at an earlier submission.
    pub core_state: Option<CoreState>,
}

/// An order that the bank accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SubmittedOrder {
    /// The order's id.
    pub id: OrderId,
    /// The state that the core sets on the order; `None` keeps the former state.
    pub core_state: Option<CoreState>,
}

impl SubmittedOrder {
    /// An accepted order on which the core sets nothing.
    pub fn without_state(order: &PaymentOrder) -> Self {
        Self { id: order.id.clone(), core_state: None }
    }
}

/// The payment part of the core banking port.
#[async_trait]
pub trait PaymentBank {
    /// The bank's conditions for a payment requested now: charges, cut-off and expected times. The exchange rate is requested
    /// separately ([`Self::quote_rate`]). Source: PIS-100 to PIS-109,
    /// SCH-004, SCH-006.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn quote_conditions(
        &self,
        call: &CallContext,
        terms: &PaymentConsentRequest,
    ) -> Result<PaymentConditions, BankError>;

    /// The rate for an exchange requested now, with its expiry. `None` if the bank has none: no agreement under this
    /// contract, or unsupported currencies. Source: INT-013, INT-021.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn quote_rate(
        &self,
        call: &CallContext,
        rate_request: &ExchangeRateRequest,
        transfer: Currency,
    ) -> Result<Option<Quote>, BankError>;

    /// Whether the rate was agreed with this customer; no other customer may pay at it. Source: INT-010, INT-013.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn has_agreed_rate(&self, call: &CallContext, psu: &PsuId, deal: &AgreedRate) -> Result<bool, BankError>;

    /// The bank's present price for an exchange, in units of the second currency per unit of the first; `None` for
    /// unsupported currencies.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn quote_exchange_price(
        &self,
        call: &CallContext,
        pair: CurrencyPair,
    ) -> Result<Option<ConversionRate>, BankError>;

    /// The accounts from which a customer may pay, by id: open, and of a kind that allows payments.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn list_payers(&self, call: &CallContext, psu: &PsuId) -> Result<Vec<Payer>, BankError>;

    /// The account as a payer; `None` if it is unknown, not open, or of a kind that does not allow payments.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn find_payer(&self, call: &CallContext, account: &BankAccountId) -> Result<Option<Payer>, BankError>;

    /// The account as a payer, found by one of the account's numbers. Source: PIS-115.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn find_payer_by_number(
        &self,
        call: &CallContext,
        number: &AccountIdentification,
    ) -> Result<Option<Payer>, BankError>;

    /// Confirmation of Payee: asks the payee's bank whether the payee's name is that of the account. The call is made before a
    /// customer decides, and the answer is shown to that customer only. A bank without such a service answers
    /// `UnconfirmedReason::NotOffered`.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer; the customer is informed that the name could not be checked.
    async fn confirm_payee(&self, _call: &CallContext, _payee: &NamedAccount) -> Result<PayeeConfirmation, BankError> {
        Ok(PayeeConfirmation::Unavailable(UnconfirmedReason::NotOffered))
    }

    /// Submits orders. The bank is responsible for them from then on and reports their status, rejection included, by status
    /// updates. The call is idempotent by order id. Returns the accepted orders, in the same sequence.
    ///
    /// # Errors
    /// [`BankError`] if it is unknown whether the bank accepted all orders; the caller submits them again.
    async fn submit_orders(
        &self,
        call: &CallContext,
        orders: &[PaymentOrder],
    ) -> Result<Vec<SubmittedOrder>, BankError>;

    /// The status updates that are not acknowledged, oldest first; those of one order always in the sequence of their
    /// numbers.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn fetch_status_updates(&self, call: &CallContext, limit: u32) -> Result<Vec<StatusUpdate>, BankError>;

    /// Quarantines the status updates of these orders, of kind [`WorkKind::StatusUpdate`](crate::store::WorkKind::StatusUpdate),
    /// because they cannot be applied. They are not delivered again until an operator releases them; updates of other orders are
    /// not affected. Returns how many were not quarantined before.
    ///
    /// # Errors
    /// [`BankError`] if nothing was quarantined.
    async fn quarantine_updates(&self, call: &CallContext, work: Vec<FailedWork>) -> Result<usize, BankError>;

    /// Acknowledges the status updates of each order up to this number.
    ///
    /// # Errors
    /// [`BankError`]; the updates are delivered again then.
    async fn acknowledge_updates(&self, call: &CallContext, acknowledged: &[(OrderId, u32)]) -> Result<(), BankError>;

    /// How these orders stand: those of them that the bank holds, in the sequence of the ids. At most
    /// [`STANDINGS_MAX`](super::STANDINGS_MAX) ids.
    ///
    /// # Errors
    /// [`BankError::UnknownMethod`] if the bank does not say how orders stand; [`BankError`] if it cannot answer.
    async fn find_orders(&self, _call: &CallContext, _ids: &[OrderId]) -> Result<Vec<OrderStanding>, BankError> {
        Err(BankError::UnknownMethod("orders"))
    }

    /// A part of the list of orders that the bank holds, by the time at which it received them, then by id.
    ///
    /// # Errors
    /// As [`Self::find_orders`].
    async fn list_orders(&self, _call: &CallContext, _asked: &OrdersReceived) -> Result<Vec<OrderStanding>, BankError> {
        Err(BankError::UnknownMethod("orders-received"))
    }
}
