//! The authorisation server's discovery document, as far as a TPP needs it.

use serde::Deserialize;

/// The discovery document. Source: AS-003.
#[derive(Debug, Clone, Deserialize)]
pub struct Discovery {
    /// The issuer.
    pub issuer: String,
    /// Where the PSU is sent.
    pub authorization_endpoint: String,
    /// Where tokens are had.
    pub token_endpoint: String,
    /// Where the server's keys are.
    pub jwks_uri: String,
    /// Response types it answers.
    pub response_types_supported: Vec<String>,
    /// Scopes it knows.
    pub scopes_supported: Vec<String>,
    /// How clients may prove themselves.
    pub token_endpoint_auth_methods_supported: Vec<String>,
    /// Algorithms it signs identity tokens with.
    pub id_token_signing_alg_values_supported: Vec<String>,
    /// Algorithms it takes request objects in.
    pub request_object_signing_alg_values_supported: Vec<String>,
    /// Whether tokens are bound to certificates.
    #[serde(default)]
    pub tls_client_certificate_bound_access_tokens: bool,
}
