use crate::harness::Bank;
use lombard_tpp::{Protocol, TlsIdentity, tls_config};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

#[tokio::test]
async fn a_request_under_way_is_finished_and_no_other_begun() {
    let mut bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    let body = r#"{"Data":{"Permissions":["ReadAccountsBasic"]},"Risk":{}}"#;
    let (first, rest) = body.split_at(20);
    let mut stream = connect(&bank, &tpp.folder.identity).await.unwrap();
    let head = format!(
        "POST /open-banking/v3.1/aisp/account-access-consents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{first}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    // Another whole request on another connection: when it is answered, the first has been read as far as it came.
    tpp.client_credentials("accounts").await.unwrap();

    let endpoints = bank.endpoints();
    let file = bank.data_dir().join("endpoints.json");
    assert!(file.exists());
    let server = bank.take_server();
    let stopping = tokio::spawn(server.stop_server());
    tokio::task::yield_now().await;
    while TcpStream::connect(address(&endpoints.mtls)).await.is_ok() {
        assert!(!stopping.is_finished(), "it waits for the request under way");
        tokio::task::yield_now().await;
    }
    stream.write_all(rest.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    stopping.await.unwrap();
    assert!(!file.exists(), "endpoints.json is removed on a clean exit");
}

async fn connect(bank: &Bank, identity: &TlsIdentity) -> std::io::Result<TlsStream<TcpStream>> {
    let anchor = CertificateDer::from_pem_file(bank.data_dir().join("ca.pem")).unwrap();
    let tls = tls_config(&[anchor], Some(identity), Protocol::Http1).unwrap();
    let stream = TcpStream::connect(address(&bank.endpoints().mtls)).await?;
    TlsConnector::from(Arc::new(tls)).connect(ServerName::try_from("localhost").unwrap(), stream).await
}

fn address(url: &str) -> String {
    url.replace("https://localhost", "127.0.0.1")
}
