//! Whole journeys: accounts, payments, recurring payments, funds.

use super::{Asking, confirm, decide, hint, open_first, reach_decision};
use crate::apps::Visitor;
use crate::harness::funds::{about, current};
use crate::harness::paying::AgreedConsent;
use crate::harness::{Bank, Engine, ExchangeExt, FundsTpp, PayingTpp, ValueExt};
use crate::payments::books::count;
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{ExpectedIdToken, IssuedTokens};
use serde_json::json;

#[tokio::test]
async fn as_160_to_162_a_customer_shares_accounts_on_another_device() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let hint = hint(&json!({"sub": "amelia"}));
        let request = asking.request().await.claim("login_hint_token", hint).claim("binding_message", "BLUE 42 <b>");
        let answer = asking.tpp.ask_over_backchannel(&request).await.unwrap();
        assert_eq!((answer.expires_in, answer.interval), (300, 5));
        assert!(answer.auth_req_id.len() >= 27, "AS-162: 160 bits at least");
        asking.is_told(&answer, "authorization_pending").await;

        let mut visitor = Visitor::new(&bank);
        let home = visitor.log_in("amelia").await;
        assert!(home.exchange.text().contains("An application asks you"), "{}", home.exchange.text());
        let list = visitor.at("requests").await;
        assert!(list.exchange.text().contains("BLUE 42") && !list.exchange.text().contains("<b>"));
        let second = open_first(&mut visitor).await;
        let page = confirm(&mut visitor, &second).await;
        assert!(page.exchange.text().contains("Acme Limited"), "{}", page.exchange.text());
        let end = decide(&mut visitor, &page, "approve").await;
        assert!(end.exchange.text().contains("You have agreed"), "{}", end.exchange.text());
        assert_eq!(asking.status().await, "Authorised");

        bank.clock.advance(SignedDuration::from_secs(5));
        let tokens = asking.tokens(&answer).await;
        assert_eq!(tokens.scope.as_deref(), Some("openid accounts"));
        assert!(tokens.refresh_token.is_some());
        let access_token = Some(tokens.access_token.as_str());
        let expected = ExpectedIdToken { consent: Some(&asking.consent), access_token, ..ExpectedIdToken::default() };
        let id_token = tokens.id_token.as_deref().unwrap();
        let keys = asking.tpp.bank_keys().await.unwrap();
        let claims = asking.tpp.check_id_token(id_token, &keys, &expected).await.unwrap();
        assert_eq!(claims.text("acr"), Some("urn:openbanking:psd2:sca"));
        let accounts = asking.tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
        assert_eq!(accounts.list("/Data/Account").len(), 1, "the one that was chosen");
        let factors = "SELECT count(*) FROM consents WHERE authentication_factors = '[\"knowledge\",\"possession\"]'";
        assert_eq!(count(&bank, factors).await, 1);
        asking.is_told(&answer, "invalid_grant").await;

        // The consent is authenticated again: the identity token names the customer.
        let request = asking.request().await.claim("id_token_hint", tokens.id_token.as_deref().unwrap());
        let again = asking.tpp.ask_over_backchannel(&request).await.unwrap();
        let second = open_first(&mut visitor).await;
        let page = confirm(&mut visitor, &second).await;
        assert!(page.exchange.text().contains("You have agreed to this before"), "{}", page.exchange.text());
        decide(&mut visitor, &page, "approve").await;
        let renewed = asking.tokens(&again).await;
        asking.tpp.get(&renewed.access_token, "aisp/accounts").await.unwrap().ok(200);
        asking.tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().unauthorised();
    }
}

#[tokio::test]
async fn as_142_a_payment_is_confirmed_for_its_amount_and_payee() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        for product in [PaymentProduct::DomesticPayment, PaymentProduct::DomesticVrp] {
            let paying = PayingTpp::as_tpp(&bank, "acme").await;
            let asked = paying.asking(product);
            let consent = paying.consent(product, &asked).await["Data"].text("ConsentId").to_owned();
            let request = paying.tpp.backchannel_request(&consent, "payments").await.unwrap();
            let request = request.claim("login_hint_token", hint(&json!({"sub": "amelia"})));
            let answer = paying.tpp.ask_over_backchannel(&request).await.unwrap();
            let (mut visitor, page) = reach_decision(&bank, "amelia").await;
            assert!(page.exchange.text().contains("Somebody Else"), "{}", page.exchange.text());
            let end = decide(&mut visitor, &page, "approve").await;
            assert!(end.exchange.text().contains("You have agreed"), "{}", end.exchange.text());
            let exchange = paying.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap();
            let token = IssuedTokens::from_exchange(exchange).unwrap().access_token;
            paying.ordered(&AgreedConsent { product, consent, asked, token }).await;
        }
    }
}

#[tokio::test]
async fn as_160_a_customer_allows_questions_about_funds() {
    let bank = Bank::start().await;
    let funds = FundsTpp::with(bank.tpp("acme")).await;
    let consent = funds.consent(&about(&current(&bank, "amelia").await)).await;
    let request = funds.tpp.backchannel_request(&consent, "fundsconfirmations").await.unwrap();
    let request = request.claim("login_hint_token", hint(&json!({"sub": "amelia"})));
    let answer = funds.tpp.ask_over_backchannel(&request).await.unwrap();
    let (mut visitor, page) = reach_decision(&bank, "amelia").await;
    decide(&mut visitor, &page, "approve").await;
    let tokens = IssuedTokens::from_exchange(funds.tpp.poll_backchannel(&answer.auth_req_id).await.unwrap()).unwrap();
    let question = crate::harness::funds::question(&consent, "R-1", "1.00", "GBP");
    funds.post(&tokens.access_token, crate::harness::funds::QUESTIONS, &question).await.ok(201);
}

