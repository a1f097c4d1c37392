//! The list of TPPs with what this node has answered them, the page of a TPP, and the acts on it.

use super::form::{ConsoleForm, PageQuery, not_done};
use super::frame::{ConsoleFrame, Section, escaped, lead_to, may, moment, send};
use super::state::Console;
use crate::staff::StaffVisit;
use crate::tpp_views::{TppChange, TppSummaryView, TppView};
use crate::traffic::metrics_text::read_samples;
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use http::Method;
use lombard_domain::ids::ClientId;
use serde::Deserialize;
use std::collections::HashMap;

/// The number of TPPs on a page.
const PAGE_TPPS: u32 = 50;

/// The list of TPPs.
#[derive(Template)]
#[template(path = "ops/console/tpps.html")]
struct TppsPage<'a> {
    frame: ConsoleFrame<'a>,
    tpps: Vec<TppLine>,
    /// The address of the next page.
    next: Option<String>,
}

/// A TPP in the list.
struct TppLine {
    name: String,
    organisation: String,
    link: String,
    status: String,
    class: &'static str,
    roles: String,
    answered: TppAnswers,
}

/// What this node has answered a TPP since it started.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct TppAnswers {
    requests: u64,
    refused: u64,
    failed: u64,
}

/// The page of a TPP.
#[derive(Template)]
#[template(path = "ops/console/tpp.html")]
struct TppPage<'a> {
    frame: ConsoleFrame<'a>,
    tpp: &'a TppView,
    class: &'static str,
    facts: Vec<(&'static str, String)>,
    answered: Option<TppAnswers>,
    /// The path of the form that changes the status, its button, and whether it takes something away.
    change: Option<(String, &'static str, bool)>,
}

/// The query of the list.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ListQuery {
    after: Option<ClientId>,
}

/// `GET /tpps`.
pub(super) async fn list(
    State(console): State<Console>,
    visit: StaffVisit,
    Query(query): Query<ListQuery>,
) -> Response {
    let found = match console.operations.list_tpps(query.after, PAGE_TPPS).await {
        Ok(found) => found,
        Err(error) => return not_done(&console, &visit, &error),
    };
    let answers = answers(&console.operations.metrics());
    send(&TppsPage {
        frame: console.frame(&visit, Section::Tpps, None),
        tpps: found.tpps.into_iter().map(|tpp| line(tpp, &answers)).collect(),
        next: found.next.map(|after| format!("/tpps?after={}", escaped(after.as_str()))),
    })
}

/// The answers to each of the busiest TPPs, by client id.
fn answers(metrics: &str) -> HashMap<String, TppAnswers> {
    let mut answers: HashMap<String, TppAnswers> = HashMap::new();
    for sample in read_samples(metrics).filter(|sample| sample.name == "lombard_tpp_requests_total") {
        let of_tpp = answers.entry(sample.label("client_id").unwrap_or_default().to_owned()).or_default();
        let count = sample.count();
        of_tpp.requests = of_tpp.requests.saturating_add(count);
        match sample.label("status") {
            Some("4xx") => of_tpp.refused = count,
            Some("5xx") => of_tpp.failed = count,
            _ => {}
        }
    }
    answers
}

fn line(tpp: TppSummaryView, answers: &HashMap<String, TppAnswers>) -> TppLine {
    TppLine {
        link: format!("/tpps/{}", escaped(tpp.client_id.as_str())),
        answered: answers.get(tpp.client_id.as_str()).copied().unwrap_or_default(),
        class: class(&tpp.status),
        name: tpp.software_name,
        organisation: tpp.org_name,
        status: tpp.status,
        roles: tpp.roles.join(", "),
    }
}

/// The CSS class for the colour of a status.
fn class(status: &str) -> &'static str {
    match status {
        "active" => "ok",
        "disabled" => "refused",
        _ => "moved",
    }
}

/// `GET /tpps/{id}`.
pub(super) async fn show(
    State(console): State<Console>,
    visit: StaffVisit,
    Path(id): Path<String>,
    Query(query): Query<PageQuery>,
) -> Response {
    let tpp = match console.operations.find_tpp(&id).await {
        Ok(tpp) => tpp,
        Err(error) => return not_done(&console, &visit, &error),
    };
    let answered = answers(&console.operations.metrics()).remove(tpp.client_id.as_str());
    let path = format!("/tpps/{}", escaped(tpp.client_id.as_str()));
    let change = match tpp.status.as_str() {
        "active" if may(&visit, &Method::POST, "/tpps/{id}/disable") => {
            Some((format!("{path}/disable"), "Disable this TPP", true))
        }
        "disabled" if may(&visit, &Method::POST, "/tpps/{id}/enable") => {
            Some((format!("{path}/enable"), "Enable this TPP", false))
        }
        _ => None,
    };
    send(&TppPage {
        frame: console.frame(&visit, Section::Tpps, query.done.as_deref()),
        class: class(&tpp.status),
        facts: facts(&tpp),
        answered,
        change,
        tpp: &tpp,
    })
}

fn facts(tpp: &TppView) -> Vec<(&'static str, String)> {
    let mut facts = vec![
        ("Client id", tpp.client_id.to_string()),
        ("Software id", tpp.software_id.clone()),
        ("Organisation", format!("{} ({})", tpp.org_name, tpp.org_id)),
        ("Roles", tpp.roles.join(", ")),
        ("Authentication", tpp.token_endpoint_auth_method.clone()),
        ("Security profile", tpp.profile.clone()),
        ("Registered", moment(&tpp.registered_at)),
        ("Redirect URIs", tpp.redirect_uris.join(", ")),
    ];
    facts.extend(tpp.jwks_uri.clone().map(|uri| ("Key set", uri)));
    facts.extend(tpp.status_changed_at.as_deref().map(|at| ("Status since", moment(at))));
    facts.extend(tpp.status_reason.clone().map(|reason| ("Reason", reason)));
    for certificate in &tpp.certificates {
        let of_key = [certificate.purpose.as_str(), certificate.kid.as_str()].join(" ");
        facts.push(("Certificate ends", format!("{} ({})", moment(&certificate.not_after), of_key.trim())));
    }
    if let Some(pending) = &tpp.pending {
        facts.push(("Waits for approval", pending.changes.join(", ")));
    }
    facts
}

/// `POST /tpps/{id}/disable`.
pub(super) async fn disable(State(console): State<Console>, Path(id): Path<String>, form: ConsoleForm) -> Response {
    change(&console, &id, &form, TppChange::Disable, "disabled").await
}

/// `POST /tpps/{id}/enable`.
pub(super) async fn enable(State(console): State<Console>, Path(id): Path<String>, form: ConsoleForm) -> Response {
    change(&console, &id, &form, TppChange::Enable, "enabled").await
}

async fn change(console: &Console, id: &str, form: &ConsoleForm, change: TppChange, done: &str) -> Response {
    match console.operations.tpp_change(&form.act(), id, change).await {
        Ok(tpp) => lead_to(&format!("/tpps/{}?done={done}", escaped(tpp.client_id.as_str()))),
        Err(error) => not_done(console, &form.visit, &error),
    }
}
