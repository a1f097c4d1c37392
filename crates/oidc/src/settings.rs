//! The settings of the identity provider.

use lombard_jose::PublicKey;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::time::Duration;

/// The settings that the bank has agreed with its identity provider.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// The issuer, byte for byte as in its ID tokens; its metadata is published below this address. Source: OpenID Connect Discovery 1.0
    /// section 4.
    pub issuer: String,
    /// The server's id at the provider.
    pub client_id: String,
    /// The address to which the provider sends browsers back.
    pub redirect_uri: String,
    /// The scopes to request; they must include `openid`.
    pub scopes: Vec<String>,
    /// The accepted authentication context classes, the best first; empty accepts any.
    pub acr_values: Vec<String>,
    /// The greatest age of an authentication, in seconds; with 0 the customer authenticates each time.
    pub max_age_secs: u32,
    /// The claim of the ID token that holds the customer's id at the core.
    pub customer_claim: String,
    /// The type of the authorisation details that carry the purpose, if the provider supports it. Source: RFC 9396.
    pub details_type: String,
    /// Whether the provider can ask customers on their devices (CIBA).
    pub decoupled: bool,
    /// The time limit of each call, from the first byte sent to the last one read.
    pub timeout: Duration,
    /// Whether addresses of this machine may be called without TLS. Only in a sandbox.
    pub plain_loopback: bool,
}

/// The TLS settings of connections to the provider.
#[derive(Default)]
pub struct ClientTls {
    /// The trust anchors of the provider's certificate.
    pub anchors: Vec<CertificateDer<'static>>,
    /// The certificate chain and key that the server authenticates with, instead of `private_key_jwt`. Source: RFC 8705.
    pub identity: Option<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>)>,
}

impl fmt::Debug for ClientTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClientTls").field("anchors", &self.anchors.len()).finish_non_exhaustive()
    }
}

/// The key id that the server's signatures name.
pub(crate) fn key_id(key: &PublicKey) -> String {
    key.id().map_or_else(|| key.thumbprint().as_str().to_owned(), |id| id.as_str().to_owned())
}
