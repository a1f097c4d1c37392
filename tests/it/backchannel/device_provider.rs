//! A provider with a backchannel, which plays its customers' devices.

use crate::harness::{Bank, Engine};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use lombard_jose::{CompactJws, JoseHeader, KeySet, SigningKey, sign_compact};
use lombard_ports::clock::Clock;
use parking_lot::Mutex;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Arc, LazyLock};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

static PROVIDER_KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());
static CLIENT_KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());
const CLIENT: &str = "lombard-server";

/// How the customer answers on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Device {
    /// Not yet.
    Silent,
    Agrees,
    Refuses,
    /// Nobody answers, until the login has expired.
    Expires,
    /// The answer to the request cannot be used.
    Broken,
    /// Authenticates as somebody else.
    Other,
    /// The ID token is for another amount.
    OtherPurpose,
}

pub(super) struct State {
    pub(super) device: Device,
    /// The requests that came to the device.
    pub(super) asked: Vec<Map<String, Value>>,
    pub(super) polls: usize,
    now: Box<dyn Fn() -> i64 + Send>,
    issuer: String,
}

/// The provider, until it is dropped.
pub(super) struct Provider {
    issuer: String,
    pub(super) state: Arc<Mutex<State>>,
    serving: JoinHandle<()>,
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Provider {
    async fn start(now: impl Fn() -> i64 + Send + 'static) -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let issuer = format!("http://{}", listener.local_addr().unwrap());
        let state =
            State { device: Device::Silent, asked: Vec::new(), polls: 0, now: Box::new(now), issuer: issuer.clone() };
        let state = Arc::new(Mutex::new(state));
        let shared = Arc::clone(&state);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let shared = Arc::clone(&shared);
                tokio::spawn(async move {
                    let service = service_fn(|request| answer(request, &shared));
                    let _closed = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        Self { issuer, state, serving }
    }
}

async fn answer(request: Request<Incoming>, state: &Mutex<State>) -> Result<Response<Full<Bytes>>, Infallible> {
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let form: BTreeMap<String, String> = url::form_urlencoded::parse(&body).into_owned().collect();
    let (status, body) = state.lock().answer(&path, &form);
    Ok(Response::builder().status(status).body(Full::new(Bytes::from(body.to_string()))).unwrap())
}

impl State {
    fn answer(&mut self, path: &str, form: &BTreeMap<String, String>) -> (StatusCode, Value) {
        let issuer = &self.issuer;
        match path {
            "/.well-known/openid-configuration" => (
                StatusCode::OK,
                json!({
                    "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
                    "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/jwks"),
                    "backchannel_authentication_endpoint": format!("{issuer}/bc"),
                }),
            ),
            "/jwks" => {
                let keys: KeySet = [PROVIDER_KEY.public().clone()].into_iter().collect();
                (StatusCode::OK, serde_json::from_str(&keys.to_json()).unwrap())
            }
            "/bc" => {
                let asked = verified(&form["request"]);
                assert_eq!((&asked["iss"], &asked["aud"]), (&json!(CLIENT), &json!(issuer)));
                assert_eq!(verified(&form["client_assertion"])["sub"], CLIENT);
                self.asked.push(asked);
                if self.device == Device::Broken {
                    return (StatusCode::BAD_GATEWAY, json!({}));
                }
                (StatusCode::OK, json!({"auth_req_id": format!("login-{}", self.asked.len()), "expires_in": 300}))
            }
            _ => self.token(form),
        }
    }

    fn token(&mut self, form: &BTreeMap<String, String>) -> (StatusCode, Value) {
        assert_eq!(form["grant_type"], "urn:openid:params:grant-type:ciba");
        assert_eq!(verified(&form["client_assertion"])["sub"], CLIENT);
        self.polls += 1;
        let number: usize = form["auth_req_id"].strip_prefix("login-").unwrap().parse().unwrap();
        let asked = &self.asked[number - 1];
        let mut customer = asked["login_hint"].clone();
        let mut purpose = purpose(asked).cloned();
        match self.device {
            Device::Silent | Device::Broken => {
                return (StatusCode::BAD_REQUEST, json!({"error": "authorization_pending"}));
            }
            Device::Expires => return (StatusCode::BAD_REQUEST, json!({"error": "expired_token"})),
            Device::Refuses => return (StatusCode::BAD_REQUEST, json!({"error": "access_denied"})),
            Device::Agrees => {}
            Device::Other => customer = json!("bashir"),
            Device::OtherPurpose => purpose.as_mut().unwrap()["amount"]["amount"] = json!("12.51"),
        }
        let now = (self.now)();
        let mut claims = json!({
            "iss": self.issuer, "aud": CLIENT, "sub": customer, "iat": now, "exp": now + 60, "auth_time": now,
            "amr": ["pin", "hwk"],
        });
        if let Some(purpose) = purpose {
            claims["urn:lombard:purpose"] = purpose;
        }
        let header = JoseHeader::ps256(PROVIDER_KEY.id());
        let token = sign_compact(&PROVIDER_KEY, &header, claims.to_string().as_bytes()).unwrap();
        (StatusCode::OK, json!({"access_token": "x", "token_type": "Bearer", "id_token": token}))
    }
}

/// What the customer is asked to confirm: the value that the ID token is asked to have.
pub(super) fn purpose(asked: &Map<String, Value>) -> Option<&Value> {
    asked["claims"].pointer("/id_token/urn:lombard:purpose/value")
}

fn verified(jwt: &str) -> Map<String, Value> {
    let jws = CompactJws::parse(jwt).unwrap();
    jws.verify(&[CLIENT_KEY.public().clone()].into_iter().collect::<KeySet>()).unwrap();
    jws.claims().unwrap()
}

/// A bank whose customers this provider reaches.
pub(super) async fn start(engine: Engine) -> (Bank, Provider) {
    let mut bank = Bank::unstarted(engine).await;
    let clock = bank.clock.clone();
    let provider = Provider::start(move || clock.now().as_second()).await;
    let key = bank.data_dir().join("identity.key");
    let mut file = std::fs::OpenOptions::new();
    let file = file.write(true).create(true).truncate(true).mode(0o600).open(&key).unwrap();
    std::io::Write::write_all(&mut &file, CLIENT_KEY.pkcs8_pem().unwrap().as_bytes()).unwrap();
    let settings = [
        ("identity.kind", "oidc"),
        ("identity.issuer", provider.issuer.as_str()),
        ("identity.client_id", CLIENT),
        ("identity.key_file", key.to_str().unwrap()),
        ("identity.customer_claim", "sub"),
        ("identity.decoupled", "true"),
    ];
    bank.restart_with(&settings).await;
    (bank, provider)
}
