//! Notifications of TPPs that registered for ping. Source: AS-160.

use super::{Asking, decide, reach_decision};
use crate::harness::{Bank, Browser, Engine, ExchangeExt, until};
use http_body_util::{BodyExt, Empty};
use hyper::body::{Bytes, Incoming};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use jiff::SignedDuration;
use lombard_tpp::{BackchannelAnswer, HttpCall};
use parking_lot::Mutex;
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls_pki_types::PrivatePkcs8KeyDer;
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::convert::Infallible;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;

const TOKEN: &str = "a-secret-of-the-tpp-0123456789";

/// What a notification brought: method and path, the bearer token, the body.
type Notified = (String, String, Value);

/// A TPP's notification endpoint, until it is dropped.
struct Endpoint {
    host: String,
    pem: String,
    seen: Arc<Mutex<Vec<Notified>>>,
    /// What is answered first; after that 204.
    answers: Arc<Mutex<VecDeque<StatusCode>>>,
    serving: JoinHandle<()>,
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Endpoint {
    async fn start() -> Self {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivatePkcs8KeyDer::from(signing_key.serialize_der());
        let provider = Arc::new(tokio_rustls::rustls::crypto::aws_lc_rs::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key.into())
            .unwrap();
        let acceptor = TlsAcceptor::from(Arc::new(config));
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let host = format!("localhost:{}", listener.local_addr().unwrap().port());
        let seen = Arc::<Mutex<Vec<Notified>>>::default();
        let answers = Arc::<Mutex<VecDeque<StatusCode>>>::default();
        let noting = Arc::clone(&seen);
        let answering = Arc::clone(&answers);
        let serving = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let acceptor = acceptor.clone();
                let noting = Arc::clone(&noting);
                let answering = Arc::clone(&answering);
                tokio::spawn(async move {
                    let Ok(stream) = acceptor.accept(stream).await else { return };
                    let service = service_fn(|request| note(request, &noting, &answering));
                    let _closed = hyper::server::conn::http1::Builder::new()
                        .serve_connection(TokioIo::new(stream), service)
                        .await;
                });
            }
        });
        Self { host, pem: cert.pem(), seen, answers, serving }
    }

    fn url(&self) -> String {
        format!("https://{}/cb", self.host)
    }

    fn seen(&self) -> Vec<Notified> {
        self.seen.lock().clone()
    }
}

async fn note(
    request: Request<Incoming>,
    seen: &Mutex<Vec<Notified>>,
    answers: &Mutex<VecDeque<StatusCode>>,
) -> Result<Response<Empty<Bytes>>, Infallible> {
    let called = format!("{} {}", request.method(), request.uri().path());
    let bearer = request.headers().get("authorization").and_then(|it| it.to_str().ok()).unwrap_or_default().to_owned();
    let body = request.into_body().collect().await.unwrap().to_bytes();
    seen.lock().push((called, bearer, serde_json::from_slice(&body).unwrap()));
    let status = answers.lock().pop_front().unwrap_or(StatusCode::NO_CONTENT);
    Ok(Response::builder().status(status).header("location", "/elsewhere").body(Empty::new()).unwrap())
}

/// A bank that may notify this endpoint, and trusts the certificates of others that it may not.
async fn bank_for(engine: Engine, endpoint: &Endpoint, others: &[&Endpoint]) -> Bank {
    let mut bank = Bank::unstarted(engine).await;
    let anchors = bank.data_dir().join("notification.pem");
    let pem: String = others.iter().map(|other| other.pem.as_str()).chain([endpoint.pem.as_str()]).collect();
    std::fs::write(&anchors, pem).unwrap();
    let anchors = anchors.to_str().unwrap().to_owned();
    let settings = [("auth.notification_hosts", endpoint.host.as_str()), ("auth.notification_anchors_file", &anchors)];
    bank.restart_with(&settings).await;
    bank
}

/// A TPP that is notified at this endpoint, and whose consent awaits its customer.
async fn notified_at(bank: &Bank, name: &str, endpoint: &Endpoint) -> Asking {
    Asking::of(bank.create_tpp(&json!({"name": name, "notification_endpoint": endpoint.url()})).await).await
}

/// Asks this customer, by name.
async fn ask(asking: &Asking, customer: &str) -> BackchannelAnswer {
    let hint = super::hint(&json!({"sub": customer}));
    let request = asking.request().await.claim("login_hint_token", hint).claim("client_notification_token", TOKEN);
    asking.tpp.ask_over_backchannel(&request).await.unwrap()
}

