//! The requests of clients whose TLS a proxy has ended: who calls, as the proxy says. Source: TLS-010 to TLS-015.

use super::address_header::AddressHeader;
use super::addresses::ProxyAddresses;
use super::certificate_header::CertificateHeader;
use super::fault::ForwardingFault;
use crate::listener::client_trust::{ClientTrust, ShownCertificate};
use http::{HeaderMap, HeaderName};
use lombard_domain::grant::Digest;
use quick_cache::sync::Cache;
use rustls::pki_types::CertificateDer;
use std::net::SocketAddr;
use std::sync::Arc;

/// Certificates that are kept with the judgement of their chains, so that a request needs no signature verified.
const CERTIFICATES_MAX: usize = 1024;

/// What the proxies in front of a listener do.
#[derive(Debug, Clone)]
pub enum ListenerProxies {
    /// They pass TLS on. Each connection is one of theirs and begins with a header of the PROXY protocol.
    PassTls(ProxyAddresses),
    /// They end TLS, and say of each request where it comes from.
    EndTls(ForwardedRequests),
}

/// The requests of clients whose TLS a proxy has ended. Clones share the certificates that are known.
#[derive(Debug, Clone)]
pub struct ForwardedRequests {
    proxies: ProxyAddresses,
    certificate: Option<ForwardedCertificates>,
    address: Option<AddressHeader>,
}

#[derive(Debug, Clone)]
struct ForwardedCertificates {
    header: CertificateHeader,
    trust: Option<ClientTrust>,
    known: Arc<Cache<Digest, Arc<ShownCertificate>>>,
}

/// The caller of a request, as a proxy says.
#[derive(Debug)]
pub(in crate::listener) struct ForwardedCaller {
    pub(in crate::listener) address: SocketAddr,
    pub(in crate::listener) certificate: Option<Arc<ShownCertificate>>,
}

const FORGED: ForwardingFault =
    ForwardingFault { rule: "TLS-011", reason: "a certificate in a header, and not from a proxy" };
const ALIASED: ForwardingFault =
    ForwardingFault { rule: "TLS-015", reason: "a header that some read as that of the certificate" };

impl ForwardedRequests {
    /// Requests that come through these proxies.
    pub fn new(proxies: ProxyAddresses) -> Self {
        Self { proxies, certificate: None, address: None }
    }

    /// Takes the client's certificate from this header. Its chain is judged by this trust; without one, the proxy's judgement is
    /// taken for good. Source: TLS-010, TLS-013.
    #[must_use]
    pub fn with_certificates(self, header: CertificateHeader, trust: Option<ClientTrust>) -> Self {
        let known = Arc::new(Cache::new(CERTIFICATES_MAX));
        Self { certificate: Some(ForwardedCertificates { header, trust, known }), ..self }
    }

    /// Takes the client's address from this header. Source: TLS-014.
    #[must_use]
    pub fn with_addresses(self, header: AddressHeader) -> Self {
        Self { address: Some(header), ..self }
    }

    pub(in crate::listener) fn proxies(&self) -> &ProxyAddresses {
        &self.proxies
    }

    /// The caller of a request on a connection from this address. The headers with the certificate are removed; those of a request
    /// that is refused stay.
    ///
    /// # Errors
    /// [`ForwardingFault`] if a certificate is claimed by somebody who is no proxy, or a header of a proxy is not as it must be.
    pub(in crate::listener) fn take_caller(
        &self,
        headers: &mut HeaderMap,
        peer: SocketAddr,
    ) -> Result<ForwardedCaller, ForwardingFault> {
        if !self.proxies.contains(peer.ip()) {
            let claims = self.certificate.as_ref().is_some_and(|it| headers.keys().any(|name| it.header.is_like(name)));
            return if claims { Err(FORGED) } else { Ok(ForwardedCaller { address: peer, certificate: None }) };
        }
        let certificate = match &self.certificate {
            Some(forwarded) => forwarded.take(headers)?,
            None => None,
        };
        let address = match self.address {
            Some(header) => header.client_address(headers, peer, &self.proxies)?,
            None => peer,
        };
        Ok(ForwardedCaller { address, certificate })
    }
}

impl ForwardedCertificates {
    /// The certificate, if the proxy names one whose chain is accepted.
    fn take(&self, headers: &mut HeaderMap) -> Result<Option<Arc<ShownCertificate>>, ForwardingFault> {
        let is_aliased = |name: &HeaderName| self.header.is_like(name) && !self.header.names().contains(name);
        if headers.keys().any(is_aliased) {
            return Err(ALIASED);
        }
        let Some(key) = self.key(headers) else { return Ok(None) };
        let shown = match self.known.get(&key) {
            Some(shown) => Some(shown),
            None => self.read(headers, key)?,
        };
        for name in self.header.names() {
            headers.remove(name);
        }
        Ok(shown)
    }

    /// A digest of the headers, by which a certificate is known; `None` if there are none.
    fn key(&self, headers: &HeaderMap) -> Option<Digest> {
        let mut text = Vec::new();
        for name in self.header.names() {
            for value in headers.get_all(name) {
                text.extend_from_slice(name.as_str().as_bytes());
                text.extend_from_slice(&value.len().to_be_bytes());
                text.extend_from_slice(value.as_bytes());
            }
        }
        (!text.is_empty()).then(|| lombard_jose::sha256(&text))
    }

    /// Reads the chain and judges it. One that is not accepted counts as none, as if a handshake had been refused; it is not kept. The
    /// status of the leaf may have to be asked for before it is known.
    fn read(&self, headers: &HeaderMap, key: Digest) -> Result<Option<Arc<ShownCertificate>>, ForwardingFault> {
        let chain: Vec<CertificateDer<'static>> = self.header.read_chain(headers)?;
        let unreadable = |_| ForwardingFault { rule: "TLS-012", reason: "a certificate in a header cannot be read" };
        let shown = ShownCertificate::unjudged(&chain, self.trust.clone()).map_err(unreadable)?;
        let shown = shown.map(Arc::new).filter(|shown| shown.has_accepted_chain());
        if let Some(shown) = &shown {
            self.known.insert(key, Arc::clone(shown));
        }
        Ok(shown)
    }
}
