//! VRP consents in a browser: authorised, shown with their usage, and revoked. Source: VRP-005, VRP-085, AS-134.

use super::Chromium;
use super::accessibility::Look;
use super::payments::in_words;
use crate::harness::paying::{AgreedConsent, orders};
use crate::harness::vrp::{VRP, limit, within};
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, PendingConsent};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::version::Version;
use lombard_tpp::HttpExchange;
use serde_json::{Value, json};

/// A VRP consent request with everything that a page can show.
fn every_detail(now: Timestamp) -> Value {
    let limits = [
        limit("Week", "Consent", "250.00"),
        limit("Month", "Calendar", "500.00"),
        limit("Half-year", "Calendar", "1800.00"),
    ];
    let mut body = within(&limits);
    let end = (now + SignedDuration::from_hours(24 * 400)).to_string();
    body["Data"]["ControlParameters"]["ValidToDateTime"] = end.into();
    body["Data"]["ControlParameters"]["PSUInteractionTypes"] = json!(["OffSession"]);
    body["Data"]["Initiation"]["RemittanceInformation"] = json!({"Reference": "SAVINGS POT"});
    body
}

/// Asks for a payment of so much, with the reference that was agreed to.
async fn pay(paying: &PayingTpp, agreed: &AgreedConsent, amount: &str) -> HttpExchange {
    let mut body = agreed.payment(amount);
    body["Data"]["Instruction"]["RemittanceInformation"] = json!({"Reference": "SAVINGS POT"});
    paying.post(&agreed.token, orders(VRP), &body).await
}

#[tokio::test]
async fn as_142_as_134_a_person_gives_a_mandate_sees_what_was_used_and_ends_it() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    let public = bank.endpoints().public;
    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    let body = every_detail(paying.now());
    let mut asked = PendingConsent::with(&bank, paying.clone(), VRP, body).await;
    look.at_each_step("mandate", &asked.url(), "amelia", in_words(VRP)).await;
    let text = browser.text().await;
    for said in [
        "at most £100.00",
        "At most £250.00 in each week, counted from",
        "At most £500.00 in any calendar month",
        "At most £1,800.00 from January to June, and again from July to December",
        "Somebody Else",
        "SAVINGS POT",
        "between accounts of your own",
        "Up to £250.00 could be paid on one day",
    ] {
        assert!(text.contains(said), "{said} in {text}");
    }
    browser.press("Agree to these limits").await;
    browser.see("#notice").await;
    browser.choose_first_account().await;
    browser.press("Agree to these limits").await;
    let agreed = asked.agreed(&browser.answer(&asked.callback).await).await;
    pay(&paying, &agreed, "12.00").await.ok(201);

    browser.log_in_to_apps(&public, "amelia").await;
    look.at("apps-mandate").await;
    assert!(browser.text().await.contains("£12.00 of £250.00 used, £238.00 left"), "{}", browser.text().await);
    browser.press("Details").await;
    browser.heading("Connected app").await;
    look.at("apps-mandate-one").await;
    browser.press("Stop payments").await;
    browser.heading("Stop these payments?").await;
    look.at("apps-mandate-stop").await;
    browser.press("Stop payments").await;
    browser.heading("No access any more").await;
    look.at("apps-mandate-ended").await;
    pay(&paying, &agreed, "1.00").await.unauthorised();
    assert_eq!(asked.status().await, "Authorised", "VRP-085");

    asked.ask_again().await;
    browser.log_in_to(&asked.url(), "amelia", in_words(VRP)).await;
    look.at("mandate-decision-again").await;
    browser.press("Agree to these limits").await;
    let agreed = asked.agreed(&browser.answer(&asked.callback).await).await;
    pay(&paying, &agreed, "1.00").await.ok(201);
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn as_142_cvrp_002_003_consents_of_v4_0_are_approved_marked_commercial() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("vrp.commercial", "true")]).await;
    let public = bank.endpoints().public;
    let paying = PayingTpp::as_tpp(&bank, "acme").await.through(Version::V4_0);
    let remittance = json!({"Structured": [{"CreditorReferenceInformation": {"Reference": "SAVINGS POT"}}]});
    for (name, heading, kind, context) in [
        ("newer", in_words(VRP), "Sweeping", "TransferToSelf"),
        (
            "commercial",
            "Allow commercial variable recurring payments within these limits?",
            "CVRP1",
            "EcommerceMerchantInitiatedPayment",
        ),
    ] {
        let kind = format!("UK.OBIE.VRPType.{kind}");
        let mut body = every_detail(paying.now());
        body["Data"]["Initiation"]["RemittanceInformation"] = remittance.clone();
        body["Data"]["ControlParameters"]["VRPType"] = json!([kind]);
        body["Risk"]["PaymentContextCode"] = json!(context);
        let asked = PendingConsent::with(&bank, paying.clone(), VRP, body).await;
        look.at_each_step(name, &asked.url(), "amelia", heading).await;
        browser.choose_first_account().await;
        browser.press("Agree to these limits").await;
        let agreed = asked.agreed(&browser.answer(&asked.callback).await).await;
        let mut payment = agreed.payment("12.00");
        payment["Data"]["VRPType"] = json!(kind);
        payment["Data"]["Instruction"]["RemittanceInformation"] = remittance.clone();
        paying.post(&agreed.token, orders(VRP), &payment).await.ok(201);
    }
    browser.log_in_to_apps(&public, "amelia").await;
    look.at("apps-commercial").await;
    browser.press("Details").await;
    browser.heading("Connected app").await;
    look.at("apps-commercial-one").await;
    look.nothing();
    browser.close().await;
}
