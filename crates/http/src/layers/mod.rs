//! What happens around every request, in this order: the interaction id, the access line and the meters
//! ([`observe`]), the limits on headers ([`header_limits`]), and the net under panics ([`panics`]).
//!
//! Nothing here reads a body or decides about a resource.

pub mod certificate;
pub mod claimed_certificate;
mod header_limits;
mod interaction;
mod meters;
mod observe;
mod panics;

pub use header_limits::HeaderLimits;
pub use interaction::{INTERACTION_ID, INTERACTION_ID_CHARS_MAX, with_current_interaction};
pub use meters::describe as describe_meters;
pub use observe::KnownClient;

use axum::Router;
use axum::middleware;
use http::Method;
use lombard_ports::entropy::Ids;
use meters::Meters;
use std::sync::Arc;

/// What the layers of one listener need.
#[derive(Debug, Clone)]
pub struct Around {
    /// The listener's name in logs and meters.
    pub listener: &'static str,
    /// Where fresh interaction ids come from.
    pub ids: Ids,
    /// How much header is too much.
    pub headers: HeaderLimits,
}

impl Around {
    /// Shows routes in the metrics from the start, with zeros: methods and templates.
    fn meters(&self, routes: impl IntoIterator<Item = (Method, String)>) -> Meters {
        let meters = Meters::new(self.listener);
        for (method, template) in routes {
            meters.of(&method, &template);
        }
        meters
    }
}

/// Puts the layers around a finished router, its fallback included. Routes named here are metered from the start, others
/// from their first request.
pub fn surround(router: Router, around: Around, routes: impl IntoIterator<Item = (Method, String)>) -> Router {
    let meters = Arc::new(around.meters(routes));
    let observer = observe::Observer { ids: around.ids, meters };
    router
        .layer(middleware::from_fn(panics::catch))
        .layer(middleware::from_fn_with_state(around.headers, header_limits::enforce))
        .layer(middleware::from_fn_with_state(observer, observe::observe))
}

#[cfg(test)]
mod tests;
