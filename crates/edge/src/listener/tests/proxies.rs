//! Listeners behind proxies: which proxies are trusted, and which of their headers. Source: TLS-010 to TLS-015.

use super::parties::{Authority, Caller, Party, ask, get_request};
use super::{Bench, LIMITS, mtls_bench_behind, small_router};
use crate::layers::{HeaderLimits, LayerContext, apply_mtls_layers};
use crate::listener::connection::H2;
use crate::listener::tls::TlsMaterial;
use crate::listener::{
    AddressHeader, CertificateHeader, ClientTrust, ClientVerifier, ForwardedRequests, Listener, ListenerLimits,
    ListenerProxies, ListenerTransport, PeerAddress, ProxyAddresses, RevocationStatus, RunningListener,
};
use async_trait::async_trait;
use axum::extract::Request;
use axum::routing::get;
use lombard_domain::grant::Digest;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{CountingEntropy, IdGenerator};
use parking_lot::Mutex;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rustls::pki_types::pem::PemObject;
use std::collections::HashMap;
use std::net::SocketAddr;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream, UnixStream};

/// The address of the proxy, and of somebody else on the machine.
const PROXY: [u8; 4] = [127, 0, 0, 1];
const STRANGER: [u8; 4] = [127, 0, 0, 2];

fn proxies() -> ProxyAddresses {
    ProxyAddresses::new(&["127.0.0.1/32".parse().unwrap()])
}

async fn connect_from(own: [u8; 4], address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().unwrap();
    socket.bind((own, 0).into()).unwrap();
    socket.connect(address).await.unwrap()
}

async fn from(request: Request) -> String {
    request.extensions().get::<PeerAddress>().unwrap().0.ip().to_string()
}

/// A listener behind a proxy that terminates TLS.
struct Ended {
    address: SocketAddr,
    tpps: Authority,
    trust: ClientTrust,
    _running: RunningListener,
}

/// In the clear.
fn ended(header: CertificateHeader, is_verified_here: bool) -> Ended {
    ended_over(ListenerTransport::plain(), header, is_verified_here)
}

fn ended_over(transport: ListenerTransport, header: CertificateHeader, is_verified_here: bool) -> Ended {
    ended_by(transport, header, is_verified_here, None)
}

fn ended_by(
    transport: ListenerTransport,
    header: CertificateHeader,
    is_verified_here: bool,
    status: Option<Arc<dyn RevocationStatus>>,
) -> Ended {
    let tpps = Authority::new();
    let verifier = ClientVerifier::new(&[tpps.anchor()]).unwrap();
    let trust = ClientTrust::with_status(verifier, Clocks::system(), status);
    let requests = ForwardedRequests::new(proxies())
        .with_certificates(header, is_verified_here.then(|| trust.clone()))
        .with_addresses(AddressHeader::XForwardedFor);
    let transport = transport.behind(ListenerProxies::TerminateTls(requests));
    let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system());
    let headers = HeaderLimits { bytes_max: 32 * 1024, fields_max: 100 };
    let router = small_router().route("/from", get(from));
    let router = apply_mtls_layers(router, LayerContext::new("test", ids, headers));
    let listener = Listener::bind(SocketAddr::from(([127, 0, 0, 1], 0))).unwrap();
    let address = listener.address().unwrap();
    Ended { address, tpps, trust, _running: listener.serve_router("test", transport, router, LIMITS) }
}

impl Ended {
    /// The response to a request from this address with these headers.
    async fn ask(&self, own: [u8; 4], path: &str, headers: &[(&str, &str)]) -> String {
        let mut stream = connect_from(own, self.address).await;
        let lines: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n{lines}\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.unwrap();
        answer
    }
}

fn byte_sequence(party: &Party) -> String {
    format!(":{}:", lombard_jose::base64(&party.chain[0]))
}

fn pem_of(der: &[u8]) -> String {
    let base64 = lombard_jose::base64(der);
    let lines: Vec<_> = base64.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----\n", lines.join("\n"))
}

