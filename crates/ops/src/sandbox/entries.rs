//! The control that adds entries of money from and to other banks, over HTTP.

use super::control_call::{ControlCall, Sandbox};
use super::request::{InvalidControlRequest, PostedJson};
use super::response::{ControlResponder, decimal};
use crate::index::IndexedRoutes;
use axum::extract::Path;
use axum::response::Response;
use http::StatusCode;
use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, TransactionId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use lombard_ports::controls::{AddedEntry, COUNTERPARTY_CHARS_MAX, NewEntry, REFERENCE_CHARS_MAX};
use lombard_wire::v3_1::names;
use serde::{Deserialize, Serialize};

/// The route of this control.
pub(super) fn routes() -> IndexedRoutes<Sandbox> {
    IndexedRoutes::new().post("/sandbox/accounts/{id}/transactions", "let money arrive or leave", add)
}

async fn add(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    responder: ControlResponder,
    posted: PostedJson<EntryRequest>,
) -> Response {
    let EntryCommand { entry, counterparty } = match posted.and_then(EntryRequest::read) {
        Ok(order) => order,
        Err(bad) => return responder.invalid_command(bad),
    };
    let added = controls.entry_add(&BankAccountId::new(id), entry).await;
    responder.answer_with(StatusCode::CREATED, added.map(|added| EntryBody::new(added, counterparty)))
}

/// The request `{"amount", "currency", "indicator", "status"?, "counterparty"?, "reference"?}`. It has no time, because the entry is made
/// now.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct EntryRequest {
    amount: String,
    currency: String,
    indicator: IndicatorWord,
    status: Option<StatusWord>,
    counterparty: Option<String>,
    reference: Option<String>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
enum IndicatorWord {
    Credit,
    Debit,
}

#[derive(Debug, Clone, Copy, Deserialize)]
enum StatusWord {
    Booked,
    Pending,
}

/// A parsed request for an entry.
pub(super) struct EntryCommand {
    pub(super) entry: NewEntry,
    counterparty: Option<String>,
}

impl EntryRequest {
    pub(super) fn read(self) -> Result<EntryCommand, InvalidControlRequest> {
        let bad = |text: &str| Err(InvalidControlRequest::new(text));
        let Ok(currency) = self.currency.parse::<Currency>() else {
            return bad("currency: a code of ISO 4217, such as GBP");
        };
        let minor = match Amount::parse(&self.amount, currency) {
            Ok(amount) => i64::try_from(amount.minor()).unwrap_or(i64::MAX),
            Err(error) => return bad(&format!("amount: {error}")),
        };
        if minor == 0 {
            return bad("amount: more than zero; the indicator says in which direction");
        }
        let is_text = |text: &Option<String>, chars_max: usize| {
            text.as_ref().is_none_or(|text| {
                let count = text.chars().count();
                (1..=chars_max).contains(&count) && !text.chars().any(char::is_control)
            })
        };
        if !is_text(&self.counterparty, COUNTERPARTY_CHARS_MAX) {
            return bad(&format!("counterparty: 1 to {COUNTERPARTY_CHARS_MAX} characters on one line"));
        }
        if !is_text(&self.reference, REFERENCE_CHARS_MAX) {
            return bad(&format!("reference: 1 to {REFERENCE_CHARS_MAX} characters on one line"));
        }
        let minor = match self.indicator {
            IndicatorWord::Credit => minor,
            IndicatorWord::Debit => minor.saturating_neg(),
        };
        let entry = NewEntry {
            // The controls assign the id.
            id: TransactionId::new(String::new()),
            minor,
            currency,
            is_pending: matches!(self.status, Some(StatusWord::Pending)),
            counterparty: self.counterparty.clone(),
            reference: self.reference,
        };
        Ok(EntryCommand { entry, counterparty: self.counterparty })
    }
}

/// The response with the new entry.
#[derive(Debug, Serialize)]
struct EntryBody {
    /// The id of the entry for TPPs.
    transaction_id: TransactionId,
    /// The bank's id of the account.
    account_id: BankAccountId,
    amount: String,
    currency: &'static str,
    indicator: &'static str,
    status: Option<&'static str>,
    /// When the entry was booked, or is expected to be booked, on the bank's clock.
    booked_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    counterparty: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    reference: Option<String>,
    /// The transaction information for TPPs.
    #[serde(skip_serializing_if = "Option::is_none")]
    information: Option<String>,
    /// The booked balance after the entry.
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<String>,
}

impl EntryBody {
    fn new(added: AddedEntry, counterparty: Option<String>) -> Self {
        let currency = added.currency;
        Self {
            amount: added.amount().decimal(),
            currency: currency.code(),
            indicator: names::credit_debit(SignedAmount::from_minor(added.minor, currency).direction()),
            status: names::entry_status(added.status),
            booked_at: Timestamp::from_microsecond(added.booked_at_micros).unwrap_or_default().to_string(),
            balance: added.balance_minor.map(|minor| decimal(minor, currency)),
            transaction_id: added.id,
            account_id: added.account,
            counterparty,
            reference: added.reference,
            information: added.information,
        }
    }
}
