//! Consents to account information and to funds confirmation in v4.0: an open request, four-letter status codes, and status
//! reasons. Source: AIS-010 to AIS-018, AIS-073, T8.

use super::{V4_0, names};
use crate::accounts::consents::{ConsentForms, ReadConsentData, Risk};
use crate::codes::consent_status_reasons;
use crate::parse::object;
use crate::status_reason::StatusReason;
use jiff::Timestamp;
use lombard_domain::consent::{ConsentStatusReason, ConsentView, EffectiveConsentStatus, FundsConsentView};
use schemars::JsonSchema;
use serde::Serialize;

object! {
    /// Source: `OBReadConsent1`, RW-141.
    struct ReadConsent: Open {
        required data: ReadConsentData = "Data",
        required _risk: Risk = "Risk",
    }
}

impl From<ReadConsent> for ReadConsentData {
    fn from(it: ReadConsent) -> Self {
        it.data
    }
}

impl ConsentForms for V4_0 {
    type AccountAccessRequest = ReadConsent;
    type StatusReasons = StatusReasons;

    fn consent_status(view: &ConsentView) -> &'static str {
        names::consent_status(view.status())
    }

    fn consent_status_since(view: &ConsentView) -> Timestamp {
        view.status_since()
    }

    fn consent_statuses() -> Vec<&'static str> {
        names::listed::consent_status()
    }

    fn funds_consent_status(view: &FundsConsentView) -> &'static str {
        names::consent_status(view.status)
    }

    fn funds_consent_status_since(view: &FundsConsentView) -> Timestamp {
        view.status_since
    }

    fn funds_consent_statuses() -> Vec<&'static str> {
        names::listed::consent_status()
    }
}

/// The reasons for a consent's status; the member is omitted if there is none (RW-245). Source: AIS-073, AIS-074.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StatusReasons {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    status_reason: Vec<StatusReason>,
}

impl From<(EffectiveConsentStatus, Option<ConsentStatusReason>)> for StatusReasons {
    fn from((status, known): (EffectiveConsentStatus, Option<ConsentStatusReason>)) -> Self {
        Self { status_reason: consent_status_reasons(status, known).iter().map(StatusReason::from).collect() }
    }
}
