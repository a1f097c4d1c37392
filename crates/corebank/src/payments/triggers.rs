//! Test triggers: amounts and payee names that force an outcome. This table is documented for TPPs; the API layer does not use it.

use lombard_domain::payment::transfer::Transfer;
use lombard_ports::controls::PlannedOutcome;
use serde::{Deserialize, Serialize};

/// An outcome that a tester can trigger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestTrigger {
    /// The scheme refuses the payment after it was reserved.
    RefusedByScheme,
    /// The bank rejects the order because of suspected fraud.
    SuspectedFraud,
    /// The order stays undecided until an outcome is forced.
    #[serde(rename = "held")]
    AwaitingOutcome,
    /// The payee is credited a day late.
    CreditedLate,
    /// The payee's bank has received the money and does not post it until an outcome is forced.
    WithoutPosting,
    /// The payee's account is found closed.
    PayeeClosed,
}

/// A row of [`TRIGGERS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerRow {
    /// The outcome.
    pub trigger: TestTrigger,
    /// The last four digits of an amount, in minor units, that trigger it.
    pub ending: u64,
    /// The payee's name that triggers it, ignoring case.
    pub payee: &'static str,
    /// The description, in one sentence.
    pub about: &'static str,
}

const fn row(trigger: TestTrigger, ending: u64, payee: &'static str, about: &'static str) -> TriggerRow {
    TriggerRow { trigger, ending, payee, about }
}

/// Every trigger. Amounts ending in 13.91 to 13.96 are unlikely to be used by accident.
pub const TRIGGERS: [TriggerRow; 6] = [
    row(
        TestTrigger::RefusedByScheme,
        1391,
        "Refused by Scheme",
        "The money is reserved; then the scheme refuses the payment and the reservation is released.",
    ),
    row(TestTrigger::SuspectedFraud, 1392, "Suspected Fraud", "The bank takes the order for fraud and refuses it."),
    row(
        TestTrigger::AwaitingOutcome,
        1393,
        "Held Payment",
        "The order stays pending until `/sandbox/orders/{id}/outcome` says what becomes of it.",
    ),
    row(TestTrigger::CreditedLate, 1394, "Credited Late", "The payer is debited; the payee has the money a day late."),
    row(
        TestTrigger::WithoutPosting,
        1395,
        "Without Posting",
        "The payer is debited; the payee's bank does not post the money until `/sandbox/orders/{id}/outcome` says so.",
    ),
    row(
        TestTrigger::PayeeClosed,
        1396,
        "Closed Account",
        "The money is reserved; then the payee's account turns out to be closed and the reservation is released.",
    ),
];

impl TestTrigger {
    /// The trigger for the outcome that a tester planned; `None` if the plan contains only a delay.
    pub(super) const fn of_plan(outcome: PlannedOutcome) -> Option<Self> {
        match outcome {
            PlannedOutcome::Usual => None,
            PlannedOutcome::RefusedByScheme => Some(Self::RefusedByScheme),
            PlannedOutcome::SuspectedFraud => Some(Self::SuspectedFraud),
            PlannedOutcome::Held => Some(Self::AwaitingOutcome),
            PlannedOutcome::CreditedLate => Some(Self::CreditedLate),
            PlannedOutcome::WithoutPosting => Some(Self::WithoutPosting),
            PlannedOutcome::PayeeClosed => Some(Self::PayeeClosed),
        }
    }
}

/// The trigger of a transfer, if any, by the amount and payee of its first payment.
pub(super) fn of(transfer: &Transfer) -> Option<TestTrigger> {
    let (minor, payee) = (transfer.amount.minor(), transfer.credit().creditor.holder_name().trim());
    let meant = |row: &&TriggerRow| minor % 10_000 == row.ending || payee.eq_ignore_ascii_case(row.payee);
    TRIGGERS.iter().find(meant).map(|row| row.trigger)
}
