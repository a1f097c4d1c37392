//! Controls for orders: their details, and the outcomes that a tester can apply.

use lombard_domain::order::{Order, PaymentExecution, RejectionReason};
use serde::{Deserialize, Serialize};

/// An outcome of an order that the scheme, the payee's bank, or the PSU in the bank's own channel would decide.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderOutcome {
    /// The debtor account is debited.
    Settled,
    /// The creditor account is credited.
    Credited,
    /// The payee's bank received the payment and does not post it.
    WithoutPosting,
    /// The payment is rejected; moved money is returned.
    Rejected(RejectionReason),
    /// The PSU cancels it before its execution. Source: SCH-008, SO-016.
    Cancelled,
}

/// The decision of a further signatory on an order of multi-authorisation. Source: PIS-112.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountersignDecision {
    /// Approves.
    Approve,
    /// Declines; the order is rejected.
    Decline,
}

/// An order, as shown to a tester.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDetails {
    /// The order.
    pub order: Order,
    /// Its payments whose execution began, by number; at most the first [`PAYMENTS_SHOWN_MAX`].
    pub payments: Vec<PaymentExecution>,
}

/// The largest number of payments shown for one order.
pub const PAYMENTS_SHOWN_MAX: u32 = 1_000;
