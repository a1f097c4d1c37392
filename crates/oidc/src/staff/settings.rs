//! The settings of the login of staff.

use rustls_pki_types::CertificateDer;
use std::fmt;
use std::time::Duration;
use zeroize::Zeroizing;

/// The settings that the bank has agreed with the provider of its staff.
#[derive(Clone)]
pub struct StaffOidcSettings {
    /// The issuer, byte for byte as in its tokens.
    pub issuer: String,
    /// The server's id at the provider.
    pub client_id: String,
    /// The server's secret at the provider.
    pub client_secret: Zeroizing<String>,
    /// The address to which the provider sends browsers back.
    pub redirect_uri: String,
    /// The audience that access tokens of programs must have.
    pub audience: String,
    /// The scopes to request; they must include `openid`.
    pub scopes: Vec<String>,
    /// The claim with the role. Dots lead into objects, unless a claim has the whole name.
    pub role_claim: String,
    /// The claim with the member's name.
    pub name_claim: String,
    /// The time limit of each call.
    pub timeout: Duration,
    /// Whether addresses of this machine may be called without TLS. Only in a sandbox.
    pub plain_loopback: bool,
    /// The trust anchors of the provider's certificate.
    pub anchors: Vec<CertificateDer<'static>>,
}

impl fmt::Debug for StaffOidcSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("StaffOidcSettings").field("issuer", &self.issuer).finish_non_exhaustive()
    }
}
