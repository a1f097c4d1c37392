//! Notices of maintenance and of changes, for everybody: `/notices.json` and its page. Source: DTN-002, DTN-007, DTN-008.

use super::formatting::second;
use super::frame::{PortalFrame, PortalSection};
use super::paths::{DEVELOPERS, NOTICES, NOTICES_DOCUMENT};
use super::visit::PublicVisit;
use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use lombard_edge::App;
use lombard_edge::kept_responses::CachedResponseRequest;
use lombard_edge::routing::get;
use lombard_ops::{NoticeImpactView, NoticeKindView, NoticeListView, NoticeStatusView, NoticeView};
use lombard_pages::frame::PageFrame;
use lombard_pages::reply::{PagePolicy, send_page};
use lombard_service::maintenance::PublishedNotices;
use std::sync::Arc;

/// The time for which caches may keep the list. It is short, because TPPs look here while calls are refused.
const CACHED: &str = "public, max-age=10";

/// The page of notices.
#[derive(Debug, Template)]
#[template(path = "portal/notices.html")]
pub(crate) struct NoticesPage<'a> {
    pub frame: PageFrame<'a>,
    pub portal: Option<PortalFrame>,
    pub developers: &'static str,
    pub document: &'static str,
    /// The notices that are not over, the next one first.
    pub coming: Vec<NoticeRow>,
    /// The notices that are over, the last one first.
    pub past: Vec<NoticeRow>,
}

/// A notice as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NoticeRow {
    pub title: &'static str,
    pub status: &'static str,
    pub message: String,
    /// The name and the value of each fact.
    pub facts: Vec<(&'static str, String)>,
}

pub(super) fn routes() -> Router<App> {
    Router::new().route(NOTICES, get(show)).route(NOTICES_DOCUMENT, get(document))
}

/// The key of a cached document that is made from the list.
fn cache_key(published: &PublishedNotices) -> Arc<str> {
    published.revision.to_string().into()
}

async fn document(State(app): State<App>, request: CachedResponseRequest) -> Response {
    let published = app.maintenance.published();
    let key = cache_key(&published);
    let render = move || match serde_json::to_string(&NoticeListView::of(&published)) {
        Ok(text) => ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, CACHED)], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    app.response_cache.respond_document(request, key, render).await
}

async fn show(State(app): State<App>, visit: PublicVisit, request: CachedResponseRequest) -> Response {
    let published = app.maintenance.published();
    let key = cache_key(&published);
    let server = app.clone();
    let render = move |portal| {
        let template = page((PageFrame::of(&server), portal), &NoticeListView::of(&published));
        send_page(&server, StatusCode::OK, &template, &PagePolicy::plain())
    };
    match PortalFrame::of_open(&visit, PortalSection::Reference) {
        None => app.response_cache.respond_document(request, key, move || render(None)).await,
        portal => app.response_cache.render(move || render(portal)).await,
    }
}

fn page<'a>((frame, portal): (PageFrame<'a>, Option<PortalFrame>), list: &NoticeListView) -> NoticesPage<'a> {
    let (past, mut coming): (Vec<_>, Vec<_>) = list
        .notices
        .iter()
        .partition(|notice| matches!(notice.status, NoticeStatusView::Ended | NoticeStatusView::Withdrawn));
    coming.reverse();
    let rows = |notices: Vec<&NoticeView>| notices.into_iter().map(row).collect();
    NoticesPage {
        frame,
        portal,
        developers: DEVELOPERS,
        document: NOTICES_DOCUMENT,
        coming: rows(coming),
        past: rows(past),
    }
}

/// The notices that are not over, the next one first, for other pages.
pub(super) fn open_notices(app: &App) -> Vec<NoticeRow> {
    page((PageFrame::of(app), None), &NoticeListView::of(&app.maintenance.published())).coming
}

fn row(notice: &NoticeView) -> NoticeRow {
    let time = |at: &lombard_ops::Instant| second(&String::from(*at));
    let mut facts = vec![("From", time(&notice.from))];
    facts.extend(notice.until.as_ref().map(|until| ("Until", time(until))));
    facts.extend(notice.started_at.as_ref().map(|at| ("Began", time(at))));
    facts.extend(notice.ended_at.as_ref().map(|at| ("Ended", time(at))));
    facts.push(("Impact", impact(notice).to_owned()));
    facts.push(("Systems", notice.systems.join(", ")));
    if notice.reason != notice.message {
        facts.push(("Reason", notice.reason.clone()));
    }
    facts.extend(notice.action.clone().map(|action| ("What to do", action)));
    let late = if notice.late { ", later than the guidelines ask" } else { "" };
    facts.push(("Announced", format!("{}{late}", time(&notice.given_at))));
    facts.push(("Id", notice.id.to_string()));
    NoticeRow { title: title(notice), status: status(notice), message: notice.message.clone(), facts }
}

fn title(notice: &NoticeView) -> &'static str {
    match notice.kind {
        NoticeKindView::Planned => "Planned maintenance",
        NoticeKindView::Unplanned => "Unplanned maintenance",
        NoticeKindView::Change => "Change of the interface",
    }
}

fn status(notice: &NoticeView) -> &'static str {
    match notice.status {
        NoticeStatusView::Announced => "announced",
        NoticeStatusView::Confirmed => "confirmed",
        NoticeStatusView::InProgress => "in progress",
        NoticeStatusView::Ended => "ended",
        NoticeStatusView::Withdrawn => "withdrawn",
    }
}

fn impact(notice: &NoticeView) -> &'static str {
    if notice.kind == NoticeKindView::Change {
        return "no interruption";
    }
    match notice.impact {
        NoticeImpactView::BusinessCritical => "the service is not available; calls are answered 503",
        NoticeImpactView::DegradedService => "the service is interrupted now and then, or there is another way",
        NoticeImpactView::General => "cosmetic",
    }
}
