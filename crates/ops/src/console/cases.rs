//! The pages of an order, a consent and a customer, and the end of their access.

use super::form::{ConsoleForm, PageQuery, ask_reason, not_done};
use super::frame::{ConsoleFrame, Section, escaped, lead_to, may, moment, send};
use super::sequence::{draw_sequence, party};
use super::state::Console;
use crate::staff::StaffVisit;
use crate::support::{
    ConsentLineView, CustomerView, OrderLineView, StoryEntryView, StoryKind, StorySubject, StoryView,
};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use http::Method;
use lombard_domain::ids::{ConsentId, PsuId};
use lombard_domain::operator_changes::ChangeReason;

/// The page of a story.
#[derive(Template)]
#[template(path = "ops/console/story.html")]
struct StoryPage<'a> {
    frame: ConsoleFrame<'a>,
    title: &'static str,
    story: &'a StoryView,
    reason: &'a str,
    tpp: String,
    /// The customer, with the address of the page.
    customer: Option<(String, String)>,
    /// The address of the consent; `None` on its own page.
    consent: Option<String>,
    orders: Vec<OrderLine>,
    entries: Vec<EntryLine>,
    sequence: String,
    /// Where the form that ends the access leads.
    revoke: Option<String>,
}

/// An entry of a story.
struct EntryLine {
    number: usize,
    at: String,
    way: String,
    class: &'static str,
    title: String,
    detail: Option<String>,
}

/// An order in a list.
struct OrderLine {
    id: String,
    status: String,
    amount: String,
    created: String,
    link: String,
}

/// The page of a customer.
#[derive(Template)]
#[template(path = "ops/console/customer.html")]
struct CustomerPage<'a> {
    frame: ConsoleFrame<'a>,
    id: &'a str,
    reason: &'a str,
    consents: Vec<ConsentLine>,
    orders: Vec<OrderLine>,
    /// Where the form that ends all access leads, if there is any and the role may.
    revoke: Option<String>,
}

/// A consent in a list.
struct ConsentLine {
    id: String,
    kind: String,
    status: String,
    created: String,
    tpp: String,
    link: String,
}

/// `GET /orders/{id}`.
pub(super) async fn show_order(
    State(console): State<Console>,
    visit: StaffVisit,
    Path(id): Path<String>,
    Query(query): Query<PageQuery>,
) -> Response {
    let Some(reason) = query.reason() else {
        return ask_reason(&console, &visit, &format!("/orders/{}", escaped(&id)));
    };
    match console.operations.order_story(&visit.act(Some(reason.clone())), &id).await {
        Ok(story) => send_story(&console, &visit, &story, &reason, &query),
        Err(error) => not_done(&console, &visit, &error),
    }
}

/// `GET /consents/{id}`.
pub(super) async fn show_consent(
    State(console): State<Console>,
    visit: StaffVisit,
    Path(id): Path<String>,
    Query(query): Query<PageQuery>,
) -> Response {
    let Some(reason) = query.reason() else {
        return ask_reason(&console, &visit, &format!("/consents/{}", escaped(&id)));
    };
    match console.operations.consent_story(&visit.act(Some(reason.clone())), &id).await {
        Ok(story) => send_story(&console, &visit, &story, &reason, &query),
        Err(error) => not_done(&console, &visit, &error),
    }
}

fn send_story(
    console: &Console,
    visit: &StaffVisit,
    story: &StoryView,
    reason: &ChangeReason,
    query: &PageQuery,
) -> Response {
    let asked = format!("?reason={}", escaped(reason.as_str()));
    let is_order = story.subject == StorySubject::Order;
    let may_revoke = story.is_revocable && may(visit, &Method::POST, "/consents/{id}/revoke");
    let consent = format!("/consents/{}", escaped(story.consent_id.as_str()));
    send(&StoryPage {
        frame: console.frame(visit, Section::Cases, query.done.as_deref()),
        title: if is_order { "Order" } else { "Consent" },
        story,
        reason: reason.as_str(),
        tpp: format!("/tpps/{}", escaped(story.tpp.client_id.as_str())),
        customer: story
            .customer
            .as_ref()
            .map(|psu| (psu.to_string(), format!("/customers/{}{asked}", escaped(psu.as_str())))),
        consent: is_order.then(|| format!("{consent}{asked}")),
        orders: story.orders.iter().filter(|_| !is_order).map(|order| order_line(order, &asked)).collect(),
        entries: (1..).zip(&story.entries).map(entry_line).collect(),
        sequence: draw_sequence(&story.entries),
        revoke: may_revoke.then(|| format!("{consent}/revoke")),
    })
}

