//! The codes of ISO 20022 for how a payment stands, and a group of them. Source: table 1.5, FILE-022.

use lombard_domain::order::PaymentStatus;
use std::collections::BTreeMap;

/// The code of a payment's status. Source: `ExternalPaymentTransactionStatus1Code`.
pub(super) const fn code(status: PaymentStatus) -> &'static str {
    match status {
        PaymentStatus::Received => "RCVD",
        PaymentStatus::PartiallyAuthorised => "PATC",
        PaymentStatus::TechnicallyValid => "ACTC",
        PaymentStatus::Pending => "PDNG",
        PaymentStatus::CustomerAccepted => "ACCP",
        PaymentStatus::FundsChecked => "ACFC",
        PaymentStatus::InProcess => "ACSP",
        PaymentStatus::AcceptedWithChange => "ACWC",
        PaymentStatus::Settled => "ACSC",
        PaymentStatus::WithoutPosting => "ACWP",
        PaymentStatus::Blocked => "BLCK",
        PaymentStatus::Credited => "ACCC",
        PaymentStatus::Rejected => "RJCT",
        PaymentStatus::Cancelled => "CANC",
    }
}

/// The code of a group with so many payments in each status: theirs, if all stand alike and groups have it; otherwise
/// whether all were taken on, or only some. Source: `ExternalPaymentGroupStatus1Code`.
pub(super) fn of_group(tally: &BTreeMap<PaymentStatus, u32>) -> &'static str {
    let lost = |status: &PaymentStatus| matches!(status, PaymentStatus::Rejected | PaymentStatus::Cancelled);
    let lost = tally.keys().filter(|status| lost(status)).count();
    match (tally.first_key_value(), tally.len()) {
        (Some((PaymentStatus::Pending, _)), 1) => code(PaymentStatus::Pending),
        (Some((PaymentStatus::Settled, _)), 1) => code(PaymentStatus::Settled),
        (Some((PaymentStatus::Credited, _)), 1) => code(PaymentStatus::Credited),
        (Some((PaymentStatus::Received, _)), _) => code(PaymentStatus::Received),
        (_, kinds) if lost == kinds => code(PaymentStatus::Rejected),
        _ if lost > 0 => "PART",
        _ => code(PaymentStatus::InProcess),
    }
}
