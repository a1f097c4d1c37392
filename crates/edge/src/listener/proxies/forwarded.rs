//! Finds the callers of requests whose TLS a proxy has terminated. Source: TLS-010 to TLS-015.

use super::address_header::AddressHeader;
use super::addresses::ProxyAddresses;
use super::certificate_header::CertificateHeader;
use super::fault::ForwardingFault;
use crate::listener::client_trust::{ClientTrust, PresentedCertificate};
use http::{HeaderMap, HeaderName};
use lombard_domain::grant::Digest;
use quick_cache::sync::Cache;
use rustls::pki_types::CertificateDer;
use std::net::SocketAddr;
use std::sync::Arc;

/// The most cached certificates with the results of their checks, so that a request needs no verification of signatures.
const CERTIFICATES_MAX: usize = 1024;

/// The kind of proxies in front of a listener.
#[derive(Debug, Clone)]
pub enum ListenerProxies {
    /// The proxies pass TLS through. Every connection comes from a proxy and begins with a header of the PROXY protocol.
    PassTls(ProxyAddresses),
    /// The proxies terminate TLS and name the caller of each request in headers.
    TerminateTls(ForwardedRequests),
}

/// Reads the callers of requests whose TLS a proxy has terminated. Clones share the cache of certificates.
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
    known: Arc<Cache<Digest, Arc<PresentedCertificate>>>,
}

/// The caller of a request that a proxy names.
#[derive(Debug)]
pub(in crate::listener) struct ForwardedCaller {
    pub(in crate::listener) address: SocketAddr,
    pub(in crate::listener) certificate: Option<Arc<PresentedCertificate>>,
}

const FORGED: ForwardingFault =
    ForwardingFault { rule: "TLS-011", reason: "a certificate in a header, and not from a proxy" };
const ALIASED: ForwardingFault =
    ForwardingFault { rule: "TLS-015", reason: "a header that some read as that of the certificate" };

impl ForwardedRequests {
    /// Accepts headers from these proxies.
    pub fn new(proxies: ProxyAddresses) -> Self {
        Self { proxies, certificate: None, address: None }
    }

    /// Reads the client's certificate from this header. Its chain is checked against this trust; without a trust, the proxy's check
    /// suffices. Source: TLS-010, TLS-013.
    #[must_use]
    pub fn with_certificates(self, header: CertificateHeader, trust: Option<ClientTrust>) -> Self {
        let known = Arc::new(Cache::new(CERTIFICATES_MAX));
        Self { certificate: Some(ForwardedCertificates { header, trust, known }), ..self }
    }

    /// Reads the client's address from this header. Source: TLS-014.
    #[must_use]
    pub fn with_addresses(self, header: AddressHeader) -> Self {
        Self { address: Some(header), ..self }
    }

    pub(in crate::listener) fn proxies(&self) -> &ProxyAddresses {
        &self.proxies
    }

    /// Reads the caller of a request on a connection from this address, and removes the headers with the certificate. The headers of a
    /// refused request stay.
    ///
    /// # Errors
    /// [`ForwardingFault`] if a caller that is not a proxy sends a certificate, or a header of a proxy is malformed.
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
    /// Reads the certificate, if the proxy names one whose chain is accepted.
    fn take(&self, headers: &mut HeaderMap) -> Result<Option<Arc<PresentedCertificate>>, ForwardingFault> {
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

    /// The cache key of a certificate: a digest of its headers; `None` without such headers.
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

    /// Parses and checks the chain. A chain that is not accepted counts as absent, as after a refused handshake, and is not cached. The
    /// status of the leaf may still have to be fetched.
    fn read(&self, headers: &HeaderMap, key: Digest) -> Result<Option<Arc<PresentedCertificate>>, ForwardingFault> {
        let chain: Vec<CertificateDer<'static>> = self.header.read_chain(headers)?;
        let unreadable = |_| ForwardingFault { rule: "TLS-012", reason: "a certificate in a header cannot be read" };
        let shown = PresentedCertificate::new_unchecked(&chain, self.trust.clone()).map_err(unreadable)?;
        let shown = shown.map(Arc::new).filter(|shown| shown.has_accepted_chain());
        if let Some(shown) = &shown {
            self.known.insert(key, Arc::clone(shown));
        }
        Ok(shown)
    }
}