fn is_refused(answer: &str) -> bool {
    answer.starts_with("HTTP/1.1 400") && answer.contains("x-fapi-interaction-id")
}

#[tokio::test]
async fn tls_010_the_certificate_of_rfc_9440_is_that_of_the_caller() {
    let ended = ended(CertificateHeader::ClientCert, true);
    let tpp = ended.tpps.client();
    let certificate = byte_sequence(&tpp);
    let chain = format!(":{}:", lombard_jose::base64(&ended.tpps.anchor()));
    let expected = format!("certificate of {} bytes", tpp.chain[0].len());
    for headers in [
        &[("client-cert", certificate.as_str())][..],
        &[("Client-Cert", &certificate), ("Client-Cert-Chain", &chain)],
        &[("client-cert", &certificate), ("client-cert-chain", &format!("{chain} , {chain}"))],
        &[("client-cert", &certificate), ("client-cert-chain", &chain), ("client-cert-chain", &chain)],
    ] {
        // The request is sent twice: the second time the certificate is cached.
        for _ in 0..2 {
            let answer = ended.ask(PROXY, "/who", headers).await;
            assert!(answer.ends_with(&expected), "{headers:?}: {answer}");
        }
    }
    assert!(ended.ask(PROXY, "/who", &[]).await.ends_with("nobody"));
}

#[tokio::test]
async fn tls_012_a_certificate_header_that_is_not_as_it_must_be_is_refused() {
    let ended = ended(CertificateHeader::ClientCert, true);
    let certificate = byte_sequence(&ended.tpps.client());
    let bare = certificate.trim_matches(':').to_owned();
    let cut = format!(":{}:", &bare[..bare.len() - 8]);
    let spaced = format!(":{} {}:", &bare[..8], &bare[8..]);
    for headers in [
        &[("client-cert", certificate.as_str()), ("client-cert", certificate.as_str())][..],
        &[("client-cert", &format!("{certificate}, {certificate}"))],
        &[("client-cert", &format!("{certificate};x=1"))],
        &[("client-cert", &bare)],
        &[("client-cert", &spaced)],
        &[("client-cert", &cut)],
        &[("client-cert", "::")],
        &[("client-cert", "")],
        &[("client-cert-chain", &certificate)],
        &[("client-cert", &certificate), ("client-cert-chain", "")],
        &[("client-cert", &certificate), ("client-cert-chain", &[certificate.as_str(); 10].join(","))],
        // TLS-015: others may read these as the header.
        &[("client-cert", &certificate), ("client_cert", &certificate)],
        &[("client_cert", &certificate)],
        &[("client-cert", &certificate), ("x-forwarded-client-cert", "Cert=x")],
        &[("x-ssl-client-cert", &bare)],
    ] {
        let answer = ended.ask(PROXY, "/who", headers).await;
        assert!(is_refused(&answer), "{headers:?}: {answer}");
    }
}

#[tokio::test]
async fn tls_011_nobody_but_a_proxy_is_believed() {
    let ended = ended(CertificateHeader::ClientCert, true);
    let certificate = byte_sequence(&ended.tpps.client());
    for name in ["client-cert", "Client-Cert", "client_cert", "client-cert-chain", "x-forwarded-client-cert"] {
        let answer = ended.ask(STRANGER, "/who", &[(name, &certificate)]).await;
        assert!(is_refused(&answer), "{name}: {answer}");
    }
    assert!(ended.ask(STRANGER, "/who", &[]).await.ends_with("nobody"));
    let from = ended.ask(STRANGER, "/from", &[("x-forwarded-for", "192.0.2.7")]).await;
    assert!(from.ends_with("127.0.0.2"), "TLS-014: {from}");
    let from = ended.ask(PROXY, "/from", &[("x-forwarded-for", "198.51.100.1, 192.0.2.7")]).await;
    assert!(from.ends_with("192.0.2.7"), "TLS-014: {from}");
    assert!(is_refused(&ended.ask(PROXY, "/from", &[("x-forwarded-for", "somewhere")]).await), "TLS-014");
}

