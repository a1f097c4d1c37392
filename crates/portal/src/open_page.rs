//! Public pages. For developers who are logged in, they have the frame of the portal.

use super::frame::{PortalFrame, PortalSection};
use super::visit::OpenVisit;
use axum::response::Response;
use lombard_edge::App;
use lombard_edge::kept_responses::KeptRequest;

/// Responds with a public page. The page is cached, unless a developer is logged in and gets the frame.
pub(super) async fn open_page(
    app: &App,
    visit: &OpenVisit,
    request: KeptRequest,
    section: PortalSection,
    render: impl FnOnce(Option<PortalFrame>) -> Response + Send + 'static,
) -> Response {
    match PortalFrame::of_open(visit, section) {
        None => app.kept_responses.respond(request, || render(None)).await,
        portal => app.kept_responses.render(|| render(portal)).await,
    }
}
