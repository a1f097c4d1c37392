//! Account-access consents. Source: AIS-010 to AIS-018, AIS-060, T8.

use super::{V3_1, names};
use crate::describe::described;
use crate::parse::{self, FaultCollector, FromJson, JsonPath, NonEmpty, object};
use crate::time::{SentInstant, WireInstant};
use crate::{Links, Meta, Parse, Render, RenderError, ResponseEnvelope};
use jiff::Timestamp;
use lombard_domain::consent::{
    AccountAccess, Consent, ConsentDraft, ConsentRequest, ConsentState, ConsentView, Permission, Submitted,
};
use lombard_domain::refusal::{Fault, FaultCode};
use lombard_domain::version::Version;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

object! {
    /// Source: `OBReadConsent1`.
    struct ReadConsent: Closed {
        required data: ReadConsentData = "Data",
        required risk: Risk = "Risk",
    }
}

object! {
    /// Source: `OBReadConsent1/Data`.
    struct ReadConsentData: Open {
        required permissions: NonEmpty<Permission> = "Permissions",
        optional expires: SentInstant = "ExpirationDateTime",
        optional transactions_from: SentInstant = "TransactionFromDateTime",
        optional transactions_to: SentInstant = "TransactionToDateTime",
    }
}

object! {
    /// Source: `OBRisk2`, AIS-011.
    struct Risk: Closed {}
}

impl FromJson for Permission {
    const WANTED: &'static str = "a string";

    fn text(reader: &FaultCollector, at: &JsonPath<'_>, text: &str) -> Option<Self> {
        let permission = Self::from_name(text);
        if permission.is_none() {
            reader.fault(FaultCode::FieldInvalid, at, "Must be a permission code of the standard.");
        }
        permission
    }
}

/// The stored part of a request, echoed unchanged: order and repetition of the permissions (AIS-018), and the offsets
/// of the dates (RW-083).
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct EchoedConsentRequest<'a> {
    #[serde(borrow)]
    #[schemars(length(min = 1), extend("items" = serde_json::json!({ "type": "string", "enum": permissions() })))]
    permissions: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    expiration_date_time: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    transaction_from_date_time: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    transaction_to_date_time: Option<&'a str>,
}

/// The names of all permissions.
fn permissions() -> Vec<&'static str> {
    Permission::ALL.iter().map(|permission| permission.name()).collect()
}

/// The schema of the request, made from its stored part. Source: `OBReadConsent1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ConsentRequestSchema<'a> {
    data: EchoedConsentRequest<'a>,
    risk: NoRisk,
}

described!(V3_1, ConsentDraft, ConsentRequestSchema<'static>);
described!(V3_1, ConsentView, ReadConsentResponse<'static>);

impl<'a> EchoedConsentRequest<'a> {
    /// The stored part of a consent's request.
    pub(crate) fn of(consent: &'a Consent) -> Result<Self, RenderError> {
        serde_json::from_str(&consent.submitted.json).map_err(RenderError)
    }
}

impl ReadConsentData {
    /// The consent draft, created in this version.
    pub(crate) fn draft(self, version: Version) -> ConsentDraft {
        let kept = EchoedConsentRequest {
            permissions: self.permissions.0.iter().map(|permission| permission.name()).collect(),
            expiration_date_time: shown(&self.expires),
            transaction_from_date_time: shown(&self.transactions_from),
            transaction_to_date_time: shown(&self.transactions_to),
        };
        // Strings and lists of strings, whose serialisation cannot fail.
        let json = serde_json::to_string(&kept).unwrap_or_default();
        ConsentDraft {
            terms: ConsentRequest::AccountAccess(AccountAccess {
                permissions: self.permissions.0.into_iter().collect(),
                transactions_from: instant(&self.transactions_from),
                transactions_to: instant(&self.transactions_to),
            }),
            expires_at: instant(&self.expires),
            submitted: Submitted { version, json },
        }
    }
}

impl Parse<ConsentDraft> for V3_1 {
    fn parse(body: &[u8], depth_max: usize) -> Result<ConsentDraft, Vec<Fault>> {
        let ReadConsent { data, risk: Risk {} } = parse::body(body, depth_max)?;
        Ok(data.draft(Version::V3_1))
    }
}

fn shown(sent: &Option<SentInstant>) -> Option<&str> {
    sent.as_ref().map(|sent| sent.text.as_str())
}

fn instant(sent: &Option<SentInstant>) -> Option<Timestamp> {
    sent.as_ref().map(|sent| sent.instant)
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
    status_update_date_time: WireInstant,
    #[serde(flatten)]
    kept: EchoedConsentRequest<'a>,
}

/// `{}`. Source: `OBRisk2`.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct NoRisk {}

/// When the status shown by v3.1 began; a revocation followed by re-authentication is not visible there (AIS-071).
fn status_began(consent: &Consent) -> Timestamp {
    match consent.state {
        ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation | ConsentState::Rejected => {
            consent.state_changed_at
        }
        ConsentState::Authorised | ConsentState::Consumed | ConsentState::Revoked(_) => {
            consent.authorised_at.unwrap_or(consent.state_changed_at)
        }
    }
}

/// v3.1 has no status for an expired consent (AIS-072), so the time is ignored.
impl Render<ConsentView> for V3_1 {
    fn render(ConsentView { consent, .. }: &ConsentView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let response = ReadConsentResponse {
            data: ReadConsentResponseData {
                consent_id: consent.id.as_str(),
                creation_date_time: WireInstant(consent.created_at),
                status: names::consent_status(consent.state),
                status_update_date_time: WireInstant(status_began(consent)),
                kept: EchoedConsentRequest::of(consent)?,
            },
            risk: NoRisk {},
            links: &envelope.links,
            meta: envelope.meta,
        };
        serde_json::to_vec(&response).map_err(RenderError)
    }
}
