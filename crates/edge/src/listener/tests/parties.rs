//! A certificate authority, the parties that it certifies, and a caller that writes HTTP/1.1 requests as text.

use crate::listener::tls::ServerCertificate;
use rcgen::{
    BasicConstraints, CertificateParams, CertificateRevocationListParams, CertifiedIssuer, ExtendedKeyUsagePurpose,
    IsCa, KeyIdMethod, KeyPair, KeyUsagePurpose, PKCS_RSA_SHA256, RevokedCertParams, RsaKeySize, SerialNumber,
    date_time_ymd,
};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName};
use rustls::{CipherSuite, ClientConfig, RootCertStore};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

static SERIALS: AtomicU64 = AtomicU64::new(1);

pub(super) struct Authority(CertifiedIssuer<'static, KeyPair>);

pub(super) struct Party {
    pub(super) chain: Vec<Vec<u8>>,
    key: Vec<u8>,
    serial: u64,
}

impl Party {
    pub(super) fn identity(&self) -> ServerCertificate<'_> {
        ServerCertificate { chain: &self.chain, key_pkcs8: &self.key }
    }
}

impl Authority {
    pub(super) fn new() -> Self {
        let mut params = CertificateParams::new(Vec::new()).unwrap();
        params.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    pub(super) fn anchor(&self) -> Vec<u8> {
        self.0.der().to_vec()
    }

    pub(super) fn server(&self, rsa: bool) -> Party {
        let key =
            if rsa { KeyPair::generate_rsa_for(&PKCS_RSA_SHA256, RsaKeySize::_2048) } else { KeyPair::generate() };
        self.issue(key.unwrap(), ExtendedKeyUsagePurpose::ServerAuth)
    }

    pub(super) fn client(&self) -> Party {
        self.issue(KeyPair::generate().unwrap(), ExtendedKeyUsagePurpose::ClientAuth)
    }

    fn issue(&self, key: KeyPair, purpose: ExtendedKeyUsagePurpose) -> Party {
        let mut params = CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
        let serial = SERIALS.fetch_add(1, Ordering::Relaxed);
        params.serial_number = Some(SerialNumber::from(serial));
        params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
        params.extended_key_usages = vec![purpose];
        params.use_authority_key_identifier_extension = true;
        let certificate = params.signed_by(&key, &self.0).unwrap();
        Party { chain: vec![certificate.der().to_vec()], key: key.serialize_der(), serial }
    }

    /// The authority's list of revoked certificates, with those of these parties.
    pub(super) fn revoking(&self, parties: &[&Party]) -> Vec<u8> {
        let revoked = parties.iter().map(|party| RevokedCertParams {
            serial_number: SerialNumber::from(party.serial),
            revocation_time: date_time_ymd(2026, 1, 1),
            reason_code: None,
            invalidity_date: None,
        });
        let list = CertificateRevocationListParams {
            this_update: date_time_ymd(2026, 1, 1),
            next_update: date_time_ymd(2026, 1, 2),
            crl_number: SerialNumber::from(1_u64),
            issuing_distribution_point: None,
            revoked_certs: revoked.collect(),
            key_identifier_method: KeyIdMethod::Sha256,
        };
        list.signed_by(&self.0).unwrap().der().to_vec()
    }
}

/// A client that trusts an authority's server certificates. Its connections resume sessions.
pub(super) struct Caller(Arc<ClientConfig>, RootCertStore);

impl Caller {
    pub(super) fn of(servers: &Authority) -> Self {
        let mut roots = RootCertStore::empty();
        roots.add(CertificateDer::from(servers.anchor())).unwrap();
        Self(Arc::new(builder(&roots, None).with_no_client_auth()), roots)
    }

    pub(super) fn showing(self, party: &Party) -> Self {
        let chain = party.chain.iter().map(|der| CertificateDer::from(der.clone())).collect();
        let key = PrivateKeyDer::from(PrivatePkcs8KeyDer::from(party.key.clone()));
        let config = builder(&self.1, None).with_client_auth_cert(chain, key).unwrap();
        Self(Arc::new(config), self.1)
    }

    pub(super) fn with_suite(self, suite: CipherSuite) -> Self {
        Self(Arc::new(builder(&self.1, Some(suite)).with_no_client_auth()), self.1)
    }

    pub(super) fn speaking(self, protocol: &[u8]) -> Self {
        let mut config = ClientConfig::clone(&self.0);
        config.alpn_protocols = vec![protocol.to_vec()];
        Self(Arc::new(config), self.1)
    }

