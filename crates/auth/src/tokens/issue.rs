//! Shared code of all grants: the client and its certificate, new secrets, and the time of both clocks.

use super::TokenResponse;
use crate::AuthorisationServer;
use crate::certificates::ClientCertificate;
use crate::clients::AuthenticatedClient;
use crate::error::{OAuthError, OAuthErrorCode};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::Client;
use lombard_domain::consent::{Consent, ConsentStatusReason};
use lombard_domain::grant::{Digest, Grant, GrantSubject, Token, TokenKind};
use lombard_domain::ids::GrantId;
use lombard_domain::instant;
use lombard_domain::scope::{Scope, Scopes};
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{ClientTokenIssue, ConsentStore, GrantStore, Owned, ServerTransaction, StoreError};
use lombard_service::consents::{clear_status_reason_in, note_status_reason_in};
use std::sync::Arc;

/// The lifetime of an access token for a VRP consent whose limits have no last day. Source: AS-094.
const LASTING: SignedDuration = SignedDuration::from_hours(365 * 24);

/// The error of a refused grant. A transaction returns it as a value, so that it can refuse and still commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GrantRefusal(pub(super) OAuthErrorCode, pub(super) &'static str);

/// The tokens, the refusal of a rule, or storage's failure.
pub(super) type GrantResult<T> = Result<Result<T, GrantRefusal>, StoreError>;

impl GrantRefusal {
    /// Counts the refusal and returns the error.
    pub(super) fn noted(self) -> OAuthError {
        let Self(code, description) = self;
        metrics::counter!("lombard_token_request_refusals_total", "error" => code.name()).increment(1);
        OAuthError::new(code, description)
    }
}

/// A new secret and its stored digest. Source: AS-093, AS-103.
#[derive(Clone)]
pub(super) struct IssuedSecret {
    pub(super) text: String,
    pub(super) hash: Digest,
}

impl IssuedSecret {
    /// Generates a secret of 256 random bits, in unreserved characters.
    pub(super) fn draw(ids: &IdGenerator) -> Self {
        let text = lombard_jose::base64url(&ids.random_secret());
        let hash = lombard_jose::sha256(text.as_bytes());
        Self { text, hash }
    }
}

/// One call of the token endpoint.
#[derive(Clone)]
pub(super) struct TokenRequest {
    /// The calling client.
    pub(super) client: Arc<Client>,
    /// The certificate of this call, to which new tokens are bound. Source: AS-092, AS-096.
    pub(super) certificate: Digest,
    /// The scopes that client and certificate permit. Source: AS-052, DCR-053.
    pub(super) open: Scopes,
    /// The id for the grant, if one is made.
    pub(super) new_grant: GrantId,
    /// The secret for the new access token.
    pub(super) access: IssuedSecret,
    /// The time of the wall clock.
    pub(super) wall: Timestamp,
    /// The time of the bank's clock at the same moment.
    pub(super) bank: Timestamp,
    access_token_secs: i64,
    /// An upper bound for the expiry of the new access token, for testers' tokens of one minute; `None` otherwise.
    pub(super) ends_by: Option<Timestamp>,
}

impl TokenRequest {
    pub(super) fn new(auth: &AuthorisationServer, authenticated: &AuthenticatedClient) -> Self {
        Self::of_client(auth, authenticated.shared_client(), authenticated.certificate())
    }

    /// As [`new`](Self::new), for a client and its certificate.
    pub(super) fn of_client(auth: &AuthorisationServer, client: Arc<Client>, certificate: &ClientCertificate) -> Self {
        let ids = &auth.context.ids;
        let (wall, bank) = auth.context.clocks.wall_and_bank();
        Self {
            certificate: certificate.thumbprint(),
            open: certificate.restrict_scopes(client.scopes()),
            client,
            new_grant: ids.ordered(),
            access: IssuedSecret::draw(ids),
            wall,
            bank,
            access_token_secs: auth.settings.access_token_secs,
            ends_by: None,
        }
    }

    /// The consent of a grant, if the grant is this client's, alive, and its consent gives access.
    pub(super) fn find_live_consent<S: ConsentStore + ?Sized>(
        &self,
        tx: &mut S,
        grant: &Grant,
    ) -> Result<Option<Consent>, StoreError> {
        let GrantSubject::Psu { consent, .. } = &grant.subject else { return Ok(None) };
        if grant.client != self.client.id || grant.revoked_at.is_some() {
            return Ok(None);
        }
        match tx.consent(&self.client.id, consent)? {
            Owned::Mine(consent) if self.is_open(&consent) => Ok(Some(consent)),
            Owned::Mine(_) | Owned::Foreign | Owned::Absent => Ok(None),
        }
    }

