//! A proxy between a server and a core, which loses, delays, repeats and reorders calls of the core API by chance.
//!
//! It speaks TLS on both sides, so that faults fall between requests and answers and not between bytes. Everything else that the
//! core serves, such as the controls of a sandbox, passes it unharmed.

use super::patience::until;
use futures_util::stream;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Bytes, Frame, Incoming};
use hyper::service::service_fn;
use hyper::{HeaderMap, Method, Request, Response, StatusCode, header};
use hyper_util::rt::TokioIo;
use lombard_tpp::{Protocol, TlsIdentity, parse_certificates, tls_config};
use parking_lot::Mutex;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rustls_pki_types::pem::PemObject;
use rustls_pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::aws_lc_rs;

/// Where the calls of the core API are.
const CALLS: &str = "/core/v1/";
/// Longer than a call that is let through takes.
const DELAY_MILLIS_MAX: u64 = 150;
/// Most calls that pass before one that is held back is let through.
const PASSED_MAX: u64 = 12;

/// What happens to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    /// It reaches the core late.
    Delayed,
    /// It does not reach the core: 503.
    RefusedBefore,
    /// It reaches the core, and is answered with 502.
    FailedAfter,
    /// The connection breaks before it reaches the core.
    ResetBefore,
    /// The connection breaks after the core has done it.
    ResetAfter,
    /// Half of the answer arrives.
    Truncated,
    /// It reaches the core twice at the same time.
    Duplicated,
    /// The connection breaks, and it reaches the core after calls that were made later.
    HeldBack,
    /// It reaches the core a second time, after calls that were made later.
    RepeatedLate,
}

impl Fault {
    /// All of them.
    pub(crate) const ALL: [Self; 9] = [
        Self::Delayed,
        Self::RefusedBefore,
        Self::FailedAfter,
        Self::ResetBefore,
        Self::ResetAfter,
        Self::Truncated,
        Self::Duplicated,
        Self::HeldBack,
        Self::RepeatedLate,
    ];
}

/// Which calls have faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FaultPlan {
    /// None.
    Calm,
    /// So many in a thousand.
    PerMille(u64),
    /// The next call of this method.
    Next(&'static str, Fault),
}

/// A call, as it is sent to the core.
#[derive(Debug, Clone)]
struct Call {
    method: Method,
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

#[derive(Debug)]
struct State {
    plan: FaultPlan,
    chance: ChaCha20Rng,
    counts: BTreeMap<Fault, usize>,
    /// The number of calls that have come.
    seen: u64,
    /// Calls that are let through when so many have come.
    held: Vec<(u64, Call)>,
}

#[derive(Debug)]
struct Core {
    client: reqwest::Client,
    url: String,
    state: Mutex<State>,
    /// Calls that were let through late and are under way.
    late: AtomicUsize,
}

/// The proxy, until it is dropped.
#[derive(Debug)]
pub(crate) struct FaultProxy {
    folder: TempDir,
    core: Arc<Core>,
    listening: JoinHandle<()>,
}

impl Drop for FaultProxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}

type ResponseBody = BoxBody<Bytes, io::Error>;

impl FaultProxy {
    /// A calm proxy before the core that this file names.
    pub(super) async fn start(core_file: &Path, seed: u64) -> Self {
        let mut connection: Value = serde_json::from_slice(&std::fs::read(core_file).unwrap()).unwrap();
        let path = |member: &str| PathBuf::from(connection[member].as_str().unwrap());
        let key = Arc::new(PrivateKeyDer::from_pem_file(path("key")).unwrap());
        let identity = TlsIdentity { chain: parse_certificates(&path("certificate")).unwrap(), key };
        let tls = tls_config(&parse_certificates(&path("ca")).unwrap(), Some(&identity), Protocol::Http1).unwrap();
        let client = reqwest::Client::builder().tls_backend_preconfigured(tls).no_proxy().build().unwrap();
        let state = Mutex::new(State {
            plan: FaultPlan::Calm,
            chance: ChaCha20Rng::seed_from_u64(seed),
            counts: BTreeMap::new(),
            seen: 0,
            held: Vec::new(),
        });
        let url = connection["url"].as_str().unwrap().to_owned();
        let core = Arc::new(Core { client, url, state, late: AtomicUsize::new(0) });

        let folder = tempfile::tempdir().unwrap();
        let own = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let authority = folder.path().join("ca.pem");
        std::fs::write(&authority, own.cert.pem()).unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        connection["url"] = json!(format!("https://localhost:{}", listener.local_addr().unwrap().port()));
        connection["ca"] = json!(authority);
        std::fs::write(folder.path().join("core.json"), connection.to_string()).unwrap();

        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own.signing_key.serialize_der()));
        let tls = ServerConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![own.cert.der().clone()], key)
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(tls));
        let behind = Arc::clone(&core);
        let listening = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, acceptor.clone(), Arc::clone(&behind)));
            }
        });
        Self { folder, core, listening }
    }

    /// The file by which a server connects to the proxy.
    pub(super) fn core_file(&self) -> PathBuf {
        self.folder.path().join("core.json")
    }

    /// Calls have these faults from now on.
    pub(crate) fn plan(&self, plan: FaultPlan) {
        self.core.state.lock().plan = plan;
    }

    /// Whether the call that was planned to have a fault has come.
    pub(crate) fn is_calm(&self) -> bool {
        self.core.state.lock().plan == FaultPlan::Calm
    }

    /// No call has a fault any more, and those that were held back have reached the core.
    pub(crate) async fn come_to_rest(&self) {
        self.plan(FaultPlan::Calm);
        let held = std::mem::take(&mut self.core.state.lock().held);
        for (_, call) in held {
            Arc::clone(&self.core).send_late(call);
        }
        until(async || (self.core.late.load(Ordering::SeqCst) == 0).then_some(())).await;
    }

    /// How many calls had each fault.
    pub(crate) fn counts(&self) -> BTreeMap<Fault, usize> {
        self.core.state.lock().counts.clone()
    }
}

