//! Controls for orders: their details, the outcomes that a tester can apply, and the outcomes that are planned before an order
//! exists.

use lombard_domain::payment::order::{Order, PaymentExecution, RejectionReason};
use serde::{Deserialize, Serialize};

/// An outcome of an order that otherwise the scheme, the payee's bank, or the PSU in the bank's own channel would decide.
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
    /// The PSU cancels the order before its execution. Source: SCH-008, SO-016.
    Cancelled,
}

/// The planned outcome of the orders of a payment consent. A tester usually sets it while deciding on the consent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderPlan {
    /// The outcome.
    pub outcome: PlannedOutcome,
    /// The time for which the bank leaves an order pending before its decision (bank clock), in seconds, at most
    /// [`PLAN_WAIT_SECS_MAX`].
    pub wait_secs: u32,
}

/// The longest time for which a plan leaves an order pending: a week.
pub const PLAN_WAIT_SECS_MAX: u32 = 7 * 24 * 3_600;

impl OrderPlan {
    /// No plan: orders are executed as usual.
    pub const USUAL: Self = Self { outcome: PlannedOutcome::Usual, wait_secs: 0 };
}

/// An outcome that a tester plans.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlannedOutcome {
    /// The outcome that follows from the amount, the payee and the accounts.
    Usual,
    /// The money is reserved; then the scheme refuses the payment.
    RefusedByScheme,
    /// The bank suspects fraud and refuses the order.
    SuspectedFraud,
    /// The order stays pending until an [`OrderOutcome`] is applied to it.
    Held,
    /// The payer is debited; the payee is credited a day late.
    CreditedLate,
    /// The payer is debited; the payee's bank does not post the money until an [`OrderOutcome`] is applied.
    WithoutPosting,
    /// The money is reserved; then the payee's bank reports that the payee's account is closed.
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
    /// The signatory approves.
    Approve,
    /// The signatory declines; the order is rejected.
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