    /// Stores with the consent of a grant that its authenticated client presented an unusable code or refresh token of the grant. An
    /// attempt of another client, or with a credential of a revoked or replaced grant, changes nothing; nor does a repetition. Source:
    /// ERR-005.
    pub(super) fn note_unusable_credential(
        &self,
        tx: &mut dyn ServerTransaction,
        grant: &GrantId,
    ) -> Result<(), StoreError> {
        let presented = tx.grant(grant)?.filter(|grant| grant.client == self.client.id && grant.revoked_at.is_none());
        match presented.map(|grant| grant.subject) {
            Some(GrantSubject::Psu { consent, .. }) => {
                note_status_reason_in(tx, &self.client.id, &consent, ConsentStatusReason::CredentialUnusable)
            }
            Some(GrantSubject::Client) | None => Ok(()),
        }
    }

    /// Clears the reason of an earlier unusable credential of this consent, because this credential is usable. Source: ERR-005.
    pub(super) fn forget_unusable_credential(
        &self,
        tx: &mut dyn ServerTransaction,
        consent: &Consent,
    ) -> Result<(), StoreError> {
        match consent.status_reason {
            Some(_) => clear_status_reason_in(tx, &self.client.id, &consent.id),
            None => Ok(()),
        }
    }

    /// Whether the consent gives access now, so that tokens for it would work.
    fn is_open(&self, consent: &Consent) -> bool {
        let ended = consent.access_ends_at().is_some_and(|end| end <= self.bank);
        !ended && consent.check_access(self.bank).is_ok()
    }

    /// Whether client and certificate still permit these scopes. Source: AS-052, DCR-053.
    pub(super) fn opens(&self, scopes: Scopes) -> bool {
        scopes.is_subset_of(self.open.with_scope(Scope::OpenId))
    }

    /// When access under a consent ends, converted to the wall clock that tokens use.
    pub(super) fn wall_end(&self, consent: &Consent) -> Option<Timestamp> {
        let end = consent.access_ends_at()?;
        let left = end.duration_since(self.bank);
        Some(self.wall.checked_add(left).map_or(instant::LAST, instant::truncate_to_micros))
    }

    /// When a new access token expires: with its consent at the latest. A token for a VRP consent works as long as payments can be made
    /// under it. Source: AS-093, AS-094, AIS-078, VRP-021.
    fn access_end(&self, consent: Option<&Consent>) -> Timestamp {
        let lasting = consent.is_some_and(|consent| consent.vrp_limits().is_some());
        let usual = if lasting { LASTING } else { SignedDuration::from_secs(self.access_token_secs) };
        let end = consent.and_then(|consent| self.wall_end(consent));
        let usual = self.wall.checked_add(usual).map_or(instant::LAST, instant::truncate_to_micros);
        let end = match end {
            Some(end) if lasting => end,
            Some(end) => end.min(usual),
            None => usual,
        };
        self.ends_by.map_or(end, |latest| latest.min(end))
    }

    /// Stores the access token, for this consent if it has one.
    pub(super) fn issue_access<S: GrantStore + ?Sized>(
        &self,
        tx: &mut S,
        grant: &GrantId,
        scopes: Scopes,
        consent: Option<&Consent>,
    ) -> Result<TokenResponse, StoreError> {
        let expires_at = self.access_end(consent);
        tx.token_insert(&Token {
            hash: self.access.hash,
            kind: TokenKind::Access,
            grant: grant.clone(),
            scopes,
            certificate: self.certificate,
            issued_at: self.wall,
            expires_at: Some(expires_at),
            revoked_at: None,
        })?;
        Ok(self.access_response(scopes, expires_at))
    }

    /// The access token, with its grant, of a client that acts for itself.
    pub(super) fn client_token(&self, authenticated: &AuthenticatedClient, scopes: Scopes) -> ClientTokenIssue {
        ClientTokenIssue {
            client: self.client.id.clone(),
            client_epoch: self.client.epoch,
            assertion: authenticated.used_assertion(),
            grant: self.new_grant.clone(),
            scopes,
            token: self.access.hash,
            certificate: self.certificate,
            issued_at: self.wall,
            expires_at: self.access_end(None),
        }
    }

    /// The answer with the access token.
    pub(super) fn access_response(&self, scopes: Scopes, expires_at: Timestamp) -> TokenResponse {
        TokenResponse {
            access_token: self.access.text.clone(),
            token_type: "Bearer",
            expires_in: expires_at.duration_since(self.wall).as_secs(),
            scope: scopes.to_string(),
            refresh_token: None,
            id_token: None,
        }
    }
}
