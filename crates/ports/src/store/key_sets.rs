//! Key sets that TPPs and directories publish, as last fetched.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::client::KeySetAddress;

/// A fetched key set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FetchedKeySet {
    /// The JWK set, without the keys that were revoked.
    pub document: String,
    /// When it was fetched (wall clock).
    pub fetched_at: Timestamp,
}

/// Fetched key sets in storage. A starting node uses them while an address does not answer. There is one key set for each address
/// that a directory or a client's software statement names. Source: AS-009.
pub trait KeySetStore {
    /// The key set that was last fetched from these addresses.
    ///
    /// # Errors
    /// [`StoreError`].
    fn key_set(&mut self, address: &KeySetAddress) -> Result<Option<FetchedKeySet>, StoreError>;

    /// Stores a key set, unless a key set that was fetched later is stored already.
    ///
    /// # Errors
    /// [`StoreError`].
    fn key_set_put(&mut self, address: &KeySetAddress, fetched: &FetchedKeySet) -> Result<(), StoreError>;
}
