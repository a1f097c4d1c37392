//! The accept loop around a router: TLS, limits and drain that cannot be set elsewhere (D15, TLS-016).
//!
//! A [`Listener`] is bound first, so that its port is known before addresses are written into anything, and started later. This module must
//! not know routes.

mod accept;
mod body;
mod caller_connections;
mod client_trust;
mod connection;
mod connection_permits;
mod delivery;
mod head;
mod header_frames;
mod header_lines;
mod limits;
mod opened_response;
mod poll_permits;
mod proxies;
mod quotas;
mod socket;
mod streams;
mod timeouts;
pub mod tls;
mod tls_basics;
mod transport;
mod unread_responses;

#[cfg(test)]
mod tests;

pub use accept::{Listener, RunningListener};
pub use body::BodyTooSlow;
pub use client_trust::{ClientTrust, ClientVerifier, RevocationStatus, UnknownRevocation};
pub use connection::CutConnection;
pub use connection::PeerAddress;
pub use limits::ListenerLimits;
pub use opened_response::TrackedBody;
pub(crate) use opened_response::{OpenedResponse, StreamedFromStorage};
pub use proxies::{AddressHeader, CertificateHeader, ForwardedRequests, ListenerProxies, ProxyAddresses};
pub(crate) use proxies::{ForwardingFault, is_same_name};
pub use quotas::ActiveRequest;
pub use quotas::CallerQuota;
pub use quotas::QuotaExemption;
pub use transport::{ListenerTls, ListenerTransport};
pub(crate) use unread_responses::UnreadResponses;
