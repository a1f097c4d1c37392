//! A listener that serves before its RSA certificate is made.

use super::*;
use crate::start_barrier::StartBarrier;
use futures_util::FutureExt;

#[tokio::test]
async fn tls_002_a_client_needing_the_rsa_certificate_waits_and_others_do_not() {
    let servers = Authority::new();
    let wall = ManualClock::starting_at("2026-03-02T09:00:00Z".parse::<Timestamp>().unwrap());
    let p256 = servers.server(false);
    let first = tls::TlsMaterial::new(&[p256.identity()], 3600, Clocks::new(Arc::new(wall.clone()))).unwrap();
    let (opener, barrier) = StartBarrier::closed();
    let tls = ListenerTls::from(first.public().unwrap()).awaiting_rsa(barrier);
    let listener = Listener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = listener.address().unwrap();
    let _running = listener.serve_router("test", ListenerTransport::tls(tls.clone()), small_router(), LIMITS);

    let of_1_2 = CipherSuite::TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256;
    let of_1_3 = CipherSuite::TLS13_AES_128_GCM_SHA256;
    let old = Caller::of(&servers).with_suite(of_1_2);
    let mut waiting = Box::pin(old.connect(address));
    assert!((&mut waiting).now_or_never().is_none());
    for _ in 0..2 {
        let mut stream = Caller::of(&servers).with_suite(of_1_3).connect(address).await.unwrap();
        assert!(ask(&mut stream, &get_request("/who")).await.ends_with("nobody"));
        assert!((&mut waiting).now_or_never().is_none(), "it waits");
    }

    tls.replace(material(&servers, &wall).public().unwrap());
    opener.open();
    let mut stream = waiting.await.unwrap();
    assert!(ask(&mut stream, &get_request("/who")).await.ends_with("nobody"));
}
