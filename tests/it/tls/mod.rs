//! Transport: the listeners' protocols and trust anchors.

mod bodies;
mod claims;
mod versions;
