//! An OpenID provider of the tests' own: it checks what a client owes it, and answers as it is told, also wrongly.

use crate::harness::Issued;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use lombard_jose::{CompactJws, JoseHeader, KeySet, PublicKey, SigningKey, base64url, sha256, sign_compact};
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::{ServerConfig, crypto};
use url::{Url, form_urlencoded};

/// The client id of the bank's server.
pub(super) const CLIENT: &str = "open-banking";
/// The authentication context class that is asked for.
pub(super) const ACR: &str = "urn:bank.example:sca";
/// The type of authorisation details that the provider knows, unless it is told to know none.
pub(super) const DETAILS: &str = "urn:lombard:purpose";

static PROVIDER_KEY: LazyLock<Arc<SigningKey>> = LazyLock::new(|| Arc::new(SigningKey::generate().unwrap()));
static FOREIGN_KEY: LazyLock<Arc<SigningKey>> = LazyLock::new(|| Arc::new(SigningKey::generate().unwrap()));
/// The key that the bank's server signs its requests with.
pub(super) static CLIENT_KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());

/// How the provider signs its ID tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TokenSignature {
    /// With its key.
    Own,
    /// With a key that it has not published.
    UnknownKey,
    /// With another key under the id of its own.
    Forged,
    /// Not at all: `alg` is `none`.
    None,
}

type Tamper = Box<dyn Fn(&mut Value) + Send>;

struct State {
    is_down: bool,
    takes_pushed: bool,
    knows_details: bool,
    signature: TokenSignature,
    tamper: Option<Tamper>,
    requests: BTreeMap<String, Map<String, Value>>,
    codes: BTreeMap<String, (Map<String, Value>, String)>,
    /// The requests that customers were shown.
    seen: Vec<Map<String, Value>>,
    made: u64,
    now: i64,
    /// The key of the bank's server.
    client: PublicKey,
}

/// The provider, until it is dropped.
pub(crate) struct Provider {
    pub(crate) issuer: String,
    state: Arc<Mutex<State>>,
    server: JoinHandle<()>,
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// Where a browser is sent back to, or with what.
pub(crate) struct SentBack {
    pub(super) redirect_uri: String,
    pub(super) parameters: Vec<(&'static str, String)>,
}

impl SentBack {
    /// The address.
    pub(crate) fn url(&self) -> String {
        let mut url = Url::parse(&self.redirect_uri).unwrap();
        url.query_pairs_mut().extend_pairs(&self.parameters);
        url.into()
    }

    /// The same with another value of a parameter.
    pub(super) fn with(mut self, name: &str, value: &str) -> Self {
        for (_, it) in self.parameters.iter_mut().filter(|(it, _)| *it == name) {
            value.clone_into(it);
        }
        self
    }

    /// The value of a parameter.
    pub(super) fn parameter(&self, name: &str) -> &str {
        self.parameters.iter().find(|(it, _)| *it == name).map(|(_, value)| value.as_str()).unwrap()
    }
}

impl Provider {
    /// A provider that reads this as the time.
    pub(super) async fn start(now: i64) -> Self {
        Self::listen(now, None).await
    }

    /// A provider with a certificate for `localhost`.
    pub(crate) async fn start_with_tls(now: i64, certificate: &Issued) -> Self {
        let config = ServerConfig::builder_with_provider(Arc::new(crypto::aws_lc_rs::default_provider()))
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![certificate.der()], certificate.key_der())
            .unwrap();
        Self::listen(now, Some(TlsAcceptor::from(Arc::new(config)))).await
    }

