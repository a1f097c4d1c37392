//! The response of the token endpoint.

use schemars::JsonSchema;
use serde::Serialize;
use std::fmt;

/// The answer to a token request. Source: AS-036.
#[derive(Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TokenResponse {
    /// The access token.
    pub access_token: String,
    /// Always `Bearer`.
    pub token_type: &'static str,
    /// Seconds until the access token expires.
    pub expires_in: i64,
    /// The scopes of the access token; always present. Source: AS-039.
    pub scope: String,
    /// The refresh token, when one was issued.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refresh_token: Option<String>,
    /// The identity token, when a code or the answer of a backchannel request was exchanged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id_token: Option<String>,
}

impl fmt::Debug for TokenResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TokenResponse").field("scope", &self.scope).finish_non_exhaustive()
    }
}
