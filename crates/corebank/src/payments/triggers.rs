//! Test triggers: amounts and payee names that force an outcome. One documented table; the API layer does not know it.

use lombard_domain::order::Transfer;
use serde::{Deserialize, Serialize};

/// What is brought about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TestTrigger {
    /// The scheme refuses the payment after it was reserved.
    RefusedByScheme,
    /// The bank takes the order for fraud.
    SuspectedFraud,
    /// The order stays where it is until somebody says what becomes of it.
    Held,
    /// The payee has the money a day late.
    CreditedLate,
    /// The payee's bank has the money and does not post it until somebody says what becomes of it.
    WithoutPosting,
    /// The payee's account turns out to be closed.
    PayeeClosed,
}

/// A row of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TriggerRow {
    /// What is brought about.
    pub trigger: TestTrigger,
    /// The last four digits of an amount, in minor units, that bring it about.
    pub ending: u64,
    /// The payee's name that brings it about, whatever the case.
    pub payee: &'static str,
    /// What happens, one sentence.
    pub about: &'static str,
}

const fn row(trigger: TestTrigger, ending: u64, payee: &'static str, about: &'static str) -> TriggerRow {
    TriggerRow { trigger, ending, payee, about }
}

/// Every trigger. Amounts ending in 13.91 to 13.96 are rare enough to be met by nobody who does not mean to.
pub const TRIGGERS: [TriggerRow; 6] = [
    row(
        TestTrigger::RefusedByScheme,
        1391,
        "Refused by Scheme",
        "The money is reserved; then the scheme refuses the payment and the reservation is released.",
    ),
    row(TestTrigger::SuspectedFraud, 1392, "Suspected Fraud", "The bank takes the order for fraud and refuses it."),
    row(
        TestTrigger::Held,
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

/// What an instruction brings about, if anything; its first payment speaks for all.
pub(super) fn of(transfer: &Transfer) -> Option<TestTrigger> {
    let (minor, payee) = (transfer.amount.minor(), transfer.credit().creditor.holder_name().trim());
    let meant = |row: &&TriggerRow| minor % 10_000 == row.ending || payee.eq_ignore_ascii_case(row.payee);
    TRIGGERS.iter().find(meant).map(|row| row.trigger)
}
