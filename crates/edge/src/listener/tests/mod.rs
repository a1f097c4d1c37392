//! Tests of the listener over real sockets and TLS, with newly made certificates.

mod attacks;
mod parties;
mod proxies;
mod revocation;
mod rsa_later;

use super::*;
use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request};
use axum::routing::{get, post};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use jiff::{SignedDuration, Timestamp};
use lombard_auth::certificates::ClientCertificate;
use lombard_ports::clock::{Clocks, ManualClock};
use parties::{Authority, Caller, ask, get_request, read_all};
use rustls::{CipherSuite, HandshakeKind, ProtocolVersion};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio_rustls::client::TlsStream;

pub(super) const LIMITS: ListenerLimits = ListenerLimits {
    connections_max: 64,
    address_connections_max: 64,
    anonymous_connections_max: 64,
    client_connections_max: 64,
    handshake: Duration::from_secs(5),
    header_bytes_max: 32 * 1024,
    header_fields_max: 100,
    header_read: Duration::from_secs(5),
    body_idle: Duration::from_secs(5),
    body_total: Duration::from_secs(60),
    bytes_per_sec_min: 1024,
    write_idle: Duration::from_secs(5),
    client_requests_max: 128,
    unread_bytes_max: 1024 * 1024,
    gathered_bytes_max: 1024 * 1024,
    keep_alive: Duration::from_secs(30),
    streams_max: 128,
};

async fn who(request: Request) -> String {
    match request.extensions().get::<Arc<ClientCertificate>>() {
        Some(certificate) => format!("certificate of {} bytes", certificate.der().len()),
        None => "nobody".to_owned(),
    }
}

struct Bench {
    running: RunningListener,
    address: SocketAddr,
    servers: Authority,
    tpps: Authority,
    wall: ManualClock,
    tls: ListenerTls,
    trust: ClientTrust,
}

impl Bench {
    /// Puts new server certificates and these anchors of client certificates in force.
    fn replace(&self, anchors: &[Vec<u8>]) {
        self.verify_by(ClientVerifier::new(anchors).unwrap());
    }

    /// Puts new server certificates and this verifier of client certificates in force.
    fn verify_by(&self, verifier: ClientVerifier) {
        self.tls.replace(material(&self.servers, &self.wall).mtls(&verifier).unwrap());
        self.trust.replace(verifier);
    }
}

fn material(servers: &Authority, wall: &ManualClock) -> tls::TlsMaterial {
    let ec = servers.server(false);
    let rsa = servers.server(true);
    let clocks = Clocks::new(Arc::new(wall.clone()));
    tls::TlsMaterial::new(&[ec.identity(), rsa.identity()], 3600, clocks).unwrap()
}

async fn mtls_bench(limits: ListenerLimits, router: Router) -> Bench {
    mtls_bench_behind(limits, router, None).await
}

async fn mtls_bench_behind(limits: ListenerLimits, router: Router, proxies: Option<ListenerProxies>) -> Bench {
    let servers = Authority::new();
    let tpps = Authority::new();
    let wall = ManualClock::starting_at("2026-03-02T09:00:00Z".parse::<Timestamp>().unwrap());
    let verifier = ClientVerifier::new(&[tpps.anchor()]).unwrap();
    let tls = ListenerTls::from(material(&servers, &wall).mtls(&verifier).unwrap());
    let trust = ClientTrust::new(verifier, Clocks::new(Arc::new(wall.clone())));
    let transport = ListenerTransport::tls(tls.clone()).with_client_trust(trust.clone());
    let transport = match proxies {
        Some(proxies) => transport.behind(proxies),
        None => transport,
    };
    let listener = Listener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = listener.address().unwrap();
    let running = listener.serve_router("test", transport, router, limits);
    Bench { running, address, servers, tpps, wall, tls, trust }
}

/// Whether the caller's certificate is still accepted.
async fn trusted(request: Request) -> String {
    request.extensions().get::<Arc<ClientCertificate>>().is_some_and(|it| it.is_trusted()).to_string()
}

