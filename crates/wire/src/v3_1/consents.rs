//! Consents to account information and to funds confirmation in v3.1, which has no status for an expired consent (AIS-072).

use super::{V3_1, names};
use crate::accounts::NoMembers;
use crate::accounts::consents::{ConsentForms, ReadConsentData, Risk};
use crate::parse::object;
use jiff::Timestamp;
use lombard_domain::consent::{ConsentState, ConsentView, FundsConsentView, RevokedBy};

object! {
    /// Source: `OBReadConsent1`.
    struct ReadConsent: Closed {
        required data: ReadConsentData = "Data",
        required _risk: Risk = "Risk",
    }
}

impl From<ReadConsent> for ReadConsentData {
    fn from(it: ReadConsent) -> Self {
        it.data
    }
}

impl ConsentForms for V3_1 {
    type AccountAccessRequest = ReadConsent;
    type StatusReasons = NoMembers;

    fn consent_status(view: &ConsentView) -> &'static str {
        names::consent_status(view.consent.state)
    }

    /// A revocation followed by re-authentication is not visible (AIS-071).
    fn consent_status_since(ConsentView { consent, .. }: &ConsentView) -> Timestamp {
        match consent.state {
            ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation | ConsentState::Rejected => {
                consent.state_changed_at
            }
            ConsentState::Authorised | ConsentState::Consumed | ConsentState::Revoked(_) => {
                consent.authorised_at.unwrap_or(consent.state_changed_at)
            }
        }
    }

    fn consent_statuses() -> Vec<&'static str> {
        names::listed::consent_status()
    }

    fn funds_consent_status(view: &FundsConsentView) -> &'static str {
        names::funds_consent_status(view.state)
    }

    /// A revocation by the bank followed by re-authentication is not visible.
    fn funds_consent_status_since(view: &FundsConsentView) -> Timestamp {
        match view.state {
            ConsentState::AwaitingUpload
            | ConsentState::AwaitingAuthorisation
            | ConsentState::Rejected
            | ConsentState::Revoked(RevokedBy::Psu) => view.state_changed_at,
            ConsentState::Authorised | ConsentState::Consumed | ConsentState::Revoked(RevokedBy::Bank) => {
                view.authorised_at.unwrap_or(view.state_changed_at)
            }
        }
    }

    fn funds_consent_statuses() -> Vec<&'static str> {
        names::listed::funds_consent_status()
    }
}
