//! Serves one connection: handshake, the caller's certificate, then HTTP/1.1 or HTTP/2 until the connection ends or is drained.

use super::body::{BodyPace, LimitedBody};
use super::caller_connections::{CallerConnection, CallerConnections};
use super::client_trust::{ClientTrust, PresentedCertificate};
use super::connection_permits::{ConnectionPermit, REFUSED, UnassignedPermit};
use super::head::detach_head;
use super::limits::ListenerLimits;
use super::poll_permits::FuturePollPermits;
use super::proxies::{ForwardedCaller, ForwardingFault, read_source};
use super::quotas::{CallerQuota, CallerQuotas, QuotaOwner};
use super::streams::StreamExecutor;
use super::timeouts::{ConnectionProgress, TimedIo, WriteClock};
use super::transport::ListenerTransport;
use super::unread_responses::UnreadResponses;
use axum::Router;
use axum::body::Body;
use axum::response::Response;
use futures_util::future::Either;
use http::header::CONNECTION;
use http::{HeaderValue, Request, Version};
use hyper::body::{Body as _, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use lombard_domain::network::Network;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tower::Service;

/// The name of HTTP/2 in the handshake.
pub(super) const H2: &[u8] = b"h2";
/// The name of HTTP/1.1 in the handshake.
pub(super) const HTTP_1_1: &[u8] = b"http/1.1";

/// The interval of pings on a quiet HTTP/2 connection, and the time limit of the reply.
const PING_EVERY: Duration = Duration::from_secs(30);
const PING_WAIT: Duration = Duration::from_secs(10);

/// The HTTP/2 flow-control window, bytes: of one stream, and of all streams of a connection.
const STREAM_WINDOW_BYTES: u32 = 256 * 1024;
const CONNECTION_WINDOW_BYTES: u32 = 512 * 1024;
/// The bytes of a response that the HTTP/2 library buffers for each stream.
const SEND_BUFFER_BYTES: usize = 16 * 1024;
/// The most concurrent streams of a connection without a client certificate.
const UNPROVEN_STREAMS_MAX: u32 = 32;
/// The largest frame that an HTTP/2 caller may send, bytes: the minimum that HTTP/2 allows.
const FRAME_BYTES_MAX: u32 = 16 * 1024;
/// The limits on resets, beyond which a connection is closed: of streams that the caller resets before they are served, and of
/// streams that the server resets because of the caller's errors. Source: TLS-016 (rapid reset).
const PENDING_RESETS_MAX: usize = 20;
const ERROR_RESETS_MAX: usize = 128;

/// The factor by which the HTTP library's limit on headers exceeds the configured one, so that refusals have an interaction id.
const CEILING: usize = 2;
/// The smallest buffer that the HTTP/1 library accepts, bytes.
const BUFFER_BYTES_MIN: usize = 8192;

/// The address that a request came from. A request extension.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PeerAddress(pub SocketAddr);

/// Marks a response that is not sent, because its connection is cut instead. A response extension.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("the connection is cut")]
pub struct CutConnection;

/// The settings and shared state by which the connections of a listener are served.
pub(super) struct ConnectionService {
    /// The listener's name in metrics.
    name: &'static str,
    transport: ListenerTransport,
    router: Router,
    limits: ListenerLimits,
    body_pace: BodyPace,
    draining: CancellationToken,
    quotas: CallerQuotas,
    closing: Arc<AtomicBool>,
    /// The poll permits of handshakes and of callers without a certificate, so that they do not delay callers with one.
    unproven: FuturePollPermits,
    http1: auto::Builder<StreamExecutor>,
    http2: auto::Builder<StreamExecutor>,
    /// The HTTP/2 builder for callers without a certificate.
    http2_unproven: auto::Builder<StreamExecutor>,
}

/// The caller of a connection, which each of its requests gets, unless a proxy names the caller of each request.
#[derive(Clone)]
struct RequestCaller {
    peer: PeerAddress,
    certificate: Option<Arc<PresentedCertificate>>,
}

impl RequestCaller {
    fn owner(&self) -> QuotaOwner {
        match &self.certificate {
            Some(shown) => QuotaOwner::Certificate(shown.thumbprint()),
            None => QuotaOwner::Network(Network::from_address(self.peer.0.ip())),
        }
    }
}

impl ConnectionService {
    pub(super) fn new(
        name: &'static str,
        transport: ListenerTransport,
        router: Router,
        limits: ListenerLimits,
        closing: Arc<AtomicBool>,
        draining: CancellationToken,
    ) -> Self {
        let unproven = FuturePollPermits::of_half_the_machine();
        let http2_unproven = http2(&limits, Some(unproven.clone()));
        let http1 = http1(&limits);
        let http2 = http2(&limits, None);
        let body_pace = BodyPace {
            idle: limits.body_idle,
            bytes_min: bytes_in(limits.bytes_per_sec_min, limits.body_idle).max(1),
            total: limits.body_total,
        };
        let quotas = CallerQuotas::new(&limits);
        Self {
            name,
            transport,
            router,
            limits,
            body_pace,
            draining,
            quotas,
            closing,
            unproven,
            http1,
            http2,
            http2_unproven,
        }
    }

    /// Whether connections begin with a header of the PROXY protocol.
    pub(super) fn takes_source_from_proxies(&self) -> bool {
        self.transport.passing_proxies().is_some()
    }

    /// Assigns a permit to a connection from this address. If the address has reached its limit, the refusal is counted and `None` is
    /// returned. A proxy that terminates TLS connects for many callers and has no limit of its own.
    pub(super) fn assign_permit(&self, address: SocketAddr, place: UnassignedPermit) -> Option<ConnectionPermit> {
        let is_proxy = self.transport.forwarded_requests().is_some_and(|it| it.proxies().contains(address.ip()));
        if is_proxy { Some(place.assign_to_proxy()) } else { place.assign_to(address.ip()) }
    }

    /// Serves one connection of a proxy that passes TLS through and begins with the source address of the connection. A connection from any
    /// other address, or one that begins otherwise, is closed. Source: TLS-011, TLS-014.
    pub(super) async fn proxied_connection(
        self: Arc<Self>,
        mut stream: TcpStream,
        proxy: SocketAddr,
        place: UnassignedPermit,
    ) {
        if self.transport.passing_proxies().is_none_or(|proxies| !proxies.contains(proxy.ip())) {
            tracing::info!(security.refusal = "TLS-011", address = %proxy, "a connection that is not from a proxy");
            return place.refuse("proxy");
        }
        let source = tokio::time::timeout(self.limits.handshake, read_source(&mut stream));
        let address = match self.draining.run_until_cancelled(source).await {
            Some(Ok(Ok(source))) => source.unwrap_or(proxy),
            Some(Ok(Err(error))) if error.kind() == std::io::ErrorKind::UnexpectedEof => return,
            Some(Ok(Err(error))) => {
                tracing::warn!(%proxy, %error, "a proxy does not speak the PROXY protocol");
                return place.refuse("proxy");
            }
            Some(Err(_)) => return place.refuse("proxy"),
            None => return,
        };
        let Some(place) = place.assign_to(address.ip()) else { return };
        let anonymous = place.anonymous();
        Box::pin(self.connection(stream, address, anonymous)).await;
        drop(place);
    }

    /// Serves one connection to its end.
    pub(super) async fn connection<S>(self: Arc<Self>, stream: S, address: SocketAddr, anonymous: CallerConnections)
    where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let peer = PeerAddress(address);
        let Some(tls) = &self.transport.tls else {
            let caller = RequestCaller { peer, certificate: None };
            let quota = self.quotas.of(caller.owner());
            return Box::pin(self.http(stream, false, (caller, quota), ConnectionProgress::new(None))).await;
        };
        let began = Instant::now();
        let Some(anonymous) = self.begin_within(&anonymous, began, "anonymous").await else { return };
        // The trust is read before the handshake. If the TLS configuration is replaced in between, the certificate is checked
        // again; a certificate accepted by the former configuration never counts as checked by the new trust.
        let trust = self.transport.trust.clone();
        let epoch = trust.as_ref().map_or(0, ClientTrust::epoch);
        // The handshake and the future after it are boxed, so that the memory of a handshake is free when it ends, and a waiting connection
        // takes no memory for either.
        let handshake = self.unproven.limit_future(Box::pin(tls.accept(stream)));
        let handshake = tokio::time::timeout_at(began + self.limits.handshake, handshake);
        let stream = match self.draining.run_until_cancelled(handshake).await {
            Some(Ok(Ok(stream))) => Box::new(stream),
            Some(Ok(Err(error))) => return tracing::debug!(%address, %error, "a TLS handshake failed"),
            Some(Err(_)) => return tracing::debug!(%address, "a TLS handshake took too long"),
            None => return,
        };
        let session = stream.get_ref().1;
        let is_h2 = session.alpn_protocol() == Some(H2);
        let chain = session.peer_certificates().unwrap_or_default();
        let certificate = match PresentedCertificate::accepted(chain, trust, epoch) {
            Ok(certificate) => certificate.map(Arc::new),
            Err(error) => {
                return tracing::info!(security.refusal = "TLS-005", %error, "a client certificate cannot be used");
            }
        };
        if let Some(shown) = &certificate {
            let learned = tokio::time::timeout_at(began + self.limits.handshake, shown.learn_status());
            let Some(learned) = self.draining.run_until_cancelled(learned).await else { return };
            let is_accepted = learned.unwrap_or_else(|_late| {
                let is_accepted = shown.is_accepted();
                shown.forget_check();
                is_accepted
            });
            if !is_accepted {
                // The error has been logged. The caller sees a failed handshake.
                return;
            }
        }
        let is_proven = certificate.is_some();
        let is_proxy = self.transport.forwarded_requests().is_some();
        let caller = RequestCaller { peer, certificate };
        let quota = self.quotas.of(caller.owner());
        // The anonymous permit is kept until the client's permit is free, so that waiting connections are limited too.
        let place = if is_proxy {
            // The proxy connects for many clients.
            drop(anonymous);
            None
        } else if is_proven {
            let Some(place) = self.begin_within(&quota.connections, began, "client").await else { return };
            drop(anonymous);
            Some(place)
        } else {
            Some(anonymous)
        };
        let served = Box::pin(self.http(stream, is_h2, (caller, quota), ConnectionProgress::new(place)));
        if is_proven { served.await } else { self.unproven.limit_future(served).await }
    }

    /// Waits for a permit among these connections until the handshake deadline. If none is free in time, the refusal is counted and `None`
    /// is returned; `None` also if the listener stops.
    async fn begin_within(
        &self,
        share: &CallerConnections,
        began: Instant,
        reason: &'static str,
    ) -> Option<CallerConnection> {
        let place = tokio::time::timeout_at(began + self.limits.handshake, share.begin());
        let place = self.draining.run_until_cancelled(place).await?;
        if place.is_err() {
            metrics::counter!(REFUSED, "listener" => self.name, "reason" => reason).increment(1);
        }
        place.ok().flatten()
    }

    async fn http<S>(
        &self,
        stream: S,
        is_h2: bool,
        (caller, quota): (RequestCaller, Arc<CallerQuota>),
        pace: ConnectionProgress,
    ) where
        S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    {
        let write_min = bytes_in(self.limits.bytes_per_sec_min, self.limits.write_idle).max(1);
        let write = WriteClock::new(self.limits.write_idle, write_min);
        let stream = TokioIo::new(TimedIo::new(stream, pace.clone(), self.limits.header_read, is_h2, write));
        let unread = UnreadResponses::new(Arc::clone(&quota), pace.clone(), is_h2);
        let protocol = match (is_h2, &caller.certificate) {
            (false, _) => &self.http1,
            (true, Some(_)) => &self.http2,
            (true, None) => &self.http2_unproven,
        };
        // A child token: every poll locks its token, and one shared token would be a point of contention.
        let draining = self.draining.child_token();
        let ends = Arc::new(ConnectionEnds { closing: Arc::clone(&self.closing), cut: Notify::new() });
        let service = service_fn(|request| self.request(request, &caller, &pace, (&quota, &unread), &ends));

        let mut connection = pin!(protocol.serve_connection(stream, service));
        let ended = tokio::select! {
            // The connection is polled last, so that a busy caller cannot prevent the other conditions from being checked.
            biased;
            () = draining.cancelled() => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
            // HTTP/1 ends the connection of a failed request; HTTP/2 ends only the stream, so its connection is dropped here.
            () = ends.cut.notified(), if is_h2 => Ok(()),
            // The library closes quiet HTTP/1 connections by itself. On HTTP/2 it only sends pings, and none before the first bytes have
            // arrived.
            () = must_end(&pace, &unread, self.limits, write_min, is_h2) => {
                connection.as_mut().graceful_shutdown();
                let farewell = tokio::time::timeout(self.limits.header_read, connection).await;
                farewell.unwrap_or(Ok(()))
            }
            ended = connection.as_mut() => ended,
        };
        if let Err(error) = ended {
            tracing::debug!(%error, "a connection ended early");
        }
    }

    /// The caller of a request that the proxy names, if proxies terminate TLS.
    fn forwarded_caller(
        &self,
        request: &mut Request<Body>,
        peer: PeerAddress,
    ) -> Option<Result<RequestCaller, ForwardingFault>> {
        let forwarded = self.transport.forwarded_requests()?.take_caller(request.headers_mut(), peer.0);
        Some(
            forwarded.map(|ForwardedCaller { address, certificate }| RequestCaller {
                peer: PeerAddress(address),
                certificate,
            }),
        )
    }

    fn request(
        &self,
        mut request: Request<Incoming>,
        caller: &RequestCaller,
        pace: &ConnectionProgress,
        (quota, unread): (&Arc<CallerQuota>, &UnreadResponses),
        ends: &Arc<ConnectionEnds>,
    ) -> impl Future<Output = Result<Response, CutConnection>> + Send + 'static {
        let awaits_continue = request.headers().contains_key(http::header::EXPECT);
        let pace_of_bodies = self.body_pace;
        if request.version() < Version::HTTP_2 && !request.body().is_end_stream() {
            detach_head(&mut request);
        }
        let mut request = request.map(|body| {
            let is_none = body.is_end_stream();
            if is_none { Body::empty() } else { Body::new(LimitedBody::new(body, pace_of_bodies, awaits_continue)) }
        });
        let mut unlearned = None;
        match self.forwarded_caller(&mut request, caller.peer) {
            None => insert_caller_extensions(&mut request, caller, quota, unread),
            Some(forwarded) => {
                let mut caller = forwarded.unwrap_or_else(|fault| {
                    request.extensions_mut().insert(fault);
                    RequestCaller { peer: caller.peer, certificate: None }
                });
                // The requests on a proxy's connection belong to different callers, one after the other.
                let quota = self.quotas.of(caller.owner());
                let unread = UnreadResponses::new(Arc::clone(&quota), pace.clone(), false);
                unlearned = caller.certificate.take_if(|shown| shown.lacks_status());
                insert_caller_extensions(&mut request, &caller, &quota, &unread);
            }
        }
        let answering = pace.head_is_read();
        let is_asked_to_close = request.version() < Version::HTTP_2;
        let answer = self.answer(request, unlearned);
        let ends = Arc::clone(ends);
        async move {
            let mut response = answer.await.unwrap_or_else(|never| match never {});
            if response.extensions().get::<CutConnection>().is_some() {
                ends.cut.notify_one();
                return Err(CutConnection);
            }
            if is_asked_to_close && ends.closing.load(Ordering::Relaxed) {
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            drop(answering);
            Ok(response)
        }
    }
}

