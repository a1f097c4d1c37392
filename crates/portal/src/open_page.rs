//! Public pages. For developers who are logged in, they have the frame of the portal.

use super::frame::{PortalFrame, PortalSection};
use super::visit::PublicVisit;
use axum::response::Response;
use lombard_edge::App;
use lombard_edge::kept_responses::CachedResponseRequest;

/// Responds with a public page. The page is cached, unless a developer is logged in and gets the frame.
pub(super) async fn open_page(
    app: &App,
    visit: &PublicVisit,
    request: CachedResponseRequest,
    section: PortalSection,
    render: impl FnOnce(Option<PortalFrame>) -> Response + Send + 'static,
) -> Response {
    match PortalFrame::of_open(visit, section) {
        None => app.response_cache.respond(request, || render(None)).await,
        portal => app.response_cache.render(|| render(portal)).await,
    }
}
