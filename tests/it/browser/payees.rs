//! The check of the payee's name and warnings in a browser, and the ways of choosing accounts: accessible in every state.

use super::accessibility::Look;
use super::payments::in_words;
use super::{Application, Chromium};
use crate::authorise::payees::{amelias_account, paying_to};
use crate::harness::{Bank, PayingTpp, PendingConsent, ValueExt};
use lombard_domain::payment::PaymentProduct;
use serde_json::json;

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

#[tokio::test]
async fn each_outcome_of_the_check_is_accessible() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    let account = amelias_account(&bank).await;
    let own = account.text("Name").to_owned();
    for (page, name, amount) in [
        ("match", own.clone(), "12.50"),
        ("close", format!("{own}e"), "12.50"),
        ("none", "Quentin Zwick".to_owned(), "1500.00"),
    ] {
        let mut payee = account.clone();
        payee["Name"] = json!(name);
        let mut body = paying_to(&paying, &payee, amount);
        body["Risk"] = json!({"PaymentContextCode": "TransferToThirdParty"});
        let asked = PendingConsent::with(&bank, paying.clone(), NOW, body).await;
        browser.log_in_to(&asked.url(), "deepak", in_words(NOW)).await;
        look.at(&format!("payee-{page}")).await;
        browser.press("Refuse").await;
        browser.answer(&asked.callback).await;
    }
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn all_accounts_are_chosen_by_one_link_and_shared() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let application = Application::of(&bank).await;
    browser.log_in(&application.url(), "amelia").await;
    let checked = async || {
        let script = "return [...document.querySelectorAll('input[name=account]')].map((it) => it.checked)";
        browser.driver.execute(script, Vec::new()).await.unwrap().convert::<Vec<bool>>().unwrap()
    };
    assert!(checked().await.iter().all(|chosen| !chosen), "nothing is chosen before");
    let first = browser.see("label[for=account-1]").await.text().await.unwrap();
    assert!(first.contains("Current account") && first.contains("balance"), "{first}");
    browser.press("Select all").await;
    assert!(checked().await.iter().all(|chosen| *chosen));
    look.at("decision-all").await;
    browser.press("Select none").await;
    browser.press("Select all").await;
    let count = checked().await.len();
    browser.press("Agree and share").await;
    let tokens = application.tokens(&browser.answer(&application.callback).await).await;
    let shared = application.accounts(&tokens).await;
    let body = shared.json().unwrap();
    assert_eq!(body["Data"]["Account"].as_array().map(Vec::len), Some(count));
    look.nothing();
    browser.close().await;
}