    pub(super) async fn connect(&self, address: SocketAddr) -> io::Result<TlsStream<TcpStream>> {
        self.connect_over(TcpStream::connect(address).await?).await
    }

    /// Connects from another loopback address: Linux has all of 127.0.0.0/8.
    pub(super) async fn connect_from(&self, own: [u8; 4], address: SocketAddr) -> io::Result<TlsStream<TcpStream>> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((own, 0).into())?;
        self.connect_over(socket.connect(address).await?).await
    }

    /// Connects over an open stream.
    pub(super) async fn connect_over(&self, stream: TcpStream) -> io::Result<TlsStream<TcpStream>> {
        TlsConnector::from(self.0.clone()).connect(ServerName::try_from("localhost").unwrap(), stream).await
    }
}

fn builder(
    roots: &RootCertStore,
    suite: Option<CipherSuite>,
) -> rustls::ConfigBuilder<ClientConfig, rustls::client::WantsClientCert> {
    let mut provider = rustls::crypto::aws_lc_rs::default_provider();
    if let Some(suite) = suite {
        provider.cipher_suites.retain(|candidate| candidate.suite() == suite);
    }
    let versions: Vec<_> = match suite {
        Some(_) if provider.cipher_suites[0].tls13().is_some() => vec![&rustls::version::TLS13],
        Some(_) => vec![&rustls::version::TLS12],
        None => rustls::DEFAULT_VERSIONS.to_vec(),
    };
    ClientConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&versions)
        .unwrap()
        .with_root_certificates(roots.clone())
}

pub(super) fn get_request(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

/// Sends bytes and reads one response of known length, as text.
pub(super) async fn ask(stream: &mut TlsStream<TcpStream>, request: &str) -> String {
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&answer).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
            if body.len() >= length.parse().unwrap() {
                return text;
            }
        }
        answer.push(stream.read_u8().await.expect("an answer"));
    }
}

/// Reads everything until the connection ends or fails.
pub(super) async fn read_all(stream: &mut TlsStream<TcpStream>) -> String {
    let mut answer = Vec::new();
    while let Ok(byte) = stream.read_u8().await {
        answer.push(byte);
    }
    String::from_utf8(answer).unwrap()
}

/// A frame of HTTP/2, as it arrived.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Frame {
    pub(super) kind: u8,
    pub(super) stream: u32,
    pub(super) payload: Vec<u8>,
}

pub(super) const HEADERS: u8 = 1;
pub(super) const RST_STREAM: u8 = 3;
pub(super) const GOAWAY: u8 = 7;

/// The next frame; `None` when the connection has ended.
pub(super) async fn next_frame(stream: &mut TlsStream<TcpStream>) -> Option<Frame> {
    let mut head = [0; 9];
    stream.read_exact(&mut head).await.ok()?;
    let mut payload = vec![0; u32::from_be_bytes([0, head[0], head[1], head[2]]).try_into().unwrap()];
    stream.read_exact(&mut payload).await.ok()?;
    Some(Frame { kind: head[3], stream: u32::from_be_bytes(head[5..].try_into().unwrap()), payload })
}

/// The next frame of this kind on this stream; earlier frames are skipped.
pub(super) async fn frame_of(stream: &mut TlsStream<TcpStream>, kind: u8, of: u32) -> Option<Frame> {
    loop {
        let frame = next_frame(stream).await?;
        if (frame.kind, frame.stream) == (kind, of) {
            return Some(frame);
        }
    }
}

/// The start of an HTTP/2 connection whose caller reads no body: the preface, and windows of zero bytes.
pub(super) const H2_WITHOUT_WINDOW: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\0\0";

/// The settings that give every stream a window.
pub(super) const H2_NOW_WITH_WINDOW: &[u8] = b"\0\0\x06\x04\0\0\0\0\0\0\x04\0\0\xff\xff";

/// A complete `GET` request on this stream.
pub(super) fn h2_get(stream: u32, path: &str) -> Vec<u8> {
    let length = u8::try_from(path.len()).unwrap();
    let fields = [b"\x82\x87\x41\x09localhost\x04".as_slice(), &[length], path.as_bytes()].concat();
    let head = [0, 0, u8::try_from(fields.len()).unwrap(), HEADERS, 5];
    [head.as_slice(), &stream.to_be_bytes(), &fields].concat()
}
