//! The login of staff at the bank's OpenID provider, and access tokens of programs.

use crate::harness::{Bank, Engine, ExchangeExt};
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use lombard_jose::{JoseHeader, KeySet, SigningKey, base64url, sha256, sign_compact};
use lombard_tpp::{HttpCall, HttpExchange};
use parking_lot::Mutex;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fs;
use std::sync::{Arc, LazyLock};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use url::{Url, form_urlencoded};

static KEY: LazyLock<SigningKey> = LazyLock::new(|| SigningKey::generate().unwrap());

/// A login at the provider: what was asked for, and the claims of its ID token.
#[derive(Clone)]
struct Login {
    challenge: String,
    claims: Value,
}

/// A provider that issues ID tokens with any claims.
struct Provider {
    issuer: String,
    logins: Arc<Mutex<BTreeMap<String, Login>>>,
    now: i64,
    serving: JoinHandle<()>,
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Provider {
    async fn start(now: i64) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let issuer = format!("http://127.0.0.1:{}", listener.local_addr().unwrap().port());
        let logins = Arc::<Mutex<BTreeMap<String, Login>>>::default();
        let (served, named) = (Arc::clone(&logins), issuer.clone());
        let serving = tokio::spawn(async move {
            loop {
                let Ok((stream, _)) = listener.accept().await else { return };
                let (logins, issuer) = (Arc::clone(&served), named.clone());
                let service = service_fn(move |request| answer(request, Arc::clone(&logins), issuer.clone()));
                tokio::spawn(
                    hyper::server::conn::http1::Builder::new().serve_connection(TokioIo::new(stream), service),
                );
            }
        });
        Self { issuer, logins, now, serving }
    }

    /// The claims of an ID token for this login.
    fn claims(&self, asked: &BTreeMap<String, String>) -> Value {
        json!({
            "iss": self.issuer, "aud": "operations", "sub": "ada", "roles": ["support", "employee"],
            "nonce": asked["nonce"], "iat": self.now, "exp": self.now + 60,
        })
    }

    /// Logs in at this address of the authorisation endpoint; returns the address to which the browser goes, with the given claims.
    fn log_in(&self, location: &str, change: impl FnOnce(&mut Value)) -> Url {
        let location = Url::parse(location).unwrap();
        let asked: BTreeMap<String, String> = location.query_pairs().into_owned().collect();
        assert_eq!((asked["response_type"].as_str(), asked["client_id"].as_str()), ("code", "operations"));
        assert_eq!(asked["code_challenge_method"], "S256");
        let mut claims = self.claims(&asked);
        change(&mut claims);
        let mut logins = self.logins.lock();
        let code = format!("code-{}", logins.len());
        logins.insert(code.clone(), Login { challenge: asked["code_challenge"].clone(), claims });
        let mut back = Url::parse(&asked["redirect_uri"]).unwrap();
        back.query_pairs_mut().append_pair("code", &code).append_pair("state", &asked["state"]);
        back
    }

    /// An access token with these claims beside those of every token.
    fn access_token(&self, typ: &str, change: impl FnOnce(&mut Value)) -> String {
        let mut claims = json!({
            "iss": self.issuer, "aud": "operations", "sub": "robot", "roles": "view", "iat": self.now, "exp": self.now + 60,
        });
        change(&mut claims);
        sign(typ, &claims)
    }
}

fn sign(typ: &str, claims: &Value) -> String {
    sign_compact(&KEY, &JoseHeader::ps256(KEY.id()).typ(typ), claims.to_string().as_bytes()).unwrap()
}

type Answer = Result<Response<Full<Bytes>>, std::convert::Infallible>;

async fn answer(request: Request<Incoming>, logins: Arc<Mutex<BTreeMap<String, Login>>>, issuer: String) -> Answer {
    let path = request.uri().path().to_owned();
    let body = request.into_body().collect().await.unwrap().to_bytes();
    let text = match path.as_str() {
        "/.well-known/openid-configuration" => json!({
            "issuer": issuer, "authorization_endpoint": format!("{issuer}/authorize"),
            "token_endpoint": format!("{issuer}/token"), "jwks_uri": format!("{issuer}/keys"),
        })
        .to_string(),
        "/keys" => [KEY.public().clone()].into_iter().collect::<KeySet>().to_json(),
        "/token" => {
            let form: BTreeMap<String, String> = form_urlencoded::parse(&body).into_owned().collect();
            // A code is exchanged once.
            let login = logins.lock().remove(&form["code"]);
            let proof = base64url(&sha256(form["code_verifier"].as_bytes()).0);
            let is_client = form["client_secret"] == "the-secret" && form["client_id"] == "operations";
            match login.filter(|login| is_client && login.challenge == proof) {
                Some(login) => json!({"access_token": "a", "id_token": sign("JWT", &login.claims)}).to_string(),
                None => return Ok(plain(StatusCode::BAD_REQUEST, json!({"error": "invalid_grant"}).to_string())),
            }
        }
        _ => return Ok(plain(StatusCode::NOT_FOUND, String::new())),
    };
    Ok(plain(StatusCode::OK, text))
}

