//! The transport of a listener: plain or TLS, the accepted client certificates, and the proxies in front.

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
    /// The barrier that is closed while the configuration has no RSA certificate.
    rsa: Option<StartBarrier>,
}

impl ListenerTls {
    /// Marks a configuration whose RSA certificate is still being made. Handshakes that need the certificate wait until the barrier opens;
    /// before that, a configuration with the certificate must have [replaced](Self::replace) this one.
    #[must_use]
    pub fn awaiting_rsa(self, barrier: StartBarrier) -> Self {
        Self { rsa: Some(barrier), ..self }
    }

    /// Replaces the configuration for new handshakes. Sessions of the former one are not resumed, because each configuration stores its
    /// own. Source: TLS-008.
    pub fn replace(&self, config: Arc<ServerConfig>) {
        *self.config.write() = config;
    }

    /// Performs the handshake of a connection with the configuration in force.
    pub(super) async fn accept<S>(&self, stream: S) -> io::Result<TlsStream<S>>
    where
        S: AsyncRead + AsyncWrite + Unpin,
    {
        match &self.rsa {
            None => TlsAcceptor::from(self.current()).accept(stream).await,
            // The future is boxed, so that handshakes of other listeners need no memory for it.
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

/// The transport over which callers reach a listener.
#[derive(Debug, Clone, Default)]
pub struct ListenerTransport {
    pub(super) tls: Option<ListenerTls>,
    pub(super) trust: Option<ClientTrust>,
    proxies: Option<ListenerProxies>,
}

impl ListenerTransport {
    /// A transport without TLS.
    pub fn plain() -> Self {
        Self::default()
    }

    /// A transport over TLS.
    pub fn tls(tls: impl Into<ListenerTls>) -> Self {
        Self { tls: Some(tls.into()), ..Self::default() }
    }

    /// Checks the client certificates of open connections again when this trust changes. The TLS configuration must verify handshakes with
    /// the same verifier.
    #[must_use]
    pub fn with_client_trust(self, trust: ClientTrust) -> Self {
        Self { trust: Some(trust), ..self }
    }

    /// Accepts connections through these proxies. If they terminate TLS, the TLS of this transport is between them and the listener.
    #[must_use]
    pub fn behind(self, proxies: ListenerProxies) -> Self {
        Self { proxies: Some(proxies), ..self }
    }

    /// The proxies that pass TLS through, whose connections begin with a header of the PROXY protocol.
    pub(super) fn passing_proxies(&self) -> Option<&ProxyAddresses> {
        match &self.proxies {
            Some(ListenerProxies::PassTls(proxies)) => Some(proxies),
            Some(ListenerProxies::TerminateTls(_)) | None => None,
        }
    }

    /// The reader of callers for requests whose TLS proxies have terminated.
    pub(super) fn forwarded_requests(&self) -> Option<&ForwardedRequests> {
        match &self.proxies {
            Some(ListenerProxies::TerminateTls(forwarded)) => Some(forwarded),
            Some(ListenerProxies::PassTls(_)) | None => None,
        }
    }
}
