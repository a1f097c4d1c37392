//! TLS of the two listeners: versions, suites, certificates, anchors and resumption (TLS-001 to TLS-008).

use super::client_trust::ClientVerifier;
use super::connection::{H2, HTTP_1_1};
use super::tls_basics::{anchor_store, reads_p256, tpp_provider, unix_time};
use lombard_ports::clock::Clocks;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, UnixTime};
use rustls::server::{
    ClientHello, ResolvesServerCert, ServerSessionMemoryCache, StoresServerSessions, WebPkiClientVerifier,
};
use rustls::sign::CertifiedKey;
use rustls::time_provider::TimeProvider;
use rustls::{ServerConfig, SignatureAlgorithm};
use std::sync::Arc;

pub use super::tls_basics::TlsError;

/// The most sessions stored for resumption; the oldest are dropped first.
const SESSIONS_MAX: usize = 4096;

/// One server certificate with its key.
#[derive(Clone, Copy)]
pub struct ServerCertificate<'a> {
    /// The chain, leaf first, DER.
    pub chain: &'a [Vec<u8>],
    /// The private key, PKCS#8 DER.
    pub key_pkcs8: &'a [u8],
}

impl std::fmt::Debug for ServerCertificate<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Identity").field("certificates", &self.chain.len()).finish_non_exhaustive()
    }
}

/// The certificates and settings from which the TLS configurations are made.
#[derive(Debug, Clone)]
pub struct TlsMaterial {
    certificates: Arc<CertificateResolver>,
    sessions_secs_max: u64,
    clocks: Clocks,
}