/// Asks this customer, who refuses.
async fn refused_by(bank: &Bank, asking: &Asking, customer: &str) -> BackchannelAnswer {
    let answer = ask(asking, customer).await;
    let (mut visitor, page) = reach_decision(bank, customer).await;
    decide(&mut visitor, &page, "refuse").await;
    answer
}

#[tokio::test]
async fn as_160_a_client_is_notified_when_its_customer_has_decided() {
    for engine in Engine::at_hand() {
        let endpoint = Endpoint::start().await;
        let bank = bank_for(engine, &endpoint, &[]).await;
        // The first answers are failures of its server: it is told again.
        endpoint.answers.lock().extend([StatusCode::SERVICE_UNAVAILABLE, StatusCode::INTERNAL_SERVER_ERROR]);
        let asking = notified_at(&bank, "pinged", &endpoint).await;
        let answer = ask(&asking, "amelia").await;
        let (mut visitor, page) = reach_decision(&bank, "amelia").await;
        assert!(endpoint.seen().is_empty(), "nobody has decided");
        decide(&mut visitor, &page, "approve").await;
        for count in 1..=3 {
            until(async || (endpoint.seen().len() == count).then_some(())).await;
            bank.clock.advance(SignedDuration::from_secs(5));
        }
        let expected = ("POST /cb".to_owned(), format!("Bearer {TOKEN}"), json!({"auth_req_id": answer.auth_req_id}));
        assert!(endpoint.seen().iter().all(|seen| *seen == expected), "{:?}", endpoint.seen());
        asking.tokens(&answer).await;

        // A refusal is told too.
        let asking = Asking::of(asking.tpp).await;
        let answer = refused_by(&bank, &asking, "bashir").await;
        until(async || (endpoint.seen().len() == 4).then_some(())).await;
        assert_eq!(endpoint.seen().pop().unwrap().2["auth_req_id"], answer.auth_req_id);
        asking.is_told(&answer, "access_denied").await;
    }
}

#[tokio::test]
async fn as_160_a_call_that_fails_is_repeated_three_times() {
    let endpoint = Endpoint::start().await;
    let bank = bank_for(Engine::Sqlite, &endpoint, &[]).await;
    endpoint.answers.lock().extend([StatusCode::SERVICE_UNAVAILABLE; 4]);
    let asking = notified_at(&bank, "pinged", &endpoint).await;
    refused_by(&bank, &asking, "amelia").await;
    for count in 1..=4 {
        until(async || (endpoint.seen().len() == count).then_some(())).await;
        bank.clock.advance(SignedDuration::from_secs(20));
    }
    // What is told later comes after whatever was left of that.
    let answer = refused_by(&bank, &Asking::of(asking.tpp).await, "bashir").await;
    until(async || (endpoint.seen().len() == 5).then_some(())).await;
    assert_eq!(endpoint.seen().pop().unwrap().2["auth_req_id"], answer.auth_req_id);
}

#[tokio::test]
async fn as_160_a_notification_that_is_redirected_or_refused_is_not_sent_again() {
    let endpoint = Endpoint::start().await;
    let bank = bank_for(Engine::Sqlite, &endpoint, &[]).await;
    let asking = notified_at(&bank, "pinged", &endpoint).await;
    let mut told = Vec::new();
    for status in [301, 302, 307, 400, 401, 403, 404, 429] {
        endpoint.answers.lock().push_back(StatusCode::from_u16(status).unwrap());
        let asking = Asking::of(asking.tpp.clone()).await;
        let answer = ask(&asking, "amelia").await;
        let (mut visitor, page) = reach_decision(&bank, "amelia").await;
        decide(&mut visitor, &page, "refuse").await;
        told.push(answer.auth_req_id);
        until(async || (endpoint.seen().len() >= told.len()).then_some(())).await;
        // Whatever would be repeated is due by now, and comes before what is told later.
        bank.clock.advance(SignedDuration::from_secs(20));
    }
    let seen: Vec<_> = endpoint.seen().into_iter().map(|(_, _, body)| body["auth_req_id"].clone()).collect();
    assert_eq!(json!(seen), json!(told));
}