#[tokio::test]
async fn tls_013_the_chain_is_verified_again_unless_the_proxy_is_trusted_for_it() {
    for (is_verified_here, seen) in [(true, "nobody"), (false, "certificate of")] {
        let ended = ended(CertificateHeader::ClientCert, is_verified_here);
        for unfit in [Authority::new().client(), ended.tpps.server(false)] {
            let answer = ended.ask(PROXY, "/who", &[("client-cert", &byte_sequence(&unfit))]).await;
            assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(seen), "{answer}");
        }
    }
}

#[tokio::test]
async fn tls_008_a_known_certificate_is_verified_again_when_anchors_change() {
    let ended = ended(CertificateHeader::ClientCert, true);
    let certificate = byte_sequence(&ended.tpps.client());
    let mut usable = Vec::new();
    for anchors in [[ended.tpps.anchor()], [Authority::new().anchor()], [ended.tpps.anchor()]] {
        ended.trust.replace(ClientVerifier::new(&anchors).unwrap());
        let answer = ended.ask(PROXY, "/trusted", &[("client-cert", &certificate)]).await;
        usable.push(answer.ends_with("true"));
    }
    assert_eq!(usable, [true, false, true]);
}

/// A status responder with configured statuses; other certificates are good.
#[derive(Debug, Default)]
struct Responder {
    refuses_unknown: bool,
    asked: AtomicUsize,
    is_revoked: Mutex<HashMap<Digest, bool>>,
}

#[async_trait]
impl RevocationStatus for Responder {
    async fn learn_status(&self, certificate: Digest, chain: &[Vec<u8>]) {
        assert_eq!(lombard_jose::sha256(&chain[0]), certificate);
        self.asked.fetch_add(1, Ordering::Relaxed);
        self.is_revoked.lock().entry(certificate).or_insert(false);
    }

    fn is_known(&self, certificate: Digest) -> bool {
        self.is_revoked.lock().contains_key(&certificate)
    }

    fn refuses(&self, certificate: Digest) -> bool {
        self.is_revoked.lock().get(&certificate).copied().unwrap_or(self.refuses_unknown)
    }
}

#[tokio::test]
async fn tls_006_the_status_of_a_proxied_certificate_is_asked_once_and_applied() {
    for refuses_unknown in [false, true] {
        let responder = Arc::new(Responder { refuses_unknown, ..Responder::default() });
        let status = Arc::clone(&responder) as Arc<dyn RevocationStatus>;
        let ended = ended_by(ListenerTransport::plain(), CertificateHeader::ClientCert, true, Some(status));
        let [tpp, other] = [ended.tpps.client(), ended.tpps.client()];
        let is_trusted = async |party: &Party| {
            let answer = ended.ask(PROXY, "/trusted", &[("client-cert", &byte_sequence(party))]).await;
            answer.ends_with("true")
        };
        for (party, asked) in [(&tpp, 1), (&tpp, 1), (&other, 2), (&tpp, 2)] {
            assert!(is_trusted(party).await, "hard: {refuses_unknown}");
            assert_eq!(responder.asked.load(Ordering::Relaxed), asked);
        }
        assert!(!is_trusted(&Authority::new().client()).await);
        assert_eq!(responder.asked.load(Ordering::Relaxed), 2, "nobody is asked about a stranger's");
        responder.is_revoked.lock().insert(lombard_jose::sha256(&tpp.chain[0]), true);
        ended.trust.invalidate_checks();
        assert!(!is_trusted(&tpp).await && is_trusted(&other).await);
        let answer = ended.ask(PROXY, "/who", &[]).await;
        assert!(answer.ends_with("nobody"), "{answer}");
    }
}

