//! TLS to PostgreSQL, with the meaning of libpq's `sslmode`.
//!
//! Source: PostgreSQL 18 documentation, section 32.19 (SSL Support).

use super::url::{PostgresUrl, TlsMode, TrustedRoots, UrlFault};
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{verify_server_cert_signed_by_trust_anchor, verify_server_name};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};
use std::path::Path;
use std::sync::Arc;
use tokio_postgres::Socket;
use tokio_postgres::tls::MakeTlsConnect;
use tokio_postgres_rustls::MakeRustlsConnect;
use x509_cert::der::Decode;

/// The protocol that PostgreSQL names in the handshake. Servers before version 17 ignore it.
const PROTOCOL: &[u8] = b"postgresql";

/// An encrypted connection to the server.
pub(super) type TlsStream = <MakeRustlsConnect as MakeTlsConnect<Socket>>::Stream;

/// What the files of a URL hold.
#[derive(Debug, Clone)]
pub(super) struct TlsFiles {
    roots: Option<Arc<Roots>>,
    client: Option<Arc<CertifiedKey>>,
}

/// The certificates that servers are verified with.
#[derive(Debug)]
struct Roots {
    anchors: RootCertStore,
    /// As they are in the file: a server may show one of them itself.
    certificates: Vec<CertificateDer<'static>>,
}

impl PostgresUrl {
    /// Reads the certificates and the key that the URL names.
    ///
    /// # Errors
    /// All faults, of which there is at least one.
    pub fn check_files(&self) -> Result<(), Vec<UrlFault>> {
        self.read_files().map(drop)
    }

    pub(super) fn read_files(&self) -> Result<TlsFiles, Vec<UrlFault>> {
        let mut faults = Vec::new();
        let mut keep = |fault: String| faults.push(UrlFault::Other(fault));
        let roots = match &self.roots {
            Some(TrustedRoots::File(file)) => read_roots(file).map_err(&mut keep).ok(),
            Some(TrustedRoots::System) => system_roots().map_err(&mut keep).ok(),
            None => None,
        };
        let client = match (&self.certificate, &self.key) {
            (Some(certificate), Some(key)) => read_client(certificate, key).map_err(&mut keep).ok(),
            _ => None,
        };
        if faults.is_empty() {
            Ok(TlsFiles { roots: roots.map(Arc::new), client: client.map(Arc::new) })
        } else {
            Err(faults)
        }
    }
}

impl TlsFiles {
    /// What connects in this mode.
    pub(super) fn connector(&self, mode: TlsMode) -> Result<MakeRustlsConnect, Error> {
        let provider = Arc::new(aws_lc_rs::default_provider());
        let verifier = ServerVerifier { mode, roots: self.roots.clone(), provider: Arc::clone(&provider) };
        let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
        let config = config.dangerous().with_custom_certificate_verifier(Arc::new(verifier));
        let mut config = match &self.client {
            Some(client) => config.with_client_cert_resolver(Arc::new(SingleCertAndKey::from(Arc::clone(client)))),
            None => config.with_no_client_auth(),
        };
        config.alpn_protocols = vec![PROTOCOL.to_vec()];
        Ok(MakeRustlsConnect::new(config))
    }
}

/// Reads the certificates of a file. The error names the parameter.
fn read_certificates(parameter: &str, file: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let name = file.display();
    let bytes = read(parameter, file)?;
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
    match certificates {
        Ok(certificates) if certificates.is_empty() => {
            Err(format!("{parameter}: {name} holds no PEM certificate; convert it to PEM, or name another file"))
        }
        Ok(certificates) => Ok(certificates),
        Err(error) => {
            Err(format!("{parameter}: {name} cannot be read as PEM certificates ({error}); convert it to PEM"))
        }
    }
}

fn read(parameter: &str, file: &Path) -> Result<Vec<u8>, String> {
    std::fs::read(file).map_err(|error| {
        let name = file.display();
        format!("{parameter}: {name} cannot be read ({error}); give the path of a file that the server's user may read")
    })
}

