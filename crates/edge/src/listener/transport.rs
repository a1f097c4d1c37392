//! The transport of a listener: plain or TLS, which client certificates are accepted, and which proxies may be in
//! front.

use super::client_trust::ClientTrust;
use super::proxies::{ForwardedRequests, ListenerProxies, ProxyAddresses};
use super::tls_basics::reads_p256;
use crate::start_barrier::StartBarrier;
use parking_lot::RwLock;
use rustls::ServerConfig;
use rustls::server::Acceptor;
use std::io;
use std::sync::Arc;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio_rustls::server::TlsStream;
use tokio_rustls::{LazyConfigAcceptor, TlsAcceptor};

/// The TLS configuration of a listener, which can be replaced while the listener serves. Clones share it.
#[derive(Debug, Clone)]
pub struct ListenerTls {
    config: Arc<RwLock<Arc<ServerConfig>>>,
    /// Closed while the configuration has no RSA certificate yet.
    rsa: Option<StartBarrier>,
}

impl ListenerTls {
    /// A configuration whose RSA certificate is still being made. Handshakes that need it wait until the barrier is open; before that,
    /// a configuration with the certificate must have [replaced](Self::replace) this one.
    #[must_use]
    pub fn awaiting_rsa(self, barrier: StartBarrier) -> Self {
        Self { rsa: Some(barrier), ..self }
    }

    /// Answers handshakes that begin from now on with this configuration. Sessions of the former one are not resumed, because
    /// each configuration remembers its own. Source: TLS-008.
    pub fn replace(&self, config: Arc<ServerConfig>) {
        *self.config.write() = config;
    }

    /// Does the handshake of a connection with the configuration in force.
    pub(super) async fn accept<S>(&self, stream: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        match &self.rsa {
            None => TlsAcceptor::from(self.current()).accept(stream).await,
            // Boxed: other listeners' handshakes have no room for it.
            Some(barrier) => Box::pin(self.accept_by_hello(stream, barrier)).await,
        }
    }

    async fn accept_by_hello<S>(&self, stream: S, rsa: &StartBarrier) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        let begun = LazyConfigAcceptor::new(Acceptor::default(), stream).await?;
        if !reads_p256(&begun.client_hello()) {
            rsa.wait().await;
        }
        begun.into_stream(self.current()).await
    }

    /// The configuration in force.
    fn current(&self) -> Arc<ServerConfig> {
        Arc::clone(&self.config.read())
    }
}

impl From<Arc<ServerConfig>> for ListenerTls {
    fn from(config: Arc<ServerConfig>) -> Self {
        Self { config: Arc::new(RwLock::new(config)), rsa: None }
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
