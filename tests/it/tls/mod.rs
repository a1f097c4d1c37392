//! Transport: what the listeners speak, and whom they believe.

mod bodies;
mod claims;
mod versions;
