//! How callers reach a listener: in the clear or over TLS, whose client certificates are accepted, and which proxies stand between.

use super::client_trust::ClientTrust;
use super::proxies::{ForwardedRequests, ListenerProxies, ProxyAddresses};
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
    proxies: Option<ListenerProxies>,
}

impl ListenerTransport {
    /// In the clear.
    pub fn plain() -> Self {
        Self::default()
    }

    /// Over TLS.
    pub fn tls(tls: impl Into<ListenerTls>) -> Self {
        Self { tls: Some(tls.into()), ..Self::default() }
    }

    /// Judges client certificates of open connections again when this trust changes. The TLS configuration must verify them in the
    /// handshake by the same verifier.
    #[must_use]
    pub fn with_client_trust(self, trust: ClientTrust) -> Self {
        Self { trust: Some(trust), ..self }
    }

    /// Through these proxies. Where they end TLS, TLS of the listener itself is what they connect with.
    #[must_use]
    pub fn behind(self, proxies: ListenerProxies) -> Self {
        Self { proxies: Some(proxies), ..self }
    }

    /// The proxies that pass TLS on, whose connections begin with a header of the PROXY protocol.
    pub(super) fn passing_proxies(&self) -> Option<&ProxyAddresses> {
        match &self.proxies {
            Some(ListenerProxies::PassTls(proxies)) => Some(proxies),
            Some(ListenerProxies::EndTls(_)) | None => None,
        }
    }

    /// What is believed of requests whose TLS proxies have ended.
    pub(super) fn forwarded_requests(&self) -> Option<&ForwardedRequests> {
        match &self.proxies {
            Some(ListenerProxies::EndTls(forwarded)) => Some(forwarded),
            Some(ListenerProxies::PassTls(_)) | None => None,
        }
    }
}
