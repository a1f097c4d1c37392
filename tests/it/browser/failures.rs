//! Pages for wrong input, wrong credentials and expired journeys. Source: AS-089, AS-090, AS-143, AS-144.

use super::{Application, Chromium};
use crate::harness::{Bank, ExchangeExt};
use jiff::SignedDuration;

#[tokio::test]
async fn a_wrong_password_and_a_wrong_code_are_told_and_can_be_mended() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let application = Application::of(&bank).await;
    browser.open(&application.url()).await;
    browser.give_password("amelia", "not it").await;
    let notice = browser.see("#notice").await.text().await.unwrap();
    assert!(notice.contains("is wrong"), "{notice}");
    assert_eq!(browser.focus().await, "notice", "the message is where the reader is");
    assert!(browser.driver.title().await.unwrap().starts_with("Error: "));
    browser.press_here("User name or password").await;
    assert_eq!(browser.focus().await, "name", "the message leads to the field");

    browser.give_password("amelia", "amelia").await;
    browser.heading("Confirm that it is you").await;
    let right = browser.shown_code().await;
    let wrong = if right == "000000" { "000001" } else { "000000" };
    browser.fill("code", wrong).await;
    browser.press("Continue").await;
    let notice = browser.see("#notice").await.text().await.unwrap();
    assert!(notice.contains("not the code"), "{notice}");

    browser.fill("code", &format!("{} {}", &right[..3], &right[3..])).await;
    browser.press("Continue").await;
    browser.heading("Share your account information?").await;
    browser.press("Agree and share").await;
    let notice = browser.see("#notice").await.text().await.unwrap();
    assert!(notice.contains("account"), "AIS-080: {notice}");
    browser.choose_first_account().await;
    browser.press("Agree and share").await;
    let channel = browser.answer(&application.callback).await;
    let tokens = application.tokens(&channel).await;
    application.accounts(&tokens).await.ok(200);
    browser.close().await;
}

#[tokio::test]
async fn as_089_five_wrong_passwords_end_the_journey() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut application = Application::of(&bank).await;
    browser.open(&application.url()).await;
    for _ in 0..4 {
        browser.give_password("amelia", "a guess").await;
        browser.see("#notice").await;
    }
    browser.give_password("amelia", "a guess").await;
    let channel = browser.answer(&application.callback).await;
    application.refused(&channel);
    assert_eq!(application.status().await, "Rejected");
    browser.close().await;
}

#[tokio::test]
async fn as_143_a_guessed_customer_is_locked_out_everywhere_and_told_what_to_do() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut application = Application::of(&bank).await;
    browser.open(&format!("{}/apps", bank.endpoints().public)).await;
    for _ in 0..5 {
        browser.give_password("amelia", "a guess").await;
        browser.see("#notice").await;
    }
    browser.open(&application.url()).await;
    browser.give_password("amelia", "amelia").await;
    browser.heading("Too many attempts").await;

    browser.press("Try again").await;
    browser.give_password("amelia", "amelia").await;
    browser.heading("Too many attempts").await;
    // Nine minutes: the journey is alive as long as somebody is at it, the lock holds.
    bank.clock.advance(SignedDuration::from_mins(9));
    browser.press("Try again").await;
    browser.give_password("amelia", "amelia").await;
    browser.heading("Too many attempts").await;
    bank.clock.advance(SignedDuration::from_mins(1));
    browser.press("Go back to").await;
    application.refused(&browser.answer(&application.callback).await);
    application.status().await;

    let application = Application::of(&bank).await;
    browser.log_in(&application.url(), "amelia").await;
    browser.close().await;
}

#[tokio::test]
async fn as_090_144_a_page_left_too_long_says_so_and_shows_the_way_back() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut application = Application::of(&bank).await;
    browser.log_in(&application.url(), "amelia").await;
    browser.choose_first_account().await;
    bank.clock.advance(SignedDuration::from_mins(10) + SignedDuration::from_secs(1));
    browser.press("Agree and share").await;
    browser.heading("This page has expired").await;
    assert_eq!(application.status().await, "AwaitingAuthorisation", "RW-303");

    browser.press("Go back to").await;
    application.refused(&browser.answer(&application.callback).await);
    assert_eq!(application.status().await, "AwaitingAuthorisation", "nobody has said no");
    application.ask_again().await;
    browser.log_in(&application.url(), "amelia").await;
    browser.close().await;
}
