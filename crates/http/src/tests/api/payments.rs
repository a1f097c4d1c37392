//! The pipeline of signed, idempotent requests, and the signatures of responses.

use super::{empty, one};
use crate::test_app::{Answer, Served, key, now};
use axum::body::Body;
use http::{Request, request};
use lombard_domain::grant::GrantSubject;
use lombard_domain::scope::Scope;
use lombard_jose::{DetachedJws, JoseHeader, SignedPayload, message_header, sign_detached};
use serde_json::Value;
use std::sync::Arc;

const PISP: &str = "/open-banking/v3.1/pisp";
const CRITICAL: [&str; 3] =
    ["http://openbanking.org.uk/iat", "http://openbanking.org.uk/iss", "http://openbanking.org.uk/tan"];

const GOOD: &str = r#"{"Data":{"Initiation":{"InstructionIdentification":"I1","EndToEndIdentification":"E1",
"InstructedAmount":{"Amount":"1.00","Currency":"GBP"},"CreditorAccount":{"SchemeName":"UK.OBIE.SortCodeAccountNumber",
"Identification":"20000319825731","Name":"Somebody"}}},"Risk":{}}"#;

impl Served {
    async fn payer(&self, client: &str) -> String {
        self.token(client, GrantSubject::Client, &[Scope::Payments]).await
    }

    /// Whether the bank's key signed this response, with a header that T5 allows.
    fn has_signed(&self, answer: &Answer) {
        let signature = answer.headers.get("x-jws-signature").expect("the answer is signed").to_str().unwrap();
        let jws = DetachedJws::parse(signature).unwrap();
        let keys = self.app.auth.keys.verification_keys();
        jws.verify(&answer.body, &keys, &CRITICAL).unwrap();
        let header = jws.header();
        assert_eq!((header.typ.as_deref(), header.cty.as_deref()), (Some("JOSE"), Some("application/json")));
        assert_eq!(header.extra[CRITICAL[1]], "bank", "RW-223: the organisation alone");
        assert_eq!(header.extra[CRITICAL[0]], now().as_second());
    }
}

fn post(path: &str, token: &str) -> request::Builder {
    let request = Request::post(format!("{PISP}{path}")).header("authorization", format!("Bearer {token}"));
    request.header("content-type", "application/json")
}

fn header(client: &str) -> JoseHeader {
    let issuer = format!("org/{client}");
    message_header(&client.into(), &issuer, "openbanking.org.uk", SignedPayload::Json, now().as_second())
}

fn signature(client: &str, body: &str) -> String {
    sign_detached(&key(client), &header(client), body.as_bytes()).unwrap()
}

/// A valid request for a consent, with this idempotency key.
fn ordered(token: &str, key: &str, body: &str) -> Request<Body> {
    let request = post("/domestic-payment-consents", token).header("x-idempotency-key", key);
    request.header("x-jws-signature", signature("acme", body)).body(Body::from(body.to_owned())).unwrap()
}

#[tokio::test]
async fn pis_015_rw_223_a_consent_is_made_and_its_answer_signed() {
    let served = Served::new().await;
    let token = served.payer("acme").await;
    let made = served.ask(ordered(&token, "k", GOOD)).await;
    assert_eq!(made.status, 201, "{}", String::from_utf8_lossy(&made.body));
    served.has_signed(&made);
    let body = made.json();
    let id = body["Data"]["ConsentId"].as_str().unwrap();
    let path = format!("{PISP}/domestic-payment-consents/{id}");
    assert_eq!(body["Links"]["Self"], format!("{}{path}", crate::test_app::BASE), "PIS-156");
    let again = served.ask(ordered(&token, "k", GOOD)).await;
    assert_eq!((again.status.as_u16(), again.json()), (201, body.clone()), "PIS-061");
    served.has_signed(&again);
    let get = Request::get(path).header("authorization", format!("Bearer {token}"));
    let read = served.ask(empty(get.header("x-jws-signature", "garbage"))).await;
    assert_eq!((read.status.as_u16(), read.json()), (200, body), "PIS-075");
    served.has_signed(&read);
}