/// Whether the caller's certificate can be used at the time of [`mtls_bench`].
async fn usable(request: Request) -> String {
    let certificate = request.extensions().get::<Arc<ClientCertificate>>().expect("a certificate");
    certificate.is_usable("2026-03-02T09:00:00Z".parse().unwrap()).to_string()
}

fn small_router() -> Router {
    Router::new()
        .route("/who", get(who))
        .route("/usable", get(usable))
        .route("/trusted", get(trusted))
        .route("/small", post(|_: Bytes| async { "read" }))
        .layer(DefaultBodyLimit::max(1024))
}

#[tokio::test]
async fn tls_004_the_handshake_finishes_without_a_client_certificate() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    let mut stream = Caller::of(&bench.servers).connect(bench.address).await.unwrap();
    assert!(ask(&mut stream, &get_request("/who")).await.ends_with("nobody"));
}

#[tokio::test]
async fn tls_004_a_certificate_of_our_anchors_reaches_the_request() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    let tpp = bench.tpps.client();
    let mut stream = Caller::of(&bench.servers).showing(&tpp).connect(bench.address).await.unwrap();
    let expected = format!("certificate of {} bytes", tpp.chain[0].len());
    assert!(ask(&mut stream, &get_request("/who")).await.ends_with(&expected));
}

#[tokio::test]
async fn tls_005_a_foreign_or_unfit_certificate_is_refused() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    let foreign = Authority::new().client();
    let not_for_clients = bench.tpps.server(false);
    for unfit in [foreign, not_for_clients] {
        // In TLS 1.3 the client learns of the refusal with its first read.
        let refused = match Caller::of(&bench.servers).showing(&unfit).connect(bench.address).await {
            Err(_) => true,
            Ok(mut stream) => {
                stream.write_all(get_request("/who").as_bytes()).await.ok();
                stream.read_u8().await.is_err()
            }
        };
        assert!(refused);
    }
}

#[tokio::test]
async fn tls_002_only_the_two_suites_of_tls_1_2_are_offered() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    for (suite, offered) in [
        (CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, true),
        (CipherSuite::TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384, true),
        (CipherSuite::TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256, false),
        (CipherSuite::TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256, false),
    ] {
        let connected = Caller::of(&bench.servers).with_suite(suite).connect(bench.address).await;
        assert_eq!(connected.is_ok(), offered, "{suite:?}");
        if let Ok(stream) = connected {
            assert_eq!(stream.get_ref().1.protocol_version(), Some(ProtocolVersion::TLSv1_2));
        }
    }
}

#[tokio::test]
async fn the_cheaper_certificate_is_shown_to_those_who_can_read_it() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    for (suite, leaf_is_rsa) in
        [(CipherSuite::TLS13_AES_128_GCM_SHA256, false), (CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256, true)]
    {
        let stream = Caller::of(&bench.servers).with_suite(suite).connect(bench.address).await.unwrap();
        let leaf = stream.get_ref().1.peer_certificates().unwrap()[0].len();
        // Only an RSA key makes the certificate this long.
        assert_eq!(leaf > 600, leaf_is_rsa, "{leaf} bytes");
    }
}

#[tokio::test]
async fn tls_008_resumption_keeps_the_client_and_ends_within_the_hour() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    let tpp = bench.tpps.client();
    let caller = Caller::of(&bench.servers).showing(&tpp);
    let expected = format!("certificate of {} bytes", tpp.chain[0].len());
    for (later, kind) in [
        (SignedDuration::ZERO, HandshakeKind::Full),
        (SignedDuration::from_mins(59), HandshakeKind::Resumed),
        (SignedDuration::from_mins(61), HandshakeKind::Full),
    ] {
        bench.wall.advance(later);
        let mut stream = caller.connect(bench.address).await.unwrap();
        assert!(ask(&mut stream, &get_request("/who")).await.ends_with(&expected));
        assert_eq!(stream.get_ref().1.handshake_kind(), Some(kind), "{later:#}");
    }
}

