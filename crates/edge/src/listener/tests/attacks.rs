//! Callers that occupy connections, bodies and answers without making progress.

use super::parties::{
    Caller, GOAWAY, H2_NOW_WITH_WINDOW, H2_WITHOUT_WINDOW, HEADERS, RST_STREAM, ask, frame_of, get_request, h2_get,
    next_frame, read_all,
};
use super::{LIMITS, connection, mtls_bench, small_router};
use crate::layers::{HeaderLimits, LayerContext, apply_layers};
use crate::listener::caller_connections::CallerConnections;
use crate::listener::connection::ConnectionService;
use crate::listener::{ListenerLimits, ListenerTransport};
use axum::Router;
use axum::body::Body;
use axum::routing::get;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{Entropy, IdGenerator};
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;

/// A size that exceeds the buffers of sockets.
const LARGE: usize = 8 * 1024 * 1024;

/// A source of entropy that returns zeros.
#[derive(Debug)]
struct Zeros;

impl Entropy for Zeros {
    fn fill_random(&self, buffer: &mut [u8]) {
        buffer.fill(0);
    }
}

/// Wraps a router in the layers of every listener.
fn layered(router: Router) -> Router {
    let headers = HeaderLimits { bytes_max: 32 * 1024, fields_max: 100 };
    apply_layers(router, LayerContext::new("test", IdGenerator::new(Arc::new(Zeros), Clocks::system()), headers))
}

/// Serves a large body at `/large`; signals when one is dropped before its end.
fn large_router() -> (Router, mpsc::UnboundedReceiver<()>) {
    struct Told(mpsc::UnboundedSender<()>);
    impl Drop for Told {
        fn drop(&mut self) {
            let _ = self.0.send(());
        }
    }
    let (sender, dropped) = mpsc::unbounded_channel();
    let large = move || {
        let told = Told(sender.clone());
        let pieces = stream::iter(0..LARGE / 65_536).map(move |_| {
            let _held = &told;
            Ok::<_, Infallible>(Bytes::from(vec![0; 65_536]))
        });
        async move { ([("content-length", LARGE)], Body::from_stream(pieces)) }
    };
    let whole = || async { vec![0_u8; LARGE] };
    (layered(small_router().route("/large", get(large)).route("/whole", get(whole))), dropped)
}

#[tokio::test]
async fn tls_016_one_address_does_not_keep_the_others_out() {
    let limits = ListenerLimits { connections_max: 4, address_connections_max: 3, ..LIMITS };
    let bench = mtls_bench(limits, small_router()).await;
    let caller = Caller::of(&bench.servers);
    let mut slow = Vec::new();
    for _ in 0..limits.address_connections_max {
        let mut stream = caller.connect_from([127, 0, 0, 2], bench.address).await.unwrap();
        stream.write_all(b"POST /small HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n\r\nx").await.unwrap();
        slow.push(stream);
    }
    // Further connections are always closed, and the last permit remains for others.
    for _ in 0..8 {
        assert!(caller.connect_from([127, 0, 0, 2], bench.address).await.is_err());
    }
    let mut stream = caller.connect(bench.address).await.unwrap();
    assert!(ask(&mut stream, &get_request("/who")).await.ends_with("nobody"));
}

#[tokio::test]
async fn tls_016_connections_without_certificate_are_few_and_idle_ones_close() {
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    let busy = get(async move || {
        arrived.send(()).unwrap();
        std::future::pending::<&'static str>().await
    });
    let limits = ListenerLimits { anonymous_connections_max: 2, ..LIMITS };
    let bench = mtls_bench(limits, small_router().route("/busy", busy)).await;
    let tpp = bench.tpps.client();
    let anybody = Caller::of(&bench.servers);
    let with_certificate = Caller::of(&bench.servers).showing(&tpp);
    let mut certain = Vec::new();
    for _ in 0..3 {
        let mut stream = with_certificate.connect(bench.address).await.unwrap();
        assert!(ask(&mut stream, &get_request("/who")).await.contains("certificate"));
        certain.push(stream);
    }
    let [mut older, mut newer] =
        [anybody.connect(bench.address).await.unwrap(), anybody.connect(bench.address).await.unwrap()];
    for stream in [&mut older, &mut newer] {
        assert!(ask(stream, &get_request("/who")).await.ends_with("nobody"));
    }
    let mut third = anybody.connect(bench.address).await.unwrap();
    assert_eq!(read_all(&mut older).await, "", "the one that has been idle for longest is closed");
    for stream in [&mut third, &mut newer] {
        stream.write_all(get_request("/busy").as_bytes()).await.unwrap();
        arrivals.recv().await.unwrap();
    }
    // Both connections are busy: a further one waits, and other callers are served.
    let mut late = Box::pin(anybody.connect(bench.address));
    assert!(tokio::time::timeout(Duration::from_millis(100), &mut late).await.is_err());
    for stream in &mut certain {
        assert!(ask(stream, &get_request("/who")).await.contains("certificate"), "those who have shown one go on");
    }
    let mut elsewhere = anybody.connect_from([127, 0, 0, 2], bench.address).await.unwrap();
    assert!(ask(&mut elsewhere, &get_request("/who")).await.ends_with("nobody"));
    drop(newer);
    let mut late = late.await.unwrap();
    assert!(ask(&mut late, &get_request("/who")).await.ends_with("nobody"));
}

