//! The guides in a browser: found by the search, read on wide and narrow pages.

use super::Chromium;
use super::accessibility::Look;
use crate::harness::Bank;

#[tokio::test]
async fn guides_are_searched_and_read_and_are_accessible() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let public = bank.endpoints().public;
    browser.open(&format!("{public}/portal/docs")).await;
    browser.heading("Guides").await;
    look.at("guides").await;
    browser.fill("q", "idempotency key").await;
    browser.press("Search").await;
    browser.see(".found a").await;
    look.at("guides-found").await;
    browser.fill("q", "no such words").await;
    browser.press("Search").await;
    look.at("guides-not-found").await;
    for (name, heading) in [("get-started", "Get started"), ("signing", "Signing a message, step by step")] {
        browser.open(&format!("{public}/portal/docs/{name}")).await;
        browser.heading(heading).await;
        look.at(&format!("guide-{name}")).await;
    }
    for name in ["errors", "events"] {
        browser.open(&format!("{public}/portal/docs/{name}")).await;
        browser.see(".guide").await;
        look.at(&format!("guide-{name}")).await;
    }
    browser.open(&format!("{public}/openapi")).await;
    browser.heading("API reference").await;
    look.at("openapi").await;
    look.nothing();
    browser.close().await;
}
