//! The server's signing keys, shared by all nodes; the private keys are stored encrypted.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::ids::KeyId;

/// A signing key as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// Its `kid`.
    pub id: KeyId,
    /// The PKCS#8 private key, encrypted under the key-encryption key.
    pub sealed: Vec<u8>,
    /// The certificate chain, leaf first, DER.
    pub chain: Vec<Vec<u8>>,
    /// When it was first published (wall clock).
    pub published_at: Timestamp,
    /// When it may sign for the first time (wall clock). Source: AS-008.
    pub active_from: Timestamp,
    /// When it stopped signing; it remains published for the overlap. Source: AS-008.
    pub retired_at: Option<Timestamp>,
}

impl std::fmt::Debug for StoredKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StoredKey").field("id", &self.id).finish_non_exhaustive()
    }
}

/// Signing keys in storage.
pub trait KeyStore {
    /// Adds a key.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if its id is taken.
    fn key_insert(&mut self, key: &StoredKey) -> Result<(), StoreError>;

    /// Updates the times of a key.
    ///
    /// # Errors
    /// [`StoreError`].
    fn key_update(&mut self, key: &StoredKey) -> Result<(), StoreError>;

    /// All keys whose rows can be read, oldest first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn keys(&mut self) -> Result<Vec<StoredKey>, StoreError>;

    /// Removes a key.
    ///
    /// # Errors
    /// [`StoreError`].
    fn key_remove(&mut self, id: &KeyId) -> Result<(), StoreError>;
}