/// The most bytes of a connection before its handshake: a socket and its permits.
const WAITING_BYTES_MAX: usize = 2 * 1024;

#[tokio::test]
async fn tls_016_a_connection_that_waits_for_its_turn_takes_next_to_nothing() {
    let listener = tokio::net::TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let _caller = tokio::net::TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
    let (stream, peer) = listener.accept().await.unwrap();
    let (closing, draining) = Default::default();
    let service =
        Arc::new(ConnectionService::new("test", ListenerTransport::plain(), small_router(), LIMITS, closing, draining));
    let connection = service.connection(stream, peer, CallerConnections::new(1));
    let bytes = size_of_val(&connection);
    assert!(bytes <= WAITING_BYTES_MAX, "{bytes} bytes");
}

#[tokio::test]
async fn tls_016_an_answer_that_nobody_reads_is_given_up() {
    let (router, mut dropped) = large_router();
    let bench = mtls_bench(ListenerLimits { write_idle: Duration::from_millis(100), ..LIMITS }, router).await;
    let mut stream = Caller::of(&bench.servers).connect(bench.address).await.unwrap();
    stream.write_all(get_request("/large").as_bytes()).await.unwrap();
    dropped.recv().await.unwrap();
    assert!(read_all(&mut stream).await.len() < LARGE);
}

#[tokio::test]
async fn tls_016_a_stream_without_window_is_reset_and_its_connection_goes_on() {
    let (router, mut dropped) = large_router();
    let bench = mtls_bench(ListenerLimits { write_idle: Duration::from_millis(100), ..LIMITS }, router).await;
    let mut stream = Caller::of(&bench.servers).speaking(connection::H2).connect(bench.address).await.unwrap();
    stream.write_all(&[H2_WITHOUT_WINDOW, &h2_get(1, "/large"), &h2_get(3, "/large")].concat()).await.unwrap();
    let mut reset = BTreeSet::new();
    while reset.len() < 2 {
        let frame = next_frame(&mut stream).await.expect("a connection");
        reset.extend((frame.kind == RST_STREAM).then_some(frame.stream));
    }
    assert_eq!(reset, BTreeSet::from([1, 3]));
    dropped.recv().await.unwrap();
    dropped.recv().await.unwrap();
    stream.write_all(&h2_get(5, "/who")).await.unwrap();
    assert!(frame_of(&mut stream, HEADERS, 5).await.is_some(), "the connection is as good as before");
}

/// The last bytes of a response are in the HTTP library, from which they cannot be removed.
#[tokio::test]
async fn tls_016_a_connection_whose_last_bytes_nobody_reads_is_closed() {
    let (router, _dropped) = large_router();
    let limits =
        ListenerLimits { write_idle: Duration::from_millis(100), header_read: Duration::from_millis(100), ..LIMITS };
    let bench = mtls_bench(limits, router).await;
    let mut stream = Caller::of(&bench.servers).speaking(connection::H2).connect(bench.address).await.unwrap();
    // The window has one byte: the library takes the whole response and keeps the rest.
    let mut opening = H2_WITHOUT_WINDOW.to_vec();
    *opening.last_mut().unwrap() = 1;
    stream.write_all(&[opening, h2_get(1, "/who")].concat()).await.unwrap();
    assert!(frame_of(&mut stream, HEADERS, 1).await.is_some());
    assert!(frame_of(&mut stream, GOAWAY, 0).await.is_some());
    while frame_of(&mut stream, GOAWAY, 0).await.is_some() {}
}

#[tokio::test]
async fn rw_112_a_caller_that_does_not_read_is_refused_until_it_does() {
    let (router, _dropped) = large_router();
    let bench = mtls_bench(LIMITS, router).await;
    let tpp = bench.tpps.client();
    let other = bench.tpps.client();
    let caller = Caller::of(&bench.servers).showing(&tpp);
    let neighbour = Caller::of(&bench.servers).showing(&other);
    let mut lazy = caller.connect(bench.address).await.unwrap();
    lazy.write_all(get_request("/whole").as_bytes()).await.unwrap();
    let mut second = caller.connect(bench.address).await.unwrap();
    let status = async |stream: &mut _| {
        let answer = ask(stream, &get_request("/who")).await;
        assert!(answer.contains("x-fapi-interaction-id"), "{answer}");
        answer.split(' ').nth(1).unwrap().to_owned()
    };
    // The caller is refused as soon as the response waits.
    while status(&mut second).await == "200" {}
    assert_eq!(status(&mut second).await, "429");
    let mut third = neighbour.connect(bench.address).await.unwrap();
    assert_eq!(status(&mut third).await, "200", "another caller is not");
    let mut bytes = vec![0; 65_536];
    let mut read = 0;
    while read < LARGE {
        read += lazy.read(&mut bytes).await.unwrap();
    }
    while status(&mut second).await == "429" {}
}

