//! The server's signing keys: shared by all nodes through storage, sealed there, published before they sign and for a
//! while after.
//!
//! Every node keeps a snapshot and refreshes it once a minute; which key signs is decided by the wall clock alone, so
//! that all nodes change over at the same moment. A key may wait for its certificate before it is published (`import`), and
//! its private part may be in a security module (`vault`). Source: AS-007, AS-008.

mod certificate;
mod error;
mod import;
mod keyring;
mod listing;
mod resealing;
mod retirement;
mod timeline;
mod vault;

#[cfg(test)]
mod tests;

pub use error::{KeyRefusal, KeysError};
pub use import::KeyImport;
pub use keyring::{Keyring, ServerKey};
pub use listing::ListedKey;
pub use resealing::ResealedKeys;
pub use retirement::Retirement;
pub use timeline::{KeyState, PUBLISHED_AFTER_USE, PUBLISHED_BEFORE_USE};
