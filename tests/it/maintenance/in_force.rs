//! What callers meet while maintenance is in force.

use super::{act, announce, begin};
use crate::harness::paying::PayingTpp;
use crate::harness::pending_consent::PendingConsent;
use crate::harness::{Bank, Browser, EVERYTHING, ExchangeExt, ValueExt, access, until};
use jiff::SignedDuration;
use lombard_api::catalogue::list_operations;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::json;

/// A refusal with an interaction id and the time after which to come again, of at least a minute, which no cache may keep.
fn is_told_when(exchange: &HttpExchange) {
    assert!(!exchange.head("x-fapi-interaction-id").is_empty(), "{} {}", exchange.method, exchange.url);
    assert_eq!(exchange.head("cache-control"), "no-store", "{} {}", exchange.method, exchange.url);
    assert_eq!(exchange.status.as_u16(), 503, "{} {}", exchange.method, exchange.url);
    let secs: u64 = exchange.head("retry-after").parse().unwrap();
    assert!(secs >= 60, "{} {}: {secs}", exchange.method, exchange.url);
}

#[tokio::test]
async fn dtn_006_every_resource_is_refused_signed_as_always_and_served_again() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let customer = access(&robot, &EVERYTHING).await;
        begin(&bank).await;
        for operation in list_operations() {
            let path = operation.path().replace(['{', '}'], "");
            let url = format!("{}{path}", bank.endpoints().mtls);
            let method = operation.endpoint.method.name().parse().unwrap();
            let call = HttpCall::new(method, url).with_bearer(customer.token());
            let call = call.with_header("x-fapi-interaction-id", robot.new_interaction_id());
            let answer = robot.send(call).await.unwrap();
            is_told_when(&answer);
            let expected = if path.contains("/v4.0/") { "U000" } else { "UK.OBIE.UnexpectedError" };
            assert_eq!(answer.text_at("/Errors/0/ErrorCode").unwrap(), expected, "{path}");
            assert_eq!(answer.text_at("/Code").unwrap(), "503 ServiceUnavailable", "{path}");
            if path.contains("/pisp/") {
                robot.verify_response(answer).await.unwrap_or_else(|error| panic!("{path}: {error}"));
            }
        }
        act(&bank, "end", &json!({})).await;
        customer.read("aisp/accounts").await;
    }
}

#[tokio::test]
async fn dtn_006_oauth_endpoints_answer_in_their_own_form() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        begin(&bank).await;
        for endpoint in ["token", "par", "introspect", "revoke", "bc-authorize", "register"] {
            let call = HttpCall::post(format!("{}/{endpoint}", robot.endpoints.mtls));
            let answer = robot.send(call.with_form(robot.authentication().await.unwrap())).await.unwrap();
            is_told_when(&answer);
            assert_eq!(answer.text_at("/error").unwrap(), "temporarily_unavailable", "{endpoint}");
        }
        let answer = robot.send(HttpCall::get(format!("{}/userinfo", robot.endpoints.mtls))).await.unwrap();
        is_told_when(&answer);
        assert_eq!(answer.text_at("/error").unwrap(), "temporarily_unavailable");
    }
}

#[tokio::test]
async fn dtn_006_customers_see_a_page_and_what_informs_stays_up() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        announce(&bank, 60, 180).await;
        bank.clock.advance(SignedDuration::from_hours(1));
        let public = bank.endpoints().public;
        let mut browser = Browser::new(&robot);
        for path in ["/authorize?client_id=x", "/apps", "/interaction/x", "/identity/callback?state=x"] {
            let page = browser.send(HttpCall::get(format!("{public}{path}"))).await;
            is_told_when(&page);
            let text = page.text().into_owned();
            assert!(text.contains("We will be back") && text.contains("London time"), "{path}: {text}");
            assert!(page.head("content-security-policy").contains("default-src 'none'"), "{path}");
        }
        let open = [
            "/.well-known/openid-configuration",
            "/jwks",
            "/portal/developers",
            "/portal/docs",
            "/portal/notices",
            "/portal/login",
            "/notices.json",
            "/openapi",
            "/assets/lombard.css",
            "/",
        ];
        for path in open {
            let answer = browser.open(&format!("{public}{path}")).await.exchange;
            assert_eq!(answer.status.as_u16(), 200, "{path}");
        }
        for path in ["/readyz", "/healthz", "/metrics"] {
            assert_eq!(bank.ops_get(path).await.status.as_u16(), 200, "{path}");
        }
    }
}

