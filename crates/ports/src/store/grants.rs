//! Grants, codes, tokens and one-time values.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::client::Client;
use lombard_domain::consent::Consent;
use lombard_domain::grant::{AuthorisationCode, CallerEpochs, Digest, Grant, Token, TokenState};
use lombard_domain::ids::{ClientId, ConsentId, GrantId};

/// The purpose of a one-time value; a value may be used once for each purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ReplayPurpose {
    /// The `jti` of a client assertion. Source: AS-026.
    ClientAssertion,
    /// The `jti` or nonce of a request object that was answered. Source: AS-080.
    RequestObject,
    /// The `jti` of status updates that the bank's core pushed. The issuer takes the place of the client.
    PushedUpdates,
    /// The `jti` of a registration request. The software takes the place of the client. Source: DCR-008.
    RegistrationRequest,
}

/// A token with its grant, its client and its consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenContext {
    /// The token, its grant and the epochs.
    pub state: TokenState,
    /// The client of the grant.
    pub client: Client,
    /// The consent of the grant, if it has one.
    pub consent: Option<Consent>,
}

impl ReplayPurpose {
    /// The table that [`StoreError::Duplicate`] names if a one-time value was used before (see [`GrantStore::one_time_value_claim_or_fail`]).
    pub const TABLE: &'static str = "replays";
}

/// Grants in storage.
pub trait GrantStore {
    /// Adds a grant.
    ///
    /// # Errors
    /// [`StoreError`].
    fn grant_insert(&mut self, grant: &Grant) -> Result<(), StoreError>;

    /// The grant with this id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn grant(&mut self, id: &GrantId) -> Result<Option<Grant>, StoreError>;

    /// Revokes a grant with all its tokens and codes, and increments its epoch. Has no effect on a revoked grant.
    ///
    /// # Errors
    /// [`StoreError`].
    fn grant_revoke(&mut self, id: &GrantId, now: Timestamp) -> Result<(), StoreError>;

    /// The grants of a consent that are not revoked, the oldest first. In a writing transaction they are locked until the
    /// transaction ends.
    ///
    /// # Errors
    /// [`StoreError`].
    fn grants_of_consent(&mut self, consent: &ConsentId) -> Result<Vec<GrantId>, StoreError>;

    /// Revokes the grants of a consent: all of them, or those created no later than a successor, which itself is not revoked.
    /// Returns the number revoked. Source: AS-099.
    ///
    /// # Errors
    /// [`StoreError`].
    fn grants_revoke_of_consent(
        &mut self,
        consent: &ConsentId,
        successor: Option<&Grant>,
        now: Timestamp,
    ) -> Result<u64, StoreError>;

    /// Adds a code.
    ///
    /// # Errors
    /// [`StoreError`].
    fn code_insert(&mut self, code: &AuthorisationCode) -> Result<(), StoreError>;

    /// The code with this hash, locked until the transaction ends (without a lock in a read-only one).
    ///
    /// # Errors
    /// [`StoreError`].
    fn code_for_update(&mut self, hash: &Digest) -> Result<Option<AuthorisationCode>, StoreError>;

    /// Marks a code as redeemed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn code_mark_redeemed(&mut self, hash: &Digest, now: Timestamp) -> Result<(), StoreError>;

    /// Adds a token.
    ///
    /// # Errors
    /// [`StoreError`].
    fn token_insert(&mut self, token: &Token) -> Result<(), StoreError>;

    /// A token with its grant and epochs, in one query.
    ///
    /// # Errors
    /// [`StoreError`].
    fn token_state(&mut self, hash: &Digest) -> Result<Option<TokenState>, StoreError>;

    /// A token with its grant, client and consent, read in one round trip from one snapshot. It extends
    /// [`token_state`](Self::token_state) by the client and the consent.
    ///
    /// # Errors
    /// [`StoreError`].
    fn token_holder(&mut self, hash: &Digest) -> Result<Option<TokenContext>, StoreError>;

    /// Revokes a token and increments its grant's epoch. Has no effect on a revoked token.
    ///
    /// # Errors
    /// [`StoreError`].
    fn token_revoke(&mut self, hash: &Digest, now: Timestamp) -> Result<(), StoreError>;

    /// The present epochs of a grant, its client and its consent: the only query of a request with a cached caller.
    ///
    /// # Errors
    /// [`StoreError`].
    fn epochs(&mut self, grant: &GrantId) -> Result<Option<CallerEpochs>, StoreError>;

    /// Claims a one-time value until its expiry. `false` if it was claimed before.
    ///
    /// # Errors
    /// [`StoreError`].
    fn one_time_value_claim(
        &mut self,
        client: &ClientId,
        purpose: ReplayPurpose,
        value: &str,
        expires_at: Timestamp,
    ) -> Result<bool, StoreError>;

    /// Claims a one-time value of a client until its expiry. If the value was claimed before, the whole transaction fails and
    /// stores nothing: at once, later or at the commit, with [`StoreError::Duplicate`] of [`ReplayPurpose::TABLE`]. Therefore the
    /// rest of the transaction can be sent without waiting for the answer.
    ///
    /// The transaction also requires the client as it was read before: if no client has its id and epoch, the transaction fails
    /// with [`StoreError::Corrupt`] of the same table.
    ///
    /// # Errors
    /// [`StoreError`].
    fn one_time_value_claim_or_fail(
        &mut self,
        client: &Client,
        purpose: ReplayPurpose,
        value: &str,
        expires_at: Timestamp,
    ) -> Result<(), StoreError>;

    /// Whether a one-time value was claimed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn one_time_value_is_claimed(
        &mut self,
        client: &ClientId,
        purpose: ReplayPurpose,
        value: &str,
    ) -> Result<bool, StoreError>;

    /// Removes tokens, codes, one-time values, pushed requests, journeys, sessions and failed attempts that ended
    /// before `before`, at most `limit` of each. A grant is removed with its last token and code. Returns the number of
    /// rows removed.
    ///
    /// # Errors
    /// [`StoreError`].
    fn ended_purge(&mut self, before: Timestamp, limit: u32) -> Result<u64, StoreError>;
}

lombard_domain::unit_codes! {
    ReplayPurpose { ClientAssertion = "client-assertion", RequestObject = "request-object", PushedUpdates = "pushed-updates",
        RegistrationRequest = "registration-request", }
}