/// Each step responds only when all earlier steps pass: headers, signature, body.
#[tokio::test]
async fn rw_025_pis_070_the_steps_of_a_signed_request() {
    let served = Served::new().await;
    let token = served.payer("acme").await;
    let ask = async |key: Option<&str>, signature: Option<String>, body: &str| {
        let mut asked = post("/domestic-payment-consents", &token);
        asked = key.into_iter().fold(asked, |asked, key| asked.header("x-idempotency-key", key));
        asked = signature.into_iter().fold(asked, |asked, it| asked.header("x-jws-signature", it));
        let answer = served.ask(asked.body(Body::from(body.to_owned())).unwrap()).await;
        served.has_signed(&answer);
        answer.errors()
    };
    let key_missing = one(400, "UK.OBIE.Header.Missing", Some("x-idempotency-key"));
    assert_eq!(ask(None, None, "x").await, key_missing, "step 9, RW-181");
    let long = "k".repeat(41);
    let key_bad = one(400, "UK.OBIE.Header.Invalid", Some("x-idempotency-key"));
    assert_eq!(ask(Some(&long), None, "x").await, key_bad, "step 9, PIS-060");
    let at = |code: &str, path: &str| one(400, &format!("UK.OBIE.Signature.{code}"), Some(path));
    let on_header = |code: &str| at(code, "x-jws-signature");
    assert_eq!(ask(Some("k"), None, "x").await, on_header("Missing"), "step 10, RW-215");
    assert_eq!(ask(Some("k"), Some("a.b.c".into()), "x").await, on_header("Malformed"), "RW-216");
    let with = |header: JoseHeader, body: &str| {
        sign_detached(&crate::test_app::key("acme"), &header, body.as_bytes()).unwrap()
    };
    let mut incomplete = header("acme");
    incomplete.extra.remove(CRITICAL[2]);
    assert_eq!(ask(Some("k"), Some(with(incomplete, "y")), "x").await, at("MissingClaim", CRITICAL[2]), "T5");
    assert_eq!(ask(Some("k"), Some(with(header("rival"), "y")), "x").await.1[0].0, "UK.OBIE.Signature.InvalidClaim");
    let too_large = "x".repeat(super::BODY_BYTES_MAX + 1);
    let unsized_body = ask(Some("k"), Some(signature("acme", "y")), &too_large).await;
    assert_eq!(unsized_body, one(413, "UK.Test.Body.TooLarge", None), "what is not read cannot be verified");
    assert_eq!(ask(Some("k"), Some(signature("acme", "y")), "x").await, on_header("Invalid"), "RW-217, RW-218");
    let format = one(400, "UK.OBIE.Resource.InvalidFormat", None);
    assert_eq!(ask(Some("k"), Some(signature("acme", "x")), "x").await, format, "step 11");
    let blank = GOOD.replace("Somebody", "");
    let field = one(400, "UK.OBIE.Field.Invalid", Some("Data.Initiation.CreditorAccount.Name"));
    assert_eq!(ask(Some("k"), Some(signature("acme", &blank)), &blank).await, field);
    assert_eq!(ask(Some("k"), Some(signature("acme", GOOD)), GOOD).await, (201, vec![]), "PIS-068");
}

#[tokio::test]
async fn rw_221_the_signer_is_the_caller_and_its_key_is_published() {
    let served = Served::new().await;
    let token = served.payer("acme").await;
    let ask = async |signature: String| {
        let asked = post("/domestic-payment-consents", &token).header("x-idempotency-key", "k");
        served.ask(asked.header("x-jws-signature", signature).body(Body::from(GOOD)).unwrap()).await.errors()
    };
    let claim = |name: &str| one(400, "UK.OBIE.Signature.InvalidClaim", Some(name));
    let sign = |header: &JoseHeader, by: &str| sign_detached(&key(by), header, GOOD.as_bytes()).unwrap();
    let mut others = header("acme");
    others.extra.insert(CRITICAL[1].to_owned(), "org/rival".into());
    assert_eq!(ask(sign(&others, "acme")).await, claim(CRITICAL[1]));
    let mut anchored = header("acme");
    anchored.extra.insert(CRITICAL[2].to_owned(), "example.com".into());
    assert_eq!(ask(sign(&anchored, "acme")).await, claim(CRITICAL[2]));
    let strange =
        message_header(&"nobody".into(), "org/acme", "openbanking.org.uk", SignedPayload::Json, now().as_second());
    assert_eq!(ask(sign(&strange, "acme")).await, claim("kid"));
    let later =
        message_header(&"acme".into(), "org/acme", "openbanking.org.uk", SignedPayload::Json, now().as_second() + 61);
    assert_eq!(ask(sign(&later, "acme")).await, claim(CRITICAL[0]), "RW-219");
    let twice = post("/domestic-payment-consents", &token).header("x-idempotency-key", "k");
    let twice = twice.header("x-jws-signature", signature("acme", GOOD)).header("x-jws-signature", "other");
    let answer = served.ask(twice.body(Body::from(GOOD)).unwrap()).await;
    assert_eq!(answer.errors(), one(400, "UK.OBIE.Signature.Malformed", Some("x-jws-signature")));
}

