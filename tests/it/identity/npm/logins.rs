//! Logins with a second factor, and payments that are linked to their amount and payee.

use super::{NpmBank, NpmOptions, WAYS};
use crate::harness::pending_consent::PendingConsent;
use crate::harness::{Browser, Engine, Page};
use crate::identity::{Visit, on_to_provider};
use crate::payments::books::count;
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::AuthorisationResponse;
use serde_json::json;

#[tokio::test]
async fn as_141_a_customer_shares_accounts_after_a_login_with_two_factors() {
    for engine in Engine::at_hand() {
        for way in WAYS {
            let Some(mut at) = NpmBank::start(engine, way).await else { return };
            let mut visit = Visit::new(&at.bank).await;
            let location = visit.reach_provider().await;
            let back = at.log_in(&location, "amelia").await;
            let page = visit.browser.open(&back).await;
            assert!(page.exchange.text().contains("Amelia"), "{way:?}: {}", page.exchange.text());
            let agreed = visit.browser.agree(&page).await;
            visit.told(&agreed).expect_code(&visit.request.state).unwrap();
            assert_eq!(visit.status().await, "Authorised");
            let factors =
                "SELECT count(*) FROM consents WHERE authentication_factors = '[\"knowledge\",\"possession\"]'";
            assert_eq!(count(&at.bank, factors).await, 1, "{way:?}");
        }
    }
}

/// A customer is asked to pay, and on the way to the provider.
async fn reach_provider(asked: &PendingConsent) -> (Browser, String) {
    let mut browser = Browser::new(&asked.paying.tpp);
    let page = browser.open(&asked.url()).await;
    let location = on_to_provider(&mut browser, &page).await;
    (browser, location)
}

#[tokio::test]
async fn as_142_a_payment_comes_back_with_its_amount_and_payee() {
    for engine in Engine::at_hand() {
        for way in WAYS {
            let Some(mut at) = NpmBank::start(engine, way).await else { return };
            let asked = PendingConsent::of(&at.bank, PaymentProduct::DomesticPayment).await;
            let (mut browser, location) = reach_provider(&asked).await;
            let back = at.log_in(&location, "amelia").await;
            let page = browser.open(&back).await;
            let form = page.form_with("decision");
            let account = form.values("account").remove(0);
            let back = browser.submit(form, &[("account", &account), ("decision", "approve")]).await;
            let channel = AuthorisationResponse::parse_redirect(&back.exchange, &asked.callback).unwrap();
            let agreed = asked.agreed(&channel).await;
            asked.paying.ordered(&agreed).await;
        }
    }
}

#[tokio::test]
async fn as_142_a_payment_of_another_amount_is_refused() {
    for way in WAYS {
        let Some(mut at) = NpmBank::start(Engine::Sqlite, way).await else { return };
        let mut asked = PendingConsent::of(&at.bank, PaymentProduct::DomesticPayment).await;
        at.provider.command("amount", json!("12.51")).await;
        let (mut browser, location) = reach_provider(&asked).await;
        let back = at.log_in(&location, "amelia").await;
        let page = browser.open(&back).await;
        assert!(page.exchange.text().contains("could not be confirmed"), "{way:?}: {}", page.exchange.text());
        assert_eq!(asked.status().await, "AwaitingAuthorisation");
    }
}

/// Gives name, password and code.
async fn prove(browser: &mut Browser, login: &Page) -> Page {
    let form = login.form_with("password");
    let second = browser.submit(form, &[("name", "amelia"), ("password", "amelia")]).await;
    browser.submit(second.form_with("code"), &[("code", &second.shown_code())]).await
}

/// Whether a customer whose browser is known at the provider is asked to log in again when they come back so many seconds later.
async fn is_asked_again(max_age_secs: &str, later: i64) -> Option<bool> {
    let options = NpmOptions { takes_pushed: true, knows_details: true };
    let settings = [("identity.max_age_secs", max_age_secs)];
    let mut at = NpmBank::with(Engine::Sqlite, options.configuration(), &settings, json!({})).await?;
    let mut browser = at.browser();
    let mut asked = Vec::new();
    for _ in 0..2 {
        let mut visit = Visit::new(&at.bank).await;
        let location = visit.reach_provider().await;
        let mut page = browser.open(&location).await;
        asked.push(page.exchange.header("location").is_none());
        if asked.last() == Some(&true) {
            page = prove(&mut browser, &page).await;
        }
        let page = visit.browser.open(page.exchange.header("location").unwrap()).await;
        assert!(page.exchange.text().contains("Amelia"), "{}", page.exchange.text());
        at.bank.clock.advance(SignedDuration::from_secs(later));
        at.provider.command("advance", json!(later)).await;
    }
    assert!(asked[0], "nobody is known at first");
    Some(asked[1])
}

#[tokio::test]
async fn as_142_a_customer_authenticates_as_often_as_is_configured() {
    for (max_age_secs, later, is_asked) in [("0", 2, true), ("300", 2, false), ("300", 301, true)] {
        let Some(found) = is_asked_again(max_age_secs, later).await else { return };
        assert_eq!(found, is_asked, "{max_age_secs} s, {later} s later");
    }
}
