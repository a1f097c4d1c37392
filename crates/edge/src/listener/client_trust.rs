//! The client certificates that a listener accepts. Trust anchors and lists of revoked certificates can be replaced
//! while the listener serves: the certificates of open connections are then checked again. Source: TLS-005, TLS-006,
//! TLS-008.

use super::tls_basics::{TlsError, anchor_store, tpp_provider, unix_time};
use async_trait::async_trait;
use lombard_auth::certificates::{BadCertificate, ClientCertificate};
use lombard_domain::grant::Digest;
use lombard_ports::clock::Clocks;
use parking_lot::RwLock;
use rustls::client::danger::HandshakeSignatureValid;
use rustls::pki_types::{CertificateDer, CertificateRevocationListDer, UnixTime};
use rustls::server::WebPkiClientVerifier;
use rustls::server::danger::{ClientCertVerified, ClientCertVerifier};
use rustls::{CertificateError, DigitallySignedStruct, DistinguishedName, Error, SignatureScheme};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// Verifies client certificates against trust anchors and against lists of revoked certificates. Clones share it.
#[derive(Debug, Clone)]
pub struct ClientVerifier(Arc<dyn ClientCertVerifier>);

/// The treatment of a certificate whose revocation status no list states. Source: TLS-006.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnknownRevocation {
    /// The certificate is accepted.
    Accepted,
    /// The certificate is refused.
    Refused,
}

impl ClientVerifier {
    /// Makes a verifier. A certificate must chain to one of these anchors (DER), be valid and be for TLS clients. A handshake without a
    /// certificate succeeds. Source: TLS-004, TLS-005.
    ///
    /// # Errors
    /// [`TlsError::Anchor`], [`TlsError::Verifier`].
    pub fn new(anchors: &[Vec<u8>]) -> Result<Self, TlsError> {
        Self::with_revocation(anchors, &[], UnknownRevocation::Accepted)
    }

    /// Makes a verifier that also refuses a revoked certificate, or one with a revoked certificate in its chain. Of several lists (DER) of
    /// an issuer the first one applies. Source: TLS-006.
    ///
    /// # Errors
    /// [`TlsError::Anchor`], [`TlsError::Verifier`].
    pub fn with_revocation(
        anchors: &[Vec<u8>],
        lists: &[Vec<u8>],
        unknown: UnknownRevocation,
    ) -> Result<Self, TlsError> {
        let builder = WebPkiClientVerifier::builder_with_provider(anchor_store(anchors)?, Arc::new(tpp_provider()))
            .allow_unauthenticated()
            .with_crls(lists.iter().map(|list| CertificateRevocationListDer::from(list.clone())));
        let builder = match unknown {
            UnknownRevocation::Accepted => builder.allow_unknown_revocation_status(),
            UnknownRevocation::Refused => builder,
        };
        let verifier = builder.build().map_err(TlsError::Verifier)?;
        // Without any list the library does not check revocation at all.
        let knows_nothing = unknown == UnknownRevocation::Refused && lists.is_empty();
        Ok(Self(if knows_nothing { Arc::new(StatusUnknown(verifier)) } else { verifier }))
    }

    /// The verifier in the form that the TLS library requires.
    pub(super) fn for_handshakes(&self) -> Arc<dyn ClientCertVerifier> {
        Arc::clone(&self.0)
    }
}

/// A verifier that refuses every certificate because its status is not known, and otherwise behaves as the inner verifier.
#[derive(Debug)]
struct StatusUnknown(Arc<dyn ClientCertVerifier>);

impl ClientCertVerifier for StatusUnknown {
    fn client_auth_mandatory(&self) -> bool {
        self.0.client_auth_mandatory()
    }

    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        self.0.root_hint_subjects()
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, Error> {
        Err(CertificateError::UnknownRevocationStatus.into())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.0.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.supported_verify_schemes()
    }
}

/// Finds out, from an OCSP responder, whether authorities have revoked certificates. Source: TLS-006.
#[async_trait]
pub trait RevocationStatus: Send + Sync + fmt::Debug {
    /// Fetches the status of the certificate with this thumbprint, unless it is known. `chain` begins with that certificate (DER).
    async fn learn_status(&self, certificate: Digest, chain: &[Vec<u8>]);

