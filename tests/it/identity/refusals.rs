//! Answers that must not be believed, and providers that do not answer. Whatever happens, the customer sees a page that helps, and the
//! TPP is told.

use super::provider::TokenSignature;
use super::{ProviderBank, Visit};
use crate::harness::pending_consent::PendingConsent;
use crate::harness::{Browser, Page};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};

/// That a page asks for the login again and offers the way back, by which the TPP is told.
pub(super) async fn leads_back(visit: &mut Visit, page: &Page) {
    assert!(page.exchange.status.is_client_error(), "{}: {}", page.exchange.status, page.exchange.text());
    assert!(page.exchange.text().contains("could not be confirmed"), "{}", page.exchange.text());
    let cancel = page.forms.iter().find(|form| form.action.path().ends_with("/cancel")).unwrap();
    let back = visit.browser.submit(cancel, &[]).await;
    assert_eq!(visit.told(&back.exchange).error.as_deref(), Some("access_denied"));
    assert_eq!(visit.status().await, "Rejected");
}

/// That no page was given for an answer: it is not this browser's, or nobody's any more.
pub(super) fn is_unknown(page: &Page) {
    assert_eq!(page.exchange.status, 404, "{}", page.exchange.text());
    assert!(page.exchange.text().contains("This page is not available"));
}

#[tokio::test]
async fn as_142_an_id_token_that_says_something_else_is_refused() {
    type Change = fn(&mut Value);
    let changes: [(&str, Change); 9] = [
        ("wrong nonce", |claims| claims["nonce"] = json!("another")),
        ("wrong aud", |claims| claims["aud"] = json!("another")),
        ("wrong iss", |claims| claims["iss"] = json!("https://another.test")),
        ("wrong azp", |claims| claims["azp"] = json!("another")),
        ("expired", |claims| claims["exp"] = json!(claims["iat"].as_i64().unwrap() - 60)),
        ("wrong acr", |claims| claims["acr"] = json!("password")),
        ("an old login", |claims| claims["auth_time"] = json!(claims["iat"].as_i64().unwrap() - 3_600)),
        ("no customer", |claims| claims["customer"] = Value::Null),
        ("a purpose that was not asked for", |claims| claims["urn:lombard:purpose"] = json!({"purpose": "payment"})),
    ];
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    for (name, change) in changes {
        let mut visit = Visit::new(&bank).await;
        let location = visit.reach_provider().await;
        provider.tamper(change);
        let page = visit.browser.open(&provider.log_in(&location, "amelia").url()).await;
        assert!(page.exchange.status.is_client_error(), "{name}: {}", page.exchange.text());
        leads_back(&mut visit, &page).await;
    }
}

#[tokio::test]
async fn an_id_token_of_alg_none_or_another_key_is_refused() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    for signature in [TokenSignature::None, TokenSignature::UnknownKey, TokenSignature::Forged] {
        let mut visit = Visit::new(&bank).await;
        let location = visit.reach_provider().await;
        provider.sign(signature);
        let page = visit.browser.open(&provider.log_in(&location, "amelia").url()).await;
        leads_back(&mut visit, &page).await;
        provider.sign(TokenSignature::Own);
    }
}

#[tokio::test]
async fn as_142_one_changed_byte_of_the_purpose_is_refused() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let changes: [fn(&mut Value); 3] = [
        |claims| claims["authorization_details"][0]["amount"]["amount"] = json!("12.51"),
        |claims| claims["authorization_details"][0]["payee"]["identification"] = json!("20000319825732"),
        |claims| claims["authorization_details"] = Value::Null,
    ];
    for change in changes {
        let mut asked = PendingConsent::of(&bank, PaymentProduct::DomesticPayment).await;
        let mut browser = Browser::new(&asked.paying.tpp);
        let page = browser.open(&asked.url()).await;
        let location = super::on_to_provider(&mut browser, &page).await;
        provider.tamper(change);
        let page = browser.open(&provider.log_in(&location, "amelia").url()).await;
        assert!(page.exchange.text().contains("could not be confirmed"), "{}", page.exchange.text());
        assert_eq!(asked.status().await, "AwaitingAuthorisation");
    }
}

#[tokio::test]
async fn a_mix_up_with_another_issuer_is_refused() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let mut visit = Visit::new(&bank).await;
    let location = visit.reach_provider().await;
    let back = provider.log_in(&location, "amelia").with("iss", "https://attacker.test");
    let page = visit.browser.open(&back.url()).await;
    leads_back(&mut visit, &page).await;
}