#[tokio::test]
async fn tls_010_012_envoys_header_has_one_element_that_says_one_thing() {
    let name = "x-forwarded-client-cert";
    let ended = ended(CertificateHeader::from_name(name).unwrap(), true);
    let tpp = ended.tpps.client();
    let other = ended.tpps.client();
    let encoded = |der: &[u8]| utf8_percent_encode(&pem_of(der), NON_ALPHANUMERIC).to_string();
    let leaf = encoded(&tpp.chain[0]);
    let foreign = encoded(&other.chain[0]);
    let chain = leaf.clone() + &encoded(&ended.tpps.anchor());
    let hash: String = lombard_jose::sha256(&tpp.chain[0]).0.map(|byte| format!("{byte:02x}")).concat();
    let expected = format!("certificate of {} bytes", tpp.chain[0].len());
    for value in [
        format!("Cert=\"{leaf}\""),
        format!("cert={leaf}"),
        format!("Chain=\"{chain}\""),
        format!("Cert=\"{leaf}\";Subject=\"O=Tea\\, Ltd,L=Soci\\C3\\A9t\\C3\\A9\";URI=https://tpp.example/?a=b"),
        format!(
            "By=spiffe://bank/edge;Hash={hash};Cert=\"{leaf}\";Chain=\"{chain}\";Subject=\"CN=a \\\"b\\\", O=c;d\";URI=;DNS=a;DNS=b"
        ),
    ] {
        let answer = ended.ask(PROXY, "/who", &[(name, &value)]).await;
        assert!(answer.ends_with(&expected), "{value}: {answer}");
    }
    let own = format!("Cert=\"{leaf}\"");
    for value in [
        format!("{own},{own}"),
        format!("By=spiffe://a,{own}"),
        format!("{own};{own}"),
        format!("{own};Chain=\"{foreign}\""),
        format!("{own};Hash={}", hash.replace(['1', '2', '3'], "0")),
        format!("Hash={hash}"),
        format!("Subject=\"{own}\""),
        format!("Cert=\"{chain}\""),
        format!("{own} "),
        format!("{own};"),
        format!("{own}x"),
        format!("Cert=\"{leaf}"),
        format!("Cert=\"{leaf}\\\""),
        format!("Cert={leaf}="),
        format!("Certificate=\"{leaf}\""),
        "Cert=\"\"".to_owned(),
        "Cert=x".to_owned(),
        leaf.clone(),
        String::new(),
    ] {
        // Spaces around a value are not part of it.
        let answer = ended.ask(PROXY, "/who", &[(name, &value)]).await;
        assert!(is_refused(&answer) != value.ends_with(' '), "{value}: {answer}");
    }
    for (from, headers) in [
        (STRANGER, &[(name, own.as_str())][..]),
        (PROXY, &[(name, &own), (name, &own)]),
        (PROXY, &[(name, &own), ("x_forwarded_client_cert", &own)]),
    ] {
        assert!(is_refused(&ended.ask(from, "/who", headers).await), "{headers:?}");
    }
}

#[tokio::test]
async fn tls_010_a_header_with_pem_may_bring_the_chain() {
    let name = "x-amzn-mtls-clientcert";
    let ended = ended(CertificateHeader::from_name(name).unwrap(), true);
    let tpp = ended.tpps.client();
    let leaf = pem_of(&tpp.chain[0]);
    let chain = pem_of(&tpp.chain[0]) + &pem_of(&ended.tpps.anchor());
    assert!(rustls::pki_types::CertificateDer::from_pem_slice(leaf.as_bytes()).is_ok());
    let expected = format!("certificate of {} bytes", tpp.chain[0].len());
    let escaped = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    // Some proxies escape only line breaks and spaces, so a plus sign is one of Base64.
    let sparing = leaf.replace('\n', "%0A").replace(' ', "%20");
    for value in [escaped(&leaf), escaped(&chain), sparing] {
        let answer = ended.ask(PROXY, "/who", &[(name, &value)]).await;
        assert!(answer.ends_with(&expected), "{value}: {answer}");
    }
    let value = escaped(&leaf);
    for (own, headers) in [
        (STRANGER, &[(name, value.as_str())][..]),
        (STRANGER, &[("x-amzn_mtls-clientcert", &value)]),
        (PROXY, &[(name, &value), (name, &value)]),
        (PROXY, &[(name, &value), ("x_amzn-mtls-clientcert", &value)]),
        (PROXY, &[(name, "hello")]),
        (PROXY, &[(name, &escaped("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"))]),
        (PROXY, &[(name, &value), ("client-cert", ":MIIB:")]),
    ] {
        let answer = ended.ask(own, "/who", headers).await;
        assert!(is_refused(&answer), "{headers:?}: {answer}");
    }
}

