//! Answers to addresses that were removed from a registration after the request came. Source: AS-184, RFC 6749 sections 3.1.2.4 and
//! 4.1.3.

use crate::harness::{Bank, Browser, EVERYTHING, Engine, ExchangeExt, Page, code};
use http::Method;
use lombard_tpp::{HttpCall, Tpp};
use serde_json::json;

const OTHER: &str = "https://tpp.example/other";

/// The operator removes the address that requests of this TPP name.
async fn remove(bank: &Bank, name: &str) {
    let url = format!("{}/operations/tpps/{name}/redirect-uris", bank.endpoints().ops);
    bank.ops(HttpCall::new(Method::PUT, url).with_json(&json!({"redirect_uris": [OTHER]}))).await.ok(200);
}

/// A journey for a fresh consent, at its decision.
async fn at_decision(tpp: &Tpp, mode: Option<&str>) -> (Browser, Page) {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let mut request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    if let Some(mode) = mode {
        request = request.claim("response_mode", mode);
    }
    let mut browser = Browser::new(tpp);
    let page = browser.log_in(&request.url(&tpp.folder.signing).unwrap(), "amelia").await;
    (browser, page)
}

#[tokio::test]
async fn as_184_no_answer_goes_to_an_address_that_was_removed() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        for (number, (what, mode)) in
            [("approve", None), ("refuse", None), ("approve", Some("jwt")), ("refuse", Some("jwt"))]
                .into_iter()
                .enumerate()
        {
            let name = format!("shop-{number}");
            let tpp = bank.create_tpp(&json!({"name": name})).await;
            let (mut browser, page) = at_decision(&tpp, mode).await;
            remove(&bank, &name).await;
            let form = page.form_with("decision");
            let accounts = form.values("account");
            let mut set: Vec<_> = accounts.iter().map(|account| ("account", account.as_str())).collect();
            set.push(("decision", what));
            let answer = browser.post(form, &set).await;
            assert_eq!((answer.status.as_u16(), answer.header("location")), (400, None), "{what} {mode:?}");
            assert!(answer.text().contains("is not registered for the application any more"), "{}", answer.text());
            assert!(!answer.text().contains(tpp.redirect_uri().unwrap()), "no way leads there");
        }
    }
}

#[tokio::test]
async fn as_184_a_code_of_an_address_that_was_removed_is_not_exchanged() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let tpp = bank.tpp("robot");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let code = code(&tpp, &consent).await;
        remove(&bank, "robot").await;
        tpp.exchange_code(&code).await.unwrap().oauth(400, "invalid_grant");
    }
}
