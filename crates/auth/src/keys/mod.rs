//! The server's signing keys: shared by all nodes through storage, sealed there, published before they sign and for a
//! while after.
//!
//! Every node keeps a snapshot and refreshes it once a minute; which key signs is decided by the wall clock alone, so
//! that all nodes change over at the same moment. Source: AS-007, AS-008.

mod keyring;
mod timeline;

#[cfg(test)]
mod tests;

pub use keyring::{Keyring, KeysError, ServerKey};
pub use timeline::{PUBLISHED_AFTER_USE, PUBLISHED_BEFORE_USE};
