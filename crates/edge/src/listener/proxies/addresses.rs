//! The addresses of proxies. Source: TLS-011.

use crate::listener::socket::UNIX_PEER;
use ipnet::IpNet;
use std::net::IpAddr;
use std::sync::Arc;

/// The addresses of the proxies. Clones share them.
#[derive(Debug, Clone)]
pub struct ProxyAddresses(Arc<[IpNet]>);

impl ProxyAddresses {
    /// Makes the addresses of proxies from these networks.
    pub fn new(networks: &[IpNet]) -> Self {
        Self(networks.into())
    }

    /// Adds all callers of a Unix socket, whose file permissions limit who can connect.
    #[must_use]
    pub fn with_unix_sockets(self) -> Self {
        Self(self.0.iter().copied().chain([UNIX_PEER.ip().into()]).collect())
    }

    /// Whether the address is that of a proxy. An IPv4-mapped IPv6 address counts as the IPv4 address.
    pub(in crate::listener) fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}
