//! Status updates: what the bank reports of orders.

use jiff::Timestamp;
use jiff::civil::Date;
use lombard_domain::ids::OrderId;
use lombard_domain::money::Amount;
use lombard_domain::payment::order::{PaymentStatus, RailDetail, RejectionReason};
use lombard_domain::stored;
use serde::{Deserialize, Serialize};

/// A status update of an order at the bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusUpdate {
    /// The order.
    pub order: OrderId,
    /// The number of the update within its order, from 1 without gaps.
    pub number: u32,
    /// When it happened (bank clock).
    pub at: Timestamp,
    /// The change.
    pub change: OrderUpdate,
}

/// The kind of a status update of an order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OrderUpdate {
    /// The order was warehoused: a scheduled payment, or a standing order that is set up.
    Warehoused,
    /// The order was rejected as a whole, before the execution of any payment.
    Refused(RejectionReason),
    /// The warehoused order was cancelled: the customer cancelled it in the bank's own channel, or its debtor account no longer
    /// exists. Source: SCH-008.
    Cancelled(RejectionReason),
    /// Its expected times have changed. Source: PIS-104.
    TimesChanged {
        /// When it is expected to be executed.
        execution_at: Option<Timestamp>,
        /// When it is expected to be settled.
        settlement_at: Option<Timestamp>,
    },
    /// One of the order's payments has a new status.
    PaymentChanged(PaymentUpdate),
}

/// The present status of a payment of an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PaymentUpdate {
    /// The number of the payment, from 1; always 1 for a single payment.
    pub number: u32,
    /// The day in the schedule.
    #[serde(with = "stored")]
    pub due_on: Date,
    /// The day of execution.
    #[serde(with = "stored")]
    pub paid_on: Date,
    /// The amount.
    pub amount: Amount,
    /// The status.
    pub status: PaymentStatus,
    /// Why it was rejected.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<RejectionReason>,
    /// The status on the rail.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<RailDetail>,
}
