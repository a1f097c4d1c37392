//! Account-access consents. Source: AIS-010 to AIS-018, AIS-060, T8.
//!
//! The stored request has the same form in both versions, so an older consent is rendered from it as well (RW-015,
//! RW-018).

use super::Form;
use crate::describe::{Describe, schema_of};
use crate::parse::schema::one_of;
use crate::parse::{self, FaultCollector, FromJson, JsonPath, NonEmpty, object};
use crate::time::{SentInstant, WireInstant};
use crate::{Links, Meta, Parse, Render, RenderError, ResponseEnvelope, StandardVersion};
use jiff::Timestamp;
use lombard_domain::consent::{
    AccountAccess, Consent, ConsentDraft, ConsentRequest, ConsentStatusReason, ConsentView, EffectiveConsentStatus,
    FundsConsentView, Permission,
};
use lombard_domain::refusal::{Fault, FaultCode};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;

/// The parts of account-information and funds-confirmation consents that differ between the versions.
pub(crate) trait ConsentForms: StandardVersion + Debug {
    /// The request for an account-access consent. Source: RW-141.
    type AccountAccessRequest: FromJson + Into<ReadConsentData>;
    /// The reasons for a consent's status, derived from the status and from the recorded reason. Source: AIS-073.
    type StatusReasons: Form + From<(EffectiveConsentStatus, Option<ConsentStatusReason>)>;

    /// The status of an account-access consent. Source: T8.
    fn consent_status(view: &ConsentView) -> &'static str;
    /// When the displayed status began.
    fn consent_status_since(view: &ConsentView) -> Timestamp;
    /// Every status of an account-access consent.
    fn consent_statuses() -> Vec<&'static str>;
    /// The status of a funds-confirmation consent. Source: T8, CBP-012.
    fn funds_consent_status(view: &FundsConsentView) -> &'static str;
    /// When the displayed status began.
    fn funds_consent_status_since(view: &FundsConsentView) -> Timestamp;
    /// Every status of a funds-confirmation consent.
    fn funds_consent_statuses() -> Vec<&'static str>;
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

    fn schema() -> Value {
        one_of(permissions())
    }

    fn codes_count() -> Option<usize> {
        Some(Self::ALL.len())
    }

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
struct EchoedConsentRequest<'a> {
    #[serde(borrow)]
    #[schemars(transform = permissions_schema)]
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

/// The permissions have the schema of their parser.
fn permissions_schema(schema: &mut schemars::Schema) {
    if let Value::Object(read) = NonEmpty::<Permission>::schema() {
        *schema = read.into();
    }
}

/// The names of all permissions.
fn permissions() -> Vec<&'static str> {
    Permission::ALL.iter().map(|permission| permission.name()).collect()
}

/// The schema of the request, made from its stored part. Source: `OBReadConsent1`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct ConsentRequestSchema<'a> {
    data: EchoedConsentRequest<'a>,
    risk: NoRisk,
}

impl<V: ConsentForms> Describe<ConsentDraft> for V {
    fn schema() -> Value {
        schema_of::<ConsentRequestSchema<'static>>()
    }
}

impl<V: ConsentForms> Describe<ConsentView> for V {
    fn schema() -> Value {
        schema_of::<ReadConsentResponse<'static, V>>()
    }
}

impl<'a> EchoedConsentRequest<'a> {
    /// The stored part of a consent's request.
    fn of(consent: &'a Consent) -> Result<Self, RenderError> {
        serde_json::from_str(&consent.submitted.json).map_err(RenderError)
    }
}

impl ReadConsentData {
    /// The consent draft, created in this version.
    fn draft(self, version: Version) -> ConsentDraft {
        let kept = EchoedConsentRequest {
            permissions: self.permissions.0.iter().map(|permission| permission.name()).collect(),
            expiration_date_time: shown(&self.expires),
            transaction_from_date_time: shown(&self.transactions_from),
            transaction_to_date_time: shown(&self.transactions_to),
        };
        // Strings and lists of strings, whose serialisation cannot fail.
        let json = serde_json::to_string(&kept).unwrap_or_default();
        ConsentDraft {
            request: ConsentRequest::AccountAccess(AccountAccess {
                permissions: self.permissions.0.into_iter().collect(),
                transactions_from: instant(&self.transactions_from),
                transactions_to: instant(&self.transactions_to),
            }),
            expires_at: instant(&self.expires),
            submitted: Submitted { version, json },
        }
    }
}

impl<V: ConsentForms> Parse<ConsentDraft> for V {
    fn parse(body: &[u8], depth_max: usize) -> Result<ConsentDraft, Vec<Fault>> {
        let data: ReadConsentData = parse::body::<V::AccountAccessRequest>(body, depth_max)?.into();
        Ok(data.draft(V::VERSION))
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
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct ReadConsentResponse<'a, V: ConsentForms> {
    data: ReadConsentResponseData<'a, V>,
    risk: NoRisk,
    links: &'a Links,
    meta: Meta,
}

/// Source: `OBReadConsentResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct ReadConsentResponseData<'a, V: ConsentForms> {
    consent_id: &'a str,
    creation_date_time: WireInstant,
    #[schemars(extend("enum" = V::consent_statuses()))]
    status: &'static str,
    #[serde(flatten)]
    reasons: V::StatusReasons,
    status_update_date_time: WireInstant,
    #[serde(flatten)]
    kept: EchoedConsentRequest<'a>,
}

/// `{}`. Source: `OBRisk2`.
#[derive(Debug, Serialize, JsonSchema)]
struct NoRisk {}

impl<V: ConsentForms> Render<ConsentView> for V {
    fn render(view: &ConsentView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let consent = &view.consent;
        let response = ReadConsentResponse::<V> {
            data: ReadConsentResponseData {
                consent_id: consent.id.as_str(),
                creation_date_time: WireInstant(consent.created_at),
                status: V::consent_status(view),
                reasons: (view.status(), consent.status_reason).into(),
                status_update_date_time: WireInstant(V::consent_status_since(view)),
                kept: EchoedConsentRequest::of(consent)?,
            },
            risk: NoRisk {},
            links: &envelope.links,
            meta: envelope.meta,
        };
        serde_json::to_vec(&response).map_err(RenderError)
    }
}