fn read_roots(file: &Path) -> Result<Roots, String> {
    let certificates = read_certificates("sslrootcert", file)?;
    let mut anchors = RootCertStore::empty();
    for (number, certificate) in (1..).zip(&certificates) {
        anchors.add(certificate.clone()).map_err(|error| {
            let name = file.display();
            format!("sslrootcert: {name} has a certificate (number {number}) that cannot be used ({error}); remove it")
        })?;
    }
    Ok(Roots { anchors, certificates })
}

fn system_roots() -> Result<Roots, String> {
    let mut anchors = RootCertStore::empty();
    let (added, _) = anchors.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    if added == 0 {
        return Err(
            "sslrootcert=system finds no authorities on this machine; install them (ca-certificates), or name a file"
                .to_owned(),
        );
    }
    Ok(Roots { anchors, certificates: Vec::new() })
}

fn read_client(certificate: &Path, key: &Path) -> Result<CertifiedKey, String> {
    let chain = read_certificates("sslcert", certificate)?;
    let name = key.display();
    let der = PrivateKeyDer::from_pem_slice(&zeroize::Zeroizing::new(read("sslkey", key)?)).map_err(|error| {
        format!("sslkey: {name} cannot be read as a private key in PEM ({error}); openssl pkcs8 -topk8 -nocrypt converts others")
    })?;
    CertifiedKey::from_der(chain, der, &aws_lc_rs::default_provider()).map_err(|error| match error {
        Error::InconsistentKeys(_) => {
            let certificate = certificate.display();
            format!("sslkey: {name} is not the key of the first certificate in {certificate} (sslcert); give files that belong together")
        }
        Error::InvalidCertificate(error) => {
            format!("sslcert: {} has a certificate that cannot be used ({error}); have it issued again", certificate.display())
        }
        error => format!("sslkey: {name} cannot be used ({error}); give an RSA, P-256, P-384 or Ed25519 key"),
    })
}

/// Verifies a server as far as the mode asks for it.
#[derive(Debug)]
struct ServerVerifier {
    mode: TlsMode,
    roots: Option<Arc<Roots>>,
    provider: Arc<CryptoProvider>,
}

impl ServerVerifier {
    fn verify_chain(
        &self,
        roots: &Roots,
        shown: &CertificateDer<'_>,
        parsed: &ParsedCertificate<'_>,
        intermediates: &[CertificateDer<'_>],
        now: UnixTime,
    ) -> Result<(), Error> {
        // A self-signed server certificate, as PostgreSQL's documentation creates it, is accepted if the file of authorities
        // contains it.
        if roots.certificates.iter().any(|trusted| trusted == shown) {
            return is_current(shown, now);
        }
        let algorithms = self.provider.signature_verification_algorithms.all;
        verify_server_cert_signed_by_trust_anchor(parsed, &roots.anchors, intermediates, now, algorithms)
    }
}

/// Checks the dates of a certificate.
fn is_current(certificate: &CertificateDer<'_>, now: UnixTime) -> Result<(), Error> {
    use rustls::CertificateError::{BadEncoding, Expired, NotValidYet};
    let read = x509_cert::Certificate::from_der(certificate).map_err(|_| Error::InvalidCertificate(BadEncoding))?;
    let validity = read.tbs_certificate.validity;
    let now = now.as_secs();
    if now < validity.not_before.to_unix_duration().as_secs() {
        return Err(Error::InvalidCertificate(NotValidYet));
    }
    if now > validity.not_after.to_unix_duration().as_secs() {
        return Err(Error::InvalidCertificate(Expired));
    }
    Ok(())
}

impl ServerCertVerifier for ServerVerifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let parsed = ParsedCertificate::try_from(end_entity);
        // As libpq: a root file is obeyed in every mode.
        if let Some(roots) = &self.roots {
            self.verify_chain(roots, end_entity, parsed.as_ref().map_err(Clone::clone)?, intermediates, now)?;
        }
        if self.mode == TlsMode::VerifyFull {
            verify_server_name(&parsed?, server_name)?;
        }
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