#[tokio::test]
async fn as_161_a_customer_brings_the_code_that_the_application_shows() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let answer = asking.tpp.ask_over_backchannel(&asking.request().await).await.unwrap();
        let mut visitor = Visitor::new(&bank);
        visitor.log_in("amelia").await;
        let list = visitor.at("requests").await;
        assert!(list.exchange.text().contains("No application asks you now"), "nobody is named");
        let unknown = visitor.browser.submit(list.form_with("consent"), &[("consent", "nothing")]).await;
        assert_eq!(unknown.exchange.status, 422, "{}", unknown.exchange.text());
        let second = visitor.browser.submit(unknown.form_with("consent"), &[("consent", &asking.consent)]).await;

        // From here on it is hers, and nobody else's.
        let mut other = Visitor::new(&bank);
        other.log_in("bashir").await;
        let list = other.at("requests").await;
        let refused = other.browser.submit(list.form_with("consent"), &[("consent", &asking.consent)]).await;
        assert_eq!(refused.exchange.status, 422, "{}", refused.exchange.text());

        let page = confirm(&mut visitor, &second).await;
        decide(&mut visitor, &page, "approve").await;
        asking.tokens(&answer).await;
    }
}

#[tokio::test]
async fn as_171_a_headless_client_is_answered_at_once() {
    let bank = Bank::start().await;
    let asking = Asking::of(bank.tpp("robot")).await;
    let answer = asking.tpp.ask_over_backchannel(&asking.request().await).await.unwrap();
    let tokens = asking.tokens(&answer).await;
    asking.tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
    // Another customer than the configured one is not played.
    let asking = Asking::of(bank.tpp("robot")).await;
    let answer = asking.ask("bashir").await;
    asking.is_told(&answer, "access_denied").await;
}

#[tokio::test]
async fn as_160_the_discovery_document_names_the_endpoint() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let document = tpp.send(lombard_tpp::HttpCall::get(&tpp.endpoints.well_known)).await.unwrap().ok(200);
    let endpoint = format!("{}/bc-authorize", tpp.endpoints.mtls);
    assert_eq!(document["backchannel_authentication_endpoint"], endpoint);
    assert_eq!(document["mtls_endpoint_aliases"]["backchannel_authentication_endpoint"], endpoint);
    assert_eq!(document["backchannel_token_delivery_modes_supported"], json!(["poll"]), "nobody is notified");
}

#[tokio::test]
async fn as_132_a_page_of_an_earlier_tab_does_not_end_a_later_request() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let answer = asking.ask("amelia").await;
        let (mut earlier, old) = reach_decision(&bank, "amelia").await;
        let (mut later, page) = reach_decision(&bank, "amelia").await;
        let refused = decide(&mut earlier, &old, "approve").await;
        assert!(!refused.exchange.text().contains("You have agreed"), "{}", refused.exchange.text());
        asking.is_told(&answer, "authorization_pending").await;
        let end = decide(&mut later, &page, "approve").await;
        assert!(end.exchange.text().contains("You have agreed"), "{}", end.exchange.text());
        asking.tokens(&answer).await;
    }
}

#[tokio::test]
async fn as_113_a_request_of_a_disabled_client_is_not_shown_until_enabled() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let asking = Asking::new(&bank).await;
        let answer = asking.ask("amelia").await;
        let (mut begun, page) = reach_decision(&bank, "amelia").await;
        let set_status = async |change: &str| {
            assert_eq!(bank.ops_post(&format!("/operations/tpps/acme/{change}"), &json!({})).await.0, 200, "{change}");
        };
        set_status("disable").await;
        let refused = decide(&mut begun, &page, "approve").await;
        assert!(!refused.exchange.text().contains("You have agreed"), "{}", refused.exchange.text());
        let mut visitor = Visitor::new(&bank);
        visitor.log_in("amelia").await;
        let list = visitor.at("requests").await;
        assert!(!list.forms.iter().any(|form| form.action.path().starts_with("/apps/requests/")), "nothing waits");
        set_status("enable").await;
        asking.is_told(&answer, "authorization_pending").await;
        let (mut visitor, page) = reach_decision(&bank, "amelia").await;
        let end = decide(&mut visitor, &page, "approve").await;
        assert!(end.exchange.text().contains("You have agreed"), "{}", end.exchange.text());
        asking.tokens(&answer).await;
    }
}

#[tokio::test]
async fn as_162_a_tester_decides_for_the_customer_whom_a_client_waits_for() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let decide = async |asking: &Asking, customer: &str, decision: &str| {
            let path = format!("/sandbox/consents/{}/authorise", asking.consent);
            bank.ops_post(&path, &json!({"psu": customer, "decision": decision})).await.0
        };

        let asking = Asking::new(&bank).await;
        let answer = asking.ask("amelia").await;
        assert_eq!(decide(&asking, "bashir", "approve").await, 409);
        assert_eq!(asking.status().await, "AwaitingAuthorisation", "another customer decides nothing");
        assert_eq!(decide(&asking, "amelia", "approve").await, 200);
        let tokens = asking.tokens(&answer).await;
        asking.tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);

        let asking = Asking::new(&bank).await;
        let answer = asking.ask("amelia").await;
        assert_eq!(decide(&asking, "amelia", "reject").await, 200);
        asking.is_told(&answer, "access_denied").await;
    }
}
