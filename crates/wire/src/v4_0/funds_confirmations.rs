//! Funds-confirmation consents: an account with a proxy, four-letter status codes, and status reasons. Source: CBP-001,
//! CBP-002, CBP-012, AIS-073, T8.

use super::consents::StatusReason;
use super::parts::PayeeAccount;
use super::proxy::RequestedProxy;
use super::{V4_0, names, write};
use crate::describe::{Describe, described};
use crate::parse::{self, FromJson, object};
use crate::payments::values::RailText;
use crate::time::WireInstant;
use crate::v3_1::Response;
use crate::v3_1::funds_confirmations::{EchoedFundsRequest, FundsConsentRequest};
use crate::{Parse, Render, RenderError, ResponseEnvelope};
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::consent::{FundsConsentDraft, FundsConsentView};
use lombard_domain::refusal::Fault;
use lombard_domain::version::Version;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

object! {
    /// Source: CBP-001, `OBFundsConfirmationConsent1/Data/DebtorAccount`.
    struct DebtorAccount: Open {
        required scheme: AccountScheme = "SchemeName",
        required number: RailText<1, 256> = "Identification",
        optional name: RailText<1, 350> = "Name",
        optional secondary: RailText<1, 34> = "SecondaryIdentification",
        optional proxy: RequestedProxy = "Proxy",
    }
}

impl From<DebtorAccount> for AccountIdentification {
    fn from(it: DebtorAccount) -> Self {
        let (name, secondary) = (it.name.map(|name| name.0), it.secondary.map(|secondary| secondary.0));
        let proxy = it.proxy.map(|proxy| Box::new(proxy.into()));
        Self { scheme: it.scheme, number: it.number.0, name, secondary, proxy }
    }
}

impl Parse<FundsConsentDraft> for V4_0 {
    fn parse(body: &[u8], depth_max: usize) -> Result<FundsConsentDraft, Vec<Fault>> {
        let request: FundsConsentRequest<DebtorAccount> = parse::body(body, depth_max)?;
        Ok(request.draft(Version::V4_0))
    }
}

impl Describe<FundsConsentDraft> for V4_0 {
    fn schema() -> Value {
        FundsConsentRequest::<DebtorAccount>::schema()
    }
}

/// Source: CBP-002, `OBFundsConfirmationConsentResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Consent<'a> {
    #[schemars(length(min = 1, max = 128))]
    consent_id: &'a str,
    creation_date_time: WireInstant,
    #[schemars(extend("enum" = names::listed::consent_status()))]
    status: &'static str,
    /// Omitted if there is no reason (RW-245).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    status_reason: Vec<StatusReason>,
    status_update_date_time: WireInstant,
    #[serde(flatten)]
    kept: EchoedFundsRequest<'a>,
    debtor_account: PayeeAccount<'a>,
}

described!(V4_0, FundsConsentView, Response<'static, Consent<'static>>);

impl Render<FundsConsentView> for V4_0 {
    fn render(view: &FundsConsentView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let consent = Consent {
            consent_id: view.id.as_str(),
            creation_date_time: WireInstant(view.created_at),
            status: names::consent_status(view.status),
            status_reason: StatusReason::of(view.status),
            status_update_date_time: WireInstant(view.status_since),
            kept: EchoedFundsRequest::of(view)?,
            debtor_account: PayeeAccount::from(&view.account),
        };
        write(consent, envelope, 800)
    }
}
