use crate::harness::{Bank, Engine};
use lombard::operator_file::OperatorFile;
use lombard_tpp::{Protocol, TlsIdentity, tls_config};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinHandle;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// A body that does not arrive is not given up by itself within a test.
const PATIENT: (&str, &str) = ("limits.body_idle_secs", "300");
/// A fraction of that time.
const SOON: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_request_under_way_is_finished_and_no_other_begun() {
    let mut bank = Bank::start().await;
    let (mut stream, rest) = begin_consent(&bank).await;
    let endpoints = bank.endpoints();
    let file = bank.data_dir().join("endpoints.json");
    assert!(file.exists());
    let stopping = stop(&mut bank);
    until_closed(&address(&endpoints.mtls), &stopping).await;
    stream.write_all(rest.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    let answer = read_all(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 201"), "{answer}");
    stopping.await.unwrap();
    assert!(!file.exists(), "endpoints.json is removed on a clean exit");
}

/// Whoever watches the stop sees it to its end.
#[tokio::test]
async fn the_ops_listener_answers_until_the_others_have_drained() {
    let mut bank = Bank::start().await;
    let (mut stream, rest) = begin_consent(&bank).await;
    let endpoints = bank.endpoints();
    let stopping = stop(&mut bank);
    until_closed(&address(&endpoints.mtls), &stopping).await;
    assert_eq!(bank.ops_get("/healthz").await.status, 200);
    assert_eq!(bank.ops_get("/readyz").await.status, 503, "it does not want to be sent anything");
    let metrics = bank.ops_get("/metrics").await;
    assert!(metrics.status == 200 && metrics.text().contains("lombard_http_requests_in_flight"));
    stream.write_all(rest.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    assert!(read_all(&mut stream).await.starts_with("HTTP/1.1 201"));
    stopping.await.unwrap();
    assert!(TcpStream::connect(ops_address(&endpoints.ops)).await.is_err(), "it closes last");
}

#[tokio::test]
async fn an_operation_under_way_is_finished_and_no_other_begun() {
    let mut bank = Bank::start().await;
    let ops = bank.endpoints().ops;
    let mut stream = begin_operation(&bank).await;
    let stopping = stop(&mut bank);
    until_closed(&ops_address(&ops), &stopping).await;
    stream.write_all(b"ll").await.unwrap();
    let answer = read_all(&mut stream).await;
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("connection: close"), "{answer}");
    stopping.await.unwrap();
}

/// The drain of all listeners together takes no longer than is set, whatever does not end.
#[tokio::test]
async fn requests_that_do_not_finish_in_time_are_ended_on_every_listener() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[PATIENT, ("server.drain_secs", "0")]).await;
    let (mut consent, _never_sent) = begin_consent(&bank).await;
    let mut operation = begin_operation(&bank).await;
    let stopping = stop(&mut bank);
    tokio::time::timeout(SOON, stopping).await.expect("the stop waits for nobody").unwrap();
    assert_eq!((read_all(&mut consent).await, read_all(&mut operation).await), Default::default());
}

/// A consent of which a part has been sent, and the rest.
async fn begin_consent(bank: &Bank) -> (TlsStream<TcpStream>, &'static str) {
    let tpp = bank.tpp("robot");
    let token = tpp.client_credentials("accounts").await.unwrap().access_token;
    let body = r#"{"Data":{"Permissions":["ReadAccountsBasic"]},"Risk":{}}"#;
    let (first, rest) = body.split_at(20);
    let mut stream = connect(bank, &tpp.folder.identity).await.unwrap();
    let head = format!(
        "POST /open-banking/v3.1/aisp/account-access-consents HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: {}\r\n\r\n{first}",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.flush().await.unwrap();
    // Another whole request on another connection: when it is answered, the first has been read as far as it came.
    tpp.client_credentials("accounts").await.unwrap();
    (stream, rest)
}

/// An operation whose body is waited for: `ll` is left to be sent.
async fn begin_operation(bank: &Bank) -> TcpStream {
    let mut stream = TcpStream::connect(ops_address(&bank.endpoints().ops)).await.unwrap();
    let token = OperatorFile::read(bank.data_dir()).unwrap().unwrap().token;
    let head = format!(
        "POST /operations/keys/rotate HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         content-type: application/json\r\ncontent-length: 4\r\nexpect: 100-continue\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    // The server asks for the body when it reads it.
    let mut told = Vec::new();
    while !told.ends_with(b"\r\n\r\n") {
        told.push(stream.read_u8().await.unwrap());
    }
    assert!(told.starts_with(b"HTTP/1.1 100"));
    stream.write_all(b"nu").await.unwrap();
    stream
}

fn stop(bank: &mut Bank) -> JoinHandle<()> {
    tokio::spawn(bank.take_server().stop_server())
}

/// Returns once nobody is served there any more, while the server has not stopped.
async fn until_closed(address: &str, stopping: &JoinHandle<()>) {
    while TcpStream::connect(address).await.is_ok() {
        tokio::task::yield_now().await;
    }
    assert!(!stopping.is_finished(), "it waits for the request under way");
}

/// What comes until the connection ends, in whatever way.
async fn read_all(stream: &mut (impl AsyncReadExt + Unpin)) -> String {
    let mut answer = Vec::new();
    while let Ok(byte) = stream.read_u8().await {
        answer.push(byte);
    }
    String::from_utf8(answer).unwrap()
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

fn ops_address(url: &str) -> String {
    url.replace("http://", "")
}
