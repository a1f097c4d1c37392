//! The controls of accounts over HTTP: changes, closing, switching and blocking.

use super::control_call::{ControlCall, Sandbox};
use super::customers::check_line;
use super::request::{InvalidControlRequest, PostedJson};
use super::response::{AccountBody, AccountEndBody, ControlResponder};
use crate::index::IndexedRoutes;
use axum::extract::Path;
use axum::response::Response;
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::{Amount, Currency};
use lombard_ports::controls::{AccountClosure, AccountEdit, HOLDER_CHARS_MAX, NewCreditLimit};
use serde::Deserialize;

/// The routes of these controls.
pub(super) fn routes() -> IndexedRoutes<Sandbox> {
    IndexedRoutes::new()
        .post("/sandbox/accounts/{id}/change", "change an account's holder or limit", change)
        .post("/sandbox/accounts/{id}/close", "close an account", close)
        .post("/sandbox/accounts/{id}/switch", "move an account to another bank", switch)
        .post("/sandbox/accounts/{id}/bar", "bar an account", bar)
}

async fn change(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    responder: ControlResponder,
    posted: PostedJson<AccountRequest>,
) -> Response {
    match posted.and_then(AccountRequest::read) {
        Ok(change) => {
            let changed = controls.account_change(&BankAccountId::new(id), &change).await;
            responder.answer(changed.map(AccountBody::from))
        }
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn close(ControlCall(controls): ControlCall, Path(id): Path<String>, responder: ControlResponder) -> Response {
    end(&controls, id, AccountClosure::Closed, responder).await
}

async fn switch(ControlCall(controls): ControlCall, Path(id): Path<String>, responder: ControlResponder) -> Response {
    end(&controls, id, AccountClosure::Switched, responder).await
}

async fn bar(ControlCall(controls): ControlCall, Path(id): Path<String>, responder: ControlResponder) -> Response {
    end(&controls, id, AccountClosure::Blocked, responder).await
}

async fn end(controls: &Sandbox, id: String, end: AccountClosure, responder: ControlResponder) -> Response {
    responder.answer(controls.account_close(&BankAccountId::new(id), end).await.map(AccountEndBody::from))
}

/// The request `{"holder"?, "credit_limit"?, "currency"?}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AccountRequest {
    holder: Option<String>,
    credit_limit: Option<String>,
    currency: Option<String>,
}

impl AccountRequest {
    pub(super) fn read(self) -> Result<AccountEdit, InvalidControlRequest> {
        check_line("holder", self.holder.as_deref(), HOLDER_CHARS_MAX)?;
        let credit_limit = self.credit_limit.map(|limit| read_limit(&limit, self.currency.as_deref())).transpose()?;
        if self.holder.is_none() && credit_limit.is_none() {
            return Err(InvalidControlRequest::new("say the new holder, or the new credit_limit with its currency"));
        }
        Ok(AccountEdit { holder: self.holder, credit_limit })
    }
}

/// Parses a credit limit.
fn read_limit(limit: &str, currency: Option<&str>) -> Result<NewCreditLimit, InvalidControlRequest> {
    let Some(Ok(currency)) = currency.map(str::parse::<Currency>) else {
        return Err(InvalidControlRequest::new("currency: that of the account, a code of ISO 4217 such as GBP"));
    };
    let amount = Amount::parse(limit, currency);
    amount.map(NewCreditLimit::of).map_err(|error| InvalidControlRequest::new(&format!("credit_limit: {error}")))
}