#[tokio::test]
async fn dtn_006_a_form_sent_during_maintenance_can_be_sent_again() {
    for bank in Bank::each_engine().await {
        let pending = PendingConsent::of(&bank, PaymentProduct::DomesticPayment).await;
        let mut browser = Browser::new(&pending.paying.tpp);
        let login = browser.open(&pending.url()).await;
        let form = login.form_with("password");
        let filled = [("name", "amelia"), ("password", "amelia")];
        begin(&bank).await;
        let refused = browser.post(form, &filled).await;
        is_told_when(&refused);
        assert!(refused.text().contains("was not used"), "{}", refused.text());
        act(&bank, "end", &json!({})).await;
        let second = browser.submit(form, &filled).await;
        second.shown_code();
    }
}

#[tokio::test]
async fn dtn_006_what_was_promised_before_is_paid_during_maintenance() {
    for bank in Bank::each_engine().await {
        let robot = PayingTpp::robot(&bank).await;
        let agreed = robot.agreed(PaymentProduct::DomesticPayment).await;
        let (id, _) = robot.ordered(&agreed).await;
        begin(&bank).await;
        bank.ops_post("/sandbox/clock", &json!({"advance_secs": 3600})).await;
        let settled = async || {
            let order = bank.ops_get(&format!("/sandbox/orders/{id}")).await.ok(200);
            order.text("status").ends_with("Completed").then_some(())
        };
        until(settled).await;
        act(&bank, "end", &json!({})).await;
        let order = robot.order_now(PaymentProduct::DomesticPayment, &id).await;
        assert!(order["Data"].text("Status").starts_with("Accepted"), "{order}");
    }
}

#[tokio::test]
async fn dtn_006_held_polls_end_when_maintenance_begins() {
    for engine in crate::harness::Engine::at_hand() {
        let mut bank = Bank::unstarted(engine).await;
        bank.restart_with(&[("events.long_poll_s", "55")]).await;
        let robot = bank.tpp("robot");
        let token = robot.client_credentials("accounts").await.unwrap().access_token;
        let poll = {
            let (robot, token) = (robot.clone(), token.clone());
            tokio::spawn(async move { robot.poll_events(&token, &json!({})).await.unwrap() })
        };
        until(async || (bank.ops_get("/operations/events").await.ok(200)["held"] == 1).then_some(())).await;
        let began = tokio::time::Instant::now();
        begin(&bank).await;
        let answer = poll.await.unwrap().ok(200);
        assert_eq!(answer["sets"], json!({}), "as when a server stops");
        assert!(began.elapsed().as_secs() < 50, "not by its own deadline");
        is_told_when(&robot.poll_events(&token, &json!({"returnImmediately": true})).await.unwrap());
    }
}

#[tokio::test]
async fn dtn_006_signatures_of_refusals_are_limited_for_each_client() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    begin(&bank).await;
    let url = format!("{}/open-banking/v3.1/pisp/domestic-payments", bank.endpoints().mtls);
    let mut unsigned = 0;
    for _ in 0..520 {
        let answer = robot.send(HttpCall::post(&url)).await.unwrap();
        is_told_when(&answer);
        let is_signed = answer.header("x-jws-signature").is_some();
        assert_eq!(is_signed, !answer.body.is_empty(), "no body goes unsigned");
        unsigned += u32::from(!is_signed);
    }
    assert_eq!(unsigned, 20, "the clock stands still, so a burst of 500 is signed");
}