#[tokio::test]
async fn tls_008_new_anchors_end_sessions_and_open_connections_are_reverified() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    let tpp = bench.tpps.client();
    let caller = Caller::of(&bench.servers).showing(&tpp);
    let mut open = caller.connect(bench.address).await.unwrap();
    let is_usable =
        async |stream: &mut TlsStream<TcpStream>| ask(stream, &get_request("/usable")).await.ends_with("true");
    assert!(is_usable(&mut open).await);

    let other = Authority::new();
    bench.replace(&[other.anchor(), bench.tpps.anchor()]);
    assert!(is_usable(&mut open).await, "its anchor is still one of them");
    let mut again = caller.connect(bench.address).await.unwrap();
    assert!(is_usable(&mut again).await);
    assert_eq!(again.get_ref().1.handshake_kind(), Some(HandshakeKind::Full), "no session of before is resumed");

    bench.replace(&[other.anchor()]);
    for stream in [&mut open, &mut again] {
        assert!(!is_usable(stream).await);
        assert!(!is_usable(stream).await, "not only once");
    }
    let refused = match caller.connect(bench.address).await {
        Err(_) => true,
        Ok(mut stream) => {
            stream.write_all(get_request("/who").as_bytes()).await.ok();
            stream.read_u8().await.is_err()
        }
    };
    assert!(refused, "neither by its certificate nor by a session");
    bench.replace(&[bench.tpps.anchor()]);
    assert!(is_usable(&mut open).await, "an anchor that is there again counts again");
}

#[tokio::test]
async fn tls_008_new_server_certificates_are_used_at_once_connections_stay() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    let tpp = bench.tpps.client();
    let caller = Caller::of(&bench.servers).showing(&tpp);
    let leaf = |stream: &TlsStream<TcpStream>| stream.get_ref().1.peer_certificates().unwrap()[0].to_vec();
    let mut open = caller.connect(bench.address).await.unwrap();
    let before = leaf(&open);
    bench.replace(&[bench.tpps.anchor()]);
    let fresh = caller.connect(bench.address).await.unwrap();
    assert_ne!(leaf(&fresh), before);
    assert!(ask(&mut open, &get_request("/usable")).await.ends_with("true"));
}

#[tokio::test]
async fn tls_016_slow_headers_close_the_connection_and_idling_does_not() {
    let limits = ListenerLimits { header_read: Duration::from_millis(100), ..LIMITS };
    let bench = mtls_bench(limits, small_router()).await;
    let mut stream = Caller::of(&bench.servers).connect(bench.address).await.unwrap();
    ask(&mut stream, &get_request("/who")).await;
    let quiet = tokio::time::timeout(limits.header_read * 3, stream.read_u8()).await;
    assert!(quiet.is_err(), "the connection stays open between requests");
    ask(&mut stream, &get_request("/who")).await;

    stream.write_all(b"GET /who HTTP/1.1\r\nhost:").await.unwrap();
    assert_eq!(read_all(&mut stream).await, "");
}

/// The start of every HTTP/2 connection: the preface and empty settings.
const H2_OPENING: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0";
/// `GET /stuck` as the first request of an HTTP/2 connection.
const H2_GET_STUCK: &[u8] = b"\0\0\x15\x01\x05\0\0\0\x01\x82\x87\x41\x09localhost\x04\x06/stuck";

/// The first request is answered and the idle limit is much longer, so only the half-sent headers can end the connection.
#[tokio::test]
async fn tls_016_slow_headers_end_an_http_2_connection_too() {
    let limits = ListenerLimits { header_read: Duration::from_millis(100), ..LIMITS };
    let bench = mtls_bench(limits, small_router()).await;
    let request = parties::h2_get(1, "/who");
    let mut unfinished = parties::h2_get(3, "/who");
    for sent in [5, 15, unfinished.len()] {
        // The frame lacks the flag that ends the headers.
        unfinished[4] = 1;
        let mut stream = Caller::of(&bench.servers).speaking(connection::H2).connect(bench.address).await.unwrap();
        stream.write_all(&[H2_OPENING, &request].concat()).await.unwrap();
        assert!(parties::frame_of(&mut stream, parties::HEADERS, 1).await.is_some());
        let quiet = tokio::time::timeout(limits.header_read * 3, parties::frame_of(&mut stream, 255, 0)).await;
        assert!(quiet.is_err(), "the connection stays open between requests");
        stream.write_all(&unfinished[..sent]).await.unwrap();
        let ended = tokio::time::timeout(Duration::from_secs(10), parties::frame_of(&mut stream, 255, 0)).await;
        assert_eq!(ended, Ok(None), "open after {sent} bytes");
    }
}

