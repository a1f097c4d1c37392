//! The controls of a sandbox on the pages of journeys. A request has them only if the routes were built with them, which only a sandbox
//! does.

use lombard_ports::controls::SandboxControls;
use std::sync::Arc;

/// The controls of a sandbox, as a request extension for the pages of journeys.
#[derive(Debug, Clone)]
pub struct TesterControls(pub(super) Arc<dyn SandboxControls>);