fn entry_line((number, entry): (usize, &StoryEntryView)) -> EntryLine {
    let (from, to) = (party(entry.from), party(entry.to));
    EntryLine {
        number,
        at: moment(&entry.at),
        way: if entry.from == entry.to { from.to_owned() } else { format!("{from} → {to}") },
        class: match entry.kind {
            StoryKind::Request | StoryKind::Event => "moved",
            StoryKind::Consent | StoryKind::Order | StoryKind::Payment => "ok",
            StoryKind::Refusal => "refused",
            StoryKind::Core => "waits",
        },
        title: entry.title.clone(),
        detail: entry.detail.clone(),
    }
}

fn order_line(order: &OrderLineView, asked: &str) -> OrderLine {
    OrderLine {
        id: order.id.to_string(),
        status: order.status.clone(),
        amount: order.amount.clone().unwrap_or_else(|| "a file".to_owned()),
        created: moment(&order.created_at),
        link: format!("/orders/{}{asked}", escaped(order.id.as_str())),
    }
}

/// `GET /customers/{id}`.
pub(super) async fn show_customer(
    State(console): State<Console>,
    visit: StaffVisit,
    Path(id): Path<String>,
    Query(query): Query<PageQuery>,
) -> Response {
    let Some(reason) = query.reason() else {
        return ask_reason(&console, &visit, &format!("/customers/{}", escaped(&id)));
    };
    let found = console.operations.customer(&visit.act(Some(reason.clone())), &PsuId::from(id.as_str())).await;
    let CustomerView { id, consents, orders } = match found {
        Ok(customer) => customer,
        Err(error) => return not_done(&console, &visit, &error),
    };
    let asked = format!("?reason={}", escaped(reason.as_str()));
    let is_revocable = consents.iter().any(|consent| consent.is_revocable);
    let may_revoke = is_revocable && may(&visit, &Method::POST, "/customers/{id}/revoke");
    let line = |consent: &ConsentLineView| ConsentLine {
        id: consent.id.to_string(),
        kind: consent.kind.clone(),
        status: consent.status.clone(),
        created: moment(&consent.created_at),
        tpp: consent.software_name.clone().unwrap_or_else(|| consent.client_id.to_string()),
        link: format!("/consents/{}{asked}", escaped(consent.id.as_str())),
    };
    send(&CustomerPage {
        frame: console.frame(&visit, Section::Cases, query.done.as_deref()),
        id: id.as_str(),
        reason: reason.as_str(),
        consents: consents.iter().map(line).collect(),
        orders: orders.iter().map(|order| order_line(order, &asked)).collect(),
        revoke: may_revoke.then(|| format!("/customers/{}/revoke", escaped(id.as_str()))),
    })
}

/// `POST /consents/{id}/revoke`.
pub(super) async fn revoke_consent(
    State(console): State<Console>,
    Path(id): Path<String>,
    form: ConsoleForm,
) -> Response {
    match console.operations.consent_revoke(&form.act(), &ConsentId::new(id.as_str())).await {
        Ok(()) => lead_to(&done("consents", &id, &form)),
        Err(error) => not_done(&console, &form.visit, &error),
    }
}

/// `POST /customers/{id}/revoke`.
pub(super) async fn revoke_customer(
    State(console): State<Console>,
    Path(id): Path<String>,
    form: ConsoleForm,
) -> Response {
    match console.operations.customer_revoke(&form.act(), &PsuId::from(id.as_str())).await {
        Ok(_) => lead_to(&done("customers", &id, &form)),
        Err(error) => not_done(&console, &form.visit, &error),
    }
}

fn done(section: &str, id: &str, form: &ConsoleForm) -> String {
    format!("/{section}/{}?reason={}&done=revoked", escaped(id), escaped(form.reason.as_str()))
}