async fn serve(stream: TcpStream, acceptor: TlsAcceptor, core: Arc<Core>) {
    let Ok(stream) = acceptor.accept(stream).await else { return };
    let service = service_fn(move |request| Arc::clone(&core).answer(request));
    // A connection that breaks is what the proxy is for.
    drop(hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service).await);
}

impl Core {
    /// The answer; an error breaks the connection.
    async fn answer(self: Arc<Self>, request: Request<Incoming>) -> io::Result<Response<ResponseBody>> {
        let (parts, body) = request.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
        let path = parts.uri.path_and_query().unwrap().as_str().to_owned();
        let mut headers = parts.headers;
        for hop in [header::HOST, header::CONTENT_LENGTH, header::CONNECTION] {
            headers.remove(hop);
        }
        let call = Call { method: parts.method, path, headers, body };
        match self.draw(&call) {
            None => self.pass(call).await,
            Some(Fault::Delayed) => {
                let millis = self.state.lock().chance.next_u64() % DELAY_MILLIS_MAX;
                tokio::time::sleep(Duration::from_millis(millis)).await;
                self.pass(call).await
            }
            Some(Fault::RefusedBefore) => Ok(refusal(StatusCode::SERVICE_UNAVAILABLE)),
            Some(Fault::FailedAfter) => self.pass(call).await.map(|_| refusal(StatusCode::BAD_GATEWAY)),
            Some(Fault::ResetBefore) => Err(broken()),
            Some(Fault::ResetAfter) => self.pass(call).await.and(Err(broken())),
            Some(Fault::Truncated) => halved(self.pass(call).await?).await,
            Some(Fault::Duplicated) => tokio::join!(self.pass(call.clone()), self.pass(call)).0,
            Some(Fault::HeldBack) => {
                self.hold(call);
                Err(broken())
            }
            Some(Fault::RepeatedLate) => {
                self.hold(call.clone());
                self.pass(call).await
            }
        }
    }

    /// What happens to a call that has come; lets those go on that have been held back long enough.
    fn draw(self: &Arc<Self>, call: &Call) -> Option<Fault> {
        let method = call.path.strip_prefix(CALLS)?;
        let mut state = self.state.lock();
        state.seen += 1;
        let seen = state.seen;
        let (due, held) = std::mem::take(&mut state.held).into_iter().partition(|(at, _)| *at <= seen);
        state.held = held;
        let due: Vec<(u64, Call)> = due;
        due.into_iter().for_each(|(_, call)| Arc::clone(self).send_late(call));
        let plan = state.plan;
        let fault = match plan {
            FaultPlan::PerMille(rate) if state.chance.next_u64() % 1_000 < rate => {
                let all = Fault::ALL.len() as u64;
                Fault::ALL[usize::try_from(state.chance.next_u64() % all).unwrap()]
            }
            FaultPlan::Next(wanted, fault) if wanted == method => {
                state.plan = FaultPlan::Calm;
                fault
            }
            FaultPlan::Calm | FaultPlan::PerMille(_) | FaultPlan::Next(..) => return None,
        };
        *state.counts.entry(fault).or_default() += 1;
        Some(fault)
    }

    fn hold(&self, call: Call) {
        let mut state = self.state.lock();
        let at = state.seen + 1 + state.chance.next_u64() % PASSED_MAX;
        state.held.push((at, call));
    }

    /// Sends a call whose answer nobody waits for.
    fn send_late(self: Arc<Self>, call: Call) {
        self.late.fetch_add(1, Ordering::SeqCst);
        tokio::spawn(async move {
            // A core that is killed does not answer.
            drop(self.pass(call).await);
            self.late.fetch_sub(1, Ordering::SeqCst);
        });
    }

    /// Sends a call to the core, and gives the whole answer.
    async fn pass(&self, call: Call) -> io::Result<Response<ResponseBody>> {
        let request = self.client.request(call.method, [&self.url, call.path.as_str()].concat());
        let response = request.headers(call.headers).body(call.body).send().await.map_err(io::Error::other)?;
        let status = response.status();
        let headers = response.headers().clone();
        let body = response.bytes().await.map_err(io::Error::other)?;
        let mut answer = Response::new(whole(body));
        *answer.status_mut() = status;
        for name in [header::CONTENT_TYPE, header::RETRY_AFTER] {
            headers.get(&name).map(|value| answer.headers_mut().insert(name, value.clone()));
        }
        Ok(answer)
    }
}

fn broken() -> io::Error {
    io::ErrorKind::ConnectionReset.into()
}

fn whole(body: Bytes) -> ResponseBody {
    Full::new(body).map_err(|never| match never {}).boxed()
}

/// An answer of something between the two, which does not know the core API.
fn refusal(status: StatusCode) -> Response<ResponseBody> {
    let mut response = Response::new(whole(Bytes::from_static(b"<html>try again</html>")));
    *response.status_mut() = status;
    response
}

/// The first half of an answer, which says how long it is; then the connection breaks.
async fn halved(answer: Response<ResponseBody>) -> io::Result<Response<ResponseBody>> {
    let (mut parts, body) = answer.into_parts();
    let body = body.collect().await?.to_bytes();
    if body.is_empty() {
        return Err(broken());
    }
    parts.headers.insert(header::CONTENT_LENGTH, body.len().into());
    let half = body.slice(..body.len() / 2);
    let frames = stream::iter([Ok(Frame::data(half)), Err(broken())]);
    Ok(Response::from_parts(parts, StreamBody::new(frames).boxed()))
}
