//! Proxies in front of a listener: which addresses are theirs, and what is believed of what they say. Source: TLS-010 to TLS-014.
//!
//! A proxy either passes TLS on and says by the PROXY protocol where a connection comes from, or ends TLS and says so in the
//! headers of each request, with the client's certificate. Nobody else is believed.

mod address_header;
mod addresses;
mod certificate_header;
mod envoy_header;
mod fault;
mod forwarded;
mod pem;
mod protocol;

#[cfg(test)]
mod tests;

pub use address_header::AddressHeader;
pub use addresses::ProxyAddresses;
pub use certificate_header::CertificateHeader;
pub(crate) use fault::{ForwardingFault, is_same_name};
pub(super) use forwarded::ForwardedCaller;
pub use forwarded::{ForwardedRequests, ListenerProxies};
pub(super) use protocol::read_source;
