//! Floors: minimal servers on the same stack, as baselines.
//!
//! All floors use the same TLS library with the same certificates and the same request for client certificates, and the same HTTP library
//! with axum. The first floor answers given bytes. The second verifies one PS256 signature and makes one row durable. The third holds
//! requests and never answers them. The fourth accepts payment orders ([`crate::payment_floor`]). The fifth forwards requests to a bank's
//! core over mutual TLS. With PostgreSQL, the first floor reads its rows there before it answers, and the second and the fourth write
//! theirs there ([`crate::postgres_floor`]).

use crate::load::RecordedResponse;
use crate::postgres_floor::{ORDERS_FILE, ReadFloor, TokenRows};
use crate::process::Process;
use crate::result::BenchResult;
use axum::Router;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use bytes::Bytes;
use clap::{Args, ValueEnum};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use hyper_util::rt::{TokioExecutor, TokioIo};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use jiff::Timestamp;
use lombard_database::{Database, StoreOptions};
use lombard_domain::ids::ClientId;
use lombard_jose::{CompactJws, KeySet};
use lombard_ports::clock::Clocks;
use lombard_ports::store::{ReplayPurpose, Store, StoreError};
use lombard_sandbox::trust::{SandboxTrust, ServerNames};
use lombard_tpp::{Protocol, TlsIdentity, tls_config};
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio_rustls::TlsAcceptor;

/// The file in a proxy's folder with the call that the proxy makes for each request.
const CALL_FILE: &str = "call.json";

/// A call of a core.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct CoreCall {
    /// The core file of the process.
    pub(crate) core_file: PathBuf,
    /// The method of the core API.
    pub(crate) method: String,
    /// The body of the request.
    pub(crate) body: Value,
}

/// The contents of a core file.
#[derive(Debug, Deserialize)]
struct CoreFile {
    url: String,
    ca: PathBuf,
    certificate: PathBuf,
    key: PathBuf,
}

/// The specification of a floor server.
#[derive(Debug, Args)]
pub(crate) struct FloorSpec {
    /// What the floor does for a request.
    kind: FloorKind,
    /// The data folder of the sandbox whose certificates the floor uses.
    #[arg(long)]
    data: PathBuf,
    /// The folder of the files that the floor reads and writes.
    #[arg(long)]
    work: PathBuf,
    /// The PostgreSQL database for the floor's rows, if there is one.
    #[arg(long)]
    database: Option<String>,
}

/// What a floor does for a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FloorKind {
    /// Answers the bytes of `answer.json`; with a database, after it has read one row there.
    Bytes,
    /// Answers the bytes of `answer.json` after it has read a page of rows in the database.
    Page,
    /// Verifies the `client_assertion` of a form by `keys.json` and makes one row durable.
    Verify,
    /// Holds every POST for good; a GET answers how many it holds.
    Hold,
    /// Takes orders for the consents in `lombard.db`; with a database, for those of the orders in `orders.json`.
    Till,
    /// Makes the call in `call.json` for every request and answers what the core answers.
    Proxy,
}

/// A running floor server.
#[derive(Debug)]
pub(crate) struct Floor {
    pub(crate) process: Process,
    pub(crate) base: String,
}

impl Floor {
    /// Starts a floor that answers the bytes of a recorded response.
    pub(crate) async fn bytes(data: &Path, work: &Path, answer: &RecordedResponse) -> BenchResult<Self> {
        write_answer(work, answer)?;
        Self::start(FloorKind::Bytes, data, work, None).await
    }

    /// Starts a floor that answers the bytes of a recorded response after it has read one row, or a page of rows, from this database.
    pub(crate) async fn rows(
        data: &Path,
        work: &Path,
        answer: &RecordedResponse,
        database: &str,
        is_page: bool,
    ) -> BenchResult<Self> {
        write_answer(work, answer)?;
        let kind = if is_page { FloorKind::Page } else { FloorKind::Bytes };
        Self::start(kind, data, work, Some(database)).await
    }

    /// Starts a floor that verifies assertions with this key set. Its rows are in this database, or in its own file.
    pub(crate) async fn verify(data: &Path, work: &Path, keys: &str, database: Option<&str>) -> BenchResult<Self> {
        std::fs::write(work.join("keys.json"), keys)?;
        Self::start(FloorKind::Verify, data, work, database).await
    }

    /// Starts a floor that holds requests.
    pub(crate) async fn hold(data: &Path, work: &Path) -> BenchResult<Self> {
        Self::start(FloorKind::Hold, data, work, None).await
    }

    /// Starts a floor that accepts payment orders. Its folder contains a copy of the server's database.
    pub(crate) async fn till(data: &Path, work: &Path) -> BenchResult<Self> {
        Self::start(FloorKind::Till, data, work, None).await
    }

    /// Starts a floor that accepts these payment orders. Its rows are in this database.
    pub(crate) async fn till_of(data: &Path, work: &Path, database: &str, orders: &[&str]) -> BenchResult<Self> {
        std::fs::write(work.join(ORDERS_FILE), serde_json::to_vec(orders)?)?;
        Self::start(FloorKind::Till, data, work, Some(database)).await
    }

