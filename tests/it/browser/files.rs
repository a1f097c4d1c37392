//! File payments in a browser: the total and each payment. Source: AS-142, FILE-019, FILE-023.

use super::Chromium;
use super::accessibility::Look;
use super::payments::{Made, in_words};
use crate::harness::paying::consents;
use crate::harness::{Bank, PayingTpp, PendingConsent};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::file_hash;
use serde_json::{Value, json};

const FILE: PaymentProduct = PaymentProduct::FilePayment;

/// Salaries: every twentieth is to a number that can be none of the country's.
fn salaries(count: usize) -> String {
    let payment = |number: usize| {
        let mut payment: Value = json!({
            "InstructionIdentification": format!("I-{number}"),
            "EndToEndIdentification": format!("E-{number}"),
            "InstructedAmount": {"Amount": format!("{}.50", 10 + number), "Currency": "GBP"},
            "CreditorAccount": {
                "SchemeName": "UK.OBIE.SortCodeAccountNumber",
                "Identification": "20000319825731",
                "Name": format!("Somebody Else the {number}th"),
            },
            "RemittanceInformation": {"Reference": format!("SALARY {number}")},
        });
        if number % 20 == 3 {
            payment["CreditorAccount"]["Identification"] = "12345678".into();
        }
        payment
    };
    let payments: Vec<_> = (1..=count).map(payment).collect();
    json!({"Data": {"DomesticPayments": payments}}).to_string()
}

/// A consent to the payments of this file, which has come.
async fn uploaded(bank: &Bank, text: String) -> PendingConsent {
    let asked = announced(bank, &text).await;
    let path = format!("{}/{}/file", consents(FILE), asked.consent);
    let key = asked.paying.tpp.new_idempotency_key();
    let upload = asked.paying.tpp.upload(&asked.paying.own, &path, &key, "application/json", &text).await.unwrap();
    assert_eq!(upload.status, 200, "{}", upload.text());
    asked
}

/// The same, and the file has not come.
async fn announced(bank: &Bank, text: &str) -> PendingConsent {
    let paying = PayingTpp::as_tpp(bank, "acme").await;
    let mut body = paying.asking(FILE);
    let initiation = &mut body["Data"]["Initiation"];
    initiation["FileHash"] = file_hash(text.as_bytes()).into();
    initiation["FileReference"] = "SALARIES NOVEMBER".into();
    PendingConsent::with(bank, paying, FILE, body).await
}

#[tokio::test]
async fn as_142_a_person_looks_through_a_file_and_agrees_and_so_does_the_second() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let public = bank.endpoints().public;
    let asked = uploaded(&bank, salaries(103)).await;
    look.at_each_step("file", &asked.url(), "bashir", in_words(FILE)).await;
    let text = browser.text().await;
    // The sum of 10.50 and a pound more each time.
    for said in ["£6,437.50", "in 103 payments", "£113.50", "SALARIES NOVEMBER", "6 of them cannot be paid"] {
        assert!(text.contains(said), "{said} in {text}");
    }
    browser.press("Look through 103 payments").await;
    browser.heading("The payments of the file").await;
    look.at("file-page-1").await;
    browser.press("Next").await;
    look.at("file-page-2").await;
    browser.press("Next").await;
    let text = browser.text().await;
    assert!(text.contains("Page 3 of 3") && text.contains("SALARY 103") && !text.contains("SALARY 100 "), "{text}");
    assert!(text.contains("Cannot be paid. "), "FILE-023: {text}");
    browser.press("Back to the decision").await;
    browser.heading(in_words(FILE)).await;
    browser.press("Refuse").await;
    browser.answer(&asked.callback).await;

    let made = Made::of(uploaded(&bank, salaries(60)).await, &browser).await;
    browser.log_in_to_apps(&public, "chloe").await;
    look.at("apps-waiting-file").await;
    browser.open(&format!("{public}{}", made.path())).await;
    browser.heading(in_words(FILE)).await;
    look.at("apps-waiting-file-one").await;
    browser.press("Look through 60 payments").await;
    browser.press("Last").await;
    look.at("apps-waiting-file-page").await;
    browser.press("Back to the decision").await;
    let code = browser.shown_code().await;
    browser.fill("code", &code).await;
    browser.press("Agree to").await;
    browser.heading("Everybody has agreed").await;
    look.at("apps-agreed-file").await;
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn file_019_before_the_file_has_come_nobody_is_asked() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    let mut asked = announced(&bank, &salaries(1)).await;
    browser.open(&asked.url()).await;
    let channel = browser.answer(&asked.callback).await;
    assert_eq!((channel.error.as_deref(), channel.code.as_deref()), (Some("invalid_request"), None));
    assert_eq!(asked.status().await, "AwaitingUpload");
    browser.close().await;
}
