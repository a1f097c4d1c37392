//! The reasons for the status of a payment consent or an order. Source: V4-002, ERR-001 to ERR-013.

use crate::codes::{StatusReasonCode, consent_status_reasons, reasons};
use lombard_domain::consent::{AccessEnd, EffectiveConsentStatus, PaymentConsentStatus, PaymentConsentView};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{
    ApprovalStatus, Approvals, DetailedStatus, OrderView, PaymentStatus, RejectionReason,
};

/// The reasons for a consent's status: those of every kind of consent. Source: ERR-001 to ERR-009, ERR-011.
pub(super) const fn of_consent(view: &PaymentConsentView) -> &'static [StatusReasonCode] {
    let status = match (view.ended, view.status) {
        (Some(AccessEnd::Revoked(by, _)), _) => EffectiveConsentStatus::Revoked(by),
        (Some(AccessEnd::Expired(_)), _) => EffectiveConsentStatus::Expired,
        (None, PaymentConsentStatus::AwaitingUpload) => return &[],
        (None, PaymentConsentStatus::AwaitingAuthorisation) => EffectiveConsentStatus::AwaitingAuthorisation,
        (None, PaymentConsentStatus::Authorised) => EffectiveConsentStatus::Authorised,
        (None, PaymentConsentStatus::Rejected) => EffectiveConsentStatus::Rejected,
        (None, PaymentConsentStatus::Consumed) => EffectiveConsentStatus::Consumed,
    };
    consent_status_reasons(status, view.reason)
}

/// The reasons for an order's status. Source: ERR-004, ERR-006, ERR-012, ERR-013.
pub(super) fn of_order(view: &OrderView) -> &'static [StatusReasonCode] {
    match view.status_history.current().status {
        DetailedStatus::SetUpFailed | DetailedStatus::Payment(PaymentStatus::Rejected | PaymentStatus::Cancelled) => {
            match (view.product, view.reason.unwrap_or(RejectionReason::NotGiven)) {
                (PaymentProduct::DomesticVrp, RejectionReason::NotGiven) => VRP_WITHOUT_REASON,
                // The initiation of a file names no payee.
                (PaymentProduct::FilePayment, RejectionReason::CreditorAccountUnusable) => FILE_PAYEE,
                (_, RejectionReason::AuthorisationLapsed) if is_after_cut_off(view) => AFTER_CUT_OFF,
                (_, reason) => of_rejection(reason),
            }
        }
        DetailedStatus::SetUp if view.has_unexecuted_payments => LOST_PAYMENT,
        DetailedStatus::SetUp => &[],
        DetailedStatus::Payment(_) => view.approvals.as_ref().map_or(&[], of_approvals),
    }
}

const VRP_WITHOUT_REASON: &[StatusReasonCode] = reasons!("U042": "The bank gives no reason.");
const FILE_PAYEE: &[StatusReasonCode] = reasons!("AC03": "An account to pay to cannot be used.");
const AFTER_CUT_OFF: &[StatusReasonCode] =
    reasons!("TM01": "The last moment for the payment passed before everybody had authorised it.");
const LOST_PAYMENT: &[StatusReasonCode] = reasons!("NARR": "A payment of the file was not made.");

/// Whether the deadline for approvals was the bank's own, and not the TPP's. Source: PIS-109, ERR-013.
fn is_after_cut_off(view: &OrderView) -> bool {
    let deadline = view.approvals.as_ref().and_then(|approvals| approvals.expires_at);
    deadline.is_some() && deadline == view.conditions.latest_acceptance()
}

/// Source: ERR-004, ERR-012.
fn of_approvals(approvals: &Approvals) -> &'static [StatusReasonCode] {
    match (approvals.status, approvals.failed.is_empty()) {
        (ApprovalStatus::Awaiting, true) => FURTHER_CUSTOMERS,
        (ApprovalStatus::Awaiting, false) => FAILED_CUSTOMER,
        (ApprovalStatus::Authorised | ApprovalStatus::Rejected, _) => &[],
    }
}