#[tokio::test]
async fn tls_016_a_quiet_http_2_connection_is_closed_whatever_it_said() {
    let limits =
        ListenerLimits { keep_alive: Duration::from_millis(100), header_read: Duration::from_millis(100), ..LIMITS };
    let bench = mtls_bench(limits, small_router()).await;
    for said in [&b""[..], &H2_OPENING[..9], H2_OPENING] {
        let mut stream = Caller::of(&bench.servers).speaking(connection::H2).connect(bench.address).await.unwrap();
        stream.write_all(said).await.unwrap();
        let to_the_end = async { while stream.read_u8().await.is_ok() {} };
        let closed = tokio::time::timeout(Duration::from_secs(10), to_the_end).await;
        assert!(closed.is_ok(), "open after {} bytes", said.len());
    }
}

#[tokio::test]
async fn tls_016_an_http_2_request_may_take_longer_than_a_quiet_connection() {
    let arrived = Arc::new(Notify::new());
    let release = Arc::new(Notify::new());
    let tell = arrived.clone();
    let wait = release.clone();
    let stuck = get(move || async move {
        tell.notify_one();
        wait.notified().await;
        "finished"
    });
    let limits =
        ListenerLimits { keep_alive: Duration::from_millis(100), header_read: Duration::from_millis(100), ..LIMITS };
    let bench = mtls_bench(limits, Router::new().route("/stuck", stuck)).await;
    let mut stream = Caller::of(&bench.servers).speaking(connection::H2).connect(bench.address).await.unwrap();
    stream.write_all(&[H2_OPENING, H2_GET_STUCK].concat()).await.unwrap();
    arrived.notified().await;
    let mut answer = Vec::new();
    let quiet = tokio::time::timeout(limits.keep_alive * 5, stream.read_to_end(&mut answer)).await;
    assert!(quiet.is_err(), "the connection stays open while it is owed an answer");
    release.notify_one();
    // The connection is closed without a TLS close notification.
    let _ = stream.read_to_end(&mut answer).await;
    assert!(answer.windows(8).any(|window| window == b"finished"));
}

#[tokio::test]
async fn tls_016_a_body_that_stands_still_is_given_up() {
    let bench = mtls_bench(ListenerLimits { body_idle: Duration::from_millis(100), ..LIMITS }, small_router()).await;
    let mut stream = Caller::of(&bench.servers).connect(bench.address).await.unwrap();
    let answer = ask(&mut stream, "POST /small HTTP/1.1\r\nhost: a\r\ncontent-length: 10\r\n\r\n12345").await;
    assert!(answer.starts_with("HTTP/1.1 400"), "{answer}");
}

