//! Signatures and keys, checked against the standards' examples and against other people's software.

mod keys;
mod messages;
mod pieces;
mod signatures;
mod vectors;

use crate::{KeySet, SigningKey};
use std::sync::{Arc, LazyLock};

/// A key for tests that do not care which; made once, as making one takes long.
pub(crate) fn key() -> Arc<SigningKey> {
    static KEY: LazyLock<Arc<SigningKey>> = LazyLock::new(|| Arc::new(SigningKey::generate().unwrap()));
    Arc::clone(&KEY)
}

/// Another key than [`key`].
pub(crate) fn other_key() -> Arc<SigningKey> {
    static KEY: LazyLock<Arc<SigningKey>> = LazyLock::new(|| Arc::new(SigningKey::generate().unwrap()));
    Arc::clone(&KEY)
}

/// The set of this key alone.
pub(crate) fn set(key: &SigningKey) -> KeySet {
    KeySet::from_iter([key.public().clone()])
}