#[tokio::test]
async fn an_answer_is_taken_once_and_only_where_it_was_asked_for() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let mut visit = Visit::new(&bank).await;
    let location = visit.reach_provider().await;
    let back = provider.log_in(&location, "amelia").url();

    let mut stranger = Browser::new(&visit.tpp);
    is_unknown(&stranger.open(&back).await);
    let mut other = Visit::new(&bank).await;
    other.reach_provider().await;
    is_unknown(&other.browser.open(&back).await);

    let page = visit.browser.open(&back).await;
    assert!(page.exchange.text().contains("Amelia"), "what strangers tried changed nothing");
    is_unknown(&visit.browser.open(&back).await);
}

#[tokio::test]
async fn a_code_of_another_journey_is_refused() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let mut visit = Visit::new(&bank).await;
    let mut attacker = Visit::new(&bank).await;
    let own = provider.log_in(&visit.reach_provider().await, "amelia");
    let theirs = provider.log_in(&attacker.reach_provider().await, "deepak");
    let injected = own.with("code", theirs.parameter("code"));
    let page = visit.browser.open(&injected.url()).await;
    leads_back(&mut visit, &page).await;
}

#[tokio::test]
async fn a_provider_that_is_down_costs_the_customer_a_page_and_the_tpp_is_told() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let mut visit = Visit::new(&bank).await;
    provider.set_down(true);
    let url = visit.request.url(&visit.tpp.folder.signing).unwrap();
    let page = visit.browser.open(&url).await;
    assert_eq!(page.exchange.status, 503, "{}", page.exchange.text());
    let back = visit.browser.submit(page.form_with("form_token"), &[]).await;
    assert_eq!(visit.told(&back.exchange).error.as_deref(), Some("access_denied"));

    let mut late = Visit::new(&bank).await;
    provider.set_down(false);
    bank.clock.advance(SignedDuration::from_secs(2));
    let location = late.reach_provider().await;
    let answer = provider.log_in(&location, "amelia").url();
    provider.set_down(true);
    let page = late.browser.open(&answer).await;
    assert_eq!(page.exchange.status, 503, "{}", page.exchange.text());
    assert!(page.exchange.text().contains("Try again"));
    assert_eq!(late.status().await, "AwaitingAuthorisation");
    let back = late.browser.submit(page.form_with("form_token"), &[]).await;
    assert_eq!(late.told(&back.exchange).error.as_deref(), Some("access_denied"));
}

#[tokio::test]
async fn as_089_a_login_that_is_cancelled_there_refuses_the_consent() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let mut visit = Visit::new(&bank).await;
    let location = visit.reach_provider().await;
    let page = visit.browser.open(&provider.refuse(&location, "access_denied").url()).await;
    let told = visit.told(&page.exchange);
    assert_eq!(told.error.as_deref(), Some("access_denied"));
    assert_eq!(told.state.as_deref(), Some(visit.request.state.as_str()));
    assert_eq!(visit.status().await, "Rejected");
}

#[tokio::test]
async fn as_131_a_consent_of_another_customer_is_not_authorised_again() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let mut visit = Visit::new(&bank).await;
    let location = visit.reach_provider().await;
    let page = visit.browser.open(&provider.log_in(&location, "amelia").url()).await;
    let agreed = visit.browser.agree(&page).await;
    visit.told(&agreed).expect_code(&visit.request.state).unwrap();

    visit.request = visit.tpp.new_authorisation_request(&visit.consent, "accounts").await.unwrap();
    let location = visit.reach_provider().await;
    let back = provider.log_in(&location, "deepak");
    assert_eq!(provider.hints().pop().as_deref(), Some("amelia"), "the provider is told who is expected");
    let page = visit.browser.open(&back.url()).await;
    assert!(visit.told(&page.exchange).error.is_some());
    assert_eq!(visit.status().await, "Authorised");
}

#[tokio::test]
async fn as_090_an_answer_that_comes_too_late_ends_with_the_way_back() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let mut visit = Visit::new(&bank).await;
    let location = visit.reach_provider().await;
    let back = provider.log_in(&location, "amelia").url();
    bank.clock.advance(SignedDuration::from_secs(601));
    let page = visit.browser.open(&back).await;
    assert_eq!(page.exchange.status, 410, "{}", page.exchange.text());
    let back = visit.browser.submit(page.form_with("form_token"), &[]).await;
    assert_eq!(visit.told(&back.exchange).error.as_deref(), Some("access_denied"));
}
