//! Funds-confirmation consents, and confirmations of funds. Source: CBP-001 to CBP-017, CBP-030 to CBP-041.

use super::parts::{CashAccount, WireMoney};
use super::{Response, V3_1, names, write};
use crate::accounts::{AccountForms, described_in_all};
use crate::describe::{Describe, described};
use crate::parse::{self, FromJson, object};
use crate::payments::parts::open::DebtorAccount;
use crate::payments::values::RailText;
use crate::time::{SentInstant, WireInstant};
use crate::{Parse, Render, RenderError, ResponseEnvelope};
use jiff::Timestamp;
use lombard_domain::account::AccountIdentification;
use lombard_domain::consent::{ConsentState, FundsConsentDraft, FundsConsentView, RevokedBy, Submitted};
use lombard_domain::funds::{FundsAnswer, FundsQuestion};
use lombard_domain::money::Amount;
use lombard_domain::refusal::Fault;
use lombard_domain::version::Version;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

object! {
    /// Source: CBP-001, `OBFundsConfirmationConsent1`.
    struct FundsConsentRequest<D: FromJson>: Closed {
        required data: AskedConsentData<D> = "Data",
    }
}

object! {
    /// Source: `OBFundsConfirmationConsent1/Data`.
    struct AskedConsentData<D: FromJson>: Open {
        required account: D = "DebtorAccount",
        optional expires: SentInstant = "ExpirationDateTime",
    }
}

/// The stored part of a request beside the account, echoed unchanged: the offset of the date (RW-083).
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct EchoedFundsRequest<'a> {
    #[serde(borrow, skip_serializing_if = "Option::is_none")]
    #[schemars(extend("format" = "date-time"))]
    expiration_date_time: Option<&'a str>,
}

impl Parse<FundsConsentDraft> for V3_1 {
    fn parse(body: &[u8], depth_max: usize) -> Result<FundsConsentDraft, Vec<Fault>> {
        let request: FundsConsentRequest<DebtorAccount<V3_1>> = parse::body(body, depth_max)?;
        Ok(request.draft(Version::V3_1))
    }
}

impl<D: FromJson + Into<AccountIdentification>> FundsConsentRequest<D> {
    /// The consent draft, created in this version.
    pub(crate) fn draft(self, version: Version) -> FundsConsentDraft {
        let AskedConsentData { account, expires } = self.data;
        let kept = EchoedFundsRequest { expiration_date_time: expires.as_ref().map(|sent| sent.text.as_str()) };
        // A string, whose serialisation cannot fail.
        let json = serde_json::to_string(&kept).unwrap_or_default();
        let submitted = Submitted { version, json };
        FundsConsentDraft { account: account.into(), expires_at: expires.map(|sent| sent.instant), submitted }
    }
}

impl<'a> EchoedFundsRequest<'a> {
    /// The stored part of a consent's request.
    pub(crate) fn of(view: &'a FundsConsentView) -> Result<Self, RenderError> {
        serde_json::from_str(&view.submitted.json).map_err(RenderError)
    }
}

/// Source: CBP-002, `OBFundsConfirmationConsentResponse1/Data`.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "PascalCase")]
struct Consent<'a> {
    #[schemars(length(min = 1, max = 128))]
    consent_id: &'a str,
    creation_date_time: WireInstant,
    #[schemars(extend("enum" = names::listed::funds_consent_status()))]
    status: &'static str,
    status_update_date_time: WireInstant,
    #[serde(flatten)]
    kept: EchoedFundsRequest<'a>,
    debtor_account: CashAccount<'a>,
}

/// When the status shown by v3.1 began; a revocation by the bank followed by re-authentication is not visible there.
fn status_began(view: &FundsConsentView) -> Timestamp {
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

impl Render<FundsConsentView> for V3_1 {
    fn render(view: &FundsConsentView, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
        let consent = Consent {
            consent_id: view.id.as_str(),
            creation_date_time: WireInstant(view.created_at),
            status: names::funds_consent_status(view.state),
            status_update_date_time: WireInstant(status_began(view)),
            kept: EchoedFundsRequest::of(view)?,
            debtor_account: CashAccount::from(&view.account),
        };
        write(consent, envelope, 600)
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

impl<V: AccountForms> Parse<FundsQuestion> for V {
    fn parse(body: &[u8], depth_max: usize) -> Result<FundsQuestion, Vec<Fault>> {
        let FundsRequest { data: AskedFundsData { consent, reference, amount } } = parse::body(body, depth_max)?;
        Ok(FundsQuestion { consent: consent.0.into(), reference: reference.0, amount })
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

impl<V: AccountForms> Render<FundsAnswer> for V {
    fn render(answer: &FundsAnswer, envelope: &ResponseEnvelope) -> Result<Vec<u8>, RenderError> {
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

described!(V3_1, FundsConsentView, Response<'static, Consent<'static>>);
described_in_all!(FundsAnswer, Response<'static, Confirmation<'static>>);

/// The schema of a request is made from the object that parses it.
impl Describe<FundsConsentDraft> for V3_1 {
    fn schema() -> Value {
        FundsConsentRequest::<DebtorAccount<V3_1>>::schema()
    }
}

impl<V: AccountForms> Describe<FundsQuestion> for V {
    fn schema() -> Value {
        FundsRequest::schema()
    }
}