#[tokio::test]
async fn tls_011_a_tls_proxy_needs_a_certificate_and_a_listed_address() {
    let servers = Authority::new();
    let of_proxies = Authority::new();
    let proxy = of_proxies.client();
    let clocks = Clocks::system();
    let server = servers.server(false);
    let tls = TlsMaterial::new(&[server.identity()], 3600, clocks).unwrap().for_proxies(&[of_proxies.anchor()]);
    let ended = ended_over(ListenerTransport::tls(tls.unwrap()), CertificateHeader::ClientCert, true);
    let tpp = ended.tpps.client();
    let request = format!("GET /who HTTP/1.1\r\nhost: a\r\nclient-cert: {}\r\n\r\n", byte_sequence(&tpp));
    let caller = Caller::of(&servers).showing(&proxy);
    let mut stream = caller.connect(ended.address).await.unwrap();
    // Requests of several clients on one connection, one after the other; the proxy's own certificate is nobody's.
    for _ in 0..2 {
        let answer = ask(&mut stream, &request).await;
        assert!(answer.ends_with(&format!("certificate of {} bytes", tpp.chain[0].len())), "{answer}");
        assert!(ask(&mut stream, &get_request("/who")).await.ends_with("nobody"));
    }
    let mut stranger = caller.connect_from(STRANGER, ended.address).await.unwrap();
    assert!(is_refused(&ask(&mut stranger, &request).await));
    // Without a certificate of these authorities, or in HTTP/2, nothing is served.
    for unfit in [
        Caller::of(&servers),
        Caller::of(&servers).showing(&tpp),
        Caller::of(&servers).showing(&Authority::new().client()),
        Caller::of(&servers).showing(&proxy).speaking(H2),
    ] {
        let is_served = match unfit.connect(ended.address).await {
            Err(_) => false,
            Ok(mut stream) => {
                stream.write_all(request.as_bytes()).await.ok();
                stream.read_u8().await.is_ok()
            }
        };
        assert!(!is_served);
    }
}

/// The response over a Unix socket to a request with this certificate in its header.
async fn ask_over(path: &Path, certificate: &str) -> String {
    let mut stream = UnixStream::connect(path).await.unwrap();
    let request =
        format!("GET /who HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\nclient-cert: {certificate}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    answer
}

#[tokio::test]
async fn tls_011_whoever_may_connect_to_a_unix_socket_is_a_proxy() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mtls.sock");
    let tpps = Authority::new();
    let trust = ClientTrust::new(ClientVerifier::new(&[tpps.anchor()]).unwrap(), Clocks::system());
    let serve = || {
        let requests = ForwardedRequests::new(ProxyAddresses::new(&[]).with_unix_sockets())
            .with_certificates(CertificateHeader::ClientCert, Some(trust.clone()));
        let transport = ListenerTransport::plain().behind(ListenerProxies::TerminateTls(requests));
        Listener::bind_unix(&path).unwrap().serve_router("test", transport, small_router(), LIMITS)
    };
    let tpp = tpps.client();
    let expected = format!("certificate of {} bytes", tpp.chain[0].len());
    // The socket of a process that has ended is no obstacle.
    drop(std::os::unix::net::UnixListener::bind(&path).unwrap());
    let running = serve();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o660);
    assert!(ask_over(&path, &byte_sequence(&tpp)).await.ends_with(&expected));
    let unfit = ask_over(&path, &byte_sequence(&Authority::new().client())).await;
    assert!(unfit.ends_with("nobody"), "TLS-013: the chain is verified here: {unfit}");
    assert_eq!(Listener::bind_unix(&path).unwrap_err().kind(), std::io::ErrorKind::AddrInUse);
    running.stop_listener(Duration::ZERO).await;
    assert!(!path.exists(), "nothing is left behind");
    // A new listener that began before the former one ended keeps its file.
    let former = serve();
    std::fs::remove_file(&path).unwrap();
    let _next = serve();
    former.stop_listener(Duration::ZERO).await;
    assert!(ask_over(&path, &byte_sequence(&tpp)).await.ends_with(&expected));
    let file = folder.path().join("file");
    std::fs::write(&file, "mine").unwrap();
    assert_eq!(Listener::bind_unix(&file).unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "mine");
}

