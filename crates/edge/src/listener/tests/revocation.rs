//! Client certificates that their authority has revoked. Source: TLS-006.

use super::parties::{Caller, Party, ask, get_request};
use super::{Bench, LIMITS, mtls_bench, small_router};
use crate::listener::{ClientVerifier, UnknownRevocation};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

/// Whether a new connection with this certificate is served.
async fn is_served(bench: &Bench, party: &Party) -> bool {
    is_answered(bench, &Caller::of(&bench.servers).showing(party)).await
}

/// Whether a new connection of this caller, who may resume a session, is served.
async fn is_answered(bench: &Bench, caller: &Caller) -> bool {
    let Ok(mut stream) = caller.connect(bench.address).await else { return false };
    stream.write_all(get_request("/usable").as_bytes()).await.ok();
    stream.read_u8().await.is_ok()
}

async fn is_usable(stream: &mut TlsStream<TcpStream>) -> bool {
    ask(stream, &get_request("/usable")).await.ends_with("true")
}

impl Bench {
    fn refuse(&self, lists: &[Vec<u8>], unknown: UnknownRevocation) {
        self.verify_by(ClientVerifier::with_revocation(&[self.tpps.anchor()], lists, unknown).unwrap());
    }
}

#[tokio::test]
async fn tls_006_revoked_certificates_are_refused_on_connections_and_sessions() {
    for unknown in [UnknownRevocation::Accepted, UnknownRevocation::Refused] {
        let bench = mtls_bench(LIMITS, small_router()).await;
        let revoked = bench.tpps.client();
        let other = bench.tpps.client();
        let caller = Caller::of(&bench.servers).showing(&revoked);
        let mut open = caller.connect(bench.address).await.unwrap();
        let mut others = Caller::of(&bench.servers).showing(&other).connect(bench.address).await.unwrap();
        bench.refuse(&[bench.tpps.revoking(&[])], unknown);
        assert!(is_usable(&mut open).await && is_served(&bench, &revoked).await);
        // A session of this configuration, which the caller would resume.
        let mut session = caller.connect(bench.address).await.unwrap();
        assert!(is_usable(&mut session).await);

        bench.refuse(&[bench.tpps.revoking(&[&revoked])], unknown);
        assert!(!is_usable(&mut open).await && is_usable(&mut others).await);
        assert!(!is_usable(&mut session).await);
        assert!(!is_answered(&bench, &caller).await && !is_served(&bench, &revoked).await);
        assert!(is_served(&bench, &other).await);
    }
}

#[tokio::test]
async fn tls_006_a_certificate_of_unknown_status_is_refused_only_in_hard_mode() {
    let bench = mtls_bench(LIMITS, small_router()).await;
    let tpp = bench.tpps.client();
    for (unknown, is_accepted) in [(UnknownRevocation::Accepted, true), (UnknownRevocation::Refused, false)] {
        bench.refuse(&[bench.tpps.revoking(&[])], unknown);
        let mut open = Caller::of(&bench.servers).showing(&tpp).connect(bench.address).await.unwrap();
        assert!(is_usable(&mut open).await);
        bench.refuse(&[], unknown);
        assert_eq!((is_usable(&mut open).await, is_served(&bench, &tpp).await), (is_accepted, is_accepted));
    }
    assert!(
        ClientVerifier::with_revocation(&[bench.tpps.anchor()], &[vec![1, 2, 3]], UnknownRevocation::Accepted).is_err()
    );
}
