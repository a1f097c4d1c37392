//! The settings of the connection to a core.

use crate::breaker::BreakerSettings;
use crate::recorder::ExchangeRecorder;
use rustls::client::WantsClientCert;
use rustls::{ClientConfig, ConfigBuilder, RootCertStore};
use rustls_pki_types::{CertificateDer, PrivateKeyDer};
use std::fmt;
use std::sync::Arc;
use url::Url;

/// The certificate that the server presents to the core, with its key.
#[derive(Clone)]
pub struct CoreIdentity {
    /// The certificate chain, leaf first.
    pub chain: Vec<CertificateDer<'static>>,
    /// The private key of the leaf.
    pub key: Arc<PrivateKeyDer<'static>>,
}

impl fmt::Debug for CoreIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CoreIdentity").field("certificates", &self.chain.len()).finish_non_exhaustive()
    }
}

/// The address of a core, the TLS settings, and the limits of calls.
#[derive(Debug, Clone)]
pub struct ConnectorSettings {
    /// The base URL of the core, without `/core/v1`.
    pub url: Url,
    /// The trust anchors of the core's certificate.
    pub anchors: Vec<CertificateDer<'static>>,
    /// The certificate that the server presents.
    pub identity: CoreIdentity,
    /// The deadline of each method, in percent of the deadline in the table of methods; at least 1.
    pub deadline_percent: u32,
    /// The most attempts to send a call whose answer is lost.
    pub attempts_max: u32,
    /// The most concurrent calls and connections; further calls wait within their deadline.
    pub calls_max: usize,
    /// The most bytes of an answer.
    pub answer_bytes_max: usize,
    /// Whether the core is informed of the changes of consents.
    pub consent_changes: bool,
    /// The settings of the circuit breaker.
    pub breaker: BreakerSettings,
    /// Records every request with its answer; only for checks of a core.
    pub recorder: Option<ExchangeRecorder>,
}

impl ConnectorSettings {
    /// The default settings for this core.
    pub fn new(url: Url, anchors: Vec<CertificateDer<'static>>, identity: CoreIdentity) -> Self {
        Self {
            url,
            anchors,
            identity,
            deadline_percent: 100,
            attempts_max: 3,
            calls_max: 256,
            answer_bytes_max: 16 * 1024 * 1024,
            consent_changes: true,
            breaker: BreakerSettings::default(),
            recorder: None,
        }
    }

    /// The TLS configuration with the server's certificate.
    pub(crate) fn tls_with_certificate(&self) -> Result<ClientConfig, ConnectorError> {
        let identity = &self.identity;
        self.tls()?.with_client_auth_cert(identity.chain.clone(), identity.key.clone_key()).map_err(refused)
    }

    /// The TLS configuration without a certificate.
    pub(crate) fn tls_without_certificate(&self) -> Result<ClientConfig, ConnectorError> {
        Ok(self.tls()?.with_no_client_auth())
    }

    /// The TLS configuration that verifies the core's certificate.
    fn tls(&self) -> Result<ConfigBuilder<ClientConfig, WantsClientCert>, ConnectorError> {
        let mut roots = RootCertStore::empty();
        for anchor in &self.anchors {
            roots.add(anchor.clone()).map_err(refused)?;
        }
        let config = ClientConfig::builder_with_provider(Arc::new(rustls::crypto::aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .map_err(refused)?
            .with_root_certificates(roots);
        Ok(config)
    }
}

fn refused(error: rustls::Error) -> ConnectorError {
    ConnectorError::Tls(error.to_string())
}

/// Why a connector cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum ConnectorError {
    /// A certificate or key cannot be used.
    #[error("the certificates of the core connection cannot be used: {0}")]
    Tls(String),
    /// The address cannot be the base of paths.
    #[error("the core's address must be an https address")]
    Address,
}
