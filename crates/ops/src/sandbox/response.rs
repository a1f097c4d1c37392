//! Renders the responses to testers. The standard's names are those of its newest version.

use super::request::InvalidControlRequest;
use axum::Json;
use axum::extract::FromRequestParts;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::request::Parts;
use jiff::Timestamp;
use lombard_core_api::form::faults::FormFault;
use lombard_domain::account::AccountIdentification;
use lombard_domain::consent::{Consent, ConsentRequest, ConsentState};
use lombard_domain::ids::{AccountId, BankAccountId, ClientId, ConsentId, EventId, FapiInteractionId, PsuId};
use lombard_domain::money::{Amount, CreditDebit, Currency, SignedAmount};
use lombard_ports::controls::{AccountView, ClosedAccount, ControlError, CustomerView, DataFileFault};
use lombard_wire::v3_1::{names, payments};
use serde::Serialize;

/// Renders the response to one request; errors contain its interaction id.
pub(crate) struct ControlResponder(Option<FapiInteractionId>);

impl<S: Send + Sync> FromRequestParts<S> for ControlResponder {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(parts.extensions.get().cloned()))
    }
}

#[derive(Debug, Serialize)]
struct ErrorBody {
    error: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<DataFileFault>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interaction_id: Option<FapiInteractionId>,
}

impl ControlResponder {
    pub(crate) fn answer<T: Serialize>(self, result: Result<T, ControlError>) -> Response {
        self.answer_with(StatusCode::OK, result)
    }

    /// Renders a result, with this status if it is a success.
    pub(super) fn answer_with<T: Serialize>(self, done: StatusCode, result: Result<T, ControlError>) -> Response {
        let error = match result {
            Ok(body) => return (done, Json(body)).into_response(),
            Err(error) => error,
        };
        let status = match &error {
            ControlError::Refused(_) | ControlError::Faulty(_) => StatusCode::BAD_REQUEST,
            ControlError::NotFound(_) => StatusCode::NOT_FOUND,
            ControlError::Conflict(_) => StatusCode::CONFLICT,
            ControlError::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            ControlError::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        };
        if let ControlError::Unavailable(cause) | ControlError::Broken(cause) = &error {
            let id = self.0.as_ref().map(FapiInteractionId::as_str);
            tracing::error!(interaction.id = id, error = &**cause as &dyn std::error::Error, "a control failed");
        }
        let text = error.to_string();
        let faults = if let ControlError::Faulty(faults) = error { faults } else { Vec::new() };
        self.error(status, text, faults)
    }

    pub(crate) fn invalid_command(self, bad: InvalidControlRequest) -> Response {
        self.error(bad.status, bad.text, Vec::new())
    }

    /// Renders the refusal of a document, with each of its faults.
    pub(super) fn bad_document(self, error: &str, faults: Vec<FormFault>) -> Response {
        let faults = faults.into_iter().map(|FormFault { path, message }| DataFileFault { path, message });
        self.error(StatusCode::BAD_REQUEST, error.to_owned(), faults.collect())
    }

    fn error(self, status: StatusCode, error: String, faults: Vec<DataFileFault>) -> Response {
        (status, Json(ErrorBody { error, faults, interaction_id: self.0 })).into_response()
    }
}

/// The bank's clock after a reset.
#[derive(Debug, Serialize)]
pub(super) struct NowBody {
    now: String,
}

impl From<Timestamp> for NowBody {
    fn from(now: Timestamp) -> Self {
        Self { now: now.to_string() }
    }
}

/// The bank's clock, and whether everything due on it was carried out.
#[derive(Debug, Serialize)]
pub(super) struct ClockBody {
    now: String,
    settled: bool,
    /// The names of unfinished work.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    left: Vec<&'static str>,
}

impl ClockBody {
    pub(super) fn new(now: Timestamp, left: Vec<&'static str>) -> Self {
        Self { now: now.to_string(), settled: left.is_empty(), left }
    }
}

/// A customer who was unlocked.
#[derive(Debug, Serialize)]
pub(super) struct UnlockedBody {
    pub(super) psu: PsuId,
    pub(super) unlocked: bool,
}

/// A consent after a control.
#[derive(Debug, Serialize)]
pub(super) struct ConsentBody {
    consent_id: ConsentId,
    client_id: ClientId,
    psu: Option<PsuId>,
    /// The status that the TPP sees.
    status: &'static str,
    /// The status at the bank: a consent whose access the bank ended is shown to the TPP as authorised (AIS-071).
    bank_status: &'static str,
    /// The accounts, by the ids that the TPP knows.
    accounts: Vec<AccountId>,
}

