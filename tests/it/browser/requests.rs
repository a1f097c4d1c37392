//! Requests that reach a customer who is not in the application's browser. Source: AS-160, AS-144.

use super::Chromium;
use super::accessibility::Look;
use crate::backchannel::Asking;
use crate::harness::Bank;

#[tokio::test]
async fn as_160_a_request_over_the_backchannel_is_decided_on_accessible_pages() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let requests = format!("{}/apps/requests", bank.endpoints().public);
    let asking = Asking::new(&bank).await;

    browser.log_in_to_apps(&bank.endpoints().public, "amelia").await;
    browser.open(&requests).await;
    browser.heading("Requests waiting for you").await;
    look.at("apps-requests-none").await;
    let answer = asking.ask("amelia").await;
    browser.open(&format!("{}/apps", bank.endpoints().public)).await;
    browser.press("Review and decide").await;
    browser.heading("Requests waiting for you").await;
    look.at("apps-requests").await;
    browser.press("Review").await;
    browser.heading("Confirm that it is you").await;
    look.at("apps-requests-code").await;
    browser.give_code().await;
    browser.choose_first_account().await;
    look.at("apps-requests-decision").await;
    browser.press("Agree and share").await;
    browser.heading("You have agreed").await;
    look.at("apps-requests-agreed").await;
    asking.tokens(&answer).await;
    look.nothing();
    browser.close().await;
}
