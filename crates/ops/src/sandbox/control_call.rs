//! Extractors for the sandbox's controls.

use axum::extract::FromRequestParts;
use http::request::Parts;
use lombard_domain::ids::FapiInteractionId;
use lombard_ports::controls::SandboxControls;
use std::convert::Infallible;
use std::sync::Arc;

/// The controls, as state of the handlers.
pub(super) type Sandbox = Arc<dyn SandboxControls>;

/// The controls for one request; events that they cause carry its interaction id. Source: SET-016.
pub(super) struct ControlCall(pub(super) Sandbox);

impl FromRequestParts<Sandbox> for ControlCall {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, controls: &Sandbox) -> Result<Self, Infallible> {
        let controls = Arc::clone(controls);
        Ok(Self(match parts.extensions.get::<FapiInteractionId>() {
            Some(call) => controls.caused_by(call),
            None => controls,
        }))
    }
}
