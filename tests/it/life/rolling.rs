//! A rolling restart behind a balancer that checks `/readyz` and does not retry loses no call.

use crate::harness::{Bank, Engine, until};
use lombard_tpp::{Protocol, tls_config};
use parking_lot::Mutex;
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, ServerName};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

const CALLERS: usize = 4;
/// Calls of each node before the restart, and of the restarted one after it.
const ENOUGH: usize = 50;
/// How often the balancer looks.
const LOOK_EVERY: Duration = Duration::from_millis(20);
const SETTINGS: [(&str, &str); 1] = [("server.lame_duck_secs", "2")];

/// A node as the balancer knows it.
struct Node {
    /// Of the listeners for TPPs and for operators.
    addresses: Mutex<[String; 2]>,
    tls: TlsConnector,
    token: String,
    is_ready: AtomicBool,
    calls: AtomicUsize,
}

impl Node {
    async fn of(bank: &Bank) -> Self {
        let tpp = bank.tpp("robot");
        let token = tpp.client_credentials("accounts").await.unwrap().access_token;
        let anchor = CertificateDer::from_pem_file(bank.data_dir().join("ca.pem")).unwrap();
        let tls = tls_config(&[anchor], Some(&tpp.folder.identity), Protocol::Http1).unwrap();
        let addresses = Mutex::new(addresses(bank));
        let tls = TlsConnector::from(Arc::new(tls));
        Self { addresses, tls, token, is_ready: AtomicBool::new(true), calls: AtomicUsize::new(0) }
    }

    fn is_ready(&self) -> bool {
        self.is_ready.load(Ordering::SeqCst)
    }

    fn calls(&self) -> usize {
        self.calls.load(Ordering::SeqCst)
    }

    /// What a balancer does all the time.
    async fn look_again_and_again(&self) {
        let mut look = tokio::time::interval(LOOK_EVERY);
        loop {
            look.tick().await;
            let [_, ops] = self.addresses.lock().clone();
            let is_ready = readyz(&ops).await.is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"));
            self.is_ready.store(is_ready, Ordering::SeqCst);
        }
    }

    async fn connect(&self) -> io::Result<TlsStream<TcpStream>> {
        let [mtls, _] = self.addresses.lock().clone();
        let stream = TcpStream::connect(mtls).await?;
        self.tls.connect(ServerName::try_from("localhost").unwrap(), stream).await
    }

    /// One call on a kept connection, or on a new one; what is kept for the next. Nothing is tried twice.
    async fn call(&self, kept: Option<TlsStream<TcpStream>>) -> io::Result<Option<TlsStream<TcpStream>>> {
        let mut stream = match kept {
            Some(stream) => stream,
            None => self.connect().await?,
        };
        let request = format!(
            "GET /open-banking/v3.1/aisp/account-access-consents/none HTTP/1.1\r\nhost: localhost\r\n\
             authorization: Bearer {}\r\n\r\n",
            self.token
        );
        stream.write_all(request.as_bytes()).await?;
        let head = read_answer(&mut stream).await?;
        assert!(head.starts_with("HTTP/1.1 400"), "no consent has this id: {head}");
        self.calls.fetch_add(1, Ordering::SeqCst);
        Ok((!head.to_ascii_lowercase().contains("connection: close")).then_some(stream))
    }
}

fn addresses(bank: &Bank) -> [String; 2] {
    let endpoints = bank.endpoints();
    [endpoints.mtls.replace("https://localhost", "127.0.0.1"), endpoints.ops.replace("http://", "")]
}

async fn readyz(ops: &str) -> io::Result<String> {
    let mut stream = TcpStream::connect(ops).await?;
    stream.write_all(format!("GET /readyz HTTP/1.1\r\nhost: {ops}\r\nconnection: close\r\n\r\n").as_bytes()).await?;
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await?;
    Ok(answer)
}

/// Reads an answer whole; gives its head.
async fn read_answer(stream: &mut TlsStream<TcpStream>) -> io::Result<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await?);
    }
    let head = String::from_utf8(head).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap_or("0");
    stream.read_exact(&mut vec![0; length.parse().unwrap()]).await?;
    Ok(head)
}

/// Calls one node after the other, those that are ready; gives how many calls failed.
async fn call_in_turn(nodes: [Arc<Node>; 2], over: Arc<AtomicBool>) -> Vec<io::Error> {
    let mut kept = [None, None];
    let mut failed = Vec::new();
    while !over.load(Ordering::SeqCst) {
        for (node, kept) in nodes.iter().zip(&mut kept) {
            let connection = kept.take();
            if !node.is_ready() {
                continue;
            }
            match node.call(connection).await {
                Ok(still_open) => *kept = still_open,
                Err(error) => failed.push(error),
            }
        }
        tokio::task::yield_now().await;
    }
    failed
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rolling_restart_behind_a_balancer_that_does_not_retry_loses_no_call() {
    let mut banks = [Bank::unstarted(Engine::Sqlite).await, Bank::unstarted(Engine::Sqlite).await];
    for bank in &mut banks {
        bank.restart_with(&SETTINGS).await;
    }
    let nodes = [Arc::new(Node::of(&banks[0]).await), Arc::new(Node::of(&banks[1]).await)];
    let mut looking = JoinSet::new();
    let mut calling = JoinSet::new();
    let over = Arc::new(AtomicBool::new(false));
    for node in nodes.clone() {
        looking.spawn(async move { node.look_again_and_again().await });
    }
    for _ in 0..CALLERS {
        calling.spawn(call_in_turn(nodes.clone(), Arc::clone(&over)));
    }
    for (bank, node) in banks.iter_mut().zip(&nodes) {
        let enough = node.calls() + ENOUGH;
        until(async || (node.calls() >= enough).then_some(())).await;
        let stopping = tokio::spawn(bank.take_server().stop_server());
        until(async || (!node.is_ready()).then_some(())).await;
        assert!(!stopping.is_finished(), "readiness says no before the listeners close");
        stopping.await.unwrap();
        bank.restart_with(&SETTINGS).await;
        *node.addresses.lock() = addresses(bank);
        let enough = node.calls() + ENOUGH;
        until(async || (node.calls() >= enough).then_some(())).await;
    }
    over.store(true, Ordering::SeqCst);
    let failed: Vec<_> = calling.join_all().await.into_iter().flatten().collect();
    assert!(failed.is_empty(), "{} calls failed: {:?}", failed.len(), failed.first());
    for mut bank in banks {
        bank.stop().await;
    }
}