#[tokio::test]
async fn as_160_a_client_is_not_notified_of_its_redirect_or_expired_requests() {
    for engine in Engine::at_hand() {
        let endpoint = Endpoint::start().await;
        let bank = bank_for(engine, &endpoint, &[]).await;
        let asking = notified_at(&bank, "pinged", &endpoint).await;
        let redirected = ask(&asking, "amelia").await;
        let request = asking.tpp.new_authorisation_request(&asking.consent, "accounts").await.unwrap();
        Browser::new(&asking.tpp).open(&request.url(&asking.tpp.folder.signing).unwrap()).await;
        asking.is_told(&redirected, "access_denied").await;

        endpoint.answers.lock().push_back(StatusCode::SERVICE_UNAVAILABLE);
        let expired = refused_by(&bank, &Asking::of(asking.tpp.clone()).await, "amelia").await;
        until(async || (endpoint.seen().len() == 1).then_some(())).await;
        bank.clock.advance(SignedDuration::from_secs(300));
        let last = refused_by(&bank, &Asking::of(asking.tpp).await, "bashir").await;
        until(async || (endpoint.seen().len() > 1).then_some(())).await;
        let told: Vec<_> = endpoint.seen().into_iter().map(|(_, _, body)| body["auth_req_id"].clone()).collect();
        assert_eq!(told, [json!(expired.auth_req_id), json!(last.auth_req_id)]);
    }
}

#[tokio::test]
async fn as_113_dcr_043_a_client_that_was_disabled_or_deleted_is_not_notified() {
    for engine in Engine::at_hand() {
        let endpoint = Endpoint::start().await;
        let bank = bank_for(engine, &endpoint, &[]).await;
        let mut told = Vec::new();
        for (name, method, path) in [("paused", "POST", "paused/disable"), ("gone", "DELETE", "gone")] {
            let asking = notified_at(&bank, name, &endpoint).await;
            endpoint.answers.lock().push_back(StatusCode::SERVICE_UNAVAILABLE);
            told.push(refused_by(&bank, &asking, "amelia").await.auth_req_id);
            until(async || (endpoint.seen().len() == told.len()).then_some(())).await;
            let url = format!("{}/operations/tpps/{path}", bank.endpoints().ops);
            bank.ops(HttpCall::new(method.parse().unwrap(), url).with_json(&json!({}))).await.ok(200);
            bank.clock.advance(SignedDuration::from_secs(20));
        }
        // What is told later comes after whatever would be repeated.
        let last = refused_by(&bank, &notified_at(&bank, "served", &endpoint).await, "bashir").await;
        told.push(last.auth_req_id);
        until(async || (endpoint.seen().len() >= told.len()).then_some(())).await;
        let seen: Vec<_> = endpoint.seen().into_iter().map(|(_, _, body)| body["auth_req_id"].clone()).collect();
        assert_eq!(json!(seen), json!(told));
    }
}

#[tokio::test]
async fn as_160_a_client_that_is_notified_gives_a_token() {
    let endpoint = Endpoint::start().await;
    let bank = bank_for(Engine::Sqlite, &endpoint, &[]).await;
    let asking = notified_at(&bank, "pinged", &endpoint).await;
    for token in [Value::Null, json!("short"), json!("x".repeat(1_025)), json!("with a space in the middle"), json!(1)]
    {
        let request = asking.request().await.claim("client_notification_token", token);
        let signed = request.sign(&asking.tpp.folder.signing).unwrap();
        asking.tpp.send_backchannel_request(&signed).await.unwrap().oauth(400, "invalid_request");
    }
    let http = json!({"name": "plain", "notification_endpoint": "http://tpp.example/cb"});
    assert_eq!(bank.ops_post("/operations/tpps", &http).await.0, 400, "only https");
}

#[tokio::test]
async fn as_160_a_host_the_bank_disallows_is_not_called_and_its_client_polls() {
    let endpoint = Endpoint::start().await;
    let other = Endpoint::start().await;
    let bank = bank_for(Engine::Sqlite, &endpoint, &[&other]).await;
    let asking = notified_at(&bank, "elsewhere", &other).await;
    let modes = asking.tpp.send(HttpCall::get(&asking.tpp.endpoints.well_known)).await.unwrap().ok(200);
    assert_eq!(modes["backchannel_token_delivery_modes_supported"], json!(["poll", "ping"]));
    let answer = ask(&asking, "amelia").await;
    let (mut visitor, page) = reach_decision(&bank, "amelia").await;
    decide(&mut visitor, &page, "approve").await;
    let failed = "lombard_backchannel_notifications_total{outcome=\"failed\"} ";
    until(async || bank.ops_get("/metrics").await.text().contains(failed).then_some(())).await;
    asking.tokens(&answer).await;
    assert!(other.seen().is_empty(), "its certificate alone would do");
}