#[tokio::test]
async fn a_refusal_reaches_a_caller_that_is_still_sending() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    let mut stream = Caller::of(&bench.servers).connect(bench.address).await.unwrap();
    let length = body::LEFTOVER_BYTES_MAX;
    let head = format!("POST /small HTTP/1.1\r\nhost: a\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await.unwrap();
    let piece = [b'x'; 64 * 1024];
    for _ in 0..length / piece.len() {
        stream.write_all(&piece).await.unwrap();
    }
    let answer = ask(&mut stream, "").await;
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

/// A response that fails half-way must not look complete.
#[tokio::test]
async fn an_answer_that_breaks_off_cuts_the_connection() {
    let release = Arc::new(Notify::new());
    let held = release.clone();
    let broken = get(move || {
        let held = held.clone();
        let fails = async move {
            held.notified().await;
            Err(io::Error::from(io::ErrorKind::BrokenPipe))
        };
        let pieces = stream::iter([Ok("half")]).chain(stream::once(fails));
        async { ([("content-length", "8")], Body::from_stream(pieces)) }
    });
    let bench = mtls_bench(LIMITS, small_router().route("/broken", broken)).await;
    let mut stream = Caller::of(&bench.servers).connect(bench.address).await.unwrap();
    // The second request is never answered, because its connection is closed.
    stream.write_all([get_request("/broken"), get_request("/who")].concat().as_bytes()).await.unwrap();
    let mut received = Vec::new();
    while !received.ends_with(b"half") {
        assert_ne!(stream.read_buf(&mut received).await.unwrap(), 0);
    }
    release.notify_one();
    // The connection is closed with or without a TLS close notification.
    let _ = stream.read_to_end(&mut received).await;
    let received = String::from_utf8(received).unwrap();
    assert!(received.contains("content-length: 8") && received.ends_with("half"), "{received}");
}

/// No byte of a cut response is sent, and its connection ends, on HTTP/2 too.
#[tokio::test]
async fn a_cut_connection_ends_without_an_answer() {
    let cut = || async { (axum::Extension(CutConnection), "never sent") };
    let bench = mtls_bench(LIMITS, small_router().route("/cut", get(cut))).await;
    let mut stream = Caller::of(&bench.servers).connect(bench.address).await.unwrap();
    assert!(ask(&mut stream, &get_request("/who")).await.ends_with("nobody"));
    stream.write_all(get_request("/cut").as_bytes()).await.unwrap();
    assert_eq!(read_all(&mut stream).await, "");

    let mut stream = Caller::of(&bench.servers).speaking(connection::H2).connect(bench.address).await.unwrap();
    stream.write_all(&[H2_OPENING, &parties::h2_get(1, "/who")].concat()).await.unwrap();
    assert!(parties::frame_of(&mut stream, parties::HEADERS, 1).await.is_some());
    stream.write_all(&parties::h2_get(3, "/cut")).await.unwrap();
    let ended =
        tokio::time::timeout(Duration::from_secs(10), parties::frame_of(&mut stream, parties::HEADERS, 3)).await;
    assert_eq!(ended, Ok(None));
}

#[tokio::test]
async fn tls_016_connections_beyond_the_limit_wait_their_turn() {
    let bench = mtls_bench(ListenerLimits { connections_max: 1, ..LIMITS }, small_router()).await;
    let caller = Caller::of(&bench.servers);
    let first = caller.connect(bench.address).await.unwrap();
    let mut second = Box::pin(caller.connect(bench.address));
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut second).await.is_err());
    drop(first);
    let mut second = second.await.unwrap();
    assert!(ask(&mut second, &get_request("/who")).await.ends_with("nobody"));
}

#[tokio::test]
async fn a_drain_finishes_what_is_under_way_and_closes_what_is_idle() {
    let arrived = Arc::new(Notify::new());
    let release = Arc::new(Notify::new());
    let tell = arrived.clone();
    let wait = release.clone();
    let slow = get(move || async move {
        tell.notify_one();
        wait.notified().await;
        "finished"
    });
    let bench = mtls_bench(LIMITS, small_router().route("/slow", slow)).await;
    let caller = Caller::of(&bench.servers);
    let mut idle = caller.connect(bench.address).await.unwrap();
    ask(&mut idle, &get_request("/who")).await;
    let mut busy = caller.connect(bench.address).await.unwrap();
    busy.write_all(get_request("/slow").as_bytes()).await.unwrap();
    arrived.notified().await;

    let running = bench.running.clone();
    let stopping = tokio::spawn(async move { running.stop_listener(Duration::from_secs(30)).await });
    assert_eq!(read_all(&mut idle).await, "");
    assert!(TcpStream::connect(bench.address).await.is_err(), "nobody new is served");
    release.notify_one();
    assert!(read_all(&mut busy).await.ends_with("finished"));
    stopping.await.unwrap();
}

#[tokio::test]
async fn a_drain_ends_what_does_not_finish_in_time() {
    let stuck = get(std::future::pending::<&'static str>);
    let bench = mtls_bench(LIMITS, Router::new().route("/stuck", stuck)).await;
    let mut stream = Caller::of(&bench.servers).connect(bench.address).await.unwrap();
    stream.write_all(get_request("/stuck").as_bytes()).await.unwrap();
    bench.running.stop_listener(Duration::from_millis(50)).await;
    assert_eq!(read_all(&mut stream).await, "");
}