const FURTHER_CUSTOMERS: &[StatusReasonCode] = reasons!("U040": "Further customers have to authorise the payment.");
const FAILED_CUSTOMER: &[StatusReasonCode] = reasons!(
    "U037": "A customer who has to authorise the payment could not be authenticated.",
    "U040": "Further customers have to authorise the payment."
);

const fn of_rejection(reason: RejectionReason) -> &'static [StatusReasonCode] {
    match reason {
        RejectionReason::InsufficientFunds => {
            reasons!("AM04": "The funds are not sufficient." @ "Data.Initiation.DebtorAccount")
        }
        RejectionReason::DebtorAccountUnusable => {
            reasons!("AC06": "The account to pay from cannot be used." @ "Data.Initiation.DebtorAccount")
        }
        RejectionReason::CreditorAccountUnusable => {
            reasons!("AC03": "The account to pay to cannot be used." @ "Data.Initiation.CreditorAccount")
        }
        RejectionReason::RefusedByScheme => reasons!("NARR": "The payment scheme or the payee's bank refused it."),
        RejectionReason::SuspectedFraud => reasons!("FR01": "The bank suspects fraud."),
        RejectionReason::RefusedByAuthoriser => reasons!("U033": "A customer who had to authorise it refused."),
        RejectionReason::AuthorisationLapsed => reasons!("U033": "It was not authorised in time."),
        RejectionReason::CancelledByCustomer => reasons!("CUST": "The customer cancelled it."),
        RejectionReason::NotGiven => reasons!("NARR": "The bank gives no reason."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::codes::known_status_reasons;
    use lombard_domain::code::Enumerated;
    use lombard_domain::consent::{ConsentStatusReason, RevokedBy};
    use std::collections::BTreeSet;

    const PAGE: &str = include_str!("../../../../../docs/tpps/errors.md");

    /// Every code that can be a reason for a consent's status.
    fn of_consents() -> BTreeSet<&'static str> {
        use EffectiveConsentStatus as S;
        let ends = [S::Expired, S::Revoked(RevokedBy::Psu), S::Revoked(RevokedBy::Bank)];
        let states = [S::AwaitingAuthorisation, S::Authorised, S::Rejected, S::Consumed].into_iter().chain(ends);
        let of_states = states.flat_map(|status| consent_status_reasons(status, None));
        let known = ConsentStatusReason::VALUES.iter().flat_map(|reason| known_status_reasons(*reason));
        of_states.chain(known).map(|reason| reason.code).collect()
    }

    /// Every code that can be a reason for an order's status.
    fn of_orders() -> BTreeSet<&'static str> {
        let others = [VRP_WITHOUT_REASON, FILE_PAYEE, AFTER_CUT_OFF, LOST_PAYMENT, FURTHER_CUSTOMERS, FAILED_CUSTOMER];
        let rejections = RejectionReason::VALUES.iter().map(|reason| of_rejection(*reason));
        rejections.chain(others).flatten().map(|reason| reason.code).collect()
    }

    #[test]
    fn rw_120_the_page_of_errors_explains_every_reason_and_no_other() {
        let section = |page: &'static str| page.lines().filter_map(|line| line.strip_prefix("### ")).collect();
        let all: BTreeSet<&str> = section(PAGE);
        let (_, reasons) = PAGE.split_once("## Reasons in v4.0\n").unwrap();
        let explained: BTreeSet<&str> = section(reasons.split("\n## ").next().unwrap());
        let told: BTreeSet<&str> = of_orders().union(&of_consents()).copied().collect();
        assert_eq!(told.difference(&all).collect::<Vec<_>>(), Vec::<&&str>::new(), "not explained");
        assert_eq!(explained.difference(&told).collect::<Vec<_>>(), Vec::<&&str>::new(), "never told");
    }
}