impl From<Consent> for ConsentBody {
    fn from(consent: Consent) -> Self {
        Self {
            status: match consent.request {
                ConsentRequest::AccountAccess(_) => names::consent_status(consent.state),
                ConsentRequest::Payment(_) => {
                    consent.payment_status().map_or("Rejected", payments::names::consent_status)
                }
                ConsentRequest::FundsConfirmation(_) => names::funds_consent_status(consent.state),
            },
            bank_status: match consent.state {
                ConsentState::Revoked(_) => "Revoked",
                ConsentState::Consumed => "Consumed",
                ConsentState::AwaitingUpload => "AwaitingUpload",
                state @ (ConsentState::AwaitingAuthorisation | ConsentState::Authorised | ConsentState::Rejected) => {
                    names::consent_status(state)
                }
            },
            consent_id: consent.id,
            client_id: consent.client,
            psu: consent.psu,
            accounts: consent.accounts.into_iter().map(|selected| selected.alias).collect(),
        }
    }
}

/// An account that ended.
#[derive(Debug, Serialize)]
pub(super) struct AccountEndBody {
    /// The bank's id of the account.
    id: BankAccountId,
    status: &'static str,
}

impl From<ClosedAccount> for AccountEndBody {
    fn from(account: ClosedAccount) -> Self {
        Self { status: names::account_status(account.status), id: account.id }
    }
}

/// Events that were raised.
#[derive(Debug, Serialize)]
pub(super) struct RaisedBody {
    jtis: Vec<EventId>,
}

impl From<Vec<EventId>> for RaisedBody {
    fn from(jtis: Vec<EventId>) -> Self {
        Self { jtis }
    }
}

/// The customers.
#[derive(Debug, Serialize)]
pub(super) struct PsusBody {
    psus: Vec<PsuBody>,
}

/// A customer.
#[derive(Debug, Serialize)]
pub(super) struct PsuBody {
    psu: PsuId,
    login: String,
    name: String,
    about: String,
    accounts: Vec<AccountBody>,
}

#[derive(Debug, Serialize)]
pub(super) struct AccountBody {
    /// The bank's id of the account, which an approval names; TPPs see another id.
    id: BankAccountId,
    nickname: Option<String>,
    description: Option<String>,
    #[serde(rename = "type")]
    account_type: &'static str,
    sub_type: &'static str,
    status: &'static str,
    shareable: bool,
    /// The name of the account's holder.
    #[serde(skip_serializing_if = "Option::is_none")]
    holder: Option<String>,
    currency: &'static str,
    /// The booked balance as a decimal, negative if the account is overdrawn.
    booked: String,
    pending: String,
    credit_limit: String,
    /// The number of holders who must approve a payment.
    authorisers: u16,
    identifications: Vec<IdentificationBody>,
}

#[derive(Debug, Serialize)]
struct IdentificationBody {
    scheme: &'static str,
    identification: String,
}

impl From<Vec<CustomerView>> for PsusBody {
    fn from(customers: Vec<CustomerView>) -> Self {
        Self { psus: customers.into_iter().map(PsuBody::from).collect() }
    }
}

impl From<CustomerView> for PsuBody {
    fn from(customer: CustomerView) -> Self {
        let CustomerView { psu, login, name, about, accounts } = customer;
        Self { psu, login, name, about, accounts: accounts.into_iter().map(AccountBody::from).collect() }
    }
}

impl From<AccountView> for AccountBody {
    fn from(account: AccountView) -> Self {
        Self {
            id: account.id,
            nickname: account.nickname,
            description: account.description,
            account_type: names::account_type(account.account_type),
            sub_type: names::account_sub_type(account.sub_type),
            status: names::account_status(account.status),
            shareable: account.shareable,
            holder: account.identifications.iter().find_map(|it| it.name.clone()),
            currency: account.currency.code(),
            booked: decimal(account.booked, account.currency),
            pending: decimal(account.pending, account.currency),
            credit_limit: Amount::from_minor(account.credit_limit, account.currency).decimal(),
            authorisers: account.authorisers,
            identifications: account.identifications.into_iter().map(IdentificationBody::from).collect(),
        }
    }
}

impl From<AccountIdentification> for IdentificationBody {
    fn from(identification: AccountIdentification) -> Self {
        Self { scheme: names::account_scheme(identification.scheme), identification: identification.number }
    }
}

/// A signed amount as a decimal; negative if the customer owes it.
pub(super) fn decimal(minor: i64, currency: Currency) -> String {
    let sum = SignedAmount::from_minor(minor, currency);
    let sign = match sum.direction() {
        CreditDebit::Credit => "",
        CreditDebit::Debit => "-",
    };
    format!("{sign}{}", sum.amount().decimal())
}
