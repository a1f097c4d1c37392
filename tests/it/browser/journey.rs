//! The journey from the TPP's application to the bank and back. Source: AS-085 to AS-090, AS-140 to AS-144.

use super::{Application, Chromium};
use crate::harness::{Bank, ExchangeExt, ValueExt};
use thirtyfour::Key;

#[tokio::test]
async fn a_person_agrees_and_the_code_that_comes_back_opens_the_account_chosen() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut application = Application::of(&bank).await;
    browser.log_in(&application.url(), "amelia").await;
    browser.choose_first_account().await;
    browser.press("Agree and share").await;

    let channel = browser.answer(&application.callback).await;
    assert!(browser.see("#command").await.text().await.unwrap().contains("grant_type=authorization_code"));
    let tokens = application.tokens(&channel).await;
    assert_eq!(application.accounts(&tokens).await.ok(200).list("/Data/Account").len(), 1, "AIS-080");
    assert_eq!(application.status().await, "Authorised");
    browser.close().await;
}

#[tokio::test]
async fn as_144_the_keyboard_alone_is_enough() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut application = Application::of(&bank).await;
    browser.open(&application.url()).await;
    browser.fill("name", "amelia").await;
    browser.fill("password", "amelia").await;
    browser.see("#password").await.send_keys(Key::Enter + "").await.unwrap();
    browser.heading("Confirm that it is you").await;
    let code = browser.shown_code().await;
    browser.see("#code").await.send_keys(code + Key::Enter).await.unwrap();
    browser.heading("Share your account information?").await;
    browser.see("#account-1").await.send_keys(Key::Space + "").await.unwrap();
    browser.see("button[value=approve]").await.send_keys(Key::Enter + "").await.unwrap();

    let channel = browser.answer(&application.callback).await;
    application.tokens(&channel).await;
    assert_eq!(application.status().await, "Authorised");
    browser.close().await;
}

#[tokio::test]
async fn as_089_a_refusal_at_any_step_goes_back_with_access_denied() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    for late in [false, true] {
        let mut application = Application::of(&bank).await;
        if late {
            browser.log_in(&application.url(), "amelia").await;
            browser.press("Refuse").await;
        } else {
            browser.open(&application.url()).await;
            browser.press("Refuse and go back to").await;
        }
        let channel = browser.answer(&application.callback).await;
        application.refused(&channel);
        assert_eq!(application.status().await, "Rejected");
    }
    browser.close().await;
}

#[tokio::test]
async fn as_144_going_back_never_decides_again() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let application = Application::of(&bank).await;
    browser.log_in(&application.url(), "amelia").await;

    browser.driver.back().await.unwrap();
    assert!(browser.driver.current_url().await.unwrap().path().starts_with("/interaction/"));
    browser.driver.forward().await.unwrap();
    browser.heading("Share your account information?").await;

    browser.choose_first_account().await;
    browser.press("Agree and share").await;
    let channel = browser.answer(&application.callback).await;
    let tokens = application.tokens(&channel).await;

    browser.driver.back().await.unwrap();
    browser.heading("This page is not available").await;
    browser.driver.refresh().await.unwrap();
    browser.heading("This page is not available").await;
    application.accounts(&tokens).await.ok(200);
    browser.close().await;
}

#[tokio::test]
async fn two_tabs_for_two_consents_do_not_disturb_each_other() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut one = Application::of(&bank).await;
    let mut other = Application::of(&bank).await;
    let first = browser.driver.window().await.unwrap();
    browser.log_in(&one.url(), "amelia").await;
    let second = browser.driver.new_tab().await.unwrap();
    browser.driver.switch_to_window(second).await.unwrap();
    browser.log_in(&other.url(), "bashir").await;
    browser.choose_first_account().await;

    browser.driver.switch_to_window(first).await.unwrap();
    browser.choose_first_account().await;
    browser.press("Agree and share").await;
    let channel = browser.answer(&one.callback).await;
    one.tokens(&channel).await;
    assert_eq!((one.status().await.as_str(), other.status().await.as_str()), ("Authorised", "AwaitingAuthorisation"));

    let second = browser.driver.windows().await.unwrap().pop().unwrap();
    browser.driver.switch_to_window(second).await.unwrap();
    browser.press("Agree and share").await;
    let channel = browser.answer(&other.callback).await;
    other.tokens(&channel).await;
    assert_eq!(other.status().await, "Authorised");
    browser.close().await;
}

#[tokio::test]
async fn as_090_of_two_tabs_for_one_consent_the_newer_counts() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut application = Application::of(&bank).await;
    let first = browser.driver.window().await.unwrap();
    browser.log_in(&application.url(), "amelia").await;
    browser.choose_first_account().await;
    application.ask_again().await;
    let second = browser.driver.new_tab().await.unwrap();
    browser.driver.switch_to_window(second.clone()).await.unwrap();
    browser.log_in(&application.url(), "amelia").await;

    browser.driver.switch_to_window(first).await.unwrap();
    browser.press("Agree and share").await;
    let channel = browser.answer(&application.callback).await;
    assert_eq!((channel.error.as_deref(), channel.code), (Some("invalid_request"), None), "AS-132");
    assert_eq!(application.status().await, "AwaitingAuthorisation");

    browser.driver.switch_to_window(second).await.unwrap();
    browser.choose_first_account().await;
    browser.press("Agree and share").await;
    let channel = browser.answer(&application.callback).await;
    application.tokens(&channel).await;
    assert_eq!(application.status().await, "Authorised");
    browser.close().await;
}