#[tokio::test]
async fn rw_135_whatever_is_answered_under_pisp_with_a_body_is_signed() {
    let served = Served::new().await;
    let accounts = served.own_token("acme").await;
    for (request, status) in [
        (Request::get(format!("{PISP}/nonsense")), 404),
        (Request::post(format!("{PISP}/file-payments/1/file")), 404),
        (Request::get("/open-banking/v4.0/pisp/nonsense"), 404),
        (Request::put(format!("{PISP}/domestic-payments")), 405),
        (Request::delete(format!("{PISP}/domestic-payment-consents/1")), 405),
        (post("/domestic-payment-consents", &accounts), 403),
        (post("/domestic-payment-consents/", &served.payer("acme").await).header("accept", "text/html"), 406),
    ] {
        let answer = served.ask(empty(request)).await;
        assert_eq!(answer.status.as_u16(), status);
        served.has_signed(&answer);
    }
    let nobody = served.ask(empty(Request::get(format!("{PISP}/domestic-payments/1")))).await;
    assert_eq!((nobody.status.as_u16(), nobody.body.len()), (401, 0), "PIS-009");
    assert!(nobody.headers.get("x-jws-signature").is_none());
    let elsewhere = served.ask(empty(Request::get("/open-banking/v3.1/aisp/nonsense"))).await;
    assert!(elsewhere.headers.get("x-jws-signature").is_none(), "RW-227");
}

/// A response that cannot be signed is not sent; a repetition of the request returns the stored result.
#[tokio::test]
async fn pis_061_073_an_answer_that_cannot_be_signed_is_no_answer() {
    let served = Served::without_key().await;
    let token = served.payer("acme").await;
    let lost = served.ask(ordered(&token, "k", GOOD)).await;
    assert_eq!((lost.status.as_u16(), lost.body.len()), (500, 0));
    served.app.auth.keys.add_first_key(key("bank"), Vec::new()).await.unwrap();
    let changed = served.ask(ordered(&token, "k", &GOOD.replace("Somebody", "Nobody"))).await;
    assert_eq!(changed.errors(), one(400, "UK.OBIE.Header.Invalid", Some("x-idempotency-key")), "PIS-066: it was done");
    let found = served.ask(ordered(&token, "k", GOOD)).await;
    assert_eq!(found.status, 201);
    served.has_signed(&found);
}

/// A document whose signer waits until the gate is opened.
#[derive(Clone, Default)]
struct Gate(Arc<(std::sync::Mutex<Door>, std::sync::Condvar)>);

#[derive(Default)]
struct Door {
    open: bool,
    somebody_waits: bool,
}

impl Gate {
    fn open(&self) {
        self.0.0.lock().unwrap().open = true;
        self.0.1.notify_all();
    }

    async fn somebody_waits(&self) {
        while !self.0.0.lock().unwrap().somebody_waits {
            tokio::task::yield_now().await;
        }
    }
}

impl AsRef<[u8]> for Gate {
    fn as_ref(&self) -> &[u8] {
        let mut door = self.0.0.lock().unwrap();
        door.somebody_waits = true;
        drop(self.0.1.wait_while(door, |door| !door.open).unwrap());
        b"a document"
    }
}

/// The only thread of the pool is blocked, and its queue is full.
#[tokio::test]
async fn an_answer_that_would_wait_too_long_for_its_signature_is_503() {
    let served = Served::new().await;
    let token = served.payer("acme").await;
    let made = served.ask(ordered(&token, "k", GOOD)).await;
    let pool = served.app.auth.signing.clone();
    let gate = Gate::default();
    // Each signature is on behalf of another client, so that none can be displaced by the request.
    let waiting = |number: u32| {
        let pool = pool.clone();
        let behind = gate.clone();
        let client = number.to_string();
        tokio::spawn(async move {
            pool.sign_detached(&client, Arc::new(key("bank")), JoseHeader::ps256(&"bank".into()), behind).await
        })
    };
    // These are more than the pool accepts: one is in progress, eight wait, the others are refused.
    let mut all = vec![waiting(0)];
    gate.somebody_waits().await;
    all.extend((1..17).map(waiting));
    tokio::task::yield_now().await;
    let busy = served.ask(ordered(&token, "k", GOOD)).await;
    assert_eq!(busy.errors(), one(503, "UK.OBIE.UnexpectedError", None), "the error says what happened");
    assert!(!busy.headers.contains_key("x-jws-signature"), "nothing can be signed");
    assert_eq!(busy.headers["retry-after"], "1");
    gate.open();
    all.iter().for_each(tokio::task::JoinHandle::abort);
    for one in all {
        drop(one.await);
    }
    // The signature in progress is finished first; then there is room.
    let again = loop {
        let again = served.ask(ordered(&token, "k", GOOD)).await;
        if again.status != 503 {
            break again;
        }
    };
    assert_eq!(again.json(), made.json());
}

