//! Orders in the hands of a tester: how they stand, and what the world around the bank decides about them.

use lombard_domain::order::{Order, PaymentExecution, RejectionReason};

/// What becomes of an order, as the schemes, the payee's bank, or the customer in the bank's own channel would decide it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderOutcome {
    /// The payer is debited.
    Settled,
    /// The payee is credited.
    Credited,
    /// The payee's bank has the money and does not post it.
    WithoutPosting,
    /// It is refused; money that has moved comes back.
    Rejected(RejectionReason),
    /// The customer takes it back, before it is executed. Source: SCH-008, SO-016.
    Cancelled,
}

/// What a further customer says to an order that several must agree to. Source: PIS-112.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountersignDecision {
    /// Agrees.
    Agree,
    /// Refuses, which ends the order.
    Refuse,
}

/// An order as a tester needs to know it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderDetails {
    /// The order.
    pub order: Order,
    /// Its payments that have been begun, by number; of many, the first [`PAYMENTS_SHOWN_MAX`].
    pub payments: Vec<PaymentExecution>,
}

/// Most payments of one order that are shown.
pub const PAYMENTS_SHOWN_MAX: u32 = 1_000;
