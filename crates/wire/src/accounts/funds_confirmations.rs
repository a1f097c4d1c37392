//! Funds-confirmation consents, and confirmations of funds. Source: CBP-001 to CBP-017, CBP-030 to CBP-041.

use super::consents::ConsentForms;
use super::{AccountForms, described_in_all};
use crate::describe::{Describe, schema_of};
use crate::parse::{self, FromJson, object};
use crate::parts::WireMoney;
use crate::payments::forms::PaymentForms;
use crate::payments::parts::open::DebtorAccount;
use crate::payments::values::RailText;
use crate::response::{Response, write};
use crate::time::{SentInstant, WireInstant};
use crate::{Parse, Render, RenderError, ResponseEnvelope};
use lombard_domain::consent::{FundsConsentDraft, FundsConsentView};
use lombard_domain::funds::{FundsConfirmationRequest, FundsConfirmationResult};
use lombard_domain::money::Amount;
use lombard_domain::refusal::Fault;
use lombard_domain::submitted::Submitted;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

object! {
    /// Source: CBP-001, `OBFundsConfirmationConsent1`.
    struct FundsConsentRequest<V: PaymentForms>: Closed {
        required data: AskedConsentData<V> = "Data",
    }
}

object! {
    /// Source: `OBFundsConfirmationConsent1/Data`.
    struct AskedConsentData<V: PaymentForms>: Open {
        required account: DebtorAccount<V> = "DebtorAccount",
        optional expires: SentInstant = "ExpirationDateTime",
    }
}

/// The stored part of a request, without the account, echoed unchanged: the offset of the date (RW-083).
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct EchoedFundsRequest<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    expiration_date_time: Option<&'a str>,
}

impl<V: PaymentForms> Parse<FundsConsentDraft> for V {
    fn parse(body: &[u8], depth_max: usize) -> Result<FundsConsentDraft, Vec<Fault>> {
        let AskedConsentData { account, expires } = parse::body::<FundsConsentRequest<V>>(body, depth_max)?.data;
        let kept = EchoedFundsRequest { expiration_date_time: expires.as_ref().map(|sent| sent.text.as_str()) };
        // A string, whose serialisation cannot fail.
        let json = serde_json::to_string(&kept).unwrap_or_default();
        let submitted = Submitted { version: V::VERSION, json };
        Ok(FundsConsentDraft { account: account.into(), expires_at: expires.map(|sent| sent.instant), submitted })
    }
}

/// Source: CBP-002, `OBFundsConfirmationConsentResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(bound = "", rename_all = "PascalCase")]
#[schemars(bound = "")]
struct Consent<'a, V: AccountForms + ConsentForms> {
    #[schemars(length(min = 1, max = 128))]
    consent_id: &'a str,
    creation_date_time: WireInstant,
    #[schemars(extend("enum" = V::funds_consent_statuses()))]
    status: &'static str,
    #[serde(flatten)]
    reasons: V::StatusReasons,
    status_update_date_time: WireInstant,
    #[serde(flatten)]
    kept: EchoedFundsRequest<'a>,
    debtor_account: V::Account<'a>,
}

impl<V: AccountForms + ConsentForms> Render<FundsConsentView> for V {
    fn render(view: &FundsConsentView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let consent = Consent::<V> {
            consent_id: view.id.as_str(),
            creation_date_time: WireInstant(view.created_at),
            status: V::funds_consent_status(view),
            reasons: (view.status, view.reason).into(),
            status_update_date_time: WireInstant(V::funds_consent_status_since(view)),
            kept: serde_json::from_str(&view.submitted.json).map_err(RenderError)?,
            debtor_account: V::Account::from(&view.account),
        };
        write(consent, envelope, 800)
    }
}

impl<V: AccountForms + ConsentForms> Describe<FundsConsentView> for V {
    fn schema() -> Value {
        schema_of::<Response<'static, Consent<'static, V>>>()
    }
}

object! {
    /// Source: CBP-030, `OBFundsConfirmation1`.
    struct FundsRequest: Closed {
        required data: AskedFundsData = "Data",
    }
}

object! {
    /// Source: `OBFundsConfirmation1/Data`.
    struct AskedFundsData: Open {
        required consent: RailText<1, 128> = "ConsentId",
        required reference: RailText<1, 35> = "Reference",
        required amount: Amount = "InstructedAmount",
    }
}

impl<V: AccountForms> Parse<FundsConfirmationRequest> for V {
    fn parse(body: &[u8], depth_max: usize) -> Result<FundsConfirmationRequest, Vec<Fault>> {
        let FundsRequest { data: AskedFundsData { consent, reference, amount } } = parse::body(body, depth_max)?;
        Ok(FundsConfirmationRequest { consent: consent.0.into(), reference: reference.0, amount })
    }
}

/// Source: CBP-032, `OBFundsConfirmationResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Confirmation<'a> {
    #[schemars(length(min = 1, max = 40))]
    funds_confirmation_id: &'a str,
    #[schemars(length(min = 1, max = 128))]
    consent_id: &'a str,
    creation_date_time: WireInstant,
    funds_available: bool,
    #[schemars(length(min = 1, max = 35))]
    reference: &'a str,
    instructed_amount: WireMoney,
}

impl<V: AccountForms> Render<FundsConfirmationResult> for V {
    fn render(answer: &FundsConfirmationResult, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let confirmation = Confirmation {
            funds_confirmation_id: answer.id.as_str(),
            consent_id: answer.question.consent.as_str(),
            creation_date_time: WireInstant(answer.created_at),
            funds_available: answer.available,
            reference: &answer.question.reference,
            instructed_amount: answer.question.amount.into(),
        };
        write(confirmation, envelope, 500)
    }
}

described_in_all!(FundsConfirmationResult, Response<'static, Confirmation<'static>>);

/// The schema of a request is made from the object that parses it.
impl<V: PaymentForms> Describe<FundsConsentDraft> for V {
    fn schema() -> Value {
        FundsConsentRequest::<V>::schema()
    }
}

impl<V: AccountForms> Describe<FundsConfirmationRequest> for V {
    fn schema() -> Value {
        FundsRequest::schema()
    }
}
