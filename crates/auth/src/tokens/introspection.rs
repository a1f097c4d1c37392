//! Introspection: a client asks whether its own token is active, and what it opens. Source: AS-121, RFC 7662, RFC 9701.

use crate::AuthorisationServer;
use crate::clients::AuthenticatedClient;
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use jiff::Timestamp;
use lombard_domain::grant::{Digest, GrantSubject, TokenState};
use lombard_domain::ids::ClientId;
use lombard_jose::JoseHeader;
use lombard_ports::store::{Owned, ServerTransaction, StoreError};
use schemars::JsonSchema;
use serde::Serialize;
use std::sync::Arc;

/// The response to an introspection request. For an inactive, unknown or foreign token it is `{"active":false}` and nothing
/// else.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Introspection {
    /// Whether the token is active.
    pub active: bool,
    /// The facts of an active token.
    #[serde(flatten)]
    pub facts: Option<TokenFacts>,
}

/// The facts of an active token. Times are seconds since 1970.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TokenFacts {
    /// The client that the token was issued to.
    client_id: String,
    /// The scopes of the token.
    scope: String,
    /// The issuer.
    iss: String,
    /// The consent of the token; of a token without a consent, the client.
    sub: String,
    /// When the token was issued.
    iat: i64,
    /// When the token stops working.
    #[serde(skip_serializing_if = "Option::is_none")]
    exp: Option<i64>,
    /// The client certificate that the token is bound to.
    cnf: CertificateConfirmation,
    /// The ConsentId, if the token is for a consent.
    #[serde(skip_serializing_if = "Option::is_none")]
    consent_id: Option<String>,
    /// The grant type with which the token was obtained.
    grant: &'static str,
}

/// What the token is bound to. Source: AS-092, RFC 8705 section 3.2.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
struct CertificateConfirmation {
    /// The SHA-256 digest of the certificate, in base64url.
    #[serde(rename = "x5t#S256")]
    thumbprint: String,
}

/// Returns the state and the facts of a token of the calling client.
///
/// # Errors
/// `invalid_request` without a token, `invalid_client` for a used assertion, storage's failure.
pub async fn introspect_token(
    auth: &AuthorisationServer,
    authenticated: AuthenticatedClient,
    form: &Form,
) -> Result<Introspection, OAuthError> {
    let client = authenticated.claim_assertion_now(auth).await?.id.clone();
    let missing = OAuthError::new(OAuthErrorCode::InvalidRequest, "token is missing.");
    let token = lombard_jose::sha256(form.value("token").ok_or(missing)?.as_bytes());
    let (wall, bank) = auth.context.clocks.wall_and_bank();
    let state = auth.context.store.read::<_, StoreError, _>(move |tx| active(tx, &client, &token, wall, bank)).await?;
    let facts = state.map(|state| TokenFacts::of(state, &auth.settings.issuer));
    Ok(Introspection { active: facts.is_some(), facts })
}

/// The media type of a signed response. Source: RFC 9701 section 4.
pub const SIGNED_TYPE: &str = "application/token-introspection+jwt";

/// The claims of a signed response, which is no token: without `sub` and `exp` of its own. Source: RFC 9701 section 5.
#[derive(Debug, Serialize, JsonSchema)]
pub struct SignedIntrospection<'a> {
    /// The issuer.
    iss: &'a str,
    /// The client that asked.
    aud: &'a str,
    /// When the response was signed.
    iat: i64,
    /// The response.
    token_introspection: &'a Introspection,
}

/// The response as a signed JWT for the client that asked, in compact form. Source: AS-154, RFC 9701 section 5.
///
/// # Errors
/// `temporarily_unavailable` when the signing pool is full, `server_error` when there is no key.
pub async fn sign_introspection(
    auth: &AuthorisationServer,
    client: &ClientId,
    introspection: &Introspection,
) -> Result<String, OAuthError> {
    let claims = SignedIntrospection {
        iss: &auth.settings.issuer,
        aud: client.as_str(),
        iat: auth.context.clocks.wall_now().as_second(),
        token_introspection: introspection,
    };
    let payload = serde_json::to_vec(&claims).map_err(OAuthError::server_error)?;
    let server_key = auth.keys.active_key().map_err(OAuthError::server_error)?;
    let header = JoseHeader::ps256(server_key.key.id()).typ("token-introspection+jwt");
    let signed = auth.signing.sign_compact(client.as_str(), Arc::clone(&server_key.key), header, payload).await;
    signed.map_err(OAuthError::unavailable)
}

/// Finds the token, with its grant and consent, if it belongs to this client and works now.
fn active(
    tx: &mut dyn ServerTransaction,
    client: &ClientId,
    token: &Digest,
    wall: Timestamp,
    bank: Timestamp,
) -> Result<Option<TokenState>, StoreError> {
    let Some(state) = tx.token_state(token)?.filter(|state| state.grant.client == *client) else { return Ok(None) };
    let over = state.token.expires_at.is_some_and(|end| end <= wall);
    if over || state.token.revoked_at.is_some() || state.grant.revoked_at.is_some() {
        return Ok(None);
    }
    let stands = match &state.grant.subject {
        GrantSubject::Client => true,
        GrantSubject::Psu { consent, .. } => match tx.consent(client, consent)? {
            Owned::Mine(consent) => consent.check_access(bank).is_ok(),
            Owned::Foreign | Owned::Absent => false,
        },
    };
    Ok(stands.then_some(state))
}

impl TokenFacts {
    fn of(TokenState { token, grant, .. }: TokenState, issuer: &str) -> Self {
        let (consent, kind) = match &grant.subject {
            GrantSubject::Client => (None, "client_credentials"),
            GrantSubject::Psu { consent, .. } => (Some(consent.as_str().to_owned()), "authorization_code"),
        };
        Self {
            client_id: grant.client.as_str().to_owned(),
            scope: token.scopes.to_string(),
            iss: issuer.to_owned(),
            sub: consent.clone().unwrap_or_else(|| grant.client.as_str().to_owned()),
            iat: token.issued_at.as_second(),
            exp: token.expires_at.map(Timestamp::as_second),
            cnf: CertificateConfirmation { thumbprint: lombard_jose::base64url(&token.certificate.0) },
            consent_id: consent,
            grant: kind,
        }
    }
}
