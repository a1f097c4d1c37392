//! The configured proxies in front of a listener.

use crate::config::{Config, ProxiedListener};
use lombard_edge::listener::{CertificateHeader, ClientTrust, ForwardedRequests, ListenerProxies, ProxyAddresses};

/// The proxies in front of a listener, if there are any. `trust` verifies the certificates that they forward. Source: TLS-010 to TLS-014.
pub(super) fn in_front_of(listener: ProxiedListener, config: &Config, trust: &ClientTrust) -> Option<ListenerProxies> {
    let proxy = &config.proxy;
    let addresses = ProxyAddresses::new(&proxy.addresses);
    if proxy.pass_tls.contains(&listener) {
        return Some(ListenerProxies::PassTls(addresses));
    }
    if !proxy.end_tls.contains(&listener) {
        return None;
    }
    let is_unix = config.unix_socket(listener).is_some();
    let mut requests = ForwardedRequests::new(if is_unix { addresses.with_unix_sockets() } else { addresses });
    if listener == ProxiedListener::Mtls
        && let Some(header) = CertificateHeader::from_name(&proxy.certificate_header)
    {
        let trust = (!proxy.trust_verification).then(|| trust.clone());
        requests = requests.with_certificates(header, trust);
    }
    if let Some(header) = proxy.address_header {
        requests = requests.with_addresses(header);
    }
    Some(ListenerProxies::TerminateTls(requests))
}
