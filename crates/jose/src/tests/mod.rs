//! Signatures and keys, checked with the standards' examples and with other software.

mod keys;
mod messages;
mod pieces;
mod signatures;
mod vectors;

use crate::{KeySet, SigningKey};
use std::sync::{Arc, LazyLock};

/// A key for tests, generated once because generation is slow.
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
