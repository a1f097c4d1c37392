//! Shared code of all grants: the client and its certificate, fresh secrets, and both clocks at one moment.

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

/// How long an access token for payments within limits that have no last day lives. Source: AS-094.
const LASTING: SignedDuration = SignedDuration::from_hours(365 * 24);

/// A refused grant: small, so that a transaction may decide on it and still commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct GrantRefusal(pub(super) OAuthErrorCode, pub(super) &'static str);

/// A decision of the rules, or storage's failure.
pub(super) type GrantResult<T> = Result<Result<T, GrantRefusal>, StoreError>;

impl GrantRefusal {
    /// Counts the refusal, and says it.
    pub(super) fn noted(self) -> OAuthError {
        let Self(code, description) = self;
        metrics::counter!("lombard_token_request_refusals_total", "error" => code.name()).increment(1);
        OAuthError::new(code, description)
    }
}

/// A secret and what is stored of it. Source: AS-093, AS-103.
#[derive(Clone)]
pub(super) struct IssuedSecret {
    pub(super) text: String,
    pub(super) hash: Digest,
}

impl IssuedSecret {
    /// 256 random bits, as unreserved characters.
    pub(super) fn draw(ids: &IdGenerator) -> Self {
        let text = lombard_jose::base64url(&ids.random_secret());
        let hash = lombard_jose::sha256(text.as_bytes());
        Self { text, hash }
    }
}

/// One call of the token endpoint.
#[derive(Clone)]
pub(super) struct TokenRequest {
    /// Who calls.
    pub(super) client: Arc<Client>,
    /// What new tokens are bound to: the certificate of this call. Source: AS-092, AS-096.
    pub(super) certificate: Digest,
    /// The scopes that client and certificate leave open. Source: AS-052, DCR-053.
    pub(super) open: Scopes,
    /// The id of the grant, should one be made.
    pub(super) new_grant: GrantId,
    /// The access token to be.
    pub(super) access: IssuedSecret,
    /// The wall clock.
    pub(super) wall: Timestamp,
    /// The bank's clock at the same moment.
    pub(super) bank: Timestamp,
    access_token_secs: i64,
    /// The latest end of new access tokens, if there is one beside those of the rules.
    pub(super) ends_by: Option<Timestamp>,
}

impl TokenRequest {
    pub(super) fn new(auth: &AuthorisationServer, authenticated: &AuthenticatedClient) -> Self {
        Self::of_client(auth, authenticated.shared_client(), authenticated.certificate())
    }

    /// The same of a client and its certificate.
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

    /// Notes with the consent of a grant that its client, which has proven itself, presented a code or refresh token of the
    /// grant that is not usable. Another client's attempt, and a credential of a grant that was revoked or replaced, change
    /// nothing; the same again writes nothing. Source: ERR-005.
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

    /// Forgets that an earlier credential of this consent was not usable: this one is. Source: ERR-005.
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

    /// Whether tokens on a consent would open anything now.
    fn is_open(&self, consent: &Consent) -> bool {
        let ended = consent.access_ends_at().is_some_and(|end| end <= self.bank);
        !ended && consent.gives_access(self.bank).is_ok()
    }

    /// Whether client and certificate still open these scopes. Source: AS-052, DCR-053.
    pub(super) fn opens(&self, scopes: Scopes) -> bool {
        scopes.is_subset_of(self.open.with_scope(Scope::OpenId))
    }

    /// When access under a consent ends by the wall clock, by which tokens live.
    pub(super) fn wall_end(&self, consent: &Consent) -> Option<Timestamp> {
        let end = consent.access_ends_at()?;
        let left = end.duration_since(self.bank);
        Some(self.wall.checked_add(left).map_or(instant::LAST, instant::truncate_to_micros))
    }

    /// When an access token ends: with its consent at the latest. One for payments within limits lives as long as those
    /// can be made. Source: AS-093, AS-094, AIS-078, VRP-021.
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

    /// Stores the access token, of this consent if it stands on one.
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

    /// The access token of a client that acts for itself, and its grant.
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
