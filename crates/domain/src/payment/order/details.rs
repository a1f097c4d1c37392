//! Payment details: the status of each payment of an order. Source: section 2.9.

use super::{DetailedStatus, Order, PaymentStatus, RejectionReason, TransitionError};
use crate::ids::{OrderId, PaymentTransactionId};
use crate::money::Amount;
use crate::payment::OrderFamily;
use crate::payment::transfer::{Instrument, Occurrence};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// The reason for a payment's status, by the standard's codes. Source: PIS-093.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DetailReason {
    /// The payment was cancelled.
    Cancelled,
    /// Settlement is failing and may still succeed.
    PendingFailingSettlement,
    /// Settlement is pending.
    PendingSettlement,
    /// A proprietary reason.
    Proprietary,
    /// Rejected for a proprietary reason.
    ProprietaryRejection,
    /// The payment is suspended.
    Suspended,
    /// The counterparty has no matching instruction.
    Unmatched,
}

/// The status of a payment on its rail. Source: PIS-091.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct RailDetail {
    /// The rail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instrument: Option<Instrument>,
    /// The rail's own status, 1 to 128 characters.
    pub status: String,
    /// The reason for that status.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<DetailReason>,
    /// The reason in words, 1 to 256 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
}

/// One entry of the payment details. Source: PIS-091, `OBWritePaymentDetails1`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentDetailsEntry {
    /// The payment's id; the same in every answer.
    pub id: PaymentTransactionId,
    /// Its status.
    pub status: PaymentStatus,
    /// When the status began.
    pub since: Timestamp,
    /// The status on the rail.
    pub detail: Option<RailDetail>,
}

/// One payment of an order: an occurrence of a standing order, or a line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentExecution {
    /// The order.
    pub order: OrderId,
    /// Its number within the order, from 1.
    pub number: u32,
    /// The day in the schedule.
    pub due_on: Date,
    /// The working day on which it is executed. Source: SO-020.
    pub paid_on: Date,
    /// Its amount.
    pub amount: Amount,
    /// Its status.
    pub status: PaymentStatus,
    /// When the status began (bank clock).
    pub since: Timestamp,
    /// The status on the rail.
    pub detail: Option<RailDetail>,
    /// The number of the last status update applied to it, if the bank handles the payment as a separate order
    /// ([`OrderId::for_line`]).
    pub last_update: u32,
}

impl PaymentTransactionId {
    /// The id of an order's payment, counted from 1. It is derived from both, so it never changes.
    pub fn for_payment(order: &OrderId, number: u32) -> Self {
        Self::new(format!("{order}-{number}"))
    }
}

impl PaymentExecution {
    /// The payment for an occurrence of a schedule that has become due.
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

    /// Moves the payment to its next status.
    ///
    /// # Errors
    /// [`TransitionError::AlreadyInState`], [`TransitionError::Final`] or [`TransitionError::NotAllowed`]; the payment is unchanged then.
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
    pub fn entry(&self) -> PaymentDetailsEntry {
        let id = PaymentTransactionId::for_payment(&self.order, self.number);
        PaymentDetailsEntry { id, status: self.status, since: self.since, detail: self.detail.clone() }
    }
}

impl Order {
    /// The payment details of a single-payment order: its latest status. A standing order has a [`PaymentExecution`]
    /// for each occurrence, a file for each line. Source: PIS-094.
    pub fn entry(&self, detail: Option<RailDetail>) -> Option<PaymentDetailsEntry> {
        let now = self.status_history.current();
        match (self.product.family(), now.status) {
            (OrderFamily::Immediate | OrderFamily::Scheduled, DetailedStatus::Payment(status)) => {
                Some(PaymentDetailsEntry {
                    id: PaymentTransactionId::for_payment(&self.id, 1),
                    status,
                    since: now.at,
                    detail,
                })
            }
            (OrderFamily::Immediate | OrderFamily::Scheduled, DetailedStatus::SetUp | DetailedStatus::SetUpFailed)
            | (OrderFamily::StandingOrder | OrderFamily::File, _) => None,
        }
    }
}

impl RejectionReason {
    /// The code of the reason in the payment details. Source: PIS-093.
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