    async fn listen(now: i64, tls: Option<TlsAcceptor>) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let issuer = match tls {
            Some(_) => format!("https://localhost:{}", address.port()),
            None => format!("http://{address}"),
        };
        let state = Arc::new(Mutex::new(State {
            is_down: false,
            takes_pushed: true,
            knows_details: true,
            signature: TokenSignature::Own,
            tamper: None,
            requests: BTreeMap::new(),
            codes: BTreeMap::new(),
            seen: Vec::new(),
            made: 0,
            now,
            client: CLIENT_KEY.public().clone(),
        }));
        let shared = Arc::clone(&state);
        let name = issuer.clone();
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let state = Arc::clone(&shared);
                let issuer = name.clone();
                let service = service_fn(move |request| serve(Arc::clone(&state), issuer.clone(), request));
                let http = hyper::server::conn::http1::Builder::new();
                match &tls {
                    Some(acceptor) => {
                        let accepted = acceptor.accept(stream);
                        tokio::spawn(async move {
                            let stream = accepted.await.unwrap();
                            http.serve_connection(TokioIo::new(stream), service).await
                        });
                    }
                    None => drop(tokio::spawn(http.serve_connection(TokioIo::new(stream), service))),
                }
            }
        });
        Self { issuer, state, server }
    }

    /// Does not answer, or answers again.
    pub(super) fn set_down(&self, is_down: bool) {
        self.state.lock().is_down = is_down;
    }

    /// Knows the bank's server by this key.
    pub(crate) fn register_client_key(&self, key: PublicKey) {
        self.state.lock().client = key;
    }

    /// Reads this as the time from now on.
    pub(crate) fn set_time(&self, now: i64) {
        self.state.lock().now = now;
    }

    /// Takes requests from the browser only, and knows no authorisation details.
    pub(super) fn be_plain(&self) {
        let mut state = self.state.lock();
        (state.takes_pushed, state.knows_details) = (false, false);
    }

    /// Signs so from now on.
    pub(super) fn sign(&self, signature: TokenSignature) {
        self.state.lock().signature = signature;
    }

    /// Changes the claims of ID tokens so.
    pub(super) fn tamper(&self, change: impl Fn(&mut Value) + Send + 'static) {
        self.state.lock().tamper = Some(Box::new(change));
    }

    /// The request that a browser brings to the authorisation endpoint.
    pub(super) fn request(&self, location: &str) -> Map<String, Value> {
        let url = Url::parse(location).unwrap();
        assert!(location.starts_with(&format!("{}/authorize?", self.issuer)), "{location}");
        let parameters: BTreeMap<String, String> = url.query_pairs().into_owned().collect();
        assert_eq!(parameters["client_id"], CLIENT);
        match (parameters.get("request_uri"), parameters.get("request")) {
            (Some(reference), None) => self.state.lock().requests.remove(reference).expect("a pushed request, once"),
            (None, Some(object)) => read_request(object, &self.issuer, &self.state.lock().client),
            other => panic!("{other:?}"),
        }
    }

    /// The purposes that customers were asked to confirm, the last one last.
    pub(super) fn purposes(&self) -> Vec<Value> {
        let purpose = |request| purpose(request).map(|(_, purpose)| purpose).unwrap_or_default();
        self.state.lock().seen.iter().map(purpose).collect()
    }

    /// The customers who were expected, the last one last.
    pub(super) fn hints(&self) -> Vec<String> {
        let state = self.state.lock();
        state.seen.iter().filter_map(|request| request.get("login_hint")?.as_str().map(str::to_owned)).collect()
    }

    /// A customer logs in, confirms, and is sent back with a code.
    pub(crate) fn log_in(&self, location: &str, customer: &str) -> SentBack {
        let request = self.request(location);
        let mut state = self.state.lock();
        state.made += 1;
        state.seen.push(request.clone());
        let code = format!("code-{}", state.made);
        state.codes.insert(code.clone(), (request.clone(), customer.to_owned()));
        self.back(&request, ("code", code))
    }

    /// The customer is sent back with an error.
    pub(super) fn refuse(&self, location: &str, error: &str) -> SentBack {
        let request = self.request(location);
        self.back(&request, ("error", error.to_owned()))
    }

    fn back(&self, request: &Map<String, Value>, answer: (&'static str, String)) -> SentBack {
        let text = |name: &str| request[name].as_str().unwrap().to_owned();
        let parameters = vec![answer, ("state", text("state")), ("iss", self.issuer.clone())];
        SentBack { redirect_uri: text("redirect_uri"), parameters }
    }
}

/// The purpose of a request, and the claim that it is asked to come back in.
fn purpose(request: &Map<String, Value>) -> Option<(&'static str, Value)> {
    const OWN: &str = "urn:lombard:purpose";
    const RICH: &str = "authorization_details";
    let wanted = &request["claims"]["id_token"];
    if let Some(details) = request.get(RICH) {
        assert_eq!(wanted[RICH], json!({"essential": true}));
        return Some((RICH, details.clone()));
    }
    let asked = wanted.get(OWN)?;
    assert_eq!(asked["essential"], true);
    Some((OWN, asked["value"].clone()))
}

/// The claims of a request object that the bank's server signed.
fn read_request(object: &str, issuer: &str, client: &PublicKey) -> Map<String, Value> {
    let request = signed_by_client(object, client);
    assert_eq!(request["aud"], issuer);
    assert_eq!(request["response_type"], "code");
    assert_eq!(request["code_challenge_method"], "S256");
    assert_eq!(request["acr_values"], ACR);
    assert_eq!(request["max_age"], 0);
    for name in ["state", "nonce", "code_challenge"] {
        assert!(request[name].as_str().unwrap().len() >= 43, "{name}");
    }
    request
}

