//! The certificates of the sandbox's servers, and the names they stand for.

use super::TrustError;
use super::authority::{CertificateAuthority, p256_key};
use super::certificate::{self, CertificateProfile, RsaPublic, from_pem};
use super::files::TrustFolder;
use jiff::Timestamp;
use lombard_jose::SigningKey;
use rcgen::string::Ia5String;
use rcgen::{CidrSubnet, GeneralSubtree, PublicKeyData, SanType};
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use x509_parser::certificate::X509Certificate;
use x509_parser::extensions::GeneralName;
use x509_parser::prelude::FromDer;
use zeroize::Zeroizing;

/// A certificate of the servers and its key.
pub struct ServerIdentity {
    /// The chain to send, leaf first, without the anchor.
    pub chain_der: Vec<Vec<u8>>,
    /// The private key.
    pub key_pkcs8_der: Zeroizing<Vec<u8>>,
}

impl fmt::Debug for ServerIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerIdentity").finish_non_exhaustive()
    }
}

/// The names the servers are reached by: always `localhost`, `127.0.0.1` and `::1`, and those that are configured.
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
    /// The usual names and these hosts: DNS names or IP addresses (IPv6 with or without brackets), as in the public
    /// URLs of the configuration.
    ///
    /// # Errors
    /// [`TrustError::Order`] for a host that is neither.
    pub fn with_hosts<'a>(hosts: impl IntoIterator<Item = &'a str>) -> Result<Self, TrustError> {
        let mut names = Self::default();
        for host in hosts {
            let bare = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')).unwrap_or(host);
            if let Ok(address) = bare.parse::<IpAddr>() {
                push_new(&mut names.addresses, address);
            } else if is_dns_name(host) {
                push_new(&mut names.dns, host.to_ascii_lowercase());
            } else {
                return Err(TrustError::Order(
                    "a host of the servers' public URLs is neither a DNS name nor an IP address",
                ));
            }
        }
        Ok(names)
    }

    pub(super) fn alternative_names(&self) -> Vec<SanType> {
        // Every name was checked to be ASCII.
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

    /// Whether these texts are our names, in any order.
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

/// Letters, digits, hyphens and dots in the lengths of RFC 1035.
fn is_dns_name(host: &str) -> bool {
    let label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    host.len() <= 253 && host.split('.').all(label)
}

/// A DNS name or an address as [`ServerNames`] writes it; `None` for any other kind of name.
pub(super) fn text(name: &GeneralName<'_>) -> Option<String> {
    if let GeneralName::DNSName(name) = name {
        return Some((*name).to_owned());
    }
    let GeneralName::IPAddress(bytes) = name else { return None };
    let v4 = <[u8; 4]>::try_from(*bytes).ok().map(IpAddr::from);
    let v6 = <[u8; 16]>::try_from(*bytes).ok().map(IpAddr::from);
    v4.or(v6).map(|address| address.to_string())
}

/// The two identities of the servers, renewed where need be. Source: TLS-002.
pub(super) fn identities(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    rsa: &SigningKey,
    names: &ServerNames,
    now: Timestamp,
) -> Result<Vec<ServerIdentity>, TrustError> {
    let p256 = p256_key(folder, "private/server-p256.key")?;
    let p256_der = Zeroizing::new(p256.serialize_der());
    Ok(vec![
        ServerIdentity {
            chain_der: vec![leaf(folder, authority, "private/server-rsa.pem", &RsaPublic(rsa), names, now)?],
            key_pkcs8_der: rsa.pkcs8_der()?,
        },
        ServerIdentity {
            chain_der: vec![leaf(folder, authority, "private/server-p256.pem", &p256, names, now)?],
            key_pkcs8_der: p256_der,
        },
    ])
}

fn leaf(
    folder: &TrustFolder,
    authority: &CertificateAuthority,
    file: &str,
    key: &impl PublicKeyData,
    names: &ServerNames,
    now: Timestamp,
) -> Result<Vec<u8>, TrustError> {
    let kept = folder.read(file)?.as_deref().and_then(from_pem);
    let fits = |der: &Vec<u8>| certificate::may_stay(der, key, authority.key_id(), now) && stands_for(der, names);
    if let Some(der) = kept.filter(fits) {
        return Ok(der);
    }
    let issued = authority.issue(&CertificateProfile::Server(names), key, now)?;
    folder.write(file, &issued.pem())?;
    Ok(issued.der().to_vec())
}

/// Whether the certificate stands for exactly these names.
fn stands_for(der: &[u8], names: &ServerNames) -> bool {
    let Ok((_, certificate)) = X509Certificate::from_der(der) else { return false };
    let Ok(Some(alternative)) = certificate.subject_alternative_name() else { return false };
    let stated: Option<Vec<_>> = alternative.value.general_names.iter().map(text).collect();
    stated.is_some_and(|stated| names.are_exactly(stated))
}
