//! The load generator: it sends prepared requests over kept-alive mutual TLS connections and needs little CPU.

mod paced;

use crate::result::BenchResult;
use bytes::Bytes;
use hdrhistogram::Histogram;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri};
use http_body_util::{BodyExt, Full};
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use lombard_tpp::{Protocol, TlsIdentity, tls_config};
pub(crate) use paced::{DueRequest, PacedRound, Schedule};
use rustls_pki_types::{CertificateDer, ServerName};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio_rustls::TlsConnector;
use url::Url;

/// The number of connections in every benchmark.
pub(crate) const CONNECTIONS: usize = 64;

/// A request that was prepared before the measurement.
#[derive(Debug, Clone)]
pub(crate) struct PreparedRequest {
    pub(crate) method: Method,
    pub(crate) path: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl PreparedRequest {
    /// Prepares a GET request with a bearer token.
    pub(crate) fn get(url: &str, token: &str) -> BenchResult<Self> {
        let mut headers = HeaderMap::new();
        headers.insert(AUTHORIZATION, HeaderValue::try_from(format!("Bearer {token}"))?);
        Ok(Self { method: Method::GET, path: path_of(url)?, headers, body: Bytes::new() })
    }

    /// Prepares a POST request with a form.
    pub(crate) fn form(url: &str, body: String) -> BenchResult<Self> {
        let mut headers = HeaderMap::new();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/x-www-form-urlencoded"));
        Ok(Self { method: Method::POST, path: path_of(url)?, headers, body: body.into() })
    }

    /// Prepares a POST request with JSON and a bearer token.
    pub(crate) fn json(url: &str, token: &str, body: String) -> BenchResult<Self> {
        let headers = HeaderMap::from_iter([
            (AUTHORIZATION, HeaderValue::try_from(format!("Bearer {token}"))?),
            (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        ]);
        Ok(Self { method: Method::POST, path: path_of(url)?, headers, body: body.into() })
    }

    /// Adds a header.
    pub(crate) fn with(mut self, name: &'static str, value: &str) -> BenchResult<Self> {
        self.headers.insert(name, HeaderValue::try_from(value)?);
        Ok(self)
    }

    pub(crate) fn request(&self, host: &HeaderValue) -> BenchResult<Request<Full<Bytes>>> {
        let mut request = Request::new(Full::new(self.body.clone()));
        *request.method_mut() = self.method.clone();
        *request.uri_mut() = self.path.clone();
        *request.headers_mut() = self.headers.clone();
        request.headers_mut().insert("host", host.clone());
        Ok(request)
    }
}

fn path_of(url: &str) -> BenchResult<Uri> {
    let url = Url::parse(url)?;
    let query = url.query().map(|query| format!("?{query}")).unwrap_or_default();
    Ok(format!("{}{query}", url.path()).parse()?)
}

/// A recorded response, which a floor answers again.
#[derive(Debug, Clone)]
pub(crate) struct RecordedResponse {
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// The measurements of a round.
#[derive(Debug)]
pub(crate) struct Round {
    pub(crate) requests: u64,
    pub(crate) duration: Duration,
    /// The latencies in microseconds.
    pub(crate) latencies: Histogram<u64>,
}

/// The connections to one server, which are opened once and kept.
#[derive(Debug)]
pub(crate) struct Target {
    connections: Vec<SendRequest<Full<Bytes>>>,
    host: HeaderValue,
    server: ServerAddress,
}

/// The address of a server and its TLS connector.
struct ServerAddress {
    /// The host and the port.
    address: String,
    /// The TLS connector; `None` for HTTP without TLS.
    tls: Option<TlsConnector>,
}

impl fmt::Debug for ServerAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServerAddress").field("address", &self.address).finish_non_exhaustive()
    }
}

impl ServerAddress {
    async fn connect(&self) -> BenchResult<SendRequest<Full<Bytes>>> {
        let stream = TcpStream::connect(&self.address).await?;
        stream.set_nodelay(true)?;
        match &self.tls {
            None => begin(stream).await,
            Some(tls) => begin(tls.connect(ServerName::try_from("localhost")?, stream).await?).await,
        }
    }
}

impl Target {
    /// Opens the usual number of connections.
    pub(crate) async fn connect(
        base: &str,
        anchors: &[CertificateDer<'static>],
        identity: &TlsIdentity,
    ) -> BenchResult<Self> {
        Self::connect_few(base, anchors, identity, CONNECTIONS).await
    }

    /// Opens this many connections; an `http` URL is used without TLS.
    pub(crate) async fn connect_few(
        base: &str,
        anchors: &[CertificateDer<'static>],
        identity: &TlsIdentity,
        count: usize,
    ) -> BenchResult<Self> {
        let url = Url::parse(base)?;
        let address = format!("127.0.0.1:{}", url.port_or_known_default().ok_or("the address has no port")?);
        let tls = TlsConnector::from(Arc::new(tls_config(anchors, Some(identity), Protocol::Http1)?));
        let server = ServerAddress { address, tls: (url.scheme() != "http").then_some(tls) };
        let mut connections = Vec::with_capacity(count);
        for _ in 0..count {
            connections.push(server.connect().await?);
        }
        let host = HeaderValue::try_from(url.authority())?;
        Ok(Self { connections, host, server })
    }

    /// Sends one request and returns the whole response, whose status must be 200.
    pub(crate) async fn send_once(&mut self, shot: &PreparedRequest) -> BenchResult<RecordedResponse> {
        let request = shot.request(&self.host)?;
        let connection = self.connections.first_mut().ok_or("there is no connection")?;
        connection.ready().await?;
        let response = connection.send_request(request).await?;
        let (parts, body) = response.into_parts();
        let body = body.collect().await?.to_bytes();
        if parts.status != StatusCode::OK {
            return Err(format!("{}: {}", parts.status, String::from_utf8_lossy(&body)).into());
        }
        Ok(RecordedResponse { headers: parts.headers, body })
    }

    /// Sends the same request on every connection, `times` times on each.
    pub(crate) async fn repeat(&mut self, shot: &PreparedRequest, times: usize) -> BenchResult<Round> {
        let shots = vec![vec![shot.clone()]; CONNECTIONS];
        self.run_round(shots, times).await
    }

    /// Sends the prepared requests of each connection, the whole list `times` times. If the server has closed an idle connection since the
    /// last round, the connection is opened again first.
    pub(crate) async fn run_round(&mut self, shots: Vec<Vec<PreparedRequest>>, times: usize) -> BenchResult<Round> {
        for connection in self.connections.iter_mut().filter(|connection| connection.is_closed()) {
            // The future is boxed because most rounds open no connection.
            *connection = Box::pin(self.server.connect()).await?;
        }
        let began = Instant::now();
        let mut running = JoinSet::new();
        for (connection, shots) in self.connections.drain(..).zip(shots) {
            let host = self.host.clone();
            running.spawn(one_connection(connection, shots, times, host));
        }
        let mut round = Round { requests: 0, duration: Duration::ZERO, latencies: Histogram::new(3)? };
        while let Some(ended) = running.join_next().await {
            let (connection, latencies) = ended??;
            round.requests += latencies.len();
            round.latencies.add(latencies)?;
            self.connections.push(connection);
        }
        round.duration = began.elapsed();
        Ok(round)
    }
}

/// Opens an HTTP connection over a stream.
async fn begin<S>(stream: S) -> BenchResult<SendRequest<Full<Bytes>>>
where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
{
    let (sender, connection) = handshake(TokioIo::new(stream)).await?;
    drop(tokio::spawn(connection));
    Ok(sender)
}

async fn one_connection(
    mut connection: SendRequest<Full<Bytes>>,
    shots: Vec<PreparedRequest>,
    times: usize,
    host: HeaderValue,
) -> BenchResult<(SendRequest<Full<Bytes>>, Histogram<u64>)> {
    let mut latencies = Histogram::new(3)?;
    for shot in std::iter::repeat_n(&shots, times).flatten() {
        let request = shot.request(&host)?;
        let sent = Instant::now();
        connection.ready().await?;
        let response = connection.send_request(request).await?;
        let status = response.status();
        let mut body = response.into_body();
        while let Some(frame) = body.frame().await {
            frame?;
        }
        if !status.is_success() {
            return Err(format!("a request was answered {status}").into());
        }
        latencies.record(u64::try_from(sent.elapsed().as_micros())?)?;
    }
    Ok((connection, latencies))
}
