//! Calls of the token endpoint: client authentication and the three grants.

use crate::{HttpCall, HttpExchange, Jwt, Tpp, TppError};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::fmt;

/// The assertion type of a client assertion in the form of a JWT. Source: AS-023.
pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// The lifetime of a client assertion in seconds. Source: AS-025.
const ASSERTION_SECS: i64 = 300;

/// A successful token response.
#[derive(Clone, Deserialize)]
pub struct IssuedTokens {
    /// The access token.
    pub access_token: String,
    /// The token type, always `Bearer`.
    pub token_type: String,
    /// The lifetime of the access token in seconds.
    pub expires_in: i64,
    /// The granted scope.
    pub scope: Option<String>,
    /// The refresh token.
    pub refresh_token: Option<String>,
    /// The identity token.
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
    /// Parses a successful token response.
    ///
    /// # Errors
    /// [`TppError`] if the response is an error or lacks a required member. Source: AS-036.
    pub fn from_exchange(exchange: HttpExchange) -> Result<Self, TppError> {
        let exchange = exchange.expect_status(StatusCode::OK)?;
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
    /// Creates an unsigned client assertion. Its audience is the issuer, which every security profile allows. Source: AS-023, AS-024.
    ///
    /// # Errors
    /// [`TppError`] when discovery fails.
    pub async fn new_client_assertion(&self) -> Result<Jwt, TppError> {
        let now = self.clocks.wall_now().as_second();
        let mut claims = Map::new();
        for name in ["iss", "sub"] {
            claims.insert(name.to_owned(), self.client_id().as_str().into());
        }
        claims.insert("aud".to_owned(), self.discovery().await?.issuer.clone().into());
        claims.insert("jti".to_owned(), self.ids.random_id().to_string().into());
        claims.insert("iat".to_owned(), now.into());
        claims.insert("exp".to_owned(), now.saturating_add(ASSERTION_SECS).into());
        Ok(Jwt::ps256(&self.folder.details.signing_kid, claims))
    }

    /// The form fields for client authentication, by the method that is registered for this TPP.
    ///
    /// # Errors
    /// [`TppError`] if the assertion cannot be created.
    pub async fn authentication(&self) -> Result<Vec<(String, String)>, TppError> {
        if self.folder.details.token_endpoint_auth_method == "tls_client_auth" {
            return Ok(vec![("client_id".to_owned(), self.client_id().to_string())]);
        }
        let assertion = self.new_client_assertion().await?.sign(&self.folder.signing)?;
        Ok(assertion_fields(&assertion))
    }

    /// Sends a token request with only these fields.
    ///
    /// # Errors
    /// [`TppError::NoAnswer`] if no response was received.
    pub async fn request_token_with_form(&self, fields: &[(String, String)]) -> Result<HttpExchange, TppError> {
        let url = self.discovery().await?.token_endpoint.clone();
        self.send(HttpCall::post(url).with_form(fields.iter().map(|(name, value)| (name, value)))).await
    }

    /// Sends a token request with these fields and the TPP's client authentication.
    ///
    /// # Errors
    /// [`TppError`] if no response was received. A refusal is a response.
    pub async fn request_token(&self, fields: &[(&str, &str)]) -> Result<HttpExchange, TppError> {
        let mut form = self.authentication().await?;
        form.extend(fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        self.request_token_with_form(&form).await
    }

    /// Requests an access token by the client credentials grant. Source: AS-038.
    ///
    /// # Errors
    /// [`TppError`] if the request is refused.
    pub async fn client_credentials(&self, scope: &str) -> Result<IssuedTokens, TppError> {
        IssuedTokens::from_exchange(
            self.request_token(&[("grant_type", "client_credentials"), ("scope", scope)]).await?,
        )
    }

    /// Exchanges a code that was sent to the TPP's default redirect URI. Source: AS-042.
    ///
    /// # Errors
    /// [`TppError`] if no response was received. A refusal is a response.
    pub async fn exchange_code(&self, code: &str) -> Result<HttpExchange, TppError> {
        self.exchange_code_of(code, self.redirect_uri()?).await
    }

    /// Exchanges a code that was sent to this redirect URI. Source: AS-042.
    ///
    /// # Errors
    /// [`TppError`] if no response was received. A refusal is a response.
    pub async fn exchange_code_of(&self, code: &str, redirect_uri: &str) -> Result<HttpExchange, TppError> {
        self.request_token(&[("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirect_uri)])
            .await
    }

    /// Requests a new access token by the refresh token grant. Source: AS-096.
    ///
    /// # Errors
    /// [`TppError`] if no response was received. A refusal is a response.
    pub async fn refresh(&self, refresh_token: &str) -> Result<HttpExchange, TppError> {
        self.request_token(&[("grant_type", "refresh_token"), ("refresh_token", refresh_token)]).await
    }
}

/// The form fields of a client assertion.
pub(crate) fn assertion_fields(assertion: &str) -> Vec<(String, String)> {
    vec![
        ("client_assertion_type".to_owned(), ASSERTION_TYPE.to_owned()),
        ("client_assertion".to_owned(), assertion.to_owned()),
    ]
}

/// The value of a claim, if it is an integer.
pub(crate) fn seconds(claims: &Map<String, Value>, name: &str) -> Option<i64> {
    claims.get(name).and_then(Value::as_i64)
}