#[tokio::test]
async fn rw_135_tls_004_nothing_is_signed_for_a_caller_without_a_certificate() {
    let served = Served::new().await;
    for (method, path, status, signed) in [
        ("GET", "/open-banking/v3.1/pisp/nonsense", 404, true),
        ("PUT", "/open-banking/v3.1/pisp/domestic-payments", 405, true),
        ("GET", "/open-banking/v3.1/aisp/nonsense", 404, false),
    ] {
        let request = || empty(Request::builder().method(method).uri(path));
        let known = served.ask(request()).await;
        assert_eq!((known.status.as_u16(), known.body.is_empty()), (status, false), "{path}");
        assert_eq!(known.headers.contains_key("x-jws-signature"), signed, "{path}");
        let anonymous = served.ask_without_certificate(request()).await;
        assert_eq!((anonymous.status.as_u16(), anonymous.body.is_empty()), (status, signed), "{path}");
        assert!(!anonymous.headers.contains_key("x-jws-signature"), "{path}");
        assert_eq!(anonymous.headers.contains_key("content-type"), !signed, "{path}");
        assert_eq!(anonymous.headers.get("allow"), known.headers.get("allow"), "{path}");
    }
}

#[tokio::test]
async fn rw_112_rw_131_refusals_that_no_rate_counts_are_signed_up_to_a_bound() {
    let served = Served::new().await;
    let nonsense = || empty(Request::get(format!("{PISP}/nonsense")));
    for number in 0..lombard_edge::app::SIGNED_REFUSALS.burst {
        let answer = served.ask(nonsense()).await;
        assert!(answer.status == 404 && !answer.body.is_empty(), "{number}");
    }
    let beyond = served.ask(nonsense()).await;
    assert_eq!((beyond.status.as_u16(), beyond.body.len()), (404, 0));
    assert!(!beyond.headers.contains_key("x-jws-signature"));
    let token = served.payer("acme").await;
    served.has_signed(&served.ask(ordered(&token, "k", GOOD)).await);
}

#[tokio::test]
async fn pis_003_004_on_what_a_token_must_stand() {
    let served = Served::new().await;
    let own = served.payer("acme").await;
    let made: Vec<Value> =
        [served.ask(ordered(&own, "one", GOOD)).await.json(), served.ask(ordered(&own, "two", GOOD)).await.json()]
            .into();
    let ids: Vec<_> = made.iter().map(|it| it["Data"]["ConsentId"].as_str().unwrap()).collect();
    let (_, accounts) = served.authorised("acme", &[lombard_domain::consent::Permission::ReadAccountsBasic]).await;
    let get = async |path: String, token: &str| {
        let request = Request::get(format!("{PISP}{path}")).header("authorization", format!("Bearer {token}"));
        served.ask(empty(request)).await.errors()
    };
    let funds = format!("/domestic-payment-consents/{}/funds-confirmation", ids[0]);
    assert_eq!(get(funds, &own).await, (401, vec![]), "a client's own token does not open what a customer opens");
    let consent = format!("/domestic-payment-consents/{}", ids[0]);
    assert_eq!(get(consent.clone(), &own).await, (200, vec![]));
    assert_eq!(get(consent.clone(), &accounts).await, one(403, "UK.Test.Forbidden.Scope", None));
    let rival = served.payer("rival").await;
    assert_eq!(get(consent, &rival).await, one(403, "UK.Test.Forbidden.Owner", None), "PIS-007");
    let not_found = one(400, "UK.OBIE.Resource.NotFound", None);
    assert_eq!(get("/domestic-payment-consents/unknown".into(), &own).await, not_found, "PIS-007");
    let other = format!("/domestic-scheduled-payment-consents/{}", ids[0]);
    assert_eq!(get(other, &own).await, not_found, "PIS-008");
    for path in ["/domestic-payments/unknown", "/domestic-standing-orders/unknown/payment-details"] {
        assert_eq!(get(path.into(), &own).await, not_found, "PIS-007");
    }
}
