//! The ISO 20022 status codes of a payment and of a group of payments. Source: table 1.5, FILE-022.

use lombard_domain::payment::order::PaymentStatus;
use std::collections::BTreeMap;

pub(super) use crate::payments::names::payment_status_code as code;

/// The status code of a group, by the first rule that applies: the status of its payments if all have the same and groups have
/// this code; received while one payment is received; rejected if all are rejected or cancelled, partially accepted if some are;
/// otherwise in process. Source: `ExternalPaymentGroupStatus1Code`.
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
