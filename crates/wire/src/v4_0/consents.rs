//! Account-access consents: an open request, four-letter status codes, and status reasons. Source: AIS-010 to AIS-018,
//! AIS-073, T8.
//!
//! The stored request has the same form in both versions, so a consent created in v3.1 is rendered from it as well
//! (RW-015, RW-018).

use super::{V4_0, names};
use crate::codes::{StatusReasonCode, consent_status_reasons};
use crate::describe::described;
use crate::parse::{self, object};
use crate::time::WireInstant;
use crate::v3_1::consents::{ConsentRequestSchema, EchoedConsentRequest, NoRisk, ReadConsentData, Risk};
use crate::{Links, Meta, Parse, Render, RenderError, ResponseEnvelope};
use lombard_domain::consent::{ConsentDraft, ConsentView, EffectiveConsentStatus};
use lombard_domain::refusal::Fault;
use lombard_domain::version::Version;
use schemars::JsonSchema;
use serde::Serialize;

object! {
    /// Source: `OBReadConsent1`, RW-141.
    struct ReadConsent: Open {
        required data: ReadConsentData = "Data",
        required risk: Risk = "Risk",
    }
}

impl Parse<ConsentDraft> for V4_0 {
    fn parse(body: &[u8], depth_max: usize) -> Result<ConsentDraft, Vec<Fault>> {
        let ReadConsent { data, risk: Risk {} } = parse::body(body, depth_max)?;
        Ok(data.draft(Version::V4_0))
    }
}

/// Source: `OBReadConsentResponse1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct ReadConsentResponse<'a> {
    data: ReadConsentResponseData<'a>,
    risk: NoRisk,
    links: &'a Links,
    meta: Meta,
}

/// Source: `OBReadConsentResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct ReadConsentResponseData<'a> {
    consent_id: &'a str,
    creation_date_time: WireInstant,
    #[schemars(extend("enum" = names::listed::consent_status()))]
    status: &'static str,
    /// Omitted if there is no reason (RW-245).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    status_reason: Vec<StatusReason>,
    status_update_date_time: WireInstant,
    #[serde(flatten)]
    kept: EchoedConsentRequest<'a>,
}

/// The path is optional, and no reason here has one. Source: `OBStatusReason`, AIS-073.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct StatusReason {
    status_reason_code: &'static str,
    status_reason_description: &'static str,
}

impl StatusReason {
    /// The reasons for a consent's status. Source: AIS-074.
    pub(super) fn of(status: EffectiveConsentStatus) -> Vec<Self> {
        consent_status_reasons(status).iter().map(Self::from).collect()
    }
}

impl From<&StatusReasonCode> for StatusReason {
    fn from(reason: &StatusReasonCode) -> Self {
        Self { status_reason_code: reason.code, status_reason_description: reason.description }
    }
}

described!(V4_0, ConsentDraft, ConsentRequestSchema<'static>);
described!(V4_0, ConsentView, ReadConsentResponse<'static>);

impl Render<ConsentView> for V4_0 {
    fn render(view: &ConsentView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let consent = &view.consent;
        let response = ReadConsentResponse {
            data: ReadConsentResponseData {
                consent_id: consent.id.as_str(),
                creation_date_time: WireInstant(consent.created_at),
                status: names::consent_status(view.status()),
                status_reason: StatusReason::of(view.status()),
                status_update_date_time: WireInstant(view.status_since()),
                kept: EchoedConsentRequest::of(consent)?,
            },
            risk: NoRisk {},
            links: &envelope.links,
            meta: envelope.meta,
        };
        serde_json::to_vec(&response).map_err(RenderError)
    }
}
