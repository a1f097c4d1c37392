//! The server's signing keys, shared by all nodes; the private keys are stored encrypted.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::ids::KeyId;
use lombard_domain::unit_codes;

/// Where the private part of a signing key comes from, and with it where it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyOrigin {
    /// Made by this program and stored encrypted.
    Made,
    /// Read from a file by an operator and stored encrypted.
    File,
    /// In a security module; what is stored says under which label.
    Token,
}

unit_codes! {
    KeyOrigin {
        Made = "made",
        File = "file",
        Token = "token",
    }
}

/// A signing key as stored.
#[derive(Clone, PartialEq, Eq)]
pub struct StoredKey {
    /// Its `kid`.
    pub id: KeyId,
    /// Where its private part comes from.
    pub origin: KeyOrigin,
    /// The PKCS#8 private key, or of a key in a security module its label and public key, encrypted under the key-encryption
    /// key.
    pub sealed: Vec<u8>,
    /// The certificate chain, leaf first, DER.
    pub chain: Vec<Vec<u8>>,
    /// When it was first published (wall clock); of one that waits for its certificate, when it was made.
    pub published_at: Timestamp,
    /// When it may sign for the first time (wall clock); `None` while it waits for its certificate and is not published.
    /// Source: AS-008.
    pub active_from: Option<Timestamp>,
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

    /// Replaces the certificate chain of a key.
    ///
    /// # Errors
    /// [`StoreError`].
    fn key_certify(&mut self, id: &KeyId, chain: &[Vec<u8>]) -> Result<(), StoreError>;

    /// Replaces what is encrypted of a key, if it is still what it was; `false` otherwise.
    ///
    /// # Errors
    /// [`StoreError`].
    fn key_reseal(&mut self, id: &KeyId, was: &[u8], sealed: &[u8]) -> Result<bool, StoreError>;

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
