//! The page that customers see while the bank is in maintenance. Source: DTN-006.

use super::frame::PageFrame;
use super::reply::{PagePolicy, send_page};
use super::times::short_moment;
use askama::Template;
use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::StatusCode;
use lombard_edge::App;
use lombard_edge::maintenance::refusing;

#[derive(Template)]
#[template(path = "maintenance.html")]
pub(super) struct MaintenancePage<'a> {
    pub frame: PageFrame<'a>,
    pub is_planned: bool,
    /// When the bank expects to be back, if that is known.
    pub back: Option<String>,
}

/// Answers every request with the page while the bank is in maintenance. It must be outside of the layer that claims forms, so that a form
/// that was not carried out can be sent again.
pub async fn refuse_in_maintenance(State(app): State<App>, request: Request, next: Next) -> Response {
    let Some(downtime) = app.downtime() else { return next.run(request).await };
    let page = MaintenancePage {
        frame: PageFrame::of(&app),
        is_planned: downtime.is_planned,
        back: downtime.until.map(short_moment),
    };
    refusing(downtime, send_page(&app, StatusCode::SERVICE_UNAVAILABLE, &page, &PagePolicy::plain()))
}
