//! The addresses of the authorisation server's endpoints: one list for routes, discovery and audiences.

use crate::AuthSettings;

/// An endpoint of the authorisation server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OAuthEndpoint {
    /// The discovery document. Source: AS-001.
    Discovery,
    /// The same document at the path that OAuth's clients know. Source: RFC 8414 section 3.
    Metadata,
    /// The server's public keys. Source: AS-007.
    Jwks,
    /// Where the PSU's browser is sent. Source: AS-060.
    Authorization,
    /// Where clients push authorisation requests. Source: AS-151.
    PushedAuthorization,
    /// Where clients ask a customer without a browser. Source: AS-160.
    BackchannelAuthentication,
    /// Tokens. Source: AS-035.
    Token,
    /// Revocation. Source: AS-120.
    Revocation,
    /// Introspection. Source: AS-121.
    Introspection,
    /// Userinfo. Source: AS-122.
    Userinfo,
    /// Dynamic client registration. Source: DCR-001.
    Registration,
}

impl OAuthEndpoint {
    /// Its path.
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

    /// Whether it asks for a client certificate. Source: TLS-003.
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

    /// Its address, on the listener that serves it.
    pub fn url(self, settings: &AuthSettings) -> String {
        let base = if self.requires_mtls() { &settings.mtls_url } else { &settings.public_url };
        format!("{base}{}", self.path())
    }
}