fn plain(status: StatusCode, text: String) -> Response<Full<Bytes>> {
    Response::builder().status(status).body(Full::new(text.into())).unwrap()
}

async fn start() -> (Bank, Provider) {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    let provider = Provider::start(bank.clock_second()).await;
    let secret = bank.data_dir().join("client-secret");
    fs::write(&secret, "the-secret\n").unwrap();
    bank.restart_with(&[
        ("ops.staff", "oidc"),
        ("ops.issuer", &provider.issuer),
        ("ops.client_id", "operations"),
        ("ops.client_secret_file", secret.to_str().unwrap()),
    ])
    .await;
    (bank, provider)
}

/// The first cookie that an answer sets.
fn cookie(answer: &HttpExchange) -> String {
    answer.head("set-cookie").split(';').next().unwrap().to_owned()
}

/// Opens the login page; returns its cookie, and the address of the provider.
async fn begin(bank: &Bank) -> (String, String) {
    let page = bank.ops_as_stranger(HttpCall::get(format!("{}/login", bank.endpoints().ops))).await;
    let address = page.text().split("class=\"button\" href=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    (cookie(&page), address.replace("&#38;", "&").replace("&amp;", "&"))
}

/// Returns from the provider with this cookie.
async fn come_back(bank: &Bank, back: &Url, cookie: &str) -> HttpExchange {
    let address = format!("{}{}?{}", bank.endpoints().ops, back.path(), back.query().unwrap());
    let call = HttpCall::get(address).with_header("cookie", cookie).with_header("sec-fetch-site", "cross-site");
    bank.ops_as_stranger(call).await
}

#[tokio::test]
async fn a_member_logs_in_at_the_provider_with_the_role_of_the_claim() {
    let (bank, provider) = start().await;
    let (own, address) = begin(&bank).await;
    let back = provider.log_in(&address, |_| {});
    assert!(back.as_str().starts_with("http://localhost:"), "{back}");
    let answer = come_back(&bank, &back, &own).await;
    assert_eq!((answer.status.as_u16(), answer.head("refresh")), (200, "0;url=/"), "{}", answer.text());
    let session = cookie(&answer);
    let landing = HttpCall::get(format!("{}/role", bank.endpoints().ops)).with_header("cookie", &session);
    let landing = bank.ops_as_stranger(landing).await;
    assert!(landing.text().contains("ada") && landing.text().contains("support"), "{}", landing.text());
    let again = come_back(&bank, &back, &own).await;
    assert_eq!(again.status.as_u16(), 401, "a code is used once: {}", again.text());
}

#[tokio::test]
async fn an_answer_of_the_provider_that_is_wrong_in_one_point_opens_no_session() {
    let (bank, provider) = start().await;
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 7] = [
        ("issuer", |claims| claims["iss"] = json!("http://127.0.0.1:1")),
        ("nonce", |claims| claims["nonce"] = json!("another")),
        ("audience", |claims| claims["aud"] = json!("portal")),
        ("two audiences", |claims| claims["aud"] = json!(["operations", "portal"])),
        ("expired", |claims| claims["exp"] = json!(1)),
        ("no role", |claims| claims["roles"] = json!(["employee"])),
        ("two roles", |claims| claims["roles"] = json!(["support", "admin"])),
    ];
    for (name, change) in changes {
        let (own, address) = begin(&bank).await;
        let answer = come_back(&bank, &provider.log_in(&address, change), &own).await;
        assert_eq!(answer.status.as_u16(), 401, "{name}: {}", answer.text());
        assert!(!cookie(&answer).starts_with("lombard-staff="), "{name}");
    }
    // The login of another browser: its state and its code are right, and belong to it.
    let (own, _) = begin(&bank).await;
    let (_, others) = begin(&bank).await;
    let answer = come_back(&bank, &provider.log_in(&others, |_| {}), &own).await;
    assert_eq!(answer.status.as_u16(), 403, "{}", answer.text());
}

#[tokio::test]
async fn a_program_shows_an_access_token_of_the_provider() {
    let (bank, provider) = start().await;
    let get = async |path: &str, token: &str| {
        let call = HttpCall::get(format!("{}{path}", bank.endpoints().ops)).with_bearer(token);
        bank.ops_as_stranger(call).await.status.as_u16()
    };
    let token = provider.access_token("at+jwt", |_| {});
    assert_eq!(get("/operations/keys", &token).await, 200);
    assert_eq!(get("/operations/requests?reason=x", &token).await, 403, "the role may not");
    for token in [
        provider.access_token("JWT", |_| {}),
        provider.access_token("at+jwt", |claims| claims["aud"] = json!("portal")),
        provider.access_token("at+jwt", |claims| claims["iss"] = json!("http://127.0.0.1:1")),
        provider.access_token("at+jwt", |claims| claims["exp"] = json!(1)),
        provider.access_token("at+jwt", |claims| claims["roles"] = json!("employee")),
        "token".to_owned(),
        String::new(),
    ] {
        assert_eq!(get("/operations/keys", &token).await, 401, "{token}");
    }
}
