//! The server's signing keys. All nodes share them through storage, where they are encrypted. A key is published before it signs, and for
//! some days after it has stopped.
//!
//! Every node keeps a snapshot and refreshes it once a minute. The wall clock alone determines which key signs, so that all nodes change
//! over at the same moment. A key may wait for its certificate before it is published (`import`), and its private part may be in a security
//! module (`vault`). Source: AS-007, AS-008.

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