    async fn start(kind: FloorKind, data: &Path, work: &Path, database: Option<&str>) -> BenchResult<Self> {
        let kind = match kind {
            FloorKind::Bytes => "bytes",
            FloorKind::Page => "page",
            FloorKind::Verify => "verify",
            FloorKind::Hold => "hold",
            FloorKind::Till => "till",
            FloorKind::Proxy => "proxy",
        };
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["floor", kind]).arg("--data").arg(data).arg("--work").arg(work);
        if let Some(database) = database {
            command.args(["--database", database]);
        }
        let mut process = Process::start(&mut command)?;
        let file = work.join("port");
        let port = process.wait_for(async || std::fs::read_to_string(&file).ok()).await?;
        Ok(Self { process, base: format!("https://localhost:{port}") })
    }
}

fn write_answer(work: &Path, answer: &RecordedResponse) -> BenchResult<()> {
    let wanted = answer.headers.iter().filter(|(name, _)| !["date", "content-length"].contains(&name.as_str()));
    let text = |value: &HeaderValue| String::from_utf8_lossy(value.as_bytes()).into_owned();
    let kept = RecordedBody {
        headers: wanted.map(|(name, value)| (name.to_string(), text(value))).collect(),
        body: String::from_utf8(answer.body.to_vec())?,
    };
    Ok(std::fs::write(work.join("answer.json"), serde_json::to_vec(&kept)?)?)
}

/// A recorded response in the file for a floor.
#[derive(Debug, Serialize, Deserialize)]
struct RecordedBody {
    headers: Vec<(String, String)>,
    body: String,
}

#[derive(Clone)]
struct Verifier {
    keys: Arc<KeySet>,
    rows: VerifierRows,
    clocks: Clocks,
}

/// Where the floor stores the rows of verified assertions.
#[derive(Clone)]
enum VerifierRows {
    Sqlite(Store),
    Postgres(TokenRows),
}

/// Serves until the process is killed.
pub(crate) async fn serve(order: FloorSpec) -> BenchResult<()> {
    let router = match order.kind {
        FloorKind::Bytes | FloorKind::Page => {
            bytes_router(&order.work, order.database.as_deref(), order.kind == FloorKind::Page).await?
        }
        FloorKind::Verify => verify_router(&order.work, order.database.as_deref()).await?,
        FloorKind::Hold => hold_router(),
        FloorKind::Till => crate::payment_floor::router(&order.data, &order.work, order.database.as_deref()).await?,
        FloorKind::Proxy => proxy_router(&order.work)?,
    };
    let acceptor = TlsAcceptor::from(Arc::new(tls(&order.data)?));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let unready = order.work.join("port.new");
    let ready = order.work.join("port");
    std::fs::write(&unready, listener.local_addr()?.port().to_string())?;
    std::fs::rename(unready, ready)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let acceptor = acceptor.clone();
        let service = TowerToHyperService::new(router.clone());
        drop(tokio::spawn(async move {
            let stream = TokioIo::new(acceptor.accept(stream).await?);
            auto::Builder::new(TokioExecutor::new()).serve_connection(stream, service).await
        }));
    }
}

fn tls(data: &Path) -> BenchResult<ServerConfig> {
    let trust = SandboxTrust::open_or_create(
        data,
        Clocks::system().wall_now(),
        &ServerNames::default(),
        "https://localhost/directory",
    )?;
    let mut anchors = RootCertStore::empty();
    for anchor in trust.tpp_anchors() {
        anchors.add(CertificateDer::from(anchor))?;
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(anchors), Arc::clone(&provider)).build()?;
    let identity = trust.server_identities().last().ok_or("the sandbox has no server certificate")?;
    let chain = identity.chain_der.iter().map(|der| CertificateDer::from(der.clone())).collect();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(identity.key_pkcs8_der.to_vec()));
    let mut config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()?
        .with_client_cert_verifier(verifier)
        .with_single_cert(chain, key)?;
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}

async fn bytes_router(work: &Path, database: Option<&str>, is_page: bool) -> BenchResult<Router> {
    let kept: RecordedBody = serde_json::from_slice(&std::fs::read(work.join("answer.json"))?)?;
    let mut headers = HeaderMap::new();
    for (name, value) in kept.headers {
        headers.append(name.parse::<HeaderName>()?, value.parse::<HeaderValue>()?);
    }
    let answer = RecordedResponse { headers, body: Bytes::from(kept.body) };
    let Some(database) = database else {
        let give =
            |State(answer): State<Arc<RecordedResponse>>| async move { (answer.headers.clone(), answer.body.clone()) };
        return Ok(Router::new().route("/{*path}", get(give)).with_state(Arc::new(answer)));
    };
    let rows = ReadFloor::open(database, &answer, is_page).await?;
    let give = |State((rows, answer)): State<(ReadFloor, Arc<RecordedResponse>)>| async move {
        match rows.read().await {
            Ok(()) => Ok((answer.headers.clone(), answer.body.clone())),
            Err(_) => Err(StatusCode::SERVICE_UNAVAILABLE),
        }
    };
    Ok(Router::new().route("/{*path}", get(give)).with_state((rows, Arc::new(answer))))
}

