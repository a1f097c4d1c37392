//! Grants, codes and tokens. Secrets are stored as hashes only.

use crate::authentication::AuthenticationFactor;
use crate::ids::{ClientId, ConsentId, GrantId, JourneyId, PsuId};
use crate::scope::Scopes;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// SHA-256 of a secret or of a certificate's DER.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest in 64 hexadecimal digits, in small letters.
    pub fn to_hex(self) -> String {
        self.0.iter().fold(String::with_capacity(64), |mut text, byte| {
            // Writing to a `String` cannot fail.
            let _ = write!(text, "{byte:02x}");
            text
        })
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The first 8 hexadecimal digits only (TLS-018).
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
        /// The PSU who authorised.
        psu: PsuId,
        /// The consent that was authorised.
        consent: ConsentId,
    },
}

/// A grant: the parent of the tokens issued from one authorisation code or one client credentials request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grant {
    /// Its id.
    pub id: GrantId,
    /// The client.
    pub client: ClientId,
    /// The client alone, or a PSU with a consent.
    pub subject: GrantSubject,
    /// The widest scope its tokens may carry.
    pub scopes: Scopes,
    /// When the PSU authenticated (wall clock); absent for client credentials.
    pub auth_time: Option<Timestamp>,
    /// The `acr` value of the PSU's authentication.
    pub acr: Option<String>,
    /// The nonce of the authorisation request, repeated in every ID token.
    pub nonce: Option<String>,
    /// When it was created (wall clock).
    pub created_at: Timestamp,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
    /// Incremented by every revocation under the grant. Source: AS-116.
    pub epoch: i64,
}

/// The kind of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// An access token.
    Access,
    /// A refresh token.
    Refresh,
}

crate::code::document_codes! {
    TokenKind { Access = "access", Refresh = "refresh", }
}

/// A token, identified by the hash of its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// SHA-256 of the token's text.
    pub hash: Digest,
    /// Its kind.
    pub kind: TokenKind,
    /// The grant under which it was issued.
    pub grant: GrantId,
    /// Its scope.
    pub scopes: Scopes,
    /// SHA-256 of the client certificate's DER it is bound to. Source: AS-092.
    pub certificate: Digest,
    /// When it was issued (wall clock).
    pub issued_at: Timestamp,
    /// When it expires (wall clock); only a refresh token may have no expiry.
    pub expires_at: Option<Timestamp>,
    /// When it was revoked.
    pub revoked_at: Option<Timestamp>,
}

/// A token, its grant and the epochs it depends on, read in one query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TokenState {
    /// The token.
    pub token: Token,
    /// Its grant.
    pub grant: Grant,
    /// The epochs at the time of reading.
    pub epochs: CallerEpochs,
}

/// The epochs on which a cached caller depends. Equal epochs mean that client, grant and consent are unchanged. Source:
/// AS-116.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CallerEpochs {
    /// The client's.
    pub client: i64,
    /// The grant's.
    pub grant: i64,
    /// The consent's; 0 for a grant without one.
    pub consent: i64,
}

/// An authorisation code, identified by its hash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorisationCode {
    /// SHA-256 of the code's text.
    pub hash: Digest,
    /// The client it was issued to.
    pub client: ClientId,
    /// The redirect URI it was sent to.
    pub redirect_uri: String,
    /// The grant of the code. The grant is created together with the code; the tokens are issued later, at the token endpoint.
    pub grant: GrantId,
    /// The PKCE challenge (S256), if one was sent. Source: AS-150.
    pub code_challenge: Option<String>,
    /// When it expires (wall clock). Source: AS-042.
    pub expires_at: Timestamp,
    /// When it was redeemed.
    pub redeemed_at: Option<Timestamp>,
}

/// A pushed authorisation request (PAR), identified by the hash of its reference.
///
/// Source: AS-151, AS-152.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PushedRequest {
    /// SHA-256 of the reference, its `request_uri`.
    pub reference: Digest,
    /// The client that pushed it; no other client may use it.
    pub client: ClientId,
    /// The verified request, a JSON document of `lombard-auth`.
    pub request: String,
    /// When it was pushed (wall clock).
    pub pushed_at: Timestamp,
    /// When its `request_uri` expires (wall clock).
    pub expires_at: Timestamp,
}

/// The stage of an authorisation journey.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum JourneyStage {
    /// The PSU has to enter user name and password.
    Login,
    /// The PSU has to enter the one-time code.
    SecondFactor,
    /// The PSU has to decide.
    Decision,
    /// The journey ended with a response to the client. Final.
    Finished,
}

crate::code::document_codes! {
    JourneyStage {
        Login = "login", SecondFactor = "second-factor", Decision = "decision", Finished = "finished",
    }
}

/// An authorisation journey of one PSU in one browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuthorisationJourney {
    /// Its id, unguessable.
    pub id: JourneyId,
    /// The client that sent the authorisation request.
    pub client: ClientId,
    /// The consent to be authorised.
    pub consent: ConsentId,
    /// The verified authorisation request, a JSON document of `lombard-auth`.
    pub request: String,
    /// Its stage.
    pub stage: JourneyStage,
    /// SHA-256 of the browser's cookie secret. Source: AS-141.
    pub browser: Digest,
    /// The PSU who logged in.
    pub psu: Option<PsuId>,
    /// The PSU's name, as pages show it.
    pub psu_name: Option<String>,
    /// When the PSU authenticated (wall clock).
    pub auth_time: Option<Timestamp>,
    /// The factors that the PSU authenticated with.
    pub factors: Vec<AuthenticationFactor>,
    /// The digest that, together with the browser's secret, yields the next valid form token. Source: AS-141, AS-144.
    pub form_token: Digest,
    /// The number of failed attempts in the present stage.
    pub failures: i64,
    /// When it expires (wall clock): 10 minutes after the last step. Source: AS-090, AS-144.
    pub expires_at: Timestamp,
}