/// The responses are too small for the limit on bytes.
#[tokio::test]
async fn rw_112_a_client_has_a_limit_on_requests_until_answers_are_read() {
    let bench = mtls_bench(ListenerLimits { client_requests_max: 2, ..LIMITS }, layered(small_router())).await;
    let tpp = bench.tpps.client();
    let other = bench.tpps.client();
    let caller = Caller::of(&bench.servers).showing(&tpp);
    let neighbour = Caller::of(&bench.servers).showing(&other);
    let mut second = caller.connect(bench.address).await.unwrap();
    let mut lazy = caller.speaking(connection::H2).connect(bench.address).await.unwrap();
    lazy.write_all(&[H2_WITHOUT_WINDOW, &h2_get(1, "/who"), &h2_get(3, "/who")].concat()).await.unwrap();
    let mut answered = BTreeSet::new();
    while answered.len() < 2 {
        let frame = next_frame(&mut lazy).await.expect("a connection");
        answered.extend((frame.kind == HEADERS).then_some(frame.stream));
    }
    let refused = ask(&mut second, &get_request("/who")).await;
    assert!(refused.starts_with("HTTP/1.1 429") && refused.contains("retry-after: 1"), "{refused}");
    let mut innocent = neighbour.connect(bench.address).await.unwrap();
    assert!(ask(&mut innocent, &get_request("/who")).await.contains("certificate"), "another client is not refused");
    // A refusal ends its stream even without a window.
    lazy.write_all(&h2_get(5, "/who")).await.unwrap();
    assert!(frame_of(&mut lazy, HEADERS, 5).await.is_some());
    lazy.write_all(H2_NOW_WITH_WINDOW).await.unwrap();
    while ask(&mut second, &get_request("/who")).await.starts_with("HTTP/1.1 429") {}
}

#[tokio::test]
async fn tls_016_a_client_has_so_many_connections_wherever_it_comes_from() {
    let (arrived, mut arrivals) = mpsc::unbounded_channel();
    let busy = get(async move || {
        arrived.send(()).unwrap();
        std::future::pending::<&'static str>().await
    });
    let limits = ListenerLimits { client_connections_max: 2, anonymous_connections_max: 1, ..LIMITS };
    let bench = mtls_bench(limits, small_router().route("/busy", busy)).await;
    let tpp = bench.tpps.client();
    let other = bench.tpps.client();
    let caller = Caller::of(&bench.servers).showing(&tpp);
    let neighbour = Caller::of(&bench.servers).showing(&other);
    let mut older = caller.connect(bench.address).await.unwrap();
    let mut newer = caller.connect_from([127, 0, 0, 2], bench.address).await.unwrap();
    for stream in [&mut older, &mut newer] {
        assert!(ask(stream, &get_request("/who")).await.contains("certificate"));
    }
    let mut third = caller.connect_from([127, 0, 0, 3], bench.address).await.unwrap();
    assert_eq!(read_all(&mut older).await, "", "the one that has been idle for longest is closed");
    for stream in [&mut third, &mut newer] {
        stream.write_all(get_request("/busy").as_bytes()).await.unwrap();
        arrivals.recv().await.unwrap();
    }
    // Both requests are in progress: a further one is refused, and another client is served.
    let mut late = caller.connect_from([127, 0, 0, 4], bench.address).await.unwrap();
    late.write_all(get_request("/who").as_bytes()).await.unwrap();
    let mut innocent = neighbour.connect(bench.address).await.unwrap();
    assert!(ask(&mut innocent, &get_request("/who")).await.contains("certificate"));
    drop(newer);
    assert!(ask(&mut late, "").await.contains("certificate"), "it is served as soon as another one ends");
}

/// A connection with a request in progress is not idle.
#[tokio::test]
async fn tls_016_an_http_2_answer_may_take_longer_than_a_quiet_connection() {
    let (sender, receiver) = mpsc::unbounded_channel::<Bytes>();
    let receiver = Arc::new(parking_lot::Mutex::new(Some(receiver)));
    let slow = move || {
        let pieces = stream::unfold(receiver.lock().take().unwrap(), |mut pieces| async move {
            Some((Ok::<_, Infallible>(pieces.recv().await?), pieces))
        });
        async { Body::from_stream(pieces) }
    };
    let limits =
        ListenerLimits { keep_alive: Duration::from_millis(100), header_read: Duration::from_millis(100), ..LIMITS };
    let bench = mtls_bench(limits, layered(Router::new().route("/slow", get(slow)))).await;
    let mut stream = Caller::of(&bench.servers).speaking(connection::H2).connect(bench.address).await.unwrap();
    stream.write_all(&[super::H2_OPENING, &h2_get(1, "/slow")].concat()).await.unwrap();
    assert!(frame_of(&mut stream, HEADERS, 1).await.is_some());
    let quiet = tokio::time::timeout(limits.keep_alive * 5, frame_of(&mut stream, GOAWAY, 0)).await;
    assert!(quiet.is_err(), "the connection stays open while an answer is on its way");
    sender.send(Bytes::from_static(b"finished")).unwrap();
    assert_eq!(frame_of(&mut stream, 0, 1).await.unwrap().payload, b"finished");
}
