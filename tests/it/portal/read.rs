//! The public OpenAPI documents and their pages.

use crate::harness::{Bank, Engine, ExchangeExt};
use lombard_http::catalogue::{self, EndpointGroup};
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
async fn rw_252_the_pages_tell_what_is_served_and_load_nothing_from_elsewhere() {
    let bank = Bank::start().await;
    for (path, expected) in [
        ("/portal/developers", "Schemes of account numbers"),
        ("/openapi/account-info", "/accounts/{AccountId}/standing-orders"),
        ("/openapi/payment-initiation", "Data.Initiation.InstructedAmount.Amount"),
        ("/openapi/funds-confirmation", "Data.FundsAvailable"),
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
async fn ais_001_what_is_switched_off_is_in_no_document_and_shown_as_such_to_developers() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("endpoints.off", "GetOffers,GetAccountsAccountIdOffers")]).await;
    let document = get(&bank, "/openapi/account-info.json").await.ok(200);
    assert!(!document.to_string().contains("offers"));
    assert!(!get(&bank, "/openapi/account-info").await.text().into_owned().contains("/offers"));
    let developers = get(&bank, "/portal/developers").await.text().into_owned();
    assert_eq!(developers.matches("switched off</td>").count(), 2);
}
