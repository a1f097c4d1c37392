//! The controls of a sandbox on the pages of journeys. They come with a request only where the routes were given them, which a sandbox
//! alone does.

use lombard_ports::controls::SandboxControls;
use std::sync::Arc;

/// The controls of a sandbox, as an extension of requests for the pages of journeys.
#[derive(Debug, Clone)]
pub struct TesterControls(pub(super) Arc<dyn SandboxControls>);
