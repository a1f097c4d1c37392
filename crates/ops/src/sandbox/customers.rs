//! The controls of customers over HTTP: the list, and changes of their records.

use super::control_call::{ControlCall, Sandbox};
use super::request::{InvalidControlRequest, PostedJson};
use super::response::{ControlResponder, PsuBody, PsusBody, UnlockedBody};
use crate::index::IndexedRoutes;
use axum::extract::{Path, State};
use axum::response::Response;
use lombard_core_api::form::faults::{FormFault, JsonLocation};
use lombard_core_api::form::node::JsonNode;
use lombard_core_api::form::shape::{FieldForm, FormReader};
use lombard_core_api::form::telephone::TelephoneNumber;
use lombard_core_api::records::PartyAddress;
use lombard_domain::account::PostalAddress;
use lombard_domain::ids::PsuId;
use lombard_ports::controls::{ABOUT_CHARS_MAX, CUSTOMER_NAME_CHARS_MAX, CustomerChange, EMAIL_CHARS_MAX};
use serde::Deserialize;
use serde_json::Value;

/// The routes of these controls.
pub(super) fn routes() -> IndexedRoutes<Sandbox> {
    IndexedRoutes::new()
        .get("/sandbox/psus", "customers and their accounts", list)
        .post("/sandbox/psus/{id}/change", "change a customer's name, numbers or addresses", change)
        .post("/sandbox/psus/{id}/unlock", "forget a customer's failed logins", unlock)
}

async fn list(State(controls): State<Sandbox>, responder: ControlResponder) -> Response {
    responder.answer(controls.customer_views().await.map(PsusBody::from))
}

async fn change(
    ControlCall(controls): ControlCall,
    Path(id): Path<String>,
    responder: ControlResponder,
    posted: PostedJson<CustomerRequest>,
) -> Response {
    match posted.and_then(CustomerRequest::read) {
        Ok(change) => responder.answer(controls.customer_change(&PsuId::new(id), &change).await.map(PsuBody::from)),
        Err(bad) => responder.invalid_command(bad),
    }
}

async fn unlock(State(controls): State<Sandbox>, Path(id): Path<String>, responder: ControlResponder) -> Response {
    let psu = PsuId::new(id);
    let unlocked = controls.customer_unlock(&psu).await;
    responder.answer(unlocked.map(|()| UnlockedBody { psu, unlocked: true }))
}

/// The request `{"name"?, "about"?, "email"?, "phone"?, "mobile"?, "address"?}`; the address is an object as in a data file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CustomerRequest {
    name: Option<String>,
    about: Option<String>,
    email: Option<String>,
    phone: Option<Value>,
    mobile: Option<Value>,
    address: Option<Value>,
}

impl CustomerRequest {
    pub(super) fn read(self) -> Result<CustomerChange, InvalidControlRequest> {
        let Self { name, about, email, phone, mobile, address } = self;
        check_line("name", name.as_deref(), CUSTOMER_NAME_CHARS_MAX)?;
        check_line("about", about.as_deref(), ABOUT_CHARS_MAX)?;
        check_line("email", email.as_deref(), EMAIL_CHARS_MAX)?;
        let phone = read_member::<String, TelephoneNumber>("phone", phone)?;
        let mobile = read_member::<String, TelephoneNumber>("mobile", mobile)?;
        let address = read_member::<PostalAddress, PartyAddress>("address", address)?;
        let change = CustomerChange { name, about, email, phone, mobile, address };
        if change == CustomerChange::default() {
            return Err(InvalidControlRequest::new("say the new name, about, email, phone, mobile or address"));
        }
        Ok(change)
    }
}

/// Parses a member in the form that it has in data files. The error is the first fault, with its path.
fn read_member<T, F: FieldForm<T>>(name: &str, value: Option<Value>) -> Result<Option<T>, InvalidControlRequest> {
    let Some(value) = value else { return Ok(None) };
    let bad = |path: &str, message: &str| InvalidControlRequest::new(&format!("{path}: {message}"));
    let node = JsonNode::deserialize(value).map_err(|error| bad(name, &error.to_string()))?;
    let mut reader = FormReader::default();
    let read = F::read(node, &JsonLocation::Member(&JsonLocation::Root, name), &mut reader);
    reader.faults.into_result(read).map_err(|faults| match faults.first() {
        Some(FormFault { path, message }) => bad(path, message),
        None => bad(name, "cannot be read"),
    })
}

/// Checks that the text of a field is one line of 1 to `chars_max` characters.
pub(super) fn check_line(field: &str, text: Option<&str>, chars_max: usize) -> Result<(), InvalidControlRequest> {
    let is_line = |text: &str| {
        (1..=chars_max).contains(&text.chars().count())
            && !text.trim().is_empty()
            && !text.chars().any(char::is_control)
    };
    if text.is_none_or(is_line) {
        return Ok(());
    }
    Err(InvalidControlRequest::new(&format!("{field}: 1 to {chars_max} characters on one line")))
}
