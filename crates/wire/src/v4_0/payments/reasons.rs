//! Why a payment consent or an order has its status. Source: V4-002, ERR-001 to ERR-013.

use crate::codes::StatusReasonCode;
use lombard_domain::consent::RevokedBy;
use lombard_domain::order::{
    AccessEnd, ApprovalStatus, DetailedStatus, OrderView, PaymentConsentStatus, PaymentConsentView, PaymentProduct,
    PaymentStatus, RejectionReason,
};

/// A row of `OBExternalStatusReason1Code`.
macro_rules! reasons {
    ($($code:literal: $description:literal),*) => {
        &[$(StatusReasonCode { code: $code, description: $description }),*]
    };
}

/// The reasons for a consent's status. Source: ERR-001, ERR-006 to ERR-009, ERR-011.
pub(super) const fn of_consent(view: &PaymentConsentView) -> &'static [StatusReasonCode] {
    match (view.ended, view.status) {
        (Some(AccessEnd::Revoked(RevokedBy::Psu, _)), _) => reasons!("CUST": "The customer ended access at the bank."),
        (Some(AccessEnd::Revoked(RevokedBy::Bank, _)), _) => reasons!(
            "TKSP": "The bank has suspended access.",
            "U028": "The customer must authenticate again."
        ),
        (Some(AccessEnd::Expired(_)), _) => reasons!("TKXP": "The last day for payments has passed."),
        (None, PaymentConsentStatus::AwaitingAuthorisation) => {
            reasons!("U036": "The customer has not decided about the consent yet.")
        }
        (None, PaymentConsentStatus::Rejected) => reasons!("U033": "The consent was not authorised."),
        (None, PaymentConsentStatus::Consumed) => reasons!("U038": "The order of the consent was made."),
        (None, PaymentConsentStatus::AwaitingUpload | PaymentConsentStatus::Authorised) => &[],
    }
}

/// The reasons for an order's status. Source: ERR-006, ERR-012, ERR-013.
pub(super) fn of_order(view: &OrderView) -> &'static [StatusReasonCode] {
    match view.course.current().stage {
        DetailedStatus::SetUpFailed | DetailedStatus::Payment(PaymentStatus::Rejected | PaymentStatus::Cancelled) => {
            match (view.product, view.reason.unwrap_or(RejectionReason::NotGiven)) {
                (PaymentProduct::DomesticVrp, RejectionReason::NotGiven) => {
                    reasons!("U042": "The bank gives no reason.")
                }
                (_, reason) => of_rejection(reason),
            }
        }
        DetailedStatus::SetUp if view.lost_payments => reasons!("NARR": "A payment of the file was not made."),
        DetailedStatus::SetUp => &[],
        DetailedStatus::Payment(_) => {
            let awaiting = view.approvals.as_ref().is_some_and(|it| it.status == ApprovalStatus::Awaiting);
            if awaiting { reasons!("U040": "Further customers have to authorise the payment.") } else { &[] }
        }
    }
}

const fn of_rejection(reason: RejectionReason) -> &'static [StatusReasonCode] {
    match reason {
        RejectionReason::InsufficientFunds => reasons!("AM04": "The funds are not sufficient."),
        RejectionReason::DebtorAccountUnusable => reasons!("AC06": "The account to pay from cannot be used."),
        RejectionReason::CreditorAccountUnusable => reasons!("AC03": "The account to pay to cannot be used."),
        RejectionReason::RefusedByScheme => reasons!("NARR": "The payment scheme or the payee's bank refused it."),
        RejectionReason::SuspectedFraud => reasons!("FR01": "The bank suspects fraud."),
        RejectionReason::RefusedByAuthoriser => reasons!("U033": "A customer who had to authorise it refused."),
        RejectionReason::AuthorisationLapsed => reasons!("U033": "It was not authorised in time."),
        RejectionReason::CancelledByCustomer => reasons!("CUST": "The customer cancelled it."),
        RejectionReason::NotGiven => reasons!("NARR": "The bank gives no reason."),
    }
}
