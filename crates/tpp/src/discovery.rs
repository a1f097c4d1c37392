//! The members of the authorisation server's discovery document that a TPP needs.

use serde::Deserialize;

/// The discovery document. Source: AS-003.
#[derive(Debug, Clone, Deserialize)]
pub struct Discovery {
    /// The issuer.
    pub issuer: String,
    /// The authorisation endpoint.
    pub authorization_endpoint: String,
    /// The token endpoint.
    pub token_endpoint: String,
    /// The URL of the server's key set.
    pub jwks_uri: String,
    /// The supported response types.
    pub response_types_supported: Vec<String>,
    /// The supported scopes.
    pub scopes_supported: Vec<String>,
    /// The supported client authentication methods of the token endpoint.
    pub token_endpoint_auth_methods_supported: Vec<String>,
    /// The signature algorithms of identity tokens.
    pub id_token_signing_alg_values_supported: Vec<String>,
    /// The signature algorithms accepted for request objects.
    pub request_object_signing_alg_values_supported: Vec<String>,
    /// The backchannel authentication endpoint, if there is one.
    pub backchannel_authentication_endpoint: Option<String>,
    /// The registration endpoint, if clients can register.
    pub registration_endpoint: Option<String>,
    /// Whether access tokens are bound to client certificates (RFC 8705).
    #[serde(default)]
    pub tls_client_certificate_bound_access_tokens: bool,
}
