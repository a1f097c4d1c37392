//! Idempotency keys. They are stored in rows, because a lost key could pay twice. Source: RW-183 to RW-185.

use super::{Owned, StoreError};
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, ConsentId};

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
    /// A further operation under which the key must be free too: the same one of another version. Only a claim under a consent reads it.
    pub other_operation: Option<&'a str>,
}

/// Idempotency keys in storage.
pub trait IdempotencyStore {
    /// Claims a key. A concurrent claim waits for the end of the first transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_claim(&mut self, claim: &KeyClaim<'_>) -> Result<IdempotencyClaim, StoreError>;

    /// Claims a key as if it were free and, if one is given, goes on as if the consent were as it was known before the transaction: `true`.
    /// The consent must be updated. If the key is in use or the consent has changed, or if nothing is committed, the transaction is run
    /// again, and may not assume this then. `false` if it may not now: nothing is claimed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_assume(&mut self, claim: &KeyClaim<'_>, known: Option<&Consent>) -> Result<bool, StoreError>;

    /// As [`idempotency_claim`](Self::idempotency_claim) and, after it, [`consent_for_update`](super::ConsentStore::consent_for_update),
    /// in one round trip: the beginning of every payment. The consent is locked also if the key is in use, and before the further operation
    /// of the claim is looked at: of two requests with one key, in two versions and at the same time, one finds the other.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_claim_under(
        &mut self,
        claim: &KeyClaim<'_>,
        owner: &ClientId,
        consent: &ConsentId,
    ) -> Result<(IdempotencyClaim, Owned<Consent>), StoreError>;

    /// Removes keys first used before this time (bank clock), at most `limit`. A key that is claimed again in the
    /// meantime stays. Returns the number removed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn idempotency_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}
