//! Abusive clients for the benchmarks `unread` and `siege`, which measure their cost to the server and to other clients. They
//! use loopback only, in the numbers given here.

use crate::load::PreparedRequest;
use crate::process::Process;
use crate::result::BenchResult;
use bytes::Bytes;
use http::{HeaderValue, Response, StatusCode, Uri};
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::client::conn::http2;
use hyper_util::rt::{TokioExecutor, TokioIo};
use lombard_tpp::{Protocol, TlsIdentity, tls_config};
use rustls_pki_types::{CertificateDer, ServerName};
use std::collections::{BTreeMap, VecDeque};
use std::net::Ipv4Addr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;
use url::Url;

/// Streams of one connection whose answers are not read.
pub(crate) const STREAMS: usize = 120;
/// Where anonymous attackers come from: loopback, and not where everybody else does.
const ANONYMOUS: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 2);
/// How often a byte of a slow body is sent.
const TRICKLE_EVERY: Duration = Duration::from_secs(1);
/// How often memory is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(250);

/// A listener, and how to connect to it.
#[derive(Clone)]
pub(crate) struct ListenerAddress {
    tls: TlsConnector,
    address: String,
    authority: String,
}

impl ListenerAddress {
    pub(crate) fn to(
        base: &str,
        anchors: &[CertificateDer<'static>],
        identity: Option<&TlsIdentity>,
        protocol: Protocol,
    ) -> BenchResult<Self> {
        let url = Url::parse(base)?;
        let address = format!("127.0.0.1:{}", url.port_or_known_default().ok_or("the address has no port")?);
        let tls = TlsConnector::from(Arc::new(tls_config(anchors, identity, protocol)?));
        Ok(Self { tls, address, authority: url.authority().to_owned() })
    }

    async fn connect_from(&self, own: Ipv4Addr) -> BenchResult<TlsStream<TcpStream>> {
        let socket = TcpSocket::new_v4()?;
        socket.bind((own, 0).into())?;
        let stream = socket.connect(self.address.parse()?).await?;
        Ok(self.tls.connect(ServerName::try_from("localhost")?, stream).await?)
    }

    /// Asks for these answers on streams whose windows stay shut. What is returned keeps them open.
    pub(crate) async fn ask_without_reading(&self, shots: &[PreparedRequest]) -> BenchResult<UnreadStreams> {
        let stream = self.connect_from(Ipv4Addr::LOCALHOST).await?;
        let mut builder = http2::Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(0);
        let (mut sender, connection) = builder.handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await?;
        let mut tasks = JoinSet::new();
        tasks.spawn(async move { drop(connection.await) });
        let mut heads = JoinSet::new();
        for shot in shots.iter().cycle().take(STREAMS) {
            let mut request = shot.request(&HeaderValue::try_from(&self.authority)?)?;
            *request.uri_mut() = Uri::builder()
                .scheme("https")
                .authority(self.authority.as_str())
                .path_and_query(shot.path.path_and_query().ok_or("a shot without a path")?.clone())
                .build()?;
            request.headers_mut().remove("host");
            sender.ready().await?;
            heads.spawn(sender.send_request(request));
        }
        Ok(UnreadStreams { heads, answers: Vec::new(), _connection: tasks })
    }

    /// Sends a request of which one byte a second comes, until the server has had enough of it.
    async fn trickle(&self, head: &str) -> BenchResult<()> {
        let mut stream = self.connect_from(ANONYMOUS).await?;
        stream.write_all(head.as_bytes()).await?;
        let mut every = tokio::time::interval(TRICKLE_EVERY);
        loop {
            every.tick().await;
            stream.write_all(b"x").await?;
            stream.flush().await?;
        }
    }

    /// So many anonymous bodies at a time that trickle into the login of this listener, for as long as what is returned
    /// lives.
    pub(crate) fn trickle_many(&self, count: usize) -> JoinSet<()> {
        // A browser's cookie, of which nobody knows what it is worth before the form is read.
        let head = format!(
            "POST /apps/login HTTP/1.1\r\nhost: {}\r\ncontent-type: application/x-www-form-urlencoded\r\n\
             cookie: __Host-session=none\r\ncontent-length: 60000\r\n\r\n",
            self.authority
        );
        let mut slow = JoinSet::new();
        for _ in 0..count {
            let (way, head) = (self.clone(), head.clone());
            slow.spawn(async move {
                loop {
                    drop(way.trickle(&head).await);
                    tokio::time::sleep(TRICKLE_EVERY).await;
                }
            });
        }
        slow
    }
}

/// Streams whose answers are not read; their connection ends when this is dropped.
pub(crate) struct UnreadStreams {
    heads: JoinSet<hyper::Result<Response<Incoming>>>,
    answers: Vec<Response<Incoming>>,
    _connection: JoinSet<()>,
}

impl UnreadStreams {
    /// Takes the heads that have come.
    fn take_heads(&mut self, seen: &mut Statuses) {
        while let Some(head) = self.heads.try_join_next() {
            if let Ok(Ok(answer)) = head {
                seen.note(answer.status());
                self.answers.push(answer);
            }
        }
    }
}

/// How often something was answered with which status.
#[derive(Debug, Default)]
pub(crate) struct Statuses(BTreeMap<u16, u64>);

impl Statuses {
    pub(crate) fn note(&mut self, status: StatusCode) {
        let count = self.0.entry(status.as_u16()).or_default();
        *count = count.saturating_add(1);
    }

    pub(crate) fn add(&mut self, other: &Self) {
        for (status, count) in &other.0 {
            let own = self.0.entry(*status).or_default();
            *own = own.saturating_add(*count);
        }
    }

    /// As words of a report.
    pub(crate) fn words(&self) -> String {
        let words: Vec<_> = self.0.iter().map(|(status, count)| format!("{count} times {status}")).collect();
        if words.is_empty() { "nothing".to_owned() } else { words.join(", ") }
    }
}

/// Keeps so many connections full of answers that are not read, a new one in turn every so often, for so long.
pub(crate) async fn leave_unread(
    way: &ListenerAddress,
    shots: &[PreparedRequest],
    connections: usize,
    every: Duration,
    time: Duration,
) -> BenchResult<Statuses> {
    let (began, mut open, mut seen) = (Instant::now(), VecDeque::new(), Statuses::default());
    let mut turn = tokio::time::interval(every);
    while began.elapsed() < time {
        turn.tick().await;
        if open.len() >= connections {
            drop(open.pop_front());
        }
        // A server may close a connection whose streams it has given up, or refuse one.
        if let Ok(shut) = way.ask_without_reading(shots).await {
            open.push_back(shut);
        }
        open.iter_mut().for_each(|shut| shut.take_heads(&mut seen));
    }
    Ok(seen)
}

/// Looks at a process's memory for so long; gives the most, bytes.
pub(crate) async fn most_resident(process: &Process, time: Duration) -> BenchResult<f64> {
    let (began, mut most) = (Instant::now(), 0.0_f64);
    let mut look = tokio::time::interval(LOOK_EVERY);
    while began.elapsed() < time {
        look.tick().await;
        most = most.max(process.usage()?.resident_bytes);
    }
    Ok(most)
}

/// What the files of a folder come to, bytes.
pub(crate) fn folder_bytes(folder: &Path) -> BenchResult<u64> {
    let mut bytes = 0_u64;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        let held = if entry.file_type()?.is_dir() { folder_bytes(&entry.path())? } else { entry.metadata()?.len() };
        bytes = bytes.saturating_add(held);
    }
    Ok(bytes)
}
