//! The token endpoint: three grants, one transaction each. Source: AS-035 to AS-044, AS-093 to AS-099.
//!
//! [`token`] takes a client that has proven itself and, in one durable transaction, spends its assertion, judges the
//! grant and stores the tokens. A refused grant spends the assertion as well.

mod client_credentials;
mod code;
mod exchange;
pub mod identity;
pub mod introspection;
mod pkce;
mod refresh;
pub mod revocation;
pub mod userinfo;

use crate::AuthorisationServer;
use crate::clients::{self, Authenticated};
use crate::error::{OAuthError, OAuthErrorCode};
use crate::form::Form;
use exchange::{Exchange, Refusal};
use lombard_ports::store::StoreError;
use serde::Serialize;
use std::fmt;

/// The answer to a token request. Source: AS-036.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct TokenResponse {
    /// The access token.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: &'static str,
    /// Seconds until the access token stops working.
    pub expires_in: i64,
    /// What it opens; always stated. Source: AS-039.
    pub scope: String,
    /// The refresh token, when one was issued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// The identity token of a code exchange.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
}

impl fmt::Debug for TokenResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenResponse").field("scope", &self.scope).finish_non_exhaustive()
    }
}

/// What a request wants to turn into tokens.
#[derive(Debug, Clone, PartialEq, Eq)]
enum GrantRequest {
    ClientCredentials { scope: Option<String> },
    Code(code::CodeRequest),
    Refresh(refresh::RefreshRequest),
}

impl GrantRequest {
    fn read(form: &Form) -> Result<Self, Refusal> {
        match form.value("grant_type") {
            Some("client_credentials") => Ok(Self::ClientCredentials { scope: form.value("scope").map(str::to_owned) }),
            Some("authorization_code") => code::CodeRequest::read(form).map(Self::Code),
            Some("refresh_token") => refresh::RefreshRequest::read(form).map(Self::Refresh),
            Some(_) => Err(Refusal(
                OAuthErrorCode::UnsupportedGrantType,
                "grant_type must be client_credentials, authorization_code or refresh_token.",
            )),
            None => Err(Refusal(OAuthErrorCode::InvalidRequest, "grant_type is missing.")),
        }
    }
}

/// Turns the grant of an authenticated client into tokens, bound to the certificate of this call.
///
/// # Errors
/// [`OAuthError`] with a code of RFC 6749 section 5.2; storage's and the signing pool's failures.
pub async fn token(
    auth: &AuthorisationServer,
    authenticated: Authenticated,
    form: &Form,
) -> Result<TokenResponse, OAuthError> {
    let wanted = GrantRequest::read(form);
    let exchange = Exchange::new(auth, &authenticated);
    let prepared = match &wanted {
        Ok(GrantRequest::Code(code)) => code::prepare(auth, &exchange, code).await?,
        _ => None,
    };
    let decided = auth.context.store.write::<_, StoreError, _>(move |tx| {
        if !authenticated.claim(tx)? {
            return Ok(Decided::Replayed);
        }
        let decision = match &wanted {
            Ok(GrantRequest::ClientCredentials { scope }) => {
                client_credentials::issue(tx, &exchange, scope.as_deref())?
            }
            Ok(GrantRequest::Code(code)) => code::redeem(tx, &exchange, code, prepared.as_ref())?,
            Ok(GrantRequest::Refresh(refresh)) => refresh::renew(tx, &exchange, refresh)?,
            Err(refusal) => Err(*refusal),
        };
        Ok(Decided::By(decision))
    });
    match decided.await? {
        Decided::By(decision) => decision.map_err(Refusal::noted),
        Decided::Replayed => Err(clients::replayed()),
    }
}

/// What the transaction came to. A refusal commits: the spent assertion, and what a replayed code revokes, must stay.
enum Decided {
    By(Result<TokenResponse, Refusal>),
    Replayed,
}

#[cfg(test)]
mod tests;
