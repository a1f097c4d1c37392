//! The settings of the provider.

use lombard_jose::PublicKey;
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::time::Duration;

/// What the bank has agreed with its provider.
#[derive(Debug, Clone)]
pub struct OidcSettings {
    /// The issuer, byte for byte as in its ID tokens; its metadata stands below it. Source: OpenID Connect Discovery 1.0 section 4.
    pub issuer: String,
    /// The server's id at the provider.
    pub client_id: String,
    /// Where the provider sends browsers back to.
    pub redirect_uri: String,
    /// The scopes to ask for; `openid` is among them.
    pub scopes: Vec<String>,
    /// The authentication context classes that are good enough, the best first; empty accepts any.
    pub acr_values: Vec<String>,
    /// How old an authentication may be, in seconds; at 0 the customer authenticates each time.
    pub max_age_secs: u32,
    /// The claim of the ID token that is the customer's id at the core.
    pub customer_claim: String,
    /// The type of authorisation details that carry the purpose, where the provider knows it. Source: RFC 9396.
    pub details_type: String,
    /// Whether the provider reaches customers on devices of theirs (CIBA).
    pub decoupled: bool,
    /// The time limit of each call, from the first byte sent to the last one read.
    pub timeout: Duration,
    /// Whether addresses of this machine may be called without TLS. Only in a sandbox.
    pub plain_loopback: bool,
}

/// How connections to the provider are made.
#[derive(Default)]
pub struct ClientTls {
    /// The authorities that vouch for the provider.
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