fn hold_router() -> Router {
    let held = Arc::new(AtomicUsize::new(0));
    let hold = |State(held): State<Arc<AtomicUsize>>, _: Bytes| async move {
        held.fetch_add(1, Ordering::Relaxed);
        std::future::pending::<()>().await;
    };
    let count = |State(held): State<Arc<AtomicUsize>>| async move { held.load(Ordering::Relaxed).to_string() };
    Router::new().route("/{*path}", post(hold).get(count)).with_state(held)
}

#[derive(Clone)]
struct Proxy {
    client: reqwest::Client,
    url: Arc<str>,
    body: Bytes,
}

fn proxy_router(work: &Path) -> BenchResult<Router> {
    let call: CoreCall = serde_json::from_slice(&std::fs::read(work.join(CALL_FILE))?)?;
    let core: CoreFile = serde_json::from_slice(&std::fs::read(&call.core_file)?)?;
    let folder = call.core_file.parent().unwrap_or(Path::new(""));
    let certificates = |file: &Path| -> BenchResult<Vec<CertificateDer<'static>>> {
        Ok(CertificateDer::pem_file_iter(folder.join(file))?.collect::<Result<_, _>>()?)
    };
    let key = Arc::new(PrivateKeyDer::from_pem_file(folder.join(&core.key))?);
    let identity = TlsIdentity { chain: certificates(&core.certificate)?, key };
    // Like the connector, the proxy uses HTTP/2 if the core supports it.
    let tls = tls_config(&certificates(&core.ca)?, Some(&identity), Protocol::Any)?;
    let client = reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy().tcp_nodelay(true).build()?;
    let url = format!("{}/core/v1/{}", core.url, call.method).into();
    let proxy = Proxy { client, url, body: call.body.to_string().into() };
    Ok(Router::new().route("/{*path}", get(forward)).with_state(proxy))
}

/// Makes the call and returns the core's response.
async fn forward(State(proxy): State<Proxy>) -> Result<(HeaderMap, Bytes), StatusCode> {
    let failed = |_| StatusCode::BAD_GATEWAY;
    let call = proxy.client.post(&*proxy.url).header(CONTENT_TYPE, "application/json").body(proxy.body);
    let mut response = call.send().await.and_then(reqwest::Response::error_for_status).map_err(failed)?;
    let headers = std::mem::take(response.headers_mut());
    Ok((headers, response.bytes().await.map_err(failed)?))
}

async fn verify_router(work: &Path, database: Option<&str>) -> BenchResult<Router> {
    let keys = KeySet::parse(&std::fs::read_to_string(work.join("keys.json"))?)?;
    let rows = match database {
        Some(url) => VerifierRows::Postgres(TokenRows::open(url).await?),
        None => {
            let options = StoreOptions::new(format!("sqlite://{}", work.join("floor.db").display()));
            lombard_database::migrate_store(&options, &[&lombard_store::SCHEMA]).await?;
            let database = Database::open(&options, &[&lombard_store::SCHEMA]).await?;
            VerifierRows::Sqlite(lombard_store::on_database(database))
        }
    };
    let state = Verifier { keys: Arc::new(keys), rows, clocks: Clocks::system() };
    Ok(Router::new().route("/{*path}", post(verify)).with_state(state))
}

async fn verify(State(state): State<Verifier>, body: Bytes) -> Response {
    match verified(&state, &body).await {
        Ok(()) => {
            r#"{"access_token":"0123456789012345678901234567890123456789012","token_type":"Bearer","expires_in":3600}"#
                .into_response()
        }
        Err(_) => StatusCode::UNAUTHORIZED.into_response(),
    }
}

async fn verified(state: &Verifier, body: &[u8]) -> BenchResult<()> {
    let field = form_urlencoded::parse(body).find(|(name, _)| name == "client_assertion").ok_or("no assertion")?;
    let jws = CompactJws::parse(&field.1)?;
    jws.verify(&state.keys)?;
    let claims: Value = jws.claims()?;
    let jti = claims.get("jti").and_then(Value::as_str).unwrap_or_default().to_owned();
    let until: Timestamp = state.clocks.wall_now();
    let client = ClientId::from("floor");
    match &state.rows {
        VerifierRows::Sqlite(store) => {
            let insert = move |tx: &mut dyn lombard_ports::store::ServerTransaction| {
                tx.one_time_value_claim(&client, ReplayPurpose::ClientAssertion, &jti, until)
            };
            store.write(insert).await.map_err(|error: StoreError| error)?;
        }
        VerifierRows::Postgres(rows) => rows.insert(client.as_str(), &jti, until.as_microsecond()).await?,
    }
    Ok(())
}