/// An mTLS listener to which a proxy passes TLS through.
async fn passed(limits: ListenerLimits) -> Bench {
    mtls_bench_behind(limits, small_router().route("/from", get(from)), Some(ListenerProxies::PassTls(proxies()))).await
}

#[tokio::test]
async fn tls_014_a_proxy_that_passes_tls_on_says_where_a_connection_comes_from() {
    let bench = passed(LIMITS).await;
    let tpp = bench.tpps.client();
    let expected = format!("certificate of {} bytes", tpp.chain[0].len());
    for (header, source) in [
        (b"PROXY TCP4 192.0.2.7 127.0.0.1 4711 443\r\n".as_slice(), "192.0.2.7"),
        (b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\x02\x07\x7f\0\0\x01\x12\x67\x01\xbb", "192.0.2.7"),
        (b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0", "127.0.0.1"),
    ] {
        let mut stream = connect_from(PROXY, bench.address).await;
        stream.write_all(header).await.unwrap();
        let caller = Caller::of(&bench.servers).showing(&tpp);
        let mut stream = caller.connect_over(stream).await.unwrap();
        assert!(ask(&mut stream, &get_request("/who")).await.ends_with(&expected));
        assert!(ask(&mut stream, &get_request("/from")).await.ends_with(source), "{source}");
        // The client itself sent the headers, so they are ignored.
        let request =
            "GET /from HTTP/1.1\r\nhost: a\r\nx-forwarded-for: 198.51.100.1\r\nforwarded: for=198.51.100.1\r\n\r\n";
        assert!(ask(&mut stream, request).await.ends_with(source), "{source}");
    }
}

#[tokio::test]
async fn tls_011_a_connection_of_a_stranger_or_without_the_header_is_closed() {
    let bench = passed(LIMITS).await;
    let header = b"PROXY TCP4 192.0.2.7 127.0.0.1 4711 443\r\n".as_slice();
    for (own, sent) in [(STRANGER, header), (STRANGER, b""), (PROXY, b""), (PROXY, b"PROXY TCP4 nowhere\r\n")] {
        let mut stream = connect_from(own, bench.address).await;
        stream.write_all(sent).await.unwrap();
        let tls = Caller::of(&bench.servers).connect_over(stream).await;
        assert!(tls.is_err(), "{own:?} {:?}", String::from_utf8_lossy(sent));
    }
}

#[tokio::test]
async fn tls_016_connections_behind_a_proxy_count_for_their_source_address() {
    let bench = passed(ListenerLimits { address_connections_max: 1, ..LIMITS }).await;
    let open = async |source: &str| {
        let mut stream = connect_from(PROXY, bench.address).await;
        stream.write_all(format!("PROXY TCP4 {source} 127.0.0.1 4711 443\r\n").as_bytes()).await.unwrap();
        Caller::of(&bench.servers).connect_over(stream).await
    };
    let _first = open("192.0.2.7").await.unwrap();
    assert!(open("192.0.2.7").await.is_err());
    assert!(open("192.0.2.8").await.is_ok());
}