    /// Whether the status was fetched before. The call marks the certificate as used, so that its status is renewed when it is due.
    fn is_known(&self, certificate: Digest) -> bool;

    /// Whether the known status refuses the certificate.
    fn refuses(&self, certificate: Digest) -> bool;
}

/// The verifier in force. Clones share it.
#[derive(Debug, Clone)]
pub struct ClientTrust(Arc<TrustState>);

#[derive(Debug)]
struct TrustState {
    clocks: Clocks,
    verifier: RwLock<ClientVerifier>,
    status: Option<Arc<dyn RevocationStatus>>,
    /// The number of the verifier, from 1.
    epoch: AtomicU64,
}

impl ClientTrust {
    /// Makes a trust that begins with this verifier.
    pub fn new(verifier: ClientVerifier, clocks: Clocks) -> Self {
        Self::with_status(verifier, clocks, None)
    }

    /// Makes a trust that also asks for the revocation status, when a connection begins or with the first request for which a proxy
    /// forwards a certificate.
    pub fn with_status(verifier: ClientVerifier, clocks: Clocks, status: Option<Arc<dyn RevocationStatus>>) -> Self {
        Self(Arc::new(TrustState { clocks, verifier: RwLock::new(verifier), status, epoch: AtomicU64::new(1) }))
    }

    /// Makes open connections check their certificates again at their next request, because the status of certificates has changed.
    pub fn invalidate_checks(&self) {
        let _current = self.0.verifier.write();
        self.0.epoch.fetch_add(1, Ordering::Release);
    }

    /// Replaces the verifier. Open connections are checked with the new one at their next request. The TLS configuration of the listener
    /// must be replaced first, so that no handshake with the former verifier counts as checked with the new one.
    pub fn replace(&self, verifier: ClientVerifier) {
        let mut current = self.0.verifier.write();
        *current = verifier;
        self.0.epoch.fetch_add(1, Ordering::Release);
    }

    /// The number of the verifier in force.
    pub(super) fn epoch(&self) -> u64 {
        self.0.epoch.load(Ordering::Acquire)
    }

