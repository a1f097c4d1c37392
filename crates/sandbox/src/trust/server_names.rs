//! The servers' names, which are used in configuration and in certificates.

use super::TrustError;
use rcgen::string::Ia5String;
use rcgen::{CidrSubnet, GeneralSubtree, SanType};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use x509_parser::extensions::GeneralName;

/// The names of the servers: `localhost`, `127.0.0.1` and `::1` always, and the configured names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerNames {
    dns: Vec<String>,
    addresses: Vec<IpAddr>,
}

impl Default for ServerNames {
    fn default() -> Self {
        Self {
            dns: vec!["localhost".to_owned()],
            addresses: vec![IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V6(Ipv6Addr::LOCALHOST)],
        }
    }
}

impl ServerNames {
    /// The default names and these hosts. A host is a DNS name or an IP address (IPv6 with or without brackets), as in the configured
    /// public URLs.
    ///
    /// # Errors
    /// [`TrustError::InvalidRequest`] for a host that is neither a DNS name nor an IP address.
    pub fn with_hosts<'a>(hosts: impl IntoIterator<Item = &'a str>) -> Result<Self, TrustError> {
        let mut names = Self::default();
        for host in hosts {
            let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
            if let Ok(address) = bare.parse::<IpAddr>() {
                push_new(&mut names.addresses, address);
            } else if is_dns_name(host) {
                push_new(&mut names.dns, host.to_ascii_lowercase());
            } else {
                return Err(TrustError::InvalidRequest(
                    "a host of the servers' public URLs is neither a DNS name nor an IP address",
                ));
            }
        }
        Ok(names)
    }

    pub(super) fn alternative_names(&self) -> Vec<SanType> {
        // Every name was checked to be ASCII, so it can be converted.
        let dns = self.dns.iter().filter_map(|name| Ia5String::try_from(name.as_str()).ok()).map(SanType::DnsName);
        dns.chain(self.addresses.iter().copied().map(SanType::IpAddress)).collect()
    }

    pub(super) fn permitted_subtrees(&self) -> Vec<GeneralSubtree> {
        let dns = self.dns.iter().cloned().map(GeneralSubtree::DnsName);
        let whole = |address: &IpAddr| match address {
            IpAddr::V4(address) => CidrSubnet::V4(address.octets(), [0xff; 4]),
            IpAddr::V6(address) => CidrSubnet::V6(address.octets(), [0xff; 16]),
        };
        dns.chain(self.addresses.iter().map(whole).map(GeneralSubtree::IpAddress)).collect()
    }

    /// Whether these texts are exactly these names, in any order.
    pub(super) fn are_exactly(&self, mut names: Vec<String>) -> bool {
        let mut ours: Vec<String> =
            self.dns.iter().cloned().chain(self.addresses.iter().map(IpAddr::to_string)).collect();
        ours.sort();
        names.sort();
        ours == names
    }
}

fn push_new<T: PartialEq>(list: &mut Vec<T>, item: T) {
    if !list.contains(&item) {
        list.push(item);
    }
}

/// Whether a host consists of letters, digits, hyphens and dots, in the lengths of RFC 1035.
fn is_dns_name(host: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.len() <= 253 && host.split('.').all(label)
}

/// A DNS name or an address in the form of [`ServerNames`]; `None` for any other kind of name.
pub(super) fn name_text(name: &GeneralName<'_>) -> Option<String> {
    if let GeneralName::DNSName(name) = name {
        return Some((*name).to_owned());
    }
    let GeneralName::IPAddress(bytes) = name else { return None };
    let v4 = <[u8; 4]>::try_from(*bytes).ok().map(IpAddr::from);
    let v6 = <[u8; 16]>::try_from(*bytes).ok().map(IpAddr::from);
    v4.or(v6).map(|address| address.to_string())
}
