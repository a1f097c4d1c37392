//! The addresses of proxies. Source: TLS-011.

use ipnet::IpNet;
use std::net::IpAddr;
use std::sync::Arc;

/// The addresses of the proxies. Clones share them.
#[derive(Debug, Clone)]
pub struct ProxyAddresses(Arc<[IpNet]>);

impl ProxyAddresses {
    /// These networks.
    pub fn new(networks: &[IpNet]) -> Self {
        Self(networks.into())
    }

    /// Whether the address is that of a proxy. An IPv4-mapped IPv6 address counts as the IPv4 address.
    pub(in crate::listener) fn contains(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        self.0.iter().any(|network| network.contains(&address))
    }
}
