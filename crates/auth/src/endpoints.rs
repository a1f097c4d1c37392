//! The addresses of the authorisation server's endpoints: one list for routes, discovery and audiences.

use crate::AuthSettings;

/// An endpoint of the authorisation server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OAuthEndpoint {
    /// The discovery document. Source: AS-001.
    Discovery,
    /// The discovery document at the path that OAuth clients use. Source: RFC 8414 section 3.
    Metadata,
    /// The server's public keys. Source: AS-007.
    Jwks,
    /// The authorisation endpoint, to which the PSU's browser is sent. Source: AS-060.
    Authorization,
    /// The endpoint for pushed authorisation requests. Source: AS-151.
    PushedAuthorization,
    /// The backchannel authentication endpoint, where clients ask a customer without a browser. Source: AS-160.
    BackchannelAuthentication,
    /// The token endpoint. Source: AS-035.
    Token,
    /// The revocation endpoint. Source: AS-120.
    Revocation,
    /// The introspection endpoint. Source: AS-121.
    Introspection,
    /// The userinfo endpoint. Source: AS-122.
    Userinfo,
    /// The endpoint of dynamic client registration. Source: DCR-001.
    Registration,
}

impl OAuthEndpoint {
    /// The path of the endpoint.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Discovery => "/.well-known/openid-configuration",
            Self::Metadata => "/.well-known/oauth-authorization-server",
            Self::Jwks => "/jwks",
            Self::Authorization => "/authorize",
            Self::PushedAuthorization => "/par",
            Self::BackchannelAuthentication => "/bc-authorize",
            Self::Token => "/token",
            Self::Revocation => "/revoke",
            Self::Introspection => "/introspect",
            Self::Userinfo => "/userinfo",
            Self::Registration => "/register",
        }
    }

    /// Whether the endpoint requires a client certificate. Source: TLS-003.
    pub const fn requires_mtls(self) -> bool {
        match self {
            Self::Discovery | Self::Metadata | Self::Jwks | Self::Authorization => false,
            Self::PushedAuthorization
            | Self::BackchannelAuthentication
            | Self::Token
            | Self::Revocation
            | Self::Introspection
            | Self::Userinfo
            | Self::Registration => true,
        }
    }

    /// The URL of the endpoint, on the listener that serves it.
    pub fn url(self, settings: &AuthSettings) -> String {
        let base = if self.requires_mtls() { &settings.mtls_url } else { &settings.public_url };
        format!("{base}{}", self.path())
    }
}
