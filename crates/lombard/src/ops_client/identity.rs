//! Who calls the ops listener, and how the connection is made.

use super::error::OpsError;
use crate::config::{Config, StaffKind, read_certificates, read_private_key, read_secret_text};
use crate::operator_file::OperatorFile;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, aws_lc_rs, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, PrivatePkcs8KeyDer, ServerName, UnixTime};
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, SignatureScheme};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zeroize::Zeroizing;

/// The files of a sandbox with the certificates of its servers.
const SANDBOX_CERTIFICATES: [&str; 2] = ["private/server-p256.pem", "private/server-rsa.pem"];

/// The ops listener of a server, with the identity of the person who calls.
#[derive(Clone)]
pub struct OpsClient {
    url: String,
    connection: OpsConnection,
    token: Option<Arc<Zeroizing<String>>>,
}

/// How a connection is made.
#[derive(Debug, Clone)]
pub(super) enum OpsConnection {
    /// Without TLS, to this host and port.
    Plain(String),
    /// Over TLS.
    Tls(reqwest::Client),
}

impl fmt::Debug for OpsClient {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpsClient").field("url", &self.url).finish_non_exhaustive()
    }
}

impl OpsClient {
    /// A client without an identity, which accepts any certificate of the server.
    ///
    /// # Errors
    /// [`OpsError`] if the address cannot be used.
    pub fn of_anybody(url: &str) -> Result<Self, OpsError> {
        Self::connect(url, || Ok((None, None)))
    }

    /// A client for the sandbox in this folder, with the operator's token if the folder has one.
    ///
    /// # Errors
    /// [`OpsError`] if the address or the file of the operator cannot be used.
    pub fn of_sandbox(data_dir: &Path, url: &str) -> Result<Self, OpsError> {
        let token = OperatorFile::read(data_dir).map_err(|reason| OpsError::Identity {
            setting: OperatorFile::path(data_dir).display().to_string(),
            reason,
        })?;
        let pinned = || Ok((None, Some(sandbox_certificates(data_dir)?)));
        Ok(Self::connect(url, pinned)?.with_token(token.map(|file| Zeroizing::new(file.token))))
    }

    /// A client for the server of this installation, with the identity that the installation's settings name for commands.
    ///
    /// # Errors
    /// [`OpsError`] if a file of the identity cannot be used.
    pub fn of_installation(config: &Config, url: &str) -> Result<Self, OpsError> {
        let ops = &config.ops;
        match config.staff_kind() {
            Some(StaffKind::Password) => Self::of_sandbox(&config.data_dir, url),
            Some(StaffKind::Mtls) => {
                let identity = || {
                    let named = ops.command_certificate_file.as_ref().zip(ops.command_key_file.as_ref());
                    let identity = named.map(|(certificate, key)| read_identity(certificate, key)).transpose()?;
                    Ok((identity, Some(server_certificates(config)?)))
                };
                Self::connect(url, identity)
            }
            Some(StaffKind::Oidc) => {
                let token = ops.command_token_file.as_ref().map(|file| {
                    read_secret_text(file).map_err(|reason| unusable("ops.command_token_file", file, &reason))
                });
                let pinned = || Ok((None, Some(server_certificates(config)?)));
                Ok(Self::connect(url, pinned)?.with_token(token.transpose()?))
            }
            None => Self::of_anybody(url),
        }
    }

    /// The URL of the listener, without a trailing slash.
    pub fn url(&self) -> &str {
        &self.url
    }

    pub(super) const fn connection(&self) -> &OpsConnection {
        &self.connection
    }

    /// The value of the header that identifies the caller.
    pub(super) fn authorization(&self) -> Option<Zeroizing<String>> {
        self.token.as_ref().map(|token| Zeroizing::new(format!("Bearer {}", token.as_str())))
    }

    fn with_token(self, token: Option<Zeroizing<String>>) -> Self {
        Self { token: token.map(Arc::new), ..self }
    }

