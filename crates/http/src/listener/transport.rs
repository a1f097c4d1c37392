//! How callers reach a listener: in the clear or over TLS, and whose client certificates are accepted.

use super::client_trust::ClientTrust;
use parking_lot::RwLock;
use rustls::ServerConfig;
use std::sync::Arc;

/// The TLS configuration of a listener, which can be replaced while the listener serves. Clones share it.
#[derive(Debug, Clone)]
pub struct ListenerTls(Arc<RwLock<Arc<ServerConfig>>>);

impl ListenerTls {
    /// Answers handshakes that begin from now on with this configuration. Sessions of the former one are not resumed, because
    /// each configuration remembers its own. Source: TLS-008.
    pub fn replace(&self, config: Arc<ServerConfig>) {
        *self.0.write() = config;
    }

    /// The configuration in force.
    pub(super) fn current(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.0.read())
    }
}

impl From<Arc<ServerConfig>> for ListenerTls {
    fn from(config: Arc<ServerConfig>) -> Self {
        Self(Arc::new(RwLock::new(config)))
    }
}

/// How callers reach a listener.
#[derive(Debug, Clone, Default)]
pub struct ListenerTransport {
    pub(super) tls: Option<ListenerTls>,
    pub(super) trust: Option<ClientTrust>,
}

impl ListenerTransport {
    /// In the clear.
    pub fn plain() -> Self {
        Self::default()
    }

    /// Over TLS.
    pub fn tls(tls: impl Into<ListenerTls>) -> Self {
        Self { tls: Some(tls.into()), trust: None }
    }

    /// Judges client certificates of open connections again when this trust changes. The TLS configuration must verify them in the
    /// handshake by the same verifier.
    #[must_use]
    pub fn with_client_trust(self, trust: ClientTrust) -> Self {
        Self { trust: Some(trust), ..self }
    }
}
