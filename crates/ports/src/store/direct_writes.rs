//! Direct writes: the frequent writes of the server that are decided on rows that the request has read already.
//!
//! A database with a server carries each of them out by one statement of its own, in one round trip: as a whole if the rows are still as
//! they were known, and not at all otherwise. On [`DirectWriteOutcome::NotAsKnown`] the caller runs the transaction that reads, locks and
//! decides again; that transaction alone says why a request is refused. SQLite has no direct writes: its transactions wait for nothing.

use super::{KeyClaim, StoreError};
use crate::known_bank_time::KnownBankTime;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ClientId, GrantId};
use lombard_domain::job::Job;
use lombard_domain::payment::order::Order;
use lombard_domain::scope::Scopes;

/// The outcome of a direct write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum DirectWriteOutcome {
    /// All of it is stored, durably.
    Stored,
    /// Something is not as it was known: nothing is stored.
    NotAsKnown,
}

/// A new access token, with its grant, of a client that acts for itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientTokenIssue {
    /// The client.
    pub client: ClientId,
    /// The client's epoch. The client must be at it.
    pub client_epoch: i64,
    /// The assertion by which the client has authenticated itself, if it did so by one. It must not have been used before.
    pub assertion: Option<UsedAssertion>,
    /// The id of the new grant.
    pub grant: GrantId,
    /// The scopes of grant and token.
    pub scopes: Scopes,
    /// The hash of the new token.
    pub token: Digest,
    /// The thumbprint of the certificate that the token is bound to.
    pub certificate: Digest,
    /// When the token is issued (wall clock).
    pub issued_at: Timestamp,
    /// When the token expires (wall clock).
    pub expires_at: Timestamp,
}

/// The assertion of a client, which may be used once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UsedAssertion {
    /// What its use is known by: its `jti`, or a digest of it.
    pub jti: String,
    /// Until when its use is remembered (wall clock).
    pub remembered_until: Timestamp,
}

/// A new consent.
#[derive(Debug, Clone, Copy)]
pub struct ConsentCreation<'a> {
    /// The time of the creation. The bank's clock must stand as it is known.
    pub time: KnownBankTime,
    /// The idempotency key of the request, if it has one. It must be free.
    pub claim: Option<KeyClaim<'a>>,
    /// The consent, without selected accounts.
    pub consent: &'a Consent,
}

/// A new payment order that consumes its consent and is submitted to the bank by a job.
#[derive(Debug, Clone, Copy)]
pub struct OrderPlacement<'a> {
    /// The time of the order. The bank's clock must stand as it is known.
    pub time: KnownBankTime,
    /// The idempotency key of the request. It must be free.
    pub claim: KeyClaim<'a>,
    /// The epoch of the consent before. The consent must be at it.
    pub consent_epoch: i64,
    /// The consumed consent, which differs from the one before in state, status reason, time of change and epoch.
    pub consumed: &'a Consent,
    /// The order.
    pub order: &'a Order,
    /// The job that submits it.
    pub job: &'a Job,
}

/// The direct writes of a database with a server.
#[async_trait]
pub trait DirectWrites: Send + Sync {
    /// Issues a token to a client, and remembers the use of the client's assertion.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn client_token_issue(&self, issue: ClientTokenIssue) -> Result<DirectWriteOutcome, StoreError>;

    /// Creates a consent, and claims the request's idempotency key.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn consent_create(&self, creation: ConsentCreation<'_>) -> Result<DirectWriteOutcome, StoreError>;

    /// Places an order: claims the request's idempotency key, consumes the consent, and stores order and job.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn order_place(&self, placement: OrderPlacement<'_>) -> Result<DirectWriteOutcome, StoreError>;
}
