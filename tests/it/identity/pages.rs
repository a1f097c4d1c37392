//! The bank's own pages, `/apps`: the login and the approval of a payment are at the provider too.

use super::{ProviderBank, on_to_provider};
use crate::apps::{Visitor, is_open};
use crate::backchannel::Asking;
use crate::harness::pending_consent::PendingConsent;
use crate::harness::{Browser, Engine, Page, ValueExt};
use crate::payments::books::count;
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::AuthorisationResponse;
use serde_json::json;

/// Logs in at the provider; ends at the list.
async fn log_in(bank: &ProviderBank, visitor: &mut Visitor, customer: &str) -> Page {
    let login = visitor.home().await;
    let location = on_to_provider(&mut visitor.browser, &login).await;
    let back = bank.provider.log_in(&location, customer).url();
    visitor.browser.open(&back).await
}

#[tokio::test]
async fn a_customer_opens_their_pages_by_a_login_at_the_provider() {
    for engine in Engine::at_hand() {
        let bank = ProviderBank::start_on(engine).await;
        let mut visitor = Visitor::new(&bank.bank);
        let list = log_in(&bank, &mut visitor, "amelia").await;
        assert!(is_open(&list), "{}", list.exchange.text());
        assert!(list.exchange.text().contains("Amelia"));

        let mut other = Visitor::new(&bank.bank);
        let login = other.home().await;
        let location = on_to_provider(&mut other.browser, &login).await;
        let page = other.browser.open(&bank.provider.refuse(&location, "access_denied").url()).await;
        assert!(page.exchange.text().contains("You did not finish logging in"), "{}", page.exchange.text());
        let location = on_to_provider(&mut other.browser, &page).await;
        let back = bank.provider.log_in(&location, "amelia").url();
        assert_eq!(Browser::new(&bank.bank.tpp("acme")).open(&back).await.exchange.status, 404, "another browser");
        assert!(is_open(&other.browser.open(&back).await));
    }
}

#[tokio::test]
async fn pis_112_a_further_authoriser_confirms_a_payment_at_the_provider() {
    for engine in Engine::at_hand() {
        confirm_at_provider(ProviderBank::start_on(engine).await).await;
    }
}

async fn confirm_at_provider(bank: ProviderBank) {
    let asked = PendingConsent::of(&bank.bank, PaymentProduct::DomesticPayment).await;
    let mut browser = Browser::new(&asked.paying.tpp);
    let page = browser.open(&asked.url()).await;
    let location = on_to_provider(&mut browser, &page).await;
    let page = browser.open(&bank.provider.log_in(&location, "bashir").url()).await;
    let form = page.form_with("decision");
    let account = form.values("account").remove(0);
    let back = browser.submit(form, &[("account", &account), ("decision", "approve")]).await;
    let channel = AuthorisationResponse::parse_redirect(&back.exchange, &asked.callback).unwrap();
    let agreed = asked.agreed(&channel).await;
    let (order, _) = asked.paying.ordered(&agreed).await;

    let mut chloe = Visitor::new(&bank.bank);
    log_in(&bank, &mut chloe, "chloe").await;
    let page = chloe.at(&format!("payments/{order}")).await;
    let approve = page.form_with("decision").clone();
    let sent = chloe.browser.post(&approve, &[("decision", "approve")]).await;
    assert_eq!(sent.status, 303, "{}", sent.text());
    let back = bank.provider.log_in(sent.header("location").unwrap(), "bashir").url();
    assert_eq!(bank.provider.purposes().pop().unwrap()[0]["amount"], json!({"amount": "12.50", "currency": "GBP"}));
    let page = chloe.browser.open(&back).await;
    assert!(page.exchange.text().contains("Somebody else logged in"), "{}", page.exchange.text());
    let sent = chloe.browser.post(page.form_with("decision"), &[("decision", "approve")]).await;
    let back = bank.provider.log_in(sent.header("location").unwrap(), "chloe").url();
    let page = chloe.browser.open(&back).await;
    assert!(page.exchange.text().contains("Everybody has agreed"), "{}", page.exchange.text());
    let now = asked.paying.order_now(PaymentProduct::DomesticPayment, &order).await;
    assert_eq!(now["Data"]["MultiAuthorisation"].text("Status"), "Authorised");
    let stored = "SELECT count(*) FROM orders WHERE approvals LIKE \
        '%\"authentications\":[{\"psu\":\"chloe\",%\"factors\":[\"knowledge\",\"inherence\"]}]%'";
    assert_eq!(count(&bank.bank, stored).await, 1, "how the further authoriser authenticated");
}

#[tokio::test]
async fn as_143_logins_that_begin_at_the_provider_have_a_rate_of_their_own() {
    let rate = [("rates.provider_login_address_per_s", "1"), ("rates.burst_secs", "2")];
    let bank = ProviderBank::start_with(Engine::Sqlite, &rate).await;
    for _ in 0..2 {
        log_in(&bank, &mut Visitor::new(&bank.bank), "amelia").await;
    }
    let mut visitor = Visitor::new(&bank.bank);
    let login = visitor.home().await;
    let form = login.form_with("form_token").clone();
    let sent = visitor.browser.post(&form, &[]).await;
    assert_eq!((sent.status.as_u16(), sent.header("retry-after")), (429, Some("1")), "{}", sent.text());
    let mut journey = super::Visit::new(&bank.bank).await;
    journey.reach_provider().await;

    bank.bank.clock.advance(SignedDuration::from_secs(1));
    let location = on_to_provider(&mut visitor.browser, &login).await;
    let back = bank.provider.log_in(&location, "amelia").url();
    assert!(is_open(&visitor.browser.open(&back).await), "the page was not spent by the refusal");
}

#[tokio::test]
async fn as_143_opening_an_app_request_counts_as_a_login_at_the_provider() {
    let rate = [("rates.provider_login_address_per_s", "1"), ("rates.burst_secs", "2")];
    let bank = ProviderBank::start_with(Engine::Sqlite, &rate).await;
    Asking::new(&bank.bank).await.ask("amelia").await;
    let mut visitor = Visitor::new(&bank.bank);
    log_in(&bank, &mut visitor, "amelia").await;
    for status in [303, 429] {
        let list = visitor.at("requests").await;
        let form = list.forms.iter().find(|form| form.action.path().starts_with("/apps/requests/")).unwrap();
        let opened = visitor.browser.post(form, &[]).await;
        assert_eq!(opened.status, status, "{}", opened.text());
    }
}
