//! The first page with the search, its results, and the page of the member's role.

use super::form::{ConsoleForm, not_done};
use super::frame::{ConsoleFrame, Section, escaped, lead_to, may, moment, send};
use super::state::Console;
use crate::index::OpsRoute;
use crate::staff::StaffVisit;
use crate::support::{RequestLineView, SearchMatchView, SearchView};
use askama::Template;
use axum::extract::State;
use axum::response::Response;
use http::Method;

/// The first page.
#[derive(Template)]
#[template(path = "ops/console/home.html")]
struct HomePage<'a> {
    frame: ConsoleFrame<'a>,
    may_search: bool,
}

/// The results of a search.
#[derive(Template)]
#[template(path = "ops/console/results.html")]
struct ResultsPage<'a> {
    frame: ConsoleFrame<'a>,
    reason: &'a str,
    matches: Vec<MatchLine>,
    requests: Vec<RequestLine>,
}

/// A record that was found.
struct MatchLine {
    kind: String,
    id: String,
    by: String,
    link: String,
}

/// A request that was found.
struct RequestLine {
    at: String,
    method: String,
    path: String,
    status: u16,
    class: &'static str,
    refusal: Option<String>,
    consent: Option<(String, String)>,
}

/// What the member's role may do.
#[derive(Template)]
#[template(path = "ops/console/role.html")]
struct RolePage<'a> {
    frame: ConsoleFrame<'a>,
    role: &'a str,
    from: &'a str,
    routes: Vec<OpsRoute>,
}

/// `GET /`.
pub(super) async fn show(State(console): State<Console>, visit: StaffVisit) -> Response {
    let may_search = may(&visit, &Method::POST, "/search");
    send(&HomePage { frame: console.frame(&visit, Section::Cases, None), may_search })
}

/// `GET /role`.
pub(super) async fn show_role(State(console): State<Console>, visit: StaffVisit) -> Response {
    let is_allowed = |route: &&OpsRoute| may(&visit, &route.verb.parse().unwrap_or(Method::GET), route.path);
    send(&RolePage {
        frame: console.frame(&visit, Section::Role, None),
        role: visit.member.role.name(),
        from: &visit.from,
        routes: console.listed.iter().filter(is_allowed).copied().collect(),
    })
}

/// `POST /search`. A text that names one record leads to its page.
pub(super) async fn search(State(console): State<Console>, form: ConsoleForm) -> Response {
    let found = match console.operations.support_search(&form.act(), form.field("text")).await {
        Ok(found) => found,
        Err(error) => return not_done(&console, &form.visit, &error),
    };
    let reason = form.reason.as_str();
    if let SearchView { matches, requests } = &found
        && let ([only], true) = (matches.as_slice(), requests.is_empty())
    {
        return lead_to(&link(only, reason));
    }
    let SearchView { matches, requests } = found;
    send(&ResultsPage {
        frame: console.frame(&form.visit, Section::Cases, None),
        reason,
        matches: matches.into_iter().map(|found| match_line(found, reason)).collect(),
        requests: requests.into_iter().map(|request| request_line(request, reason)).collect(),
    })
}

/// The address of the page of a record.
fn link(found: &SearchMatchView, reason: &str) -> String {
    let section = match found.kind.as_str() {
        "order" => "orders",
        "consent" => "consents",
        "customer" => "customers",
        _ => return format!("/tpps/{}", escaped(&found.id)),
    };
    format!("/{section}/{}?reason={}", escaped(&found.id), escaped(reason))
}

fn match_line(found: SearchMatchView, reason: &str) -> MatchLine {
    let link = link(&found, reason);
    let kind = if found.kind == "tpp" { "TPP".to_owned() } else { found.kind };
    MatchLine { kind, id: found.id, by: found.by.replace('-', " "), link }
}

fn request_line(request: RequestLineView, reason: &str) -> RequestLine {
    let consent = request.consent_id.map(|id| {
        let link = format!("/consents/{}?reason={}", escaped(id.as_str()), escaped(reason));
        (id.to_string(), link)
    });
    RequestLine {
        at: moment(&request.at),
        method: request.method,
        path: request.path,
        status: request.status,
        class: match request.status {
            200..=299 => "ok",
            300..=399 => "moved",
            400..=499 => "refused",
            _ => "failed",
        },
        refusal: request.refusal,
        consent,
    }
}
