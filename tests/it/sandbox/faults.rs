//! Faults that a tester plants: what TPPs meet, and what was done meanwhile.

use super::order;
use crate::harness::paying::{consents, orders};
use crate::harness::{ALL_TRANSACTIONS, Bank, ExchangeExt, PayingTpp, ValueExt, access};
use crate::payments::books::count;
use http::Method;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_tpp::{ExchangeObserver, HttpCall, HttpExchange, Protocol, Tpp, TppError};
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

async fn call(bank: &Bank, method: Method, body: Option<&Value>) -> HttpExchange {
    let call = HttpCall::new(method, format!("{}/sandbox/faults", bank.endpoints().ops));
    bank.ops(match body {
        Some(body) => call.with_json(body),
        None => call,
    })
    .await
}

/// Plants these faults, which must be taken.
async fn plant(bank: &Bank, faults: Value) {
    assert_eq!(call(bank, Method::PUT, Some(&faults)).await.ok(200), faults);
}

/// The faults that stand.
async fn standing(bank: &Bank) -> Value {
    call(bank, Method::GET, None).await.ok(200)
}

/// A TPP whose exchanges are not those of a bank that works.
fn unrecorded(bank: &Bank) -> Tpp {
    bank.tpp_watched("robot", ExchangeObserver::new(|_| {}))
}

/// The status and the code of an error.
fn failed(exchange: &HttpExchange) -> (u16, String) {
    (exchange.status.as_u16(), exchange.text_at("/Errors/0/ErrorCode").unwrap())
}

fn reading(tpp: &Tpp, token: &str, fault: &str) -> HttpCall {
    let call = HttpCall::get(tpp.resource_url("aisp/accounts")).with_bearer(token);
    call.with_header("accept", "application/json").with_header("x-lombard-fault", fault)
}

#[tokio::test]
async fn faults_are_listed_replaced_removed_and_end_with_a_reset() {
    for bank in Bank::each_engine().await {
        assert_eq!(standing(&bank).await, json!([]));
        plant(&bank, json!([{"operation": "token", "probability": 0.5, "count": 3, "status": 503}])).await;
        plant(&bank, json!([{"status": 500}, {"delay_ms": 1, "cut": "after"}])).await;
        let wrong = json!([{"status": 200}, {"operation": "GetNothing", "status": 500, "code": "X"}]);
        let refused = call(&bank, Method::PUT, Some(&wrong)).await;
        assert_eq!(refused.status, 400);
        let paths: Vec<_> =
            refused.json().unwrap().list("/faults").iter().map(|it| it.text("path").to_owned()).collect();
        assert_eq!(paths, ["[0].status", "[1].code", "[1].operation"]);
        assert_eq!(standing(&bank).await.as_array().unwrap().len(), 2, "a list that is refused replaces nothing");
        let named = |name: &str| json!([{"client_id": name, "status": 500}]);
        let unknown = call(&bank, Method::PUT, Some(&named("nobody"))).await;
        assert_eq!(
            (unknown.status.as_u16(), unknown.text_at("/faults/0/path").unwrap().as_str()),
            (400, "[0].client_id")
        );
        let robot = bank.tpp("robot");
        let by_folder = call(&bank, Method::PUT, Some(&named("robot"))).await.ok(200);
        assert_eq!(by_folder, named(robot.client_id().as_str()), "a name stands for the client");
        plant(&bank, json!([{"status": 500}, {"delay_ms": 1, "cut": "after"}])).await;
        let form = HttpCall::new(Method::PUT, format!("{}/sandbox/faults", bank.endpoints().ops)).with_body("[]");
        assert_eq!(bank.ops(form).await.status, 415);
        assert_eq!(call(&bank, Method::DELETE, None).await.ok(200), json!([]));
        plant(&bank, json!([{"operation": "GetAccounts", "status": 500}])).await;
        order(&bank, "/sandbox/reset", &Value::Null).await;
        assert_eq!(standing(&bank).await, json!([]));
    }
}

