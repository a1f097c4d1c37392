//! Statuses, kinds and reasons in words, for staff and for the developers of TPPs.

use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentKind, ConsentStatusReason, EffectiveConsentStatus, RevokedBy};
use lombard_domain::event::EventType;
use lombard_domain::payment::order::{Order, RejectionReason, StatusChange, SummaryStatus};
use lombard_wire::events::event_type;
use lombard_wire::v4_0;

/// Why an order was not paid.
pub const fn rejection(reason: RejectionReason) -> &'static str {
    match reason {
        RejectionReason::InsufficientFunds => "there is not enough money",
        RejectionReason::DebtorAccountUnusable => "the payer’s account cannot be used",
        RejectionReason::CreditorAccountUnusable => "the payee’s account cannot be used",
        RejectionReason::RefusedByScheme => "the payment scheme refuses it",
        RejectionReason::SuspectedFraud => "the bank suspects fraud",
        RejectionReason::RefusedByAuthoriser => "a further authoriser declined",
        RejectionReason::AuthorisationLapsed => "further authorisers did not decide in time",
        RejectionReason::CancelledByCustomer => "the customer cancelled it",
        RejectionReason::NotGiven => "the bank gives no reason",
    }
}

/// Why a consent has its status.
pub const fn consent_reason(reason: ConsentStatusReason) -> &'static str {
    match reason {
        ConsentStatusReason::InsufficientFunds => "the chosen account does not hold enough",
        ConsentStatusReason::NotKnown => "the last attempt failed at the bank",
        ConsentStatusReason::CredentialUnusable => "the application sent a code or a refresh token that cannot be used",
        ConsentStatusReason::AfterCutOff => "the bank’s cut-off passed",
        ConsentStatusReason::RateExpired => "the exchange rate expired",
        ConsentStatusReason::AfterCompletionDate => "the application’s completion date passed",
        ConsentStatusReason::UndecidedTooLong => "it was left undecided too long",
        ConsentStatusReason::DebtorAccountUnusable => "the customer cannot pay from the account that was named",
        ConsentStatusReason::TooManyAuthorisers => "the account needs more authorisers than the consent allows",
        ConsentStatusReason::FileInvalid => "the file is not valid",
        ConsentStatusReason::FileControlSum => "the file has another control sum",
        ConsentStatusReason::FileCount => "the file has another number of payments",
    }
}

/// The purpose of a kind of consent, as a title.
pub fn consent_kind(kind: ConsentKind) -> &'static str {
    match kind {
        ConsentKind::AccountAccess => "account access",
        ConsentKind::FundsConfirmation => "confirmation of funds",
        ConsentKind::Payment(product) => product.name(),
    }
}

/// The status of a consent at the bank, and the CSS class of its colour.
pub fn consent_status(consent: &Consent, now: Timestamp) -> (&'static str, &'static str) {
    if consent.deleted_at.is_some() {
        return ("Deleted", "moved");
    }
    match consent.status_at(now) {
        EffectiveConsentStatus::AwaitingAuthorisation => ("Awaiting authorisation", "moved"),
        EffectiveConsentStatus::Authorised => ("Authorised", "ok"),
        EffectiveConsentStatus::Rejected => ("Rejected", "refused"),
        EffectiveConsentStatus::Consumed => ("Consumed", "ok"),
        EffectiveConsentStatus::Revoked(RevokedBy::Psu) => ("Stopped by the customer", "refused"),
        EffectiveConsentStatus::Revoked(RevokedBy::Bank) => ("Stopped by the bank", "refused"),
        EffectiveConsentStatus::Expired => ("Expired", "refused"),
    }
}

/// The CSS class for the colour of an order's status.
pub const fn order_class(status: SummaryStatus) -> &'static str {
    match status {
        SummaryStatus::Pending | SummaryStatus::InProcess | SummaryStatus::InitiationPending => "moved",
        SummaryStatus::Settled | SummaryStatus::Credited | SummaryStatus::InitiationCompleted => "ok",
        SummaryStatus::WithoutPosting
        | SummaryStatus::Rejected
        | SummaryStatus::InitiationFailed
        | SummaryStatus::Cancelled => "refused",
    }
}

/// The code of one of an order's statuses in v4.0.
pub fn order_status_in_v4_0(order: &Order, change: StatusChange) -> &'static str {
    let lost_payments = order.progress.as_ref().is_some_and(|progress| progress.rejected > 0);
    v4_0::payments::names::order_status(change.status, order.product, lost_payments)
}

/// The names of an event's types, without their common prefix.
pub fn event_type_names(types: &[EventType]) -> String {
    let short = |kind: &EventType| event_type(*kind).rsplit(':').next().unwrap_or_default();
    types.iter().map(short).collect::<Vec<_>>().join(", ")
}
