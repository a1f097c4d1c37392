//! The TLS versions and cipher suites of the listeners. Source: TLS-001, TLS-002, TLS-004.

use crate::harness::Bank;
use lombard_tpp::Protocol;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use std::path::Path;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls::version::{TLS12, TLS13};
use tokio_rustls::rustls::{ClientConfig, ProtocolVersion, RootCertStore, SupportedProtocolVersion, crypto};

/// An alert of TLS: its record type, and its number for a version that is not spoken.
const ALERT: u8 = 21;
const PROTOCOL_VERSION: u8 = 70;

/// The first message of an old client that wants this version at best.
fn old_hello(version: [u8; 2]) -> Vec<u8> {
    let mut body = version.to_vec();
    body.extend([7; 32]);
    // No session; ECDHE-RSA and RSA with AES-CBC; no compression.
    body.extend([0, 0, 6, 0xc0, 0x13, 0x00, 0x2f, 0x00, 0x35, 1, 0]);
    // P-256, and RSA with SHA-256: nothing but the version shall be amiss.
    let extensions = [0, 10, 0, 4, 0, 2, 0, 23, 0, 11, 0, 2, 1, 0, 0, 13, 0, 4, 0, 2, 4, 1];
    body.extend([0, u8::try_from(extensions.len()).unwrap()]);
    body.extend(extensions);
    let mut message = vec![1, 0, 0, u8::try_from(body.len()).unwrap()];
    message.extend(body);
    let mut record = vec![22, 3, 0, 0, u8::try_from(message.len()).unwrap()];
    record.extend(message);
    record
}

async fn connect(address: &str) -> TcpStream {
    let url: url::Url = address.parse().unwrap();
    TcpStream::connect(("127.0.0.1", url.port().unwrap())).await.unwrap()
}

/// The version of a connection to a listener of the bank with this folder, by a client that offers one version.
pub(crate) async fn spoken_version(
    data_dir: &Path,
    listener: &str,
    offered: &'static SupportedProtocolVersion,
) -> Option<ProtocolVersion> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_file(data_dir.join("ca.pem")).unwrap()).unwrap();
    let mut provider = crypto::aws_lc_rs::default_provider();
    provider.cipher_suites.retain(|suite| suite.version() == offered);
    let config = ClientConfig::builder_with_provider(Arc::new(provider))
        .with_protocol_versions(&[offered])
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from("localhost").unwrap();
    let stream = TlsConnector::from(Arc::new(config)).connect(name, connect(listener).await).await.unwrap();
    stream.get_ref().1.protocol_version()
}

#[tokio::test]
async fn tls_001_nothing_older_than_tls_1_2_is_spoken() {
    let bank = Bank::start().await;
    let endpoints = bank.endpoints();
    for listener in [&endpoints.public, &endpoints.mtls] {
        for (name, version) in [("SSL 3.0", [3, 0]), ("TLS 1.0", [3, 1]), ("TLS 1.1", [3, 2])] {
            let mut stream = connect(listener).await;
            stream.write_all(&old_hello(version)).await.unwrap();
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await.unwrap();
            assert_eq!((answer.first(), answer.last()), (Some(&ALERT), Some(&PROTOCOL_VERSION)), "{name}: {answer:?}");
        }
    }
}

#[tokio::test]
async fn tls_001_004_as_178_both_versions_connect_without_a_client_certificate() {
    let bank = Bank::start().await;
    let endpoints = bank.endpoints();
    let versions: [(&'static SupportedProtocolVersion, ProtocolVersion); 2] =
        [(&TLS12, ProtocolVersion::TLSv1_2), (&TLS13, ProtocolVersion::TLSv1_3)];
    for listener in [&endpoints.public, &endpoints.mtls] {
        for (offered, spoken) in versions {
            assert_eq!(spoken_version(bank.data_dir(), listener, offered).await, Some(spoken), "{listener}");
        }
    }
    let naked = bank.tpp("robot").with_certificate(None, Protocol::Any).unwrap();
    assert_eq!(naked.get("x", "aisp/accounts").await.unwrap().status, 401, "TLS-004: the route refuses, not TLS");
}
