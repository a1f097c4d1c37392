//! Transport: what the listeners speak, and whom they believe.

mod claims;
mod versions;
