//! The parts of the TLS configuration that listeners and the verification of client certificates share.

use lombard_ports::clock::Clocks;
use rustls::crypto::{CryptoProvider, aws_lc_rs};
use rustls::pki_types::{CertificateDer, UnixTime};
use rustls::server::ClientHello;
use rustls::{CipherSuite, RootCertStore, SignatureScheme};
use std::sync::Arc;
use std::time::Duration;

/// Why TLS cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum TlsError {
    /// A certificate and its key do not match, or cannot be parsed.
    #[error("a server certificate or its key cannot be used")]
    Identity(#[source] rustls::Error),
    /// There is no server certificate.
    #[error("no server certificate was given")]
    NoIdentity,
    /// A trust anchor cannot be parsed.
    #[error("a trust anchor of client certificates cannot be used")]
    Anchor(#[source] rustls::Error),
    /// The anchors do not make a verifier.
    #[error("client certificates cannot be verified with these anchors")]
    Verifier(#[source] rustls::server::VerifierBuilderError),
    /// The cryptographic provider does not support the configuration.
    #[error("TLS cannot be configured")]
    Provider(#[source] rustls::Error),
}

/// The cipher suites of TLS 1.2 that a TPP may use. Source: TLS-002.
const TLS_1_2_SUITES: [CipherSuite; 2] =
    [CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, CipherSuite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384];

/// The anchors of client certificates, DER.
pub(super) fn anchor_store(anchors: &[Vec<u8>]) -> Result<Arc<RootCertStore>, TlsError> {
    let mut roots = RootCertStore::empty();
    for anchor in anchors {
        roots.add(CertificateDer::from(anchor.as_slice())).map_err(TlsError::Anchor)?;
    }
    Ok(Arc::new(roots))
}

/// The cryptography that TPPs may use. Source: TLS-002.
pub(super) fn tpp_provider() -> CryptoProvider {
    let mut provider = aws_lc_rs::default_provider();
    provider.cipher_suites.retain(|suite| suite.tls13().is_some() || TLS_1_2_SUITES.contains(&suite.suite()));
    provider
}

/// The wall clock's time in the form that the TLS library requires.
pub(super) fn unix_time(clocks: &Clocks) -> Option<UnixTime> {
    let secs = u64::try_from(clocks.wall_now().as_second()).ok()?;
    Some(UnixTime::since_unix_epoch(Duration::from_secs(secs)))
}

/// Whether a client supports the P-256 certificate. Only TLS 1.3 clients do, because the two suites of TLS 1.2 sign with RSA.
pub(super) fn reads_p256(hello: &ClientHello<'_>) -> bool {
    hello.cipher_suites().iter().any(is_tls13)
        && hello.signature_schemes().contains(&SignatureScheme::ECDSA_NISTP256_SHA256)
}

fn is_tls13(suite: &CipherSuite) -> bool {
    [
        CipherSuite::TLS13_AES_128_GCM_SHA256,
        CipherSuite::TLS13_AES_256_GCM_SHA384,
        CipherSuite::TLS13_CHACHA20_POLY1305_SHA256,
    ]
    .contains(suite)
}
