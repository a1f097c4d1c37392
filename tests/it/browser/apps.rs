//! The customer's own pages. Source: AS-134.

use super::{Application, Chromium};
use crate::harness::{Bank, ExchangeExt};

#[tokio::test]
async fn as_134_access_stopped_in_the_browser_is_refused_to_the_app_at_once() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let public = bank.endpoints().public;
    let application = Application::of(&bank).await;
    browser.log_in(&application.url(), "amelia").await;
    browser.choose_first_account().await;
    browser.press("Agree and share").await;
    let tokens = application.tokens(&browser.answer(&application.callback).await).await;
    application.accounts(&tokens).await.ok(200);

    browser.log_in_to_apps(&public, "amelia").await;
    browser.press("Stop access").await;
    browser.heading("Stop this access?").await;
    browser.press("Keep it").await;
    browser.heading("Connected app").await;
    application.accounts(&tokens).await.ok(200);
    browser.press("Stop access").await;
    browser.heading("Stop this access?").await;
    browser.press("Stop access").await;
    browser.heading("No access any more").await;
    application.accounts(&tokens).await.unauthorised();
    let refresh = tokens.refresh_token.clone().unwrap();
    application.tpp.refresh(&refresh).await.unwrap().oauth(400, "invalid_grant");

    // A browser may show the page it left from memory; what is true shows as soon as the bank is asked.
    browser.driver.back().await.unwrap();
    browser.driver.refresh().await.unwrap();
    browser.heading("No access any more").await;
    browser.press("All connected apps").await;
    browser.heading("Your connected apps").await;
    browser.see(".empty").await;
    browser.press("Log out").await;
    browser.heading("Log in").await;
    browser.driver.back().await.unwrap();
    browser.driver.refresh().await.unwrap();
    browser.heading("Log in").await;
    browser.close().await;
}
