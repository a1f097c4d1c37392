//! Transport: the listeners' protocols, certificates and trust anchors.

mod bodies;
mod claims;
mod raw;
mod reload;
mod versions;
