//! Direct writes: frequent writes of the server whose decision uses only rows that the request has already read.
//!
//! A database server executes each direct write as one statement, in one round trip. It writes everything if the rows are
//! unchanged since they were read, and nothing otherwise. On [`DirectWriteOutcome::RowsChanged`] the caller runs the full
//! transaction, which reads, locks and decides again. Only that transaction states why a request is refused. SQLite has no direct
//! writes, because its transactions need no round trips.

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
    /// Everything is stored, durably.
    Stored,
    /// Some row differs from what the request read; nothing is stored.
    RowsChanged,
}

/// A new access token with its grant, for a client that acts on its own behalf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientTokenIssue {
    /// The client.
    pub client: ClientId,
    /// The client's epoch. The write succeeds only if the client still has this epoch.
    pub client_epoch: i64,
    /// The assertion by which the client authenticated, if it used one. The assertion must not have been used before.
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
    /// The id by which the use is recognised: the assertion's `jti`, or a digest of it.
    pub jti: String,
    /// When the record of the use may be forgotten (wall clock).
    pub remembered_until: Timestamp,
}

/// A new consent.
#[derive(Debug, Clone, Copy)]
pub struct ConsentCreation<'a> {
    /// The time of the creation. The write succeeds only if the bank's clock has not been moved.
    pub time: KnownBankTime,
    /// The idempotency key of the request, if it has one. The key must be free.
    pub claim: Option<KeyClaim<'a>>,
    /// The consent, without selected accounts.
    pub consent: &'a Consent,
}

/// A new payment order that consumes its consent and is submitted to the bank by a job.
#[derive(Debug, Clone, Copy)]
pub struct OrderPlacement<'a> {
    /// The time of the order. The write succeeds only if the bank's clock has not been moved.
    pub time: KnownBankTime,
    /// The idempotency key of the request. The key must be free.
    pub claim: KeyClaim<'a>,
    /// The epoch of the consent before its consumption. The write succeeds only if the consent still has this epoch.
    pub consent_epoch: i64,
    /// The consumed consent, which differs from the stored consent in state, status reason, time of change and epoch.
    pub consumed: &'a Consent,
    /// The order.
    pub order: &'a Order,
    /// The job that submits it.
    pub job: &'a Job,
}

/// The direct writes of a database server.
#[async_trait]
pub trait DirectWrites: Send + Sync {
    /// Issues a token to a client, and records the use of the client's assertion.
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
