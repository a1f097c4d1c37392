//! Dynamic client registration over HTTP, with the sandbox's own directory. Source: DCR-001 to DCR-054.

mod directory_status;
mod left_over;
mod managed;
mod negative;
mod statements;

pub(crate) use statements::statement;

use crate::harness::{Bank, EVERYTHING, ExchangeExt, PayingTpp, ValueExt};
use http::Method;
use lombard_domain::ids::ClientId;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpCall, HttpExchange, Jwt, Protocol, Tpp, write_client_id};
use serde_json::{Value, json};

const CALLBACK: &str = "https://shop.example/callback";

/// Makes a TPP that is not registered, through the ops listener, as `lombard tpp create --unregistered` does.
pub(crate) async fn unregistered(bank: &Bank, name: &str, order: &Value) -> Tpp {
    let mut order = order.clone();
    order["name"] = name.into();
    order["unregistered"] = true.into();
    order["redirect_uris"] = json!([CALLBACK]);
    let (status, created) = bank.ops_post("/operations/tpps", &order).await;
    assert_eq!((status, created.get("client_id")), (201, None), "{created}");
    Tpp::open_unregistered(bank.data_dir(), name, bank.clocks(), bank.ids(), None).unwrap()
}

fn signed(tpp: &Tpp, request: &Jwt) -> String {
    request.sign(&tpp.folder.signing).unwrap()
}

/// Sends a request as it is made usually, with a change.
pub(crate) async fn attempt(tpp: &Tpp, change: impl FnOnce(Jwt) -> Jwt) -> HttpExchange {
    let request = change(tpp.registration_request().await.unwrap());
    tpp.register(&signed(tpp, &request)).await.unwrap()
}

/// Registers a TPP; gives it with its client id.
async fn registered(bank: &Bank, name: &str, order: &Value) -> Tpp {
    let tpp = unregistered(bank, name, order).await;
    let answer = attempt(&tpp, |request| request).await;
    let client = ClientId::new(answer.ok(201).text("client_id"));
    write_client_id(&bank.data_dir().join("tpps").join(name), Some(&client)).unwrap();
    bank.tpp(name)
}

/// A token by client credentials without any scope, which is all that managing a registration needs.
async fn own_token(tpp: &Tpp) -> String {
    tpp.client_credentials("").await.unwrap().access_token
}

async fn manage(tpp: &Tpp, method: Method, client: &str, token: &str, request: Option<&str>) -> HttpExchange {
    tpp.manage_registration(method, &ClientId::new(client), token, request).await.unwrap()
}

async fn read(tpp: &Tpp, token: &str) -> HttpExchange {
    manage(tpp, Method::GET, tpp.client_id().as_str(), token, None).await
}

async fn delete(tpp: &Tpp, token: &str) -> HttpExchange {
    manage(tpp, Method::DELETE, tpp.client_id().as_str(), token, None).await
}

#[tokio::test]
async fn dcr_001_a_tpp_registers_itself_and_works_at_once() {
    for bank in Bank::each_engine().await {
        let tpp = unregistered(&bank, "shop", &json!({})).await;
        let answer = attempt(&tpp, |request| request).await;
        let registered = answer.ok(201);
        assert_eq!((answer.head("cache-control"), answer.head("content-type")), ("no-store", "application/json"));
        assert_eq!(registered["redirect_uris"], json!([CALLBACK]));
        assert_eq!(registered["software_statement"], tpp.folder.software_statement);
        assert_eq!(registered["scope"], "openid accounts payments fundsconfirmations");
        let tpp = tpp.registered_as(ClientId::new(registered.text("client_id")));
        let token = own_token(&tpp).await;
        let told = read(&tpp, &token).await;
        assert_eq!(told.ok(200), registered);
        let accounts = tpp.client_credentials("accounts").await.unwrap().access_token;
        tpp.consent_create(&accounts, &EVERYTHING).await.unwrap();
        // Its messages are verified with the keys that the directory publishes for the software.
        write_client_id(&bank.data_dir().join("tpps/shop"), Some(tpp.client_id())).unwrap();
        let paying = PayingTpp::as_tpp(&bank, "shop").await;
        paying.consent(PaymentProduct::DomesticPayment, &paying.asking(PaymentProduct::DomesticPayment)).await;
        let shown = bank.ops_get("/operations/tpps/shop").await;
        assert_eq!(shown.ok(200).text("client_id"), tpp.client_id().as_str());
    }
}

#[tokio::test]
async fn dcr_052_every_certificate_kind_registers_and_authenticates_both_ways() {
    let bank = Bank::start().await;
    for certificates in ["obwac", "qwac", "legacy"] {
        for auth in ["private_key_jwt", "tls_client_auth"] {
            let name = format!("{certificates}-{auth}").replace('_', "-");
            let tpp = registered(&bank, &name, &json!({"certificates": certificates, "auth": auth})).await;
            let token = own_token(&tpp).await;
            let request = signed(&tpp, &tpp.registration_request().await.unwrap());
            let replaced = manage(&tpp, Method::PUT, tpp.client_id().as_str(), &token, Some(&request)).await;
            assert_eq!(replaced.ok(200).text("token_endpoint_auth_method"), auth, "{name}");
            assert_eq!(read(&tpp, &token).await.ok(200).text("client_id"), tpp.client_id().as_str(), "tokens stay");
            let other = bank.tpp("rival").folder.identity.clone();
            let foreign = tpp.with_certificate(Some(&other), Protocol::Any).unwrap();
            foreign.request_token(&[("grant_type", "client_credentials")]).await.unwrap().oauth(401, "invalid_client");
            let request = signed(&tpp, &tpp.registration_request().await.unwrap());
            foreign.register(&request).await.unwrap().oauth(401, "invalid_client");
        }
    }
}

