//! One connection: handshake, the caller's certificate, then HTTP/1.1 or HTTP/2 until it ends or is drained.

use super::body::CarefulBody;
use super::pace::{Pace, PacedIo};
use super::{Limits, Peer, set_no_delay};
use axum::Router;
use axum::body::Body;
use axum::response::Response;
use http::Request;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use lombard_auth::certificates::ClientCertificate;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_util::sync::CancellationToken;
use tower::Service;

/// The name of HTTP/2 in the handshake.
pub(super) const H2: &[u8] = b"h2";
/// The name of HTTP/1.1 in the handshake.
pub(super) const HTTP_1_1: &[u8] = b"http/1.1";

/// How often a quiet HTTP/2 connection is asked whether it lives, and how long it may take to say so.
const PING_EVERY: Duration = Duration::from_secs(30);
const PING_WAIT: Duration = Duration::from_secs(10);

/// HTTP/1 answers requests a little beyond the limit itself, so that they carry an interaction id.
const CEILING: usize = 2;
/// The least buffer the HTTP/1 library accepts, bytes.
const BUFFER_BYTES_MIN: usize = 8192;

/// How every connection of a listener is served.
pub(super) struct Serve {
    tls: Option<TlsAcceptor>,
    router: Router,
    limits: Limits,
    draining: CancellationToken,
    http1: auto::Builder<TokioExecutor>,
    http2: auto::Builder<TokioExecutor>,
}

/// What a connection tells each of its requests.
#[derive(Clone)]
struct Caller {
    peer: Peer,
    certificate: Option<Arc<ClientCertificate>>,
}

impl Serve {
    pub(super) fn new(
        tls: Option<Arc<rustls::ServerConfig>>,
        router: Router,
        limits: Limits,
        draining: CancellationToken,
    ) -> Self {
        let (http1, http2) = protocols(&limits);
        Self { tls: tls.map(TlsAcceptor::from), router, limits, draining, http1, http2 }
    }

    /// Serves one connection to its end.
    pub(super) async fn connection(self: Arc<Self>, stream: TcpStream, address: SocketAddr) {
        set_no_delay(&stream);
        let peer = Peer(address);
        let Some(acceptor) = &self.tls else {
            return self.http(stream, false, Caller { peer, certificate: None }).await;
        };
        let handshake = tokio::time::timeout(self.limits.handshake, acceptor.accept(stream));
        let stream = match self.draining.run_until_cancelled(handshake).await {
            Some(Ok(Ok(stream))) => stream,
            Some(Ok(Err(error))) => return tracing::debug!(%address, %error, "a TLS handshake failed"),
            Some(Err(_)) => return tracing::debug!(%address, "a TLS handshake took too long"),
            None => return,
        };
        let session = stream.get_ref().1;
        let is_h2 = session.alpn_protocol() == Some(H2);
        let certificate =
            match session.peer_certificates().and_then(<[_]>::first).map(|der| ClientCertificate::from_der(der)) {
                None => None,
                Some(Ok(certificate)) => Some(Arc::new(certificate)),
                Some(Err(error)) => {
                    return tracing::info!(security.refusal = "TLS-005", %error, "a client certificate cannot be used");
                }
            };
        self.http(stream, is_h2, Caller { peer, certificate }).await;
    }

    async fn http<S>(&self, stream: S, is_h2: bool, caller: Caller)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let pace = Pace::new();
        let header_time = if is_h2 { None } else { Some(self.limits.header_read) };
        let stream = TokioIo::new(PacedIo::new(stream, pace.clone(), header_time));
        let protocol = if is_h2 { &self.http2 } else { &self.http1 };
        let service = service_fn(|request| self.request(request, &caller, &pace));

        let mut connection = pin!(protocol.serve_connection(stream, service));
        let ended = tokio::select! {
            ended = connection.as_mut() => ended,
            () = self.draining.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
            // The library closes quiet HTTP/1 connections by itself. On HTTP/2 it only asks whether the caller lives,
            // and not even that before the first bytes have come.
            () = pace.idle(self.limits.keep_alive), if is_h2 => {
                connection.as_mut().graceful_shutdown();
                let farewell = tokio::time::timeout(self.limits.header_read, connection).await;
                farewell.unwrap_or(Ok(()))
            }
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection ended early");
        }
    }

    fn request(
        &self,
        request: Request<Incoming>,
        caller: &Caller,
        pace: &Pace,
    ) -> impl Future<Output = Result<Response, Infallible>> + Send + 'static {
        let awaits_continue = request.headers().contains_key(http::header::EXPECT);
        let body_idle = self.limits.body_idle;
        let mut request = request.map(|body| Body::new(CarefulBody::new(body, body_idle, awaits_continue)));
        request.extensions_mut().insert(caller.peer);
        if let Some(certificate) = &caller.certificate {
            request.extensions_mut().insert(Arc::clone(certificate));
        }
        let answering = pace.head_is_read();
        let answer = self.router.clone().call(request);
        async move {
            let response = answer.await;
            drop(answering);
            response
        }
    }
}

/// One builder per protocol: the handshake has said which is spoken, and guessing has no time limit.
fn protocols(limits: &Limits) -> (auto::Builder<TokioExecutor>, auto::Builder<TokioExecutor>) {
    let mut http1 = auto::Builder::new(TokioExecutor::new()).http1_only();
    http1
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.keep_alive)
        .max_headers(limits.header_fields_max * CEILING)
        .max_buf_size((limits.header_bytes_max * CEILING).max(BUFFER_BYTES_MIN));
    let mut http2 = auto::Builder::new(TokioExecutor::new()).http2_only();
    http2
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(limits.streams_max)
        .max_header_list_size(u32::try_from(limits.header_bytes_max * CEILING).unwrap_or(u32::MAX))
        .keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(PING_WAIT);
    (http1, http2)
}
