//! Idempotency keys: a fact about money, so it has a row. Source: RW-183 to RW-185.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;

/// What a key is unique within. Source: RW-185.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey {
    /// Whose it is.
    pub client: ClientId,
    /// The method and path, ids included.
    pub operation: String,
    /// The `x-idempotency-key`.
    pub key: String,
}

/// What claiming a key found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyClaim {
    /// The key is free and now taken; complete it in the same transaction.
    New,
    /// The same request was answered with this resource.
    Replay {
        /// The resource's id.
        resource: String,
    },
    /// The key was used with another body.
    Mismatch,
}

/// Idempotency keys in storage.
pub trait IdempotencyStore {
    /// Claims a key for a body. Keys first used at or before `window_start` (bank clock) are free again.
    /// A second claimant waits for the first transaction's end.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_claim(
        &mut self,
        key: &IdempotencyKey,
        body: &Digest,
        now: Timestamp,
        window_start: Timestamp,
    ) -> Result<IdempotencyClaim, StoreError>;

    /// Names the resource a claimed key made.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_complete(&mut self, key: &IdempotencyKey, resource: &str) -> Result<(), StoreError>;

    /// Removes keys that were first used before this time (bank clock), at most `limit`. A key that is claimed anew
    /// meanwhile stays. Returns how many went.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
