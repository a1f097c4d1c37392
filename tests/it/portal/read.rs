//! The public OpenAPI documents and their pages.

use crate::harness::paying::{PayingTpp, consents};
use crate::harness::{Bank, Engine, ExchangeExt};
use lombard_api::catalogue;
use lombard_domain::payment::PaymentProduct;
use lombard_domain::version::Version;
use lombard_edge::endpoint_facts::EndpointGroup;
use lombard_tpp::{HttpCall, HttpExchange, Protocol};
use std::collections::BTreeSet;

/// Asks the public listener, as a browser does: without a certificate.
async fn get(bank: &Bank, path: &str) -> HttpExchange {
    let anybody = bank.tpp("robot").with_certificate(None, Protocol::Any).unwrap();
    anybody.send(HttpCall::get(format!("{}{path}", bank.endpoints().public))).await.unwrap()
}

/// Method and path of every operation of a document that another program can read.
fn operations(document: &str) -> BTreeSet<String> {
    let document: oas3::Spec = oas3::from_json(document).unwrap();
    document.validate_version().unwrap();
    let operations = document.operations().map(|(path, method, operation)| {
        let responses = operation.responses(&document);
        assert!(responses.contains_key("401") && responses.len() > 5, "{method} {path}: {responses:?}");
        assert!(operation.parameters(&document).is_ok(), "{method} {path}");
        format!("{method} {path}")
    });
    operations.collect()
}

#[tokio::test]
async fn rw_252_the_document_is_open_api_and_has_every_operation_that_is_served() {
    let bank = Bank::start().await;
    for (name, group) in [
        ("account-info", EndpointGroup::AccountInformation),
        ("payment-initiation", EndpointGroup::Payments),
        ("funds-confirmation", EndpointGroup::FundsConfirmation),
    ] {
        let answer = get(&bank, &format!("/openapi/{name}.json")).await;
        assert_eq!(answer.head("content-type"), "application/json");
        let built = catalogue::list_operations().filter(|operation| operation.endpoint.group == group);
        let built: BTreeSet<_> = built.map(|operation| format!("{operation:?}")).collect();
        assert_eq!(operations(&answer.ok(200).to_string()), built);
        assert_eq!(answer.ok(200)["servers"][0]["url"].as_str().unwrap(), bank.endpoints().mtls);
    }
}

#[tokio::test]
async fn rw_252_authorisation_server_and_registration_descriptions_are_served() {
    let bank = Bank::start().await;
    let discovery = get(&bank, "/.well-known/openid-configuration").await.ok(200);
    for (name, endpoint) in
        [("authorisation-server", "token_endpoint"), ("client-registration", "registration_endpoint")]
    {
        let document = get(&bank, &format!("/openapi/{name}.json")).await.ok(200);
        let read: oas3::Spec = oas3::from_json(document.to_string()).unwrap();
        read.validate_version().unwrap();
        let mtls = document["servers"][0]["url"].as_str().unwrap();
        let path = discovery[endpoint].as_str().unwrap().strip_prefix(mtls).unwrap();
        assert!(document["paths"][path]["post"].is_object(), "{path}");
        let listed = get(&bank, "/llms.txt").await.text().into_owned();
        assert!(listed.contains(&format!("/openapi/{name}.json")), "{listed}");
    }
}

#[tokio::test]
async fn rw_252_the_pages_tell_what_is_served_and_load_nothing_from_elsewhere() {
    let bank = Bank::start().await;
    for (path, expected) in [
        ("/portal/developers", "Schemes of account numbers"),
        ("/openapi/account-info", "/accounts/{AccountId}/standing-orders"),
        ("/openapi/payment-initiation", "Data.Initiation.InstructedAmount.Amount"),
        ("/openapi/funds-confirmation", "Data.FundsAvailable"),
        ("/openapi/authorisation-server", "request.claims.id_token.openbanking_intent_id.value"),
        ("/openapi/client-registration", "software_statement"),
    ] {
        let answer = get(&bank, path).await;
        answer.decent();
        assert_eq!((answer.status.as_u16(), answer.head("content-type")), (200, "text/html; charset=utf-8"));
        assert!(answer.head("content-security-policy").starts_with("default-src 'none'; style-src 'self'"));
        let html = answer.text().into_owned();
        assert!(html.contains(expected), "{path}");
        assert!(!html.contains("<script") && !html.contains("src=\"http"), "{path}");
    }
    assert_eq!(get(&bank, "/portal").await.head("location"), "/portal/developers");
}

