//! The bank's identity provider asks the customer on a device that it reaches by itself. Source: AS-160, AS-142.

use super::Asking;
use crate::harness::paying::AgreedConsent;
use crate::harness::pending_consent::{accounts_of, debtor};
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, ValueExt, until};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use jiff::SignedDuration;
use lombard_domain::order::PaymentProduct;
use lombard_jose::{CompactJws, JoseHeader, KeySet, SigningKey, sign_compact};
use lombard_ports::clock::Clock;
use lombard_tpp::{BackchannelAnswer, IssuedTokens};
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
enum Device {
    Silent,
    Agrees,
    Refuses,
    /// Authenticates as somebody else.
    Other,
    /// The ID token is for another amount.
    OtherPurpose,
}

struct State {
    device: Device,
    asked: Vec<Map<String, Value>>,
    polls: usize,
    now: Box<dyn Fn() -> i64 + Send>,
    issuer: String,
}

/// A provider with a backchannel.
struct Provider {
    issuer: String,
    state: Arc<Mutex<State>>,
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
        let (mut customer, mut purpose) = (asked["login_hint"].clone(), purpose(asked).cloned());
        match self.device {
            Device::Silent => return (StatusCode::BAD_REQUEST, json!({"error": "authorization_pending"})),
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
fn purpose(asked: &Map<String, Value>) -> Option<&Value> {
    asked["claims"].pointer("/id_token/urn:lombard:purpose/value")
}

fn verified(jwt: &str) -> Map<String, Value> {
    let jws = CompactJws::parse(jwt).unwrap();
    jws.verify(&[CLIENT_KEY.public().clone()].into_iter().collect::<KeySet>()).unwrap();
    jws.claims().unwrap()
}

async fn start(engine: Engine) -> (Bank, Provider) {
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

/// A payment from an account of amelia's that the TPP names, asked for over the backchannel.
async fn pay_from_named(bank: &Bank) -> (PayingTpp, AgreedConsent, BackchannelAnswer) {
    let product = PaymentProduct::DomesticPayment;
    let paying = PayingTpp::as_tpp(bank, "acme").await;
    let mut asked = paying.asking(product);
    let accounts = accounts_of(bank, "amelia").await;
    let current = accounts.iter().find(|account| account["sub_type"] == "CurrentAccount").unwrap();
    asked["Data"]["Initiation"]["DebtorAccount"] = debtor(current);
    let consent = paying.consent(product, &asked).await["Data"].text("ConsentId").to_owned();
    let request = paying.tpp.backchannel_request(&consent, "payments").await.unwrap();
    let request = request.claim("login_hint_token", super::hint(&json!({"sub": "amelia"})));
    let answer = paying.tpp.ask_over_backchannel(&request.claim("binding_message", "TILL 7")).await.unwrap();
    (paying, AgreedConsent { product, consent, asked, token: String::new() }, answer)
}

/// Waits until the provider was asked, and then polled once.
async fn until_polled(bank: &Bank, provider: &Provider) {
    until(async || (!provider.state.lock().asked.is_empty()).then_some(())).await;
    bank.clock.advance(SignedDuration::from_secs(5));
    until(async || (provider.state.lock().polls > 0).then_some(())).await;
}

#[tokio::test]
async fn as_142_a_payment_from_a_named_account_is_confirmed_on_the_customers_device() {
    for engine in Engine::at_hand() {
        let (bank, provider) = start(engine).await;
        let (paying, agreed, answer) = pay_from_named(&bank).await;
        until_polled(&bank, &provider).await;
        paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap().oauth(400, "authorization_pending");
        let asked = provider.state.lock().asked[0].clone();
        assert_eq!((&asked["login_hint"], &asked["binding_message"]), (&json!("amelia"), &json!("TILL 7")));
        assert_eq!(purpose(&asked).unwrap()["amount"], json!({"amount": "12.50", "currency": "GBP"}));
        provider.state.lock().device = Device::Agrees;
        bank.clock.advance(SignedDuration::from_secs(5));
        let token = until(async || {
            IssuedTokens::from_exchange(paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap()).ok()
        })
        .await;
        paying.ordered(&AgreedConsent { token: token.access_token, ..agreed }).await;
    }
}

#[tokio::test]
async fn as_142_a_refusal_another_customer_or_another_purpose_approves_nothing() {
    for (device, status) in [
        (Device::Refuses, "Rejected"),
        (Device::Other, "AwaitingAuthorisation"),
        (Device::OtherPurpose, "AwaitingAuthorisation"),
    ] {
        let (bank, provider) = start(Engine::Sqlite).await;
        provider.state.lock().device = device;
        let (paying, agreed, answer) = pay_from_named(&bank).await;
        until_polled(&bank, &provider).await;
        until(async || {
            let poll = paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap();
            (poll.json().unwrap()["error"] == "access_denied").then_some(())
        })
        .await;
        let now = paying.consent_now(agreed.product, &agreed.consent).await;
        assert_eq!(now["Data"].text("Status"), status, "{device:?}");
    }
}

#[tokio::test]
async fn as_160_a_consent_whose_accounts_are_to_be_chosen_is_left_to_the_pages() {
    let (bank, provider) = start(Engine::Sqlite).await;
    let asking = Asking::new(&bank).await;
    let answer = asking.ask("amelia").await;
    let (_, _, other) = pay_from_named(&bank).await;
    until_polled(&bank, &provider).await;
    assert_eq!(provider.state.lock().asked.len(), 1, "the payment alone");
    bank.clock.advance(SignedDuration::from_secs(30));
    asking.is_told(&answer, "authorization_pending").await;
    assert_ne!(answer.auth_req_id, other.auth_req_id);
}
