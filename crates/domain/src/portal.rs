//! The login of a TPP's developers at the portal: one-time links, and the sessions that they open.

use crate::grant::Digest;
use crate::ids::ClientId;
use jiff::Timestamp;

/// A one-time link that opens a session of a client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalLink {
    /// SHA-256 of the secret in the link.
    pub secret: Digest,
    /// The client.
    pub client: ClientId,
    /// When it expires (wall clock).
    pub expires_at: Timestamp,
}

/// A session of a client's developers, identified by the secret in the browser's cookie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PortalSession {
    /// SHA-256 of the cookie's secret.
    pub browser: Digest,
    /// The client, whose data alone the session shows.
    pub client: ClientId,
    /// The digest that, together with the browser's secret, yields the token of the session's forms.
    pub form_token: Digest,
    /// When it expires without activity (wall clock).
    pub idle_at: Timestamp,
    /// When it expires in any case (wall clock).
    pub ends_at: Timestamp,
}

impl PortalLink {
    /// Whether the link has not expired.
    pub fn is_alive(&self, now: Timestamp) -> bool {
        now < self.expires_at
    }
}

impl PortalSession {
    /// Whether the session has not expired.
    pub fn is_alive(&self, now: Timestamp) -> bool {
        now < self.idle_at && now < self.ends_at
    }
}