#[tokio::test]
async fn dcr_002_032_the_request_is_a_signed_jwt_over_mutual_tls() {
    let bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    let url = format!("{}/register", tpp.endpoints.mtls);
    let send = async |call: HttpCall| tpp.send(call).await.unwrap();
    let body = async || signed(&tpp, &tpp.registration_request().await.unwrap());
    for (kind, accept, status) in [
        ("application/jose", "application/json", 201),
        ("application/jwt", "*/*", 201),
        ("application/jwt; charset=utf-8", "text/html, application/json;q=0.5", 201),
        ("application/json", "application/json", 415),
        ("text/plain", "application/json", 415),
        ("application/jose", "text/html", 406),
    ] {
        let call = HttpCall::post(&url).with_header("content-type", kind).with_header("accept", accept);
        let answer = send(call.with_body(body().await)).await;
        answer.decent();
        assert_eq!(answer.status.as_u16(), status, "{kind} {accept}: {}", answer.text());
    }
    let long = HttpCall::post(&url).with_header("content-type", "application/jose");
    send(long.clone().with_body("a".repeat(64 * 1024 + 1))).await.oauth(413, "invalid_request");
    send(long.clone().with_body("a".repeat(64 * 1024))).await.oauth(400, "invalid_client_metadata");
    assert_eq!(send(HttpCall::get(&url)).await.status.as_u16(), 405);
    let unknown = tpp.with_certificate(None, Protocol::Any).unwrap();
    let answer = unknown.send(long.with_body(body().await)).await.unwrap();
    answer.oauth(401, "invalid_client");
}

#[tokio::test]
async fn dcr_009_addresses_of_the_same_machine_are_refused() {
    let bank = Bank::start().await;
    let order = json!({"name": "local", "unregistered": true, "redirect_uris": ["https://localhost:8445/callback"]});
    assert_eq!(bank.ops_post("/operations/tpps", &order).await.0, 201);
    let tpp = Tpp::open_unregistered(bank.data_dir(), "local", bank.clocks(), bank.ids(), None).unwrap();
    attempt(&tpp, |request| request).await.oauth(400, "invalid_redirect_uri");
    // A TPP that the sandbox registers may have them.
    let order = json!({"name": "plain", "redirect_uris": ["http://localhost:3000/callback", "http://127.0.0.1/"]});
    assert_eq!(bank.create_tpp(&order).await.folder.details.redirect_uris.len(), 2);
}

#[tokio::test]
async fn dcr_008_a_used_request_is_refused_and_of_concurrent_ones_one_registers() {
    for bank in Bank::each_engine().await {
        let tpp = unregistered(&bank, "shop", &json!({})).await;
        let request = signed(&tpp, &tpp.registration_request().await.unwrap());
        let racing = (0..6).map(|_| {
            let tpp = tpp.clone();
            let request = request.clone();
            tokio::spawn(async move { tpp.register(&request).await.unwrap().status.as_u16() })
        });
        let mut answers = Vec::new();
        for one in racing.collect::<Vec<_>>() {
            answers.push(one.await.unwrap());
        }
        answers.sort_unstable();
        assert_eq!(answers, [201, 400, 400, 400, 400, 400]);
        tpp.register(&request).await.unwrap().oauth(400, "invalid_client_metadata");
    }
}

#[tokio::test]
async fn as_009_a_later_published_software_key_works_and_a_revoked_one_does_not() {
    let bank = Bank::start().await;
    let tpp = registered(&bank, "shop", &json!({})).await;
    own_token(&tpp).await;
    let file =
        |kind: &str| bank.data_dir().join(format!("directory/software/{}{kind}.jwks", tpp.folder.details.software_id));
    let other = bank.tpp("rival");
    let mut renewed = (*tpp.folder).clone();
    renewed.signing = other.folder.signing.clone();
    renewed.details.signing_kid = other.folder.details.signing_kid.clone();
    let renewed = tpp.with_files(renewed);
    let credentials = [("grant_type", "client_credentials")];
    renewed.request_token(&credentials).await.unwrap().oauth(401, "invalid_client");
    let old = tpp.folder.signing.public();
    let new = other.folder.signing.public();
    let set = |keys: &[&lombard_jose::PublicKey]| {
        lombard_jose::KeySet::from_iter(keys.iter().map(|key| (*key).clone())).to_json()
    };
    std::fs::write(file(""), set(&[old, new])).unwrap();
    bank.clock.advance(jiff::SignedDuration::from_secs(61));
    renewed.request_token(&credentials).await.unwrap().ok(200);
    own_token(&tpp).await;
    std::fs::write(file(".revoked"), set(&[old])).unwrap();
    bank.clock.advance(jiff::SignedDuration::from_secs(3601));
    tpp.request_token(&credentials).await.unwrap().oauth(401, "invalid_client");
    renewed.request_token(&credentials).await.unwrap().ok(200);
}