#[tokio::test]
async fn a_fault_is_met_by_the_tpp_and_the_operation_that_it_names() {
    let bank = Bank::start().await;
    let robot = access(&unrecorded(&bank), &ALL_TRANSACTIONS).await;
    let acme = bank.tpp("acme");
    let client = robot.tpp.client_id().as_str();
    plant(
        &bank,
        json!([
            {"operation": "GET /open-banking/v3.1/aisp/accounts", "client_id": client, "status": 503, "count": 1},
            {"operation": "GetAccounts", "code": "UK.OBIE.Rules.ResourceAlreadyExists", "count": 1},
            {"operation": "token", "client_id": client, "status": 503, "count": 1},
        ]),
    )
    .await;
    let tpp = robot.tpp.with_version(Version::V4_0);
    let newer = tpp.get(robot.token(), "aisp/accounts").await.unwrap();
    newer.refused_with(409, "U029", "");
    let first = robot.tpp.get(robot.token(), "aisp/accounts").await.unwrap();
    assert_eq!(failed(&first), (503, "UK.OBIE.UnexpectedError".to_owned()));
    assert_eq!(first.head("retry-after"), "1");
    robot.read("aisp/accounts").await;
    acme.client_credentials("accounts").await.unwrap();
    let fields = [("grant_type", "client_credentials"), ("scope", "accounts")];
    let refused = robot.tpp.request_token(&fields).await.unwrap();
    assert_eq!(
        (refused.status.as_u16(), refused.text_at("/error").unwrap().as_str()),
        (503, "temporarily_unavailable")
    );
    robot.tpp.client_credentials("accounts").await.unwrap();
    assert_eq!(standing(&bank).await, json!([]));
}

#[tokio::test]
async fn a_single_request_asks_for_its_fault() {
    let bank = Bank::start().await;
    let reader = access(&unrecorded(&bank), &ALL_TRANSACTIONS).await;
    let ask = async |fault: &str| reader.tpp.send(reading(&reader.tpp, reader.token(), fault)).await;
    assert_eq!(failed(&ask("status=503").await.unwrap()), (503, "UK.OBIE.UnexpectedError".to_owned()));
    ask("status=400; code=UK.OBIE.Field.Invalid").await.unwrap().refused_with(400, "UK.OBIE.Field.Invalid", "");
    ask("code=U011,delay_ms=1").await.unwrap().refused_with(400, "UK.OBIE.Resource.NotFound", "");
    ask("expired_token=true").await.unwrap().unauthorised();
    ask("status=7").await.unwrap().refused_with(400, "UK.OBIE.Header.Invalid", "x-lombard-fault");
    assert!(matches!(ask("cut=before").await, Err(TppError::NoAnswer { .. })));
    ask("slow_body=1").await.unwrap().ok(200);
}

#[tokio::test]
async fn a_connection_that_is_cut_leaves_the_work_undone_or_done() {
    for bank in Bank::each_engine().await {
        let tpp = unrecorded(&bank);
        let own = tpp.client_credentials("payments").await.unwrap().access_token;
        let paying = PayingTpp { tpp, own, version: Version::V3_1 };
        for protocol in [Protocol::Any, Protocol::Http1] {
            let agreed = paying.agreed(NOW).await;
            let tpp = paying.tpp.with_certificate(Some(&paying.tpp.folder.identity), protocol).unwrap();
            let key = tpp.new_idempotency_key();
            let pay = || tpp.payment_call(&agreed.token, orders(NOW), &key, &agreed.order()).unwrap();
            let made = format!("SELECT count(*) FROM orders WHERE consent_id = '{}'", agreed.consent);
            for (cut, orders) in [("before", 0), ("after", 1)] {
                plant(&bank, json!([{"operation": "CreateDomesticPayments", "count": 1, "cut": cut}])).await;
                assert!(matches!(tpp.send(pay()).await, Err(TppError::NoAnswer { .. })), "{cut}");
                assert_eq!(count(&bank, &made).await, orders, "{cut}");
            }
            // The same key finds what was done; the connection that was cut is replaced.
            tpp.verify_response(tpp.send(pay()).await.unwrap()).await.unwrap().ok(201);
            assert_eq!(count(&bank, &made).await, 1);
        }
        plant(&bank, json!([{"operation": "CreateDomesticPaymentConsents", "wrong_signature": true, "count": 1}]))
            .await;
        let body = paying.asking(NOW);
        let call = paying.tpp.payment_call(&paying.own, consents(NOW), &paying.tpp.new_idempotency_key(), &body);
        let answer = paying.tpp.send(call.unwrap()).await.unwrap();
        assert_eq!(answer.status, 201);
        assert!(paying.tpp.verify_response(answer).await.is_err(), "the signature is false");
    }
}
