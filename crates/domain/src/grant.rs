//! Grants, codes and tokens: what a client may do, for whom, and until when. Secrets appear only as hashes.

use crate::ids::{ClientId, ConsentId, GrantId, JourneyId, PsuId};
use crate::scope::Scopes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// SHA-256 of a secret or of a certificate's DER.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The first 8 hex digits only (TLS-018).
        write!(f, "Digest(")?;
        for byte in self.0.iter().take(4) {
            write!(f, "{byte:02x}")?;
        }
        write!(f, "…)")
    }
}

/// The subject of a grant: the client alone, or a PSU with a consent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GrantSubject {
    /// The client alone (client credentials). Source: AS-038.
    Client,
    /// One PSU and one consent. Source: RW-035.
    Psu {
        /// Who authorised.
        psu: PsuId,
        /// What was authorised.
        consent: ConsentId,
    },
}

/// A grant: the parent of the tokens issued from one code or one client-credentials call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// Whose it is.
    pub client: ClientId,
    /// On what it stands.
    pub subject: GrantSubject,
    /// The widest scope its tokens may carry.
    pub scopes: Scopes,
    /// When the PSU authenticated (wall clock); absent for client credentials.
    pub auth_time: Option<Timestamp>,
    /// What was done to authenticate the PSU, an `acr` value.
    pub acr: Option<String>,
    /// The nonce of the authorisation request, repeated in every identity token.
    pub nonce: Option<String>,
    /// When it was made (wall clock).
    pub created_at: Timestamp,
    /// When it ended before its time.
    pub revoked_at: Option<Timestamp>,
    /// Moves on every revocation under the grant. Source: AS-116.
    pub epoch: i64,
}

/// What a token is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// Opens resources.
    Access,
    /// Buys new access tokens.
    Refresh,
}

/// A token, known by the hash of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// SHA-256 of the token's text.
    pub hash: Digest,
    /// What it is for.
    pub kind: TokenKind,
    /// The grant it came from.
    pub grant: GrantId,
    /// Its scope.
    pub scopes: Scopes,
    /// SHA-256 of the client certificate's DER it is bound to. Source: AS-092.
    pub certificate: Digest,
    /// When it was issued (wall clock).
    pub issued_at: Timestamp,
    /// When it stops working (wall clock); only refresh tokens may have none.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A token with the state of everything it stands on, read in one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenState {
    /// The token.
    pub token: Token,
    /// Its grant.
    pub grant: Grant,
    /// The epochs of all it stands on, at the moment of reading.
    pub epochs: CallerEpochs,
}

/// The epochs a cached caller depends on. Equal epochs mean nothing it stands on has changed. Source: AS-116.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerEpochs {
    /// The client's.
    pub client: i64,
    /// The grant's.
    pub grant: i64,
    /// The consent's; 0 for a grant without one.
    pub consent: i64,
}

/// An authorisation code, known by its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorisationCode {
    /// SHA-256 of the code's text.
    pub hash: Digest,
    /// The client it was issued to.
    pub client: ClientId,
    /// The redirect URI it was sent to.
    pub redirect_uri: String,
    /// The grant it opens; made with the code, its tokens only by the exchange.
    pub grant: GrantId,
    /// The S256 challenge of PKCE, if one was sent. Source: AS-150.
    pub code_challenge: Option<String>,
    /// When it stops working (wall clock). Source: AS-042.
    pub expires_at: Timestamp,
    /// When it was exchanged.
    pub redeemed_at: Option<Timestamp>,
}

/// An authorisation request that a client pushed ahead of the PSU's browser, known by the hash of its reference.
///
/// Source: AS-151, AS-152.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedRequest {
    /// SHA-256 of the reference, its `request_uri`.
    pub reference: Digest,
    /// The client that pushed it; nobody else may use it.
    pub client: ClientId,
    /// The verified request, a JSON document of `lombard-auth`.
    pub request: String,
    /// When it was pushed (wall clock).
    pub pushed_at: Timestamp,
    /// When its reference stops working (wall clock).
    pub expires_at: Timestamp,
}

/// Where an authorisation journey stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JourneyStage {
    /// The PSU has yet to give name and password.
    Login,
    /// The PSU has yet to give the one-time code.
    SecondFactor,
    /// The PSU has yet to decide.
    Decision,
    /// It ended with an answer to the client; nothing more can happen.
    Finished,
}

/// An authorisation journey in one browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorisationJourney {
    /// Its id, unguessable.
    pub id: JourneyId,
    /// The client that asked.
    pub client: ClientId,
    /// The consent to decide.
    pub consent: ConsentId,
    /// The verified authorisation request, a JSON document of `lombard-auth`.
    pub request: String,
    /// Where it stands.
    pub stage: JourneyStage,
    /// SHA-256 of the browser's cookie secret. Source: AS-141.
    pub browser: Digest,
    /// Who logged in.
    pub psu: Option<PsuId>,
    /// When the PSU authenticated (wall clock).
    pub auth_time: Option<Timestamp>,
    /// What the one form token accepted next is made from, together with the browser's secret. Source: AS-141, AS-144.
    pub form_token: Digest,
    /// Failed attempts at the present stage.
    pub failures: i64,
    /// When it dies (wall clock), 10 minutes after the last step. Source: AS-090, AS-144.
    pub expires_at: Timestamp,
}
