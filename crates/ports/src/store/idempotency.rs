//! Idempotency keys. They are stored in rows, because a lost key could pay twice. Source: RW-183 to RW-185.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::grant::Digest;
use lombard_domain::ids::ClientId;

/// An idempotency key with its scope. Source: RW-185.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct IdempotencyKey {
    /// The client that sent it.
    pub client: ClientId,
    /// The method and path, including ids.
    pub operation: String,
    /// The `x-idempotency-key` header.
    pub key: String,
}

/// The result of claiming a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyClaim {
    /// The key was free and is claimed; its resource must be created or changed in the same transaction.
    New,
    /// An earlier request with the same body created or changed this resource.
    Replay {
        /// The resource's id.
        resource: String,
    },
    /// The key was used with a different body.
    Mismatch,
}

/// The use of a key by a request.
#[derive(Debug, Clone, Copy)]
pub struct KeyClaim<'a> {
    /// The key.
    pub key: &'a IdempotencyKey,
    /// The digest of the request's body.
    pub body: &'a Digest,
    /// The id of the resource that the request creates or changes if the key is free.
    pub resource: &'a str,
    /// The time of the request (bank clock).
    pub now: Timestamp,
    /// Keys first used at or before this time (bank clock) are free again.
    pub window_start: Timestamp,
    /// A further operation for which the key must be free as well: the same operation of another version. The transaction must
    /// hold a lock that both operations take, so that the later of two concurrent requests finds the key of the first.
    pub other_operation: Option<&'a str>,
}

/// Idempotency keys in storage.
pub trait IdempotencyStore {
    /// Claims a key. A concurrent claim waits for the end of the first transaction. A caller that also locks a consent must lock
    /// it first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_claim(&mut self, claim: &KeyClaim<'_>) -> Result<IdempotencyClaim, StoreError>;

    /// Removes keys first used before this time (bank clock), at most `limit`. A key that is claimed again in the
    /// meantime stays. Returns the number removed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
