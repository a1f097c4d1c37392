//! The token endpoint: client authentication and the three grants.

use crate::{HttpCall, HttpExchange, Jwt, Tpp, TppError};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fmt;

/// The type of a client assertion that is a JWT. Source: AS-023.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// How long a client assertion lives, seconds. Source: AS-025.
const ASSERTION_SECS: i64 = 300;

/// A successful answer of the token endpoint.
#[derive(Clone, Deserialize)]
pub struct IssuedTokens {
    /// Opens resources.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: String,
    /// Seconds the access token lives.
    pub expires_in: i64,
    /// What was granted.
    pub scope: Option<String>,
    /// Buys new access tokens.
    pub refresh_token: Option<String>,
    /// Who authorised what.
    pub id_token: Option<String>,
}

impl fmt::Debug for IssuedTokens {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tokens")
            .field("token_type", &self.token_type)
            .field("expires_in", &self.expires_in)
            .field("scope", &self.scope)
            .field("refresh_token", &self.refresh_token.is_some())
            .field("id_token", &self.id_token.is_some())
            .finish_non_exhaustive()
    }
}

impl IssuedTokens {
    /// Reads a successful answer.
    ///
    /// # Errors
    /// [`TppError`] when the answer is a refusal or lacks what it must have. Source: AS-036.
    pub fn from_exchange(exchange: HttpExchange) -> Result<Self, TppError> {
        let exchange = exchange.expect(StatusCode::OK)?;
        let tokens: Self = serde_json::from_slice(&exchange.body)
            .map_err(|error| TppError::Answer(format!("the token response: {error}")))?;
        let not_stored = exchange.header("cache-control").is_some_and(|value| value.contains("no-store"));
        match (tokens.token_type.as_str(), tokens.expires_in > 0, not_stored) {
            ("Bearer", true, true) => Ok(tokens),
            _ => Err(TppError::Answer("the token response lacks Bearer, expires_in or no-store".to_owned())),
        }
    }
}

impl Tpp {
    /// A fresh client assertion, not yet signed. Source: AS-023.
    ///
    /// # Errors
    /// [`TppError`] when discovery fails.
    pub async fn assertion(&self) -> Result<Jwt, TppError> {
        let now = self.clocks.wall_now().as_second();
        let mut claims = Map::new();
        for name in ["iss", "sub"] {
            claims.insert(name.to_owned(), self.client_id().as_str().into());
        }
        claims.insert("aud".to_owned(), self.discovery().await?.token_endpoint.clone().into());
        claims.insert("jti".to_owned(), self.ids.random_id().to_string().into());
        claims.insert("iat".to_owned(), now.into());
        claims.insert("exp".to_owned(), now.saturating_add(ASSERTION_SECS).into());
        Ok(Jwt::ps256(&self.folder.card.signing_kid, claims))
    }

    /// What a token form carries to prove who asks, by the method this TPP is registered with.
    ///
    /// # Errors
    /// [`TppError`] when the assertion cannot be made.
    pub async fn authentication(&self) -> Result<Vec<(String, String)>, TppError> {
        if self.folder.card.token_endpoint_auth_method == "tls_client_auth" {
            return Ok(vec![("client_id".to_owned(), self.client_id().to_string())]);
        }
        let assertion = self.assertion().await?.sign(&self.folder.signing)?;
        Ok(assertion_fields(&assertion))
    }

    /// Posts a token form as it is.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] when none came.
    pub async fn token_form(&self, fields: &[(String, String)]) -> Result<HttpExchange, TppError> {
        let url = self.discovery().await?.token_endpoint.clone();
        self.send(HttpCall::post(url).with_form(fields.iter().map(|(name, value)| (name, value)))).await
    }

    /// Asks for tokens by these fields, with the TPP's own client authentication.
    ///
    /// # Errors
    /// [`TppError`] when no answer came; a refusal is an answer.
    pub async fn token(&self, fields: &[(&str, &str)]) -> Result<HttpExchange, TppError> {
        let mut form = self.authentication().await?;
        form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        self.token_form(&form).await
    }

    /// A token for the TPP itself. Source: AS-038.
    ///
    /// # Errors
    /// [`TppError`] when it is refused.
    pub async fn client_credentials(&self, scope: &str) -> Result<IssuedTokens, TppError> {
        IssuedTokens::from_exchange(self.token(&[("grant_type", "client_credentials"), ("scope", scope)]).await?)
    }

    /// Exchanges a code that came to the TPP's usual redirect URI. Source: AS-042.
    ///
    /// # Errors
    /// [`TppError`] when no answer came; a refusal is an answer.
    pub async fn exchange_code(&self, code: &str) -> Result<HttpExchange, TppError> {
        self.exchange_code_of(code, self.redirect_uri()?).await
    }

    /// Exchanges a code that came to this redirect URI. Source: AS-042.
    ///
    /// # Errors
    /// [`TppError`] when no answer came; a refusal is an answer.
    pub async fn exchange_code_of(&self, code: &str, redirect_uri: &str) -> Result<HttpExchange, TppError> {
        self.token(&[("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri)]).await
    }

    /// Asks for a new access token. Source: AS-096.
    ///
    /// # Errors
    /// [`TppError`] when no answer came; a refusal is an answer.
    pub async fn refresh(&self, refresh_token: &str) -> Result<HttpExchange, TppError> {
        self.token(&[("grant_type", "refresh_token"), ("refresh_token", refresh_token)]).await
    }
}

/// The form fields of a client assertion.
pub(crate) fn assertion_fields(assertion: &str) -> Vec<(String, String)> {
    vec![
        ("client_assertion_type".to_owned(), ASSERTION_TYPE.to_owned()),
        ("client_assertion".to_owned(), assertion.to_owned()),
    ]
}

/// The number at a claim, if it is one.
pub(crate) fn seconds(claims: &Map<String, Value>, name: &str) -> Option<i64> {
    claims.get(name).and_then(Value::as_i64)
}
