//! A request that is refused without its body is answered before the body arrives. Source: RW-025.

use crate::harness::Bank;
use lombard_tpp::{Protocol, TlsIdentity, tls_config};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// A fraction of the time that a body may stand still.
const AT_ONCE: Duration = Duration::from_secs(15);

#[tokio::test]
async fn rw_025_a_refusal_does_not_wait_for_a_body_that_never_comes() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    let (own, endpoints) = (Some(&tpp.folder.identity), bank.endpoints());
    let consents = "/open-banking/v3.1/aisp/account-access-consents";
    let (json, form) = ("content-type: application/json", "content-type: application/x-www-form-urlencoded");
    for (base, identity, path, headers, status) in [
        (&endpoints.mtls, own, consents, json.to_owned(), 401),
        (&endpoints.mtls, own, consents, format!("authorization: Bearer {token}\r\ncontent-type: text/plain"), 415),
        (&endpoints.mtls, own, "/open-banking/v3.1/nothing", json.to_owned(), 404),
        (&endpoints.mtls, own, "/token", json.to_owned(), 400),
        (&endpoints.mtls, None, "/token", form.to_owned(), 401),
        (&endpoints.mtls, None, consents, json.to_owned(), 401),
        (&endpoints.public, None, "/apps/login", form.to_owned(), 303),
        (&endpoints.public, None, "/interaction/none/login", form.to_owned(), 404),
    ] {
        let head = format!("POST {path} HTTP/1.1\r\nhost: localhost\r\ncontent-length: 1000\r\n{headers}\r\n\r\n{{");
        let answer = tokio::time::timeout(AT_ONCE, first_line(&bank, base, identity, &head)).await;
        let answer = answer.unwrap_or_else(|_| panic!("{path} waits for the body"));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status}")), "{path}: {answer}");
    }
}

async fn first_line(bank: &Bank, base: &str, identity: Option<&TlsIdentity>, request: &str) -> String {
    let anchor = CertificateDer::from_pem_file(bank.data_dir().join("ca.pem")).unwrap();
    let tls = TlsConnector::from(Arc::new(tls_config(&[anchor], identity, Protocol::Http1).unwrap()));
    let stream = TcpStream::connect(base.replace("https://localhost", "127.0.0.1")).await.unwrap();
    let mut stream = tls.connect(ServerName::try_from("localhost").unwrap(), stream).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut line = Vec::new();
    while !line.ends_with(b"\r\n") {
        line.push(stream.read_u8().await.unwrap());
    }
    String::from_utf8(line).unwrap()
}
