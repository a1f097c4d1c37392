//! Proxies in front of a listener: their addresses, and the information about callers that is accepted from them. Source: TLS-010 to
//! TLS-014.
//!
//! A proxy either passes TLS through and states the source of a connection by the PROXY protocol, or terminates TLS and states the source
//! and the client's certificate in the headers of each request. Such information from any other caller is refused.

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