    /// Prepares a connection to this address. `tls` reads the client's certificate and the certificates that the server may show; it is
    /// called for an address with TLS only.
    fn connect(url: &str, tls: impl FnOnce() -> Result<TlsFiles, OpsError>) -> Result<Self, OpsError> {
        let connection = match url.strip_prefix("http://") {
            Some(host) => OpsConnection::Plain(host.to_owned()),
            None => OpsConnection::Tls(tls_client(tls()?)?),
        };
        Ok(Self { url: url.to_owned(), connection, token: None })
    }
}

/// A certificate chain with its key.
type Identity = (Vec<CertificateDer<'static>>, PrivatePkcs8KeyDer<'static>);

/// The identity of the client, and the certificates that the server may show; `None` accepts any.
type TlsFiles = (Option<Identity>, Option<Vec<CertificateDer<'static>>>);

fn tls_client((identity, pinned): TlsFiles) -> Result<reqwest::Client, OpsError> {
    let refused = |error: &dyn std::error::Error| OpsError::Identity {
        setting: "ops.command_certificate_file".to_owned(),
        reason: error.to_string(),
    };
    let provider = Arc::new(aws_lc_rs::default_provider());
    let verifier = Arc::new(PinnedServer { certificates: pinned, provider: Arc::clone(&provider) });
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| refused(&error))?
        .dangerous()
        .with_custom_certificate_verifier(verifier);
    let config = match identity {
        Some((chain, key)) => builder.with_client_auth_cert(chain, key.into()).map_err(|error| refused(&error))?,
        None => builder.with_no_client_auth(),
    };
    let client = reqwest::Client::builder()
        .tls_backend_preconfigured(config)
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .build();
    client.map_err(|error| refused(&error))
}

fn read_identity(certificate: &Path, key: &Path) -> Result<Identity, OpsError> {
    let chain = read_certificates(certificate)
        .map_err(|reason| unusable("ops.command_certificate_file", certificate, &reason))?;
    let key = read_private_key(key).map_err(|reason| unusable("ops.command_key_file", key, &reason))?;
    Ok((chain, key))
}

/// The certificates that the ops listener of this installation shows.
fn server_certificates(config: &Config) -> Result<Vec<CertificateDer<'static>>, OpsError> {
    let (ops, tls) = (&config.ops, &config.tls);
    let own = [("ops.certificate_file", &ops.certificate_file)];
    let shared = [
        ("tls.ec_certificate_file", &tls.ec_certificate_file),
        ("tls.rsa_certificate_file", &tls.rsa_certificate_file),
    ];
    let named: Vec<_> = if ops.certificate_file.is_some() { own.to_vec() } else { shared.to_vec() };
    let mut certificates = Vec::new();
    for (setting, file) in named {
        let Some(file) = file else { continue };
        let chain = read_certificates(file).map_err(|reason| unusable(setting, file, &reason))?;
        certificates.extend(chain.into_iter().next());
    }
    if certificates.is_empty() && config.is_sandbox() {
        return sandbox_certificates(&config.data_dir);
    }
    Ok(certificates)
}

/// The certificates of the servers of a sandbox.
fn sandbox_certificates(data_dir: &Path) -> Result<Vec<CertificateDer<'static>>, OpsError> {
    let files = SANDBOX_CERTIFICATES.map(|name| data_dir.join(name));
    let read = |file: &PathBuf| {
        let chain = read_certificates(file).map_err(|reason| unusable("the sandbox's certificate", file, &reason))?;
        Ok(chain.into_iter().next())
    };
    files.iter().filter(|file| file.is_file()).filter_map(|file| read(file).transpose()).collect()
}

fn unusable(setting: &str, file: &Path, reason: &str) -> OpsError {
    OpsError::Identity { setting: setting.to_owned(), reason: format!("{} {reason}", file.display()) }
}

/// Accepts a server by its certificate, which the command reads from the same file as the server, whatever names it has.
#[derive(Debug)]
struct PinnedServer {
    /// The certificates that are accepted; `None` accepts any.
    certificates: Option<Vec<CertificateDer<'static>>>,
    provider: Arc<CryptoProvider>,
}

impl ServerCertVerifier for PinnedServer {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let is_known = self.certificates.as_ref().is_none_or(|known| known.iter().any(|it| it == end_entity));
        if is_known {
            return Ok(ServerCertVerified::assertion());
        }
        Err(Error::InvalidCertificate(CertificateError::ApplicationVerificationFailure))
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}