impl ConnectionService {
    /// The router's response. The status of a certificate that a proxy forwards is fetched first, with the first request that has it.
    /// Source: TLS-006.
    fn answer(
        &self,
        mut request: Request<Body>,
        unlearned: Option<Arc<PresentedCertificate>>,
    ) -> impl Future<Output = Result<Response, Infallible>> + Send + 'static {
        let mut router = self.router.clone();
        let Some(shown) = unlearned else { return Either::Left(router.call(request)) };
        let within = self.limits.handshake;
        Either::Right(Box::pin(async move {
            // If the status is not known in time, this request is checked without it, and the next request is checked again.
            let is_late = tokio::time::timeout(within, shown.learn_status()).await.is_err();
            request.extensions_mut().insert(Arc::clone(shown.certificate()));
            if is_late {
                shown.forget_check();
            }
            router.call(request).await
        }))
    }
}

/// The signals by which the server ends a connection; its requests share them.
struct ConnectionEnds {
    /// Whether the listener stops, so that HTTP/1 responses ask the caller to close the connection.
    closing: Arc<AtomicBool>,
    /// Notified when a tester's fault cuts an HTTP/2 connection.
    cut: Notify,
}

/// Adds the caller to a request's extensions.
fn insert_caller_extensions(
    request: &mut Request<Body>,
    caller: &RequestCaller,
    quota: &Arc<CallerQuota>,
    unread: &UnreadResponses,
) {
    let extensions = request.extensions_mut();
    extensions.insert(caller.peer);
    if let Some(shown) = &caller.certificate {
        extensions.insert(Arc::clone(shown.certificate()));
    }
    extensions.insert(Arc::clone(quota));
    extensions.insert(unread.clone());
}

