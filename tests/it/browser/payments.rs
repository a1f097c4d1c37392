//! Payments in a browser: authorised, refused, and authorised by two customers. Source: PIS-031 to PIS-035, PIS-112, AS-142.

use super::Chromium;
use crate::harness::paying::{AgreedConsent, DOMESTIC};
use crate::harness::{Bank, PayingTpp, PendingConsent, ValueExt};
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};
use thirtyfour::Key;

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

/// The question the decision on a product asks.
pub(crate) fn in_words(product: PaymentProduct) -> &'static str {
    match product {
        PaymentProduct::DomesticPayment => "Make this payment?",
        PaymentProduct::DomesticScheduledPayment => "Make this payment on a later day?",
        PaymentProduct::DomesticStandingOrder => "Set up this standing order?",
        PaymentProduct::InternationalPayment => "Make this international payment?",
        PaymentProduct::InternationalScheduledPayment => "Make this international payment on a later day?",
        PaymentProduct::InternationalStandingOrder => "Set up this international standing order?",
        PaymentProduct::FilePayment => "Make the payments of this file?",
        PaymentProduct::DomesticVrp => "Allow payments within these limits?",
    }
}

/// What asks for a consent with everything a page can show: references, charges, a cut-off, amounts that differ.
pub(crate) fn every_detail(paying: &PayingTpp, product: PaymentProduct) -> Value {
    let mut body = paying.asking(product);
    body["Data"]["ReadRefundAccount"] = json!("Yes");
    let initiation = &mut body["Data"]["Initiation"];
    match product {
        PaymentProduct::DomesticStandingOrder => {
            initiation["Reference"] = json!("RENT 12 QUAY STREET");
            initiation["Frequency"] = json!("IntrvlMnthDay:01:31");
            initiation["FirstPaymentAmount"] = json!({"Amount": "1250.00", "Currency": "GBP"});
            initiation["RecurringPaymentAmount"] = json!({"Amount": "650.00", "Currency": "GBP"});
            let end = paying.now() + SignedDuration::from_hours(24 * 300);
            initiation["FinalPaymentDateTime"] = json!(end.to_string());
            initiation["FinalPaymentAmount"] = json!({"Amount": "325.50", "Currency": "GBP"});
        }
        _ => {
            initiation["LocalInstrument"] = json!("UK.OBIE.CHAPS");
            initiation["InstructedAmount"]["Amount"] = json!("1250.00");
            initiation["RemittanceInformation"] =
                json!({"Reference": "INV-2026-0042", "Unstructured": "For the work in the kitchen, with thanks"});
        }
    }
    body
}

/// An order that bashir agreed to in the browser, and chloe has not.
pub(crate) struct Made {
    paying: PayingTpp,
    product: PaymentProduct,
    id: String,
}

impl Made {
    pub(crate) async fn by_bashir(bank: &Bank, browser: &Chromium, product: PaymentProduct) -> Self {
        Self::of(PendingConsent::of(bank, product).await, browser).await
    }

    /// The same, of what bashir is asked here.
    pub(crate) async fn of(asked: PendingConsent, browser: &Chromium) -> Self {
        let product = asked.product;
        browser.log_in_to(&asked.url(), "bashir", in_words(product)).await;
        browser.choose_first_account().await;
        browser.press("Agree to").await;
        let agreed = asked.agreed(&browser.answer(&asked.callback).await).await;
        let (id, _) = asked.paying.ordered(&agreed).await;
        Self { paying: asked.paying, product, id }
    }

    /// Where chloe finds it.
    pub(crate) fn path(&self) -> String {
        format!("/apps/payments/{}", self.id)
    }

    async fn approvals(&mut self) -> String {
        self.paying.own = self.paying.tpp.client_credentials("payments").await.unwrap().access_token;
        let now = self.paying.order_now(self.product, &self.id).await;
        now["Data"]["MultiAuthorisation"].text("Status").to_owned()
    }
}

/// Goes back to the application with a token that orders what was agreed to.
async fn orders(browser: &Chromium, asked: &mut PendingConsent) {
    let agreed: AgreedConsent = asked.agreed(&browser.answer(&asked.callback).await).await;
    assert_eq!(asked.status().await, "Authorised");
    asked.paying.ordered(&agreed).await;
    assert_eq!(asked.status().await, "Consumed");
}

#[tokio::test]
async fn a_customer_approves_each_domestic_product_and_its_token_orders_it() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    for product in DOMESTIC {
        let mut asked = PendingConsent::of(&bank, product).await;
        browser.log_in_to(&asked.url(), "amelia", in_words(product)).await;
        browser.choose_first_account().await;
        browser.press("Agree to").await;
        orders(&browser, &mut asked).await;
        browser.driver.back().await.unwrap();
        browser.driver.refresh().await.unwrap();
        browser.heading("This page is not available").await;
    }
    browser.close().await;
}

#[tokio::test]
async fn as_144_a_payment_needs_nothing_but_the_keyboard() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut asked = PendingConsent::of(&bank, NOW).await;
    browser.open(&asked.url()).await;
    browser.fill("name", "amelia").await;
    browser.fill("password", "amelia").await;
    browser.see("#password").await.send_keys(Key::Enter + "").await.unwrap();
    browser.heading("Confirm that it is you").await;
    let code = browser.shown_code().await;
    browser.see("#code").await.send_keys(code + Key::Enter).await.unwrap();
    browser.heading(in_words(NOW)).await;
    // One account of a group: the arrows move, and choose with it.
    let first = browser.see("#account-1").await;
    first.send_keys(Key::Space + "").await.unwrap();
    first.send_keys(Key::Down + "").await.unwrap();
    assert_eq!(browser.focus().await, "account-2");
    assert!(browser.see("#account-2").await.is_selected().await.unwrap());
    assert!(!browser.see("#account-1").await.is_selected().await.unwrap(), "PIS-032: one account");
    browser.see("button[value=approve]").await.send_keys(Key::Enter + "").await.unwrap();
    orders(&browser, &mut asked).await;
    browser.close().await;
}

#[tokio::test]
async fn pis_032_approval_without_an_account_asks_for_one_and_refusal_returns() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut asked = PendingConsent::of(&bank, NOW).await;
    browser.log_in_to(&asked.url(), "amelia", in_words(NOW)).await;
    browser.press("Agree to").await;
    assert_eq!(browser.focus().await, "notice");
    browser.press_here("Choose the account to pay from").await;
    assert_eq!(browser.focus().await, "account-1");
    assert_eq!(asked.status().await, "AwaitingAuthorisation");
    browser.press("Refuse").await;
    let channel = browser.answer(&asked.callback).await;
    asked.refused(&channel, "access_denied").await;
    browser.close().await;
}

#[tokio::test]
async fn pis_112_bashir_agrees_today_and_chloe_the_day_after() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let public = bank.endpoints().public;
    let mut made = Made::by_bashir(&bank, &browser, NOW).await;
    bank.clock.advance(SignedDuration::from_hours(24));
    assert_eq!(made.approvals().await, "AwaitingFurtherAuthorisation");
    browser.log_in_to_apps(&public, "chloe").await;
    browser.press("Review").await;
    browser.heading(in_words(NOW)).await;
    let code = browser.shown_code().await;
    browser.see("#code").await.send_keys(code + Key::Enter).await.unwrap();
    browser.heading("Everybody has agreed").await;
    assert_eq!(made.approvals().await, "Authorised");
    browser.press("Back to your pages").await;
    browser.heading("Your connected apps").await;
    browser.see(".empty").await;
    browser.close().await;
}
