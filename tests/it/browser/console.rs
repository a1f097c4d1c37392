//! The console of the bank's staff in a real browser, and a support case in it: a customer does not know a payment.

use super::Chromium;
use super::accessibility::Look;
use crate::harness::vrp::{limit, within};
use crate::harness::{Bank, EVERYTHING, PayingTpp, ValueExt, access};
use lombard::operator_file::OperatorFile;
use lombard_domain::payment::PaymentProduct;
use serde_json::json;

/// Opens the first page of the console as the operator of the sandbox.
async fn log_in(browser: &Chromium, bank: &Bank) {
    let operator = OperatorFile::read(bank.data_dir()).unwrap().unwrap();
    browser.open(&bank.endpoints().ops).await;
    browser.heading("Staff login").await;
    browser.fill("user", &operator.user).await;
    browser.fill("password", &operator.password).await;
    browser.press("Log in").await;
    browser.heading("Operations").await;
}

/// A customer who has shared accounts, pays by VRP, and has made a payment.
async fn customer_with_a_payment(bank: &Bank) -> String {
    access(&bank.tpp("robot"), &EVERYTHING).await;
    let paying = PayingTpp::robot(bank).await;
    let vrp = paying.agreed_to(PaymentProduct::DomesticVrp, within(&[limit("Month", "Consent", "100.00")])).await;
    let (order, _) = paying.ordered(&vrp).await;
    paying.order_now(PaymentProduct::DomesticVrp, &order).await;
    order
}

#[tokio::test]
async fn an_unknown_payment_is_found_read_and_its_access_ended_in_three_steps() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let order = customer_with_a_payment(&bank).await;
    log_in(&browser, &bank).await;
    look.at("console-search").await;
    // Find the payment by what the customer's statement says.
    browser.fill("text", "E2E-1").await;
    browser.fill("why", "case 7").await;
    browser.press("Find").await;
    browser.heading("Order").await;
    browser.see(".sequence").await;
    look.at("console-order").await;
    // Read the story, and end the access of the consent, with the same reason.
    browser.press("End the access").await;
    browser.heading("Consent").await;
    browser.see("#done").await;
    look.at("console-consent-ended").await;
    let story = bank.ops_get(&format!("/operations/consents/{order}?reason=case-7")).await.json().unwrap();
    assert_eq!((story.text("status"), &story["is_revocable"]), ("Stopped by the bank", &json!(false)));
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn the_pages_of_the_console_are_accessible() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let ops = bank.endpoints().ops;
    for _ in 0..2 {
        customer_with_a_payment(&bank).await;
    }
    log_in(&browser, &bank).await;
    browser.fill("text", "E2E-1").await;
    browser.fill("why", "case 7").await;
    browser.press("Find").await;
    browser.heading("Found").await;
    look.at("console-found").await;
    for (path, heading, name) in [
        ("/customers/amelia", "Why do you read this?", "console-reason"),
        ("/customers/amelia?reason=case+7", "Customer amelia", "console-customer"),
        ("/orders/none?reason=case+7", "That was not done", "console-problem"),
        ("/tpps", "TPPs", "console-tpps"),
        ("/tpps/robot", "robot", "console-tpp"),
        ("/work", "Stuck work", "console-work"),
        ("/keys", "Keys and certificates", "console-keys"),
        ("/node", "This node", "console-node"),
        ("/role", "Your role", "console-role"),
    ] {
        browser.open(&format!("{ops}{path}")).await;
        if name != "console-tpp" {
            browser.heading(heading).await;
        }
        look.at(name).await;
    }
    look.nothing();
    browser.close().await;
}
