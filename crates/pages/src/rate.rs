//! Limits the rate at which one network address may request pages and documents. Source: RW-112.

use super::problem::too_many_requests;
use axum::Router;
use axum::extract::{Request, State};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::Response;
use lombard_edge::App;
use lombard_edge::endpoint_facts::RateGroup;
use lombard_edge::listener::PeerAddress;

/// Adds the rate limit to routes; each request counts for its network address.
pub fn limit_page_rate(routes: Router<App>, app: &App) -> Router<App> {
    routes.layer(from_fn_with_state(app.clone(), count_request))
}

async fn count_request(State(app): State<App>, request: Request, next: Next) -> Response {
    let now = app.context.clocks.wall_now();
    if let Some(PeerAddress(peer)) = request.extensions().get()
        && let Err(exceeded) = app.throttle.count_call(RateGroup::PageAddresses, peer.ip(), now)
    {
        return too_many_requests(&app, exceeded.retry_after_secs);
    }
    next.run(request).await
}