    /// Checks a chain with the verifier in force, whose number is returned, and the leaf by its status.
    fn check(&self, leaf: &ClientCertificate, intermediates: &[CertificateDer<'_>]) -> (u64, Result<(), Error>) {
        let (epoch, verdict) = self.verify(leaf, intermediates);
        let is_revoked = self.0.status.as_ref().is_some_and(|status| status.refuses(leaf.thumbprint()));
        let verdict = if is_revoked { verdict.and(Err(CertificateError::Revoked.into())) } else { verdict };
        (epoch, verdict)
    }

    /// Checks a chain with the verifier in force, whose number is returned.
    fn verify(&self, leaf: &ClientCertificate, intermediates: &[CertificateDer<'_>]) -> (u64, Result<(), Error>) {
        let (verifier, epoch) = {
            let current = self.0.verifier.read();
            (current.for_handshakes(), self.epoch())
        };
        let verdict = unix_time(&self.0.clocks).ok_or(Error::FailedToGetCurrentTime).and_then(|now| {
            verifier.verify_client_cert(&CertificateDer::from(leaf.der()), intermediates, now).map(|_| ())
        });
        (epoch, verdict)
    }
}

/// A certificate that a caller has shown, with the rest of its chain.
#[derive(Debug)]
pub(super) struct PresentedCertificate {
    accepted: Arc<ClientCertificate>,
    /// A copy of the certificate that is marked as not trusted, made when it is first needed.
    refused: OnceLock<Arc<ClientCertificate>>,
    intermediates: Vec<CertificateDer<'static>>,
    /// The trust to check against; `None` if the result of the check is final.
    trust: Option<ClientTrust>,
    checked_epoch: AtomicU64,
}

/// The bit of a check's result that means that the certificate was refused; the other bits are the number of the verifier.
const REFUSED: u64 = 1 << 63;

impl PresentedCertificate {
    /// Makes a certificate from a chain, leaf first, that the verifier with this number accepted; `None` if the chain is empty.
    ///
    /// # Errors
    /// [`BadCertificate`] if the leaf cannot be parsed.
    pub(super) fn accepted(
        chain: &[CertificateDer<'_>],
        trust: Option<ClientTrust>,
        epoch: u64,
    ) -> Result<Option<Self>, BadCertificate> {
        let Some((leaf, intermediates)) = chain.split_first() else { return Ok(None) };
        Ok(Some(Self {
            accepted: Arc::new(ClientCertificate::from_der(leaf)?),
            refused: OnceLock::new(),
            intermediates: intermediates.iter().map(|one| one.clone().into_owned()).collect(),
            trust,
            checked_epoch: AtomicU64::new(epoch),
        }))
    }

    /// The source of revocation status, if one is configured.
    fn status(&self) -> Option<&dyn RevocationStatus> {
        self.trust.as_ref().and_then(|trust| trust.0.status.as_deref())
    }

    /// Whether the status of the certificate must be fetched and was not fetched yet.
    pub(super) fn lacks_status(&self) -> bool {
        self.status().is_some_and(|status| !status.is_known(self.thumbprint()))
    }

    /// Fetches the status of the certificate, if it is needed; returns whether the certificate is accepted.
    pub(super) async fn learn_status(&self) -> bool {
        let Some(status) = self.status() else { return true };
        let chain: Vec<_> = [self.accepted.der()]
            .into_iter()
            .chain(self.intermediates.iter().map(|one| one.as_ref()))
            .map(<[u8]>::to_vec)
            .collect();
        status.learn_status(self.accepted.thumbprint(), &chain).await;
        // The certificate was checked in the handshake, before its status was known.
        self.forget_check();
        self.is_accepted()
    }

    /// Forgets the result of the check, so that the certificate is checked again at its next use.
    pub(super) fn forget_check(&self) {
        self.checked_epoch.store(0, Ordering::Relaxed);
    }

    /// Makes a certificate from a chain, leaf first, that was not checked yet; `None` if the chain is empty.
    ///
    /// # Errors
    /// [`BadCertificate`] if the leaf cannot be parsed.
    pub(super) fn new_unchecked(
        chain: &[CertificateDer<'_>],
        trust: Option<ClientTrust>,
    ) -> Result<Option<Self>, BadCertificate> {
        // Verifiers are numbered from 1.
        Self::accepted(chain, trust, 0)
    }

    /// The digest of the certificate.
    pub(super) fn thumbprint(&self) -> Digest {
        self.accepted.thumbprint()
    }

    /// Whether the certificate is accepted by its chain and, if status is used, by its status.
    pub(super) fn is_accepted(&self) -> bool {
        self.certificate().is_trusted()
    }

    /// Whether the verifier in force accepts the chain, independent of the status.
    pub(super) fn has_accepted_chain(&self) -> bool {
        match &self.trust {
            Some(trust) if trust.0.status.is_some() => {
                let (_, verdict) = trust.verify(&self.accepted, &self.intermediates);
                verdict.inspect_err(log_refusal).is_ok()
            }
            _ => self.is_accepted(),
        }
    }

    /// The certificate, marked as not trusted if the verifier in force does not accept its chain. Usually this is one comparison, because
    /// the chain is checked again only after the verifier was replaced.
    pub(super) fn certificate(&self) -> &Arc<ClientCertificate> {
        let Some(trust) = &self.trust else { return &self.accepted };
        let mut judgement = self.checked_epoch.load(Ordering::Relaxed);
        if judgement & !REFUSED != trust.epoch() {
            judgement = self.check(trust);
        }
        if judgement & REFUSED == 0 {
            return &self.accepted;
        }
        self.refused.get_or_init(|| Arc::new(self.accepted.without_trust()))
    }

    fn check(&self, trust: &ClientTrust) -> u64 {
        let (epoch, verdict) = trust.check(&self.accepted, &self.intermediates);
        let judgement = match verdict {
            Ok(()) => epoch,
            Err(error) => {
                log_refusal(&error);
                epoch | REFUSED
            }
        };
        self.checked_epoch.store(judgement, Ordering::Relaxed);
        judgement
    }
}

fn log_refusal(error: &Error) {
    tracing::info!(security.refusal = "TLS-005", %error, "a client certificate is not accepted");
}
