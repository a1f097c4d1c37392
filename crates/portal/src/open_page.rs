//! Pages that everybody may read, in the frame of the portal for developers who are logged in.

use super::frame::{PortalFrame, PortalSection};
use super::visit::OpenVisit;
use axum::response::Response;
use lombard_edge::App;
use lombard_edge::kept_responses::KeptRequest;

/// A page that everybody may read. It is kept, unless a developer is logged in, whose frame it then has.
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