/// Waits until a connection must end: another connection of its caller needs the permit; or, on HTTP/2, the connection was idle for too
/// long, or a response is stuck that only the end of the connection can stop.
async fn must_end(
    pace: &ConnectionProgress,
    unread: &UnreadResponses,
    limits: ListenerLimits,
    write_min: u64,
    is_h2: bool,
) {
    tokio::select! {
        biased;
        () = pace.superseded() => {}
        () = pace.idle(limits.keep_alive), if is_h2 => {}
        () = unread.watch(limits.write_idle, write_min), if is_h2 => {
            tracing::info!(limit.refusal = "TLS-016", "a connection is closed: its caller does not read");
        }
    }
}

/// The number of bytes in this time at this rate.
fn bytes_in(per_sec: u32, time: Duration) -> u64 {
    u64::try_from(u128::from(per_sec).saturating_mul(time.as_millis()) / 1000).unwrap_or(u64::MAX)
}

// There is one builder for each protocol. ALPN has determined the protocol, and the library's own detection has no time limit.

fn http1(limits: &ListenerLimits) -> auto::Builder<StreamExecutor> {
    let mut http1 = auto::Builder::new(StreamExecutor::default()).http1_only();
    http1
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.keep_alive)
        .max_headers(limits.header_fields_max * CEILING)
        .max_buf_size((limits.header_bytes_max * CEILING).max(BUFFER_BYTES_MIN));
    http1
}

/// Builds the HTTP/2 service; streams of callers without a certificate are polled with the given permits.
fn http2(limits: &ListenerLimits, turns: Option<FuturePollPermits>) -> auto::Builder<StreamExecutor> {
    let streams_max = if turns.is_some() { limits.streams_max.min(UNPROVEN_STREAMS_MAX) } else { limits.streams_max };
    let mut http2 = auto::Builder::new(StreamExecutor { turns }).http2_only();
    http2
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(streams_max)
        .initial_stream_window_size(STREAM_WINDOW_BYTES)
        .initial_connection_window_size(CONNECTION_WINDOW_BYTES)
        .max_send_buf_size(SEND_BUFFER_BYTES)
        .max_frame_size(FRAME_BYTES_MAX)
        .max_pending_accept_reset_streams(PENDING_RESETS_MAX)
        .max_local_error_reset_streams(ERROR_RESETS_MAX)
        .max_header_list_size(u32::try_from(limits.header_bytes_max * CEILING).unwrap_or(u32::MAX))
        .keep_alive_interval(PING_EVERY)
        .keep_alive_timeout(PING_WAIT);
    http2
}