fn signed_by_client(jws: &str, client: &PublicKey) -> Map<String, Value> {
    let jws = CompactJws::parse(jws).unwrap();
    jws.verify(&[client.clone()].into_iter().collect::<KeySet>()).unwrap();
    let claims: Map<String, Value> = jws.claims().unwrap();
    assert_eq!(claims["iss"], CLIENT);
    claims
}

async fn serve(
    state: Arc<Mutex<State>>,
    issuer: String,
    request: Request<Incoming>,
) -> Result<Response<Full<Bytes>>, hyper::Error> {
    let (parts, body) = request.into_parts();
    let body = body.collect().await?.to_bytes();
    let form: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
    let (status, answer) = answer(&state, &issuer, &parts.method, parts.uri.path(), &form);
    let mut response = Response::new(Full::new(Bytes::from(answer.to_string())));
    *response.status_mut() = status;
    Ok(response)
}

fn answer(
    state: &Mutex<State>,
    issuer: &str,
    method: &Method,
    path: &str,
    form: &BTreeMap<String, String>,
) -> (StatusCode, Value) {
    let mut state = state.lock();
    if state.is_down {
        return (StatusCode::SERVICE_UNAVAILABLE, json!({}));
    }
    if method == Method::POST {
        let assertion = signed_by_client(&form["client_assertion"], &state.client);
        assert_eq!((&assertion["sub"], &assertion["aud"]), (&json!(CLIENT), &json!(issuer)));
    }
    match path {
        "/.well-known/openid-configuration" => {
            let mut metadata = json!({
                "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
                "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
                "authorization_response_iss_parameter_supported": true,
            });
            if state.takes_pushed {
                metadata["pushed_authorization_request_endpoint"] = json!(format!("{issuer}/par"));
            }
            if state.knows_details {
                metadata["authorization_details_types_supported"] = json!([DETAILS]);
            }
            (StatusCode::OK, metadata)
        }
        "/keys" => (StatusCode::OK, json!({"keys": [PROVIDER_KEY.public().to_jwk(&[])]})),
        "/par" => {
            state.made += 1;
            let reference = format!("urn:ietf:params:oauth:request_uri:{}", state.made);
            let client = state.client.clone();
            state.requests.insert(reference.clone(), read_request(&form["request"], issuer, &client));
            (StatusCode::CREATED, json!({"request_uri": reference, "expires_in": 60}))
        }
        "/token" => token(&mut state, issuer, form),
        other => panic!("{other} is asked for"),
    }
}

fn token(state: &mut State, issuer: &str, form: &BTreeMap<String, String>) -> (StatusCode, Value) {
    let Some((request, customer)) = state.codes.remove(&form["code"]) else {
        return (StatusCode::BAD_REQUEST, json!({"error": "invalid_grant"}));
    };
    let challenge = base64url(&sha256(form["code_verifier"].as_bytes()).0);
    if request["code_challenge"] != challenge || request["redirect_uri"] != form["redirect_uri"].as_str() {
        return (StatusCode::BAD_REQUEST, json!({"error": "invalid_grant"}));
    }
    let mut claims = json!({
        "iss": issuer, "aud": CLIENT, "sub": format!("subject of {customer}"), "customer": customer,
        "customer_number": customer,
        "name": format!("{}{}", customer[..1].to_uppercase(), &customer[1..]), "iat": state.now, "exp": state.now + 300,
        "nonce": request["nonce"], "acr": ACR, "auth_time": state.now, "amr": ["pwd", "fpt"],
    });
    if let Some((name, purpose)) = purpose(&request) {
        claims[name] = purpose;
    }
    if let Some(tamper) = &state.tamper {
        tamper(&mut claims);
    }
    let payload = claims.to_string();
    let own = JoseHeader::ps256(PROVIDER_KEY.id());
    let id_token = match state.signature {
        TokenSignature::Own => sign_compact(&PROVIDER_KEY, &own, payload.as_bytes()).unwrap(),
        TokenSignature::Forged => sign_compact(&FOREIGN_KEY, &own, payload.as_bytes()).unwrap(),
        TokenSignature::UnknownKey => {
            sign_compact(&FOREIGN_KEY, &JoseHeader::ps256(FOREIGN_KEY.id()), payload.as_bytes()).unwrap()
        }
        TokenSignature::None => {
            format!("{}.{}.", base64url(br#"{"alg":"none"}"#), base64url(payload.as_bytes()))
        }
    };
    (StatusCode::OK, json!({"access_token": "unused", "token_type": "Bearer", "id_token": id_token}))
}
