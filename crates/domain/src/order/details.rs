//! Payment details: what became of each payment of an order. Source: section 2.9.

use super::{
    DetailedStatus, Instrument, Occurrence, Order, OrderFamily, PaymentStatus, RejectionReason, TransitionError,
};
use crate::ids::{OrderId, PaymentTransactionId};
use crate::money::Amount;
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// Why a payment stands as it does, in the words of the standard. Source: PIS-093.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DetailReason {
    /// It was taken back.
    Cancelled,
    /// Settlement fails for now.
    PendingFailingSettlement,
    /// Settlement is to come.
    PendingSettlement,
    /// A reason of the bank's own.
    Proprietary,
    /// Refused for a reason of the bank's own.
    ProprietaryRejection,
    /// It is held up.
    Suspended,
    /// The other side has no counterpart for it.
    Unmatched,
}

/// What the rail says of a payment. Source: PIS-091.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RailDetail {
    /// The rail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Instrument>,
    /// The rail's own word for the status, 1 to 128 characters.
    pub status: String,
    /// Why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DetailReason>,
    /// Why in a sentence, 1 to 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// One entry of the payment details. Source: PIS-091, `OBWritePaymentDetails1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentEntry {
    /// The payment's id; the same in every answer.
    pub id: PaymentTransactionId,
    /// How it stands.
    pub status: PaymentStatus,
    /// Since when.
    pub since: Timestamp,
    /// What the rail says.
    pub detail: Option<RailDetail>,
}

/// One payment of an order: of a standing order one that has come due, of a file one of its lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentExecution {
    /// The order.
    pub order: OrderId,
    /// Which payment of the schedule, from 1.
    pub number: u32,
    /// The day the schedule has it on.
    pub due_on: Date,
    /// The working day it is paid on. Source: SO-020.
    pub paid_on: Date,
    /// How much.
    pub amount: Amount,
    /// How it stands.
    pub status: PaymentStatus,
    /// Since when (bank clock).
    pub since: Timestamp,
    /// What the rail says.
    pub detail: Option<RailDetail>,
    /// The number of the last status update that was applied to it, where it is an order of its own there
    /// ([`OrderId::for_line`]).
    pub last_update: u32,
}

impl PaymentTransactionId {
    /// The id of an order's payment, counted from 1. Derived, so that it is the same whenever it is asked for.
    pub fn for_payment(order: &OrderId, number: u32) -> Self {
        Self::new(format!("{order}-{number}"))
    }
}

impl PaymentExecution {
    /// A payment of a schedule whose day has come.
    pub fn due(order: &OrderId, occurrence: &Occurrence, now: Timestamp) -> Self {
        Self {
            order: order.clone(),
            number: occurrence.number,
            due_on: occurrence.due_on,
            paid_on: occurrence.paid_on,
            amount: occurrence.amount,
            status: PaymentStatus::Pending,
            since: now,
            detail: None,
            last_update: 0,
        }
    }

    /// Moves the payment on.
    ///
    /// # Errors
    /// [`TransitionError::AlreadyInState`], [`TransitionError::Final`] or [`TransitionError::NotAllowed`]; nothing has changed then.
    pub fn advance(
        &mut self,
        to: PaymentStatus,
        detail: Option<RailDetail>,
        now: Timestamp,
    ) -> Result<(), TransitionError> {
        if self.status == to {
            return Err(TransitionError::AlreadyInState);
        }
        if self.status.is_final() {
            return Err(TransitionError::Final);
        }
        if !self.status.may_become(to) {
            return Err(TransitionError::NotAllowed);
        }
        self.status = to;
        self.since = self.since.max(now);
        self.detail = detail;
        Ok(())
    }

    /// Its entry in the payment details.
    pub fn entry(&self) -> PaymentEntry {
        let id = PaymentTransactionId::for_payment(&self.order, self.number);
        PaymentEntry { id, status: self.status, since: self.since, detail: self.detail.clone() }
    }
}

impl Order {
    /// The payment details of an order that is one payment: its latest status, and nothing that the order's own status
    /// does not say. A standing order has an [`PaymentExecution`] for each payment, a file one for each line. Source: PIS-094.
    pub fn entry(&self, detail: Option<RailDetail>) -> Option<PaymentEntry> {
        let now = self.status_history.current();
        match (self.product.family(), now.stage) {
            (OrderFamily::Immediate | OrderFamily::Scheduled, DetailedStatus::Payment(status)) => {
                Some(PaymentEntry { id: PaymentTransactionId::for_payment(&self.id, 1), status, since: now.at, detail })
            }
            (OrderFamily::Immediate | OrderFamily::Scheduled, DetailedStatus::SetUp | DetailedStatus::SetUpFailed)
            | (OrderFamily::StandingOrder | OrderFamily::File, _) => None,
        }
    }
}

impl RejectionReason {
    /// The standard's word for it in the payment details. Source: PIS-093.
    pub const fn detail(self) -> DetailReason {
        match self {
            Self::CancelledByCustomer => DetailReason::Cancelled,
            Self::InsufficientFunds
            | Self::DebtorAccountUnusable
            | Self::CreditorAccountUnusable
            | Self::RefusedByScheme
            | Self::SuspectedFraud
            | Self::RefusedByAuthoriser
            | Self::AuthorisationLapsed
            | Self::NotGiven => DetailReason::ProprietaryRejection,
        }
    }
}