impl TlsMaterial {
    /// Checks the certificates and keys. A session may be resumed for `sessions_secs_max` seconds.
    ///
    /// # Errors
    /// [`TlsError::Identity`], [`TlsError::NoIdentity`].
    pub fn new(identities: &[ServerCertificate<'_>], sessions_secs_max: u64, clocks: Clocks) -> Result<Self, TlsError> {
        let certificates = Arc::new(CertificateResolver::load(identities)?);
        Ok(Self { certificates, sessions_secs_max, clocks })
    }

    /// The TLS configuration for browsers, without client certificates. Source: TLS-003.
    ///
    /// # Errors
    /// [`TlsError::Provider`].
    pub fn public(&self) -> Result<Arc<ServerConfig>, TlsError> {
        let config = self.builder(aws_lc_rs::default_provider())?.with_no_client_auth();
        Ok(self.finish(config.with_cert_resolver(self.certificates.clone())))
    }

    /// The TLS configuration for TPPs. A client certificate is requested, and the verifier must accept it if one is presented; a handshake
    /// without one succeeds. Source: TLS-002, TLS-004, TLS-005.
    ///
    /// # Errors
    /// [`TlsError::Provider`].
    pub fn mtls(&self, verifier: &ClientVerifier) -> Result<Arc<ServerConfig>, TlsError> {
        let config = self.builder(tpp_provider())?.with_client_cert_verifier(verifier.for_handshakes());
        Ok(self.finish(config.with_cert_resolver(self.certificates.clone())))
    }

    /// The TLS configuration between programs of the bank: a handshake without a client certificate of one of the anchors fails.
    ///
    /// # Errors
    /// [`TlsError::Anchor`], [`TlsError::Verifier`], [`TlsError::Provider`].
    pub fn mutual(&self, anchors: &[Vec<u8>]) -> Result<Arc<ServerConfig>, TlsError> {
        let anchors = anchor_store(anchors)?;
        let provider = aws_lc_rs::default_provider();
        let verifier = WebPkiClientVerifier::builder_with_provider(anchors, Arc::new(provider.clone()));
        let verifier = verifier.build().map_err(TlsError::Verifier)?;
        let config = self.builder(provider)?.with_client_cert_verifier(verifier);
        Ok(self.finish(config.with_cert_resolver(self.certificates.clone())))
    }

    /// The TLS configuration for proxies that terminate the TLS of their clients: a handshake without a certificate of these anchors fails.
    /// Only HTTP/1.1 is offered, because each connection carries the requests of many clients. Source: TLS-011.
    ///
    /// # Errors
    /// [`TlsError::Anchor`], [`TlsError::Verifier`], [`TlsError::Provider`].
    pub fn for_proxies(&self, anchors: &[Vec<u8>]) -> Result<Arc<ServerConfig>, TlsError> {
        let mut config = ServerConfig::clone(&*self.mutual(anchors)?);
        config.alpn_protocols = vec![HTTP_1_1.to_vec()];
        Ok(Arc::new(config))
    }

    fn builder(
        &self,
        provider: CryptoProvider,
    ) -> Result<rustls::ConfigBuilder<ServerConfig, rustls::WantsVerifier>, TlsError> {
        let time = Arc::new(WallTimeProvider(self.clocks.clone()));
        ServerConfig::builder_with_details(Arc::new(provider), time)
            .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
            .map_err(TlsError::Provider)
    }

    fn finish(&self, mut config: ServerConfig) -> Arc<ServerConfig> {
        config.alpn_protocols = vec![H2.to_vec(), HTTP_1_1.to_vec()];
        // Sessions are stored in this process with the client's certificate. Each configuration has its own store, so that a configuration
        // with new anchors or revocations resumes no earlier session.
        config.session_storage = Arc::new(SessionCache {
            inner: ServerSessionMemoryCache::new(SESSIONS_MAX),
            secs_max: self.sessions_secs_max,
            clocks: self.clocks.clone(),
        });
        config.max_early_data_size = 0;
        Arc::new(config)
    }
}

/// Supplies TLS with the program's wall clock (D13).
#[derive(Debug)]
struct WallTimeProvider(Clocks);

impl TimeProvider for WallTimeProvider {
    fn current_time(&self) -> Option<UnixTime> {
        unix_time(&self.0)
    }
}

/// Selects the P-256 certificate for clients that support it, because it halves the cost of the handshake, and otherwise the RSA one.
#[derive(Debug)]
struct CertificateResolver {
    ecdsa: Option<Arc<CertifiedKey>>,
    rsa: Option<Arc<CertifiedKey>>,
}

impl CertificateResolver {
    fn load(identities: &[ServerCertificate<'_>]) -> Result<Self, TlsError> {
        let provider = aws_lc_rs::default_provider();
        let mut found = Self { ecdsa: None, rsa: None };
        for identity in identities {
            let chain = identity.chain.iter().map(|der| CertificateDer::from(der.clone())).collect();
            let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(identity.key_pkcs8.to_vec()));
            let certified = CertifiedKey::from_der(chain, key, &provider).map_err(TlsError::Identity)?;
            match certified.key.algorithm() {
                SignatureAlgorithm::ECDSA => found.ecdsa = Some(Arc::new(certified)),
                SignatureAlgorithm::RSA => found.rsa = Some(Arc::new(certified)),
                other => {
                    let reason = format!("{other:?} keys are not offered to clients (TLS-002)");
                    return Err(TlsError::Identity(rustls::Error::General(reason)));
                }
            }
        }
        if found.ecdsa.is_none() && found.rsa.is_none() { Err(TlsError::NoIdentity) } else { Ok(found) }
    }
}

impl ResolvesServerCert for CertificateResolver {
    fn resolve(&self, hello: ClientHello<'_>) -> Option<Arc<CertifiedKey>> {
        match (&self.ecdsa, &self.rsa) {
            (Some(ecdsa), _) if reads_p256(&hello) => Some(Arc::clone(ecdsa)),
            (ecdsa, rsa) => rsa.as_ref().or(ecdsa.as_ref()).cloned(),
        }
    }
}

/// Sessions that can be resumed, each for a limited time. Source: TLS-008.
#[derive(Debug)]
struct SessionCache {
    inner: Arc<ServerSessionMemoryCache>,
    secs_max: u64,
    clocks: Clocks,
}

/// The number of bytes before a stored session, which hold the second of its storage.
const STAMP_BYTES: usize = 8;

impl SessionCache {
    fn second(&self) -> u64 {
        u64::try_from(self.clocks.wall_now().as_second()).unwrap_or(0)
    }

    fn fresh(&self, stamped: Vec<u8>) -> Option<Vec<u8>> {
        let (stamp, session) = stamped.split_first_chunk::<STAMP_BYTES>()?;
        let age = self.second().checked_sub(u64::from_be_bytes(*stamp))?;
        (age <= self.secs_max).then(|| session.to_vec())
    }
}

impl StoresServerSessions for SessionCache {
    fn put(&self, key: Vec<u8>, value: Vec<u8>) -> bool {
        let mut stamped = self.second().to_be_bytes().to_vec();
        stamped.extend_from_slice(&value);
        self.inner.put(key, stamped)
    }

    fn get(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.inner.get(key).and_then(|stamped| self.fresh(stamped))
    }

    fn take(&self, key: &[u8]) -> Option<Vec<u8>> {
        self.inner.take(key).and_then(|stamped| self.fresh(stamped))
    }

    fn can_cache(&self) -> bool {
        self.secs_max > 0
    }
}