#[tokio::test]
async fn rw_061_rw_112_the_rate_limit_sent_to_a_client_is_the_published_one() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("rates.payments_per_s", "7"), ("rates.funds_per_s", "0")]).await;
    let paying = PayingTpp::robot(&bank).await.through(Version::V4_0);
    let path = format!("{}/unknown", consents(PaymentProduct::DomesticPayment));
    let told = paying.get(&paying.own, &path).await;
    assert_eq!(told.head("ratelimit-policy"), r#""payments, client credentials";q=70;w=10"#);
    let page = get(&bank, "/portal/developers").await.text().into_owned();
    for group in ["payments", "payments, client credentials"] {
        assert!(page.contains(&format!("RateLimit-Policy: &#34;{group}&#34;;q=70;w=10")), "{page}");
    }
    assert!(!page.contains("RateLimit-Policy: &#34;confirmation of funds"), "no rate, no policy");
}

#[tokio::test]
async fn rw_061_rw_112_a_node_tells_its_part_of_the_published_rate() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("rates.payments_per_s", "7"), ("rates.nodes", "2")]).await;
    let paying = PayingTpp::robot(&bank).await.through(Version::V4_0);
    let path = format!("{}/unknown", consents(PaymentProduct::DomesticPayment));
    let told = paying.get(&paying.own, &path).await;
    assert_eq!(told.head("ratelimit-policy"), r#""payments, client credentials";q=35;w=9"#);
    assert_eq!(told.head("ratelimit"), r#""payments, client credentials";r=34;t=1"#);
    let page = get(&bank, "/portal/developers").await.text().into_owned();
    for part in ["7 a second for each application, 70 at once", "Each of 2 nodes admits 4 a second and 35 at once"] {
        assert!(page.contains(part), "{part}: {page}");
    }
}

#[tokio::test]
async fn err_010_rw_184_the_url_of_a_reused_key_leads_to_its_rules() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await.through(Version::V4_0);
    let product = PaymentProduct::DomesticPayment;
    let path = consents(product);
    let key = paying.tpp.new_idempotency_key();
    let body = paying.asking(product);
    paying.post_as(&paying.own, path, &key, &body).await.ok(201);
    let mut other = body;
    other["Data"]["Initiation"]["InstructedAmount"]["Amount"] = "13.00".into();
    let refused = paying.post_as(&paying.own, path, &key, &other).await;
    refused.refused_with(422, "U029", "");
    let url = refused.json().unwrap()["Errors"][0]["Url"].as_str().unwrap().to_owned();
    let (page, part) = url.strip_prefix(&bank.endpoints().public).unwrap().split_once('#').unwrap();
    let answer = get(&bank, page).await;
    assert_eq!((answer.status.as_u16(), answer.head("content-type")), (200, "text/html; charset=utf-8"));
    let html = answer.text().into_owned();
    assert!(html.contains(&format!("id=\"{part}\"")), "{url} leads to no part of the page");
    assert!(html.contains("U029") && html.contains("Send a new key with a new request"));
}

#[tokio::test]
async fn ais_001_disabled_endpoints_are_undocumented_and_marked_for_developers() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("endpoints.off", "GetOffers,GetAccountsAccountIdOffers")]).await;
    let document = get(&bank, "/openapi/account-info.json").await.ok(200);
    assert!(!document.to_string().contains("offers"));
    assert!(!get(&bank, "/openapi/account-info").await.text().into_owned().contains("/offers"));
    let developers = get(&bank, "/portal/developers").await.text().into_owned();
    assert_eq!(developers.matches("switched off</td>").count(), 2);
}
