//! Answers that must not be believed, as far as a sound provider can be had to give them.

use super::{NpmBank, NpmOptions, parameter, with_parameter};
use crate::harness::Engine;
use crate::identity::Visit;
use crate::identity::refusals::{is_unknown, leads_back};
use serde_json::json;

const WAY: NpmOptions = NpmOptions { takes_pushed: true, knows_details: true };

#[tokio::test]
async fn as_141_a_login_with_one_factor_is_refused() {
    let mut configuration = WAY.configuration();
    configuration["one_factor"] = json!(true);
    let Some(at) = NpmBank::with(Engine::Sqlite, configuration, &[], json!({})).await else { return };
    let mut visit = Visit::new(&at.bank).await;
    let location = visit.reach_provider().await;
    let mut browser = at.browser();
    let login = browser.open(&location).await;
    let back = browser.submit(login.form_with("password"), &[("name", "amelia"), ("password", "amelia")]).await;
    let page = visit.browser.open(back.exchange.header("location").unwrap()).await;
    leads_back(&mut visit, &page).await;
}

#[tokio::test]
async fn a_mix_up_with_another_issuer_is_refused() {
    let Some(mut at) = NpmBank::start(Engine::Sqlite, WAY).await else { return };
    let mut visit = Visit::new(&at.bank).await;
    let location = visit.reach_provider().await;
    let back = at.log_in(&location, "amelia").await;
    let page = visit.browser.open(&with_parameter(&back, "iss", "https://attacker.test")).await;
    leads_back(&mut visit, &page).await;
}

#[tokio::test]
async fn an_answer_is_taken_once_and_only_where_it_was_asked_for() {
    let Some(mut at) = NpmBank::start(Engine::Sqlite, WAY).await else { return };
    let mut visit = Visit::new(&at.bank).await;
    let location = visit.reach_provider().await;
    let back = at.log_in(&location, "amelia").await;
    let mut other = Visit::new(&at.bank).await;
    other.reach_provider().await;
    is_unknown(&other.browser.open(&back).await);
    is_unknown(&at.browser().open(&back).await);
    let page = visit.browser.open(&back).await;
    assert!(page.exchange.text().contains("Amelia"), "{}", page.exchange.text());
    is_unknown(&visit.browser.open(&back).await);
}

#[tokio::test]
async fn a_code_of_another_journey_is_refused() {
    let Some(mut at) = NpmBank::start(Engine::Sqlite, WAY).await else { return };
    let mut visit = Visit::new(&at.bank).await;
    let mut attacker = Visit::new(&at.bank).await;
    let own = at.log_in(&visit.reach_provider().await, "amelia").await;
    let theirs = at.log_in(&attacker.reach_provider().await, "deepak").await;
    let page = visit.browser.open(&with_parameter(&own, "code", &parameter(&theirs, "code"))).await;
    leads_back(&mut visit, &page).await;
}

#[tokio::test]
async fn an_id_token_of_another_algorithm_is_refused() {
    let rs256 = json!({"id_token_signed_response_alg": "RS256"});
    let Some(mut at) = NpmBank::with(Engine::Sqlite, WAY.configuration(), &[], rs256).await else { return };
    let mut visit = Visit::new(&at.bank).await;
    let location = visit.reach_provider().await;
    let back = at.log_in(&location, "amelia").await;
    let page = visit.browser.open(&back).await;
    leads_back(&mut visit, &page).await;

    at.register(json!({"id_token_signed_response_alg": "ES256"})).await;
    let mut visit = Visit::new(&at.bank).await;
    let location = visit.reach_provider().await;
    let back = at.log_in(&location, "amelia").await;
    let page = visit.browser.open(&back).await;
    assert!(page.exchange.text().contains("Amelia"), "{}", page.exchange.text());
}

#[tokio::test]
async fn as_089_a_login_that_is_cancelled_there_refuses_the_consent() {
    let Some(at) = NpmBank::start(Engine::Sqlite, WAY).await else { return };
    let mut visit = Visit::new(&at.bank).await;
    let location = visit.reach_provider().await;
    let mut browser = at.browser();
    let login = browser.open(&location).await;
    let back = browser.submit(login.form_with("cancel"), &[]).await;
    let page = visit.browser.open(back.exchange.header("location").unwrap()).await;
    let told = visit.told(&page.exchange);
    assert_eq!(told.error.as_deref(), Some("access_denied"));
    assert_eq!(visit.status().await, "Rejected");
}

#[tokio::test]
async fn as_131_a_consent_of_another_customer_is_not_authorised_again() {
    let Some(mut at) = NpmBank::start(Engine::Sqlite, WAY).await else { return };
    let mut visit = Visit::new(&at.bank).await;
    let location = visit.reach_provider().await;
    let back = at.log_in(&location, "amelia").await;
    let page = visit.browser.open(&back).await;
    let agreed = visit.browser.agree(&page).await;
    visit.told(&agreed).expect_code(&visit.request.state).unwrap();
    visit.request = visit.tpp.new_authorisation_request(&visit.consent, "accounts").await.unwrap();
    let location = visit.reach_provider().await;
    let back = at.log_in(&location, "deepak").await;
    let page = visit.browser.open(&back).await;
    assert!(visit.told(&page.exchange).error.is_some());
    assert_eq!(visit.status().await, "Authorised");
}
