//! What happens around every request, in this order: the interaction id, the access line and the meters
//! ([`observe`]), what caches may keep ([`caching`]), the bound on unread answers ([`unread`]), the limits on headers
//! ([`header_limits`]), and the net under panics ([`panics`]).
//!
//! Nothing here reads a body or decides about a resource.

mod caching;
pub mod certificate;
pub mod claimed_certificate;
mod header_limits;
mod interaction;
mod meters;
mod observe;
mod panics;
mod unread;

pub use header_limits::HeaderLimits;
pub use interaction::{INTERACTION_ID, INTERACTION_ID_CHARS_MAX, with_current_interaction};
pub use observe::ClientForLog;

use axum::Router;
use axum::middleware;
use lombard_ports::entropy::IdGenerator;
use meters::ListenerMetrics;
use std::sync::Arc;

/// What the layers of one listener need.
#[derive(Debug, Clone)]
pub struct LayerContext {
    /// The listener's name in logs and meters.
    pub listener: &'static str,
    /// Where fresh interaction ids come from.
    pub ids: IdGenerator,
    /// How much header is too much.
    pub headers: HeaderLimits,
}

/// Puts the layers around a finished router, its fallback included.
pub fn apply_layers(router: Router, around: LayerContext) -> Router {
    let observer = observe::Observer { ids: around.ids, meters: Arc::new(ListenerMetrics::new(around.listener)) };
    router
        .layer(middleware::from_fn(panics::catch))
        .layer(middleware::from_fn_with_state(around.headers, header_limits::enforce))
        .layer(middleware::map_response(caching::default_to_no_store))
        .layer(middleware::from_fn(unread::bound))
        .layer(middleware::from_fn_with_state(observer, observe::observe))
}

#[cfg(test)]
mod tests;
