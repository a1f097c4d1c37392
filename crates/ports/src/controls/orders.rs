//! Controls for orders: their details, the outcomes that a tester can apply, and those that are planned before there is an order.

use lombard_domain::payment::order::{Order, PaymentExecution, RejectionReason};
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

/// What becomes of the orders of a payment consent: a tester plans it, usually while deciding on the consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderPlan {
    /// The outcome.
    pub outcome: PlannedOutcome,
    /// How long the bank leaves an order pending before it decides about it (bank clock), in seconds, at most [`PLAN_WAIT_SECS_MAX`].
    pub wait_secs: u32,
}

/// The longest time for which a plan leaves an order pending: a week.
pub const PLAN_WAIT_SECS_MAX: u32 = 7 * 24 * 3_600;

impl OrderPlan {
    /// No plan: orders go their usual way.
    pub const USUAL: Self = Self { outcome: PlannedOutcome::Usual, wait_secs: 0 };
}

/// An outcome that a tester plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlannedOutcome {
    /// What amount, payee and accounts make of the order.
    Usual,
    /// The money is reserved; then the scheme refuses the payment.
    RefusedByScheme,
    /// The bank takes the order for fraud and refuses it.
    SuspectedFraud,
    /// The order stays pending until an [`OrderOutcome`] is applied to it.
    Held,
    /// The payer is debited; the payee has the money a day late.
    CreditedLate,
    /// The payer is debited; the payee's bank does not post the money until an [`OrderOutcome`] is applied.
    WithoutPosting,
    /// The money is reserved; then the payee's account turns out to be closed.
    PayeeClosed,
}

impl PlannedOutcome {
    /// Every outcome, the usual one first.
    pub const ALL: [Self; 7] = [
        Self::Usual,
        Self::RefusedByScheme,
        Self::SuspectedFraud,
        Self::Held,
        Self::CreditedLate,
        Self::WithoutPosting,
        Self::PayeeClosed,
    ];
}

lombard_domain::unit_codes! {
    PlannedOutcome {
        Usual = "usual",
        RefusedByScheme = "refused-by-scheme",
        SuspectedFraud = "suspected-fraud",
        Held = "held",
        CreditedLate = "credited-late",
        WithoutPosting = "without-posting",
        PayeeClosed = "payee-closed",
    }
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
