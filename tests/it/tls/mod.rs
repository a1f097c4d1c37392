//! Transport: the listeners' protocols, certificates and trust anchors.

mod bodies;
mod claims;
mod proxies;
pub(crate) mod raw;
mod reload;
mod revocation;
pub(crate) mod versions;

pub(crate) use proxies::{ProxyProcess, free_port, printed, program};
