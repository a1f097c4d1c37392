//! International payments in a browser: both currencies, the rate and its type. Source: AS-142, section 5.1.

use super::Chromium;
use super::accessibility::Look;
use super::payments::{Made, in_words};
use crate::harness::paying::ABROAD;
use crate::harness::{Bank, PayingTpp, PendingConsent};
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};

/// Each kind of rate that can be asked for, by name; and none.
fn rates() -> [(&'static str, Option<Value>); 4] {
    let deal = json!({
        "UnitCurrency": "GBP", "RateType": "Agreed", "ExchangeRate": 1.17, "ContractIdentification": "LSB-FX-0001",
    });
    let price = |kind: &str| Some(json!({"UnitCurrency": "GBP", "RateType": kind}));
    [("actual", price("Actual")), ("agreed", Some(deal)), ("indicative", price("Indicative")), ("no-rate", None)]
}

/// What asks for a thousand euros in France, with everything a page can show.
fn every_detail(paying: &PayingTpp, product: PaymentProduct, rate: Option<Value>) -> Value {
    let mut body = paying.asking(product);
    let address = json!({"StreetName": "Rue de Rivoli", "BuildingNumber": "12", "TownName": "Paris", "Country": "FR"});
    let initiation = &mut body["Data"]["Initiation"];
    initiation["InstructedAmount"] = json!({"Amount": "1000.00", "Currency": "EUR"});
    initiation["ChargeBearer"] = "Shared".into();
    initiation["DestinationCountryCode"] = "FR".into();
    initiation["ExtendedPurpose"] = "Pipes and taps for the house in the country".into();
    initiation["Creditor"] = json!({"Name": "Société Générale de Plomberie", "PostalAddress": address});
    initiation["CreditorAgent"] = json!({
        "SchemeName": "UK.OBIE.BICFI", "Identification": "AGRIFRPPXXX", "Name": "Crédit Vert", "PostalAddress": address,
    });
    initiation["CreditorAccount"] =
        json!({"SchemeName": "UK.OBIE.IBAN", "Identification": "FR7630006000011234567890189", "Name": "SG Plomberie"});
    if product != ABROAD[2] {
        initiation["InstructionPriority"] = "Urgent".into();
        initiation["RemittanceInformation"] = json!({"Reference": "FACTURE 2026-042"});
    }
    if let Some(rate) = rate {
        initiation["ExchangeRateInformation"] = rate;
    }
    body
}

#[tokio::test]
async fn as_142_international_payment_pages_show_currencies_and_are_accessible() {
    let Some(browser) = Chromium::start().await else { return };
    let mut look = Look::by(&browser);
    let bank = Bank::start().await;
    bank.set_working_morning().await;
    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    for (name, rate) in rates() {
        let body = every_detail(&paying, ABROAD[0], rate.clone());
        let asked = PendingConsent::with(&bank, paying.clone(), ABROAD[0], body).await;
        browser.open(&asked.url()).await;
        browser.give_password("amelia", "amelia").await;
        browser.heading("Confirm that it is you").await;
        look.at(&format!("abroad-{name}-code")).await;
        browser.give_code().await;
        browser.heading(in_words(ABROAD[0])).await;
        look.at(&format!("abroad-{name}-decision")).await;
        let text = browser.text().await;
        for said in ["€1,000.00", "SG Plomberie", "Crédit Vert, BIC AGRIFRPPXXX", "FACTURE 2026-042", "1 GBP = "] {
            assert!(text.contains(said), "{name}: {said} in {text}");
        }
        assert_eq!(text.contains("This rate may change"), matches!(name, "indicative" | "no-rate"), "{text}");
        assert_eq!(text.contains("The bank holds this rate until"), name == "actual", "{text}");
        assert_eq!(text.contains("LSB-FX-0001"), name == "agreed", "{text}");
        browser.choose_first_account().await;
        browser.press("Refuse").await;
        browser.answer(&asked.callback).await;
    }
    for (product, rate) in [(ABROAD[1], rates()[0].1.clone()), (ABROAD[2], None)] {
        let body = every_detail(&paying, product, rate);
        let asked = PendingConsent::with(&bank, paying.clone(), product, body).await;
        browser.log_in_to(&asked.url(), "amelia", in_words(product)).await;
        look.at(&format!("abroad-{}-decision", product.name())).await;
    }

    let body = every_detail(&paying, ABROAD[0], rates()[0].1.clone());
    let made = Made::of(PendingConsent::with(&bank, paying, ABROAD[0], body).await, &browser).await;
    let public = bank.endpoints().public;
    browser.log_in_to_apps(&public, "chloe").await;
    look.at("apps-waiting-abroad").await;
    browser.open(&format!("{public}{}", made.path())).await;
    browser.heading(in_words(ABROAD[0])).await;
    look.at("apps-waiting-abroad-one").await;
    look.nothing();
    browser.close().await;
}

#[tokio::test]
async fn a_customer_approves_each_international_product_and_its_token_orders_it() {
    let Some(browser) = Chromium::start().await else { return };
    let bank = Bank::start().await;
    bank.set_working_morning().await;
    for product in ABROAD {
        let mut asked = PendingConsent::of(&bank, product).await;
        browser.log_in_to(&asked.url(), "amelia", in_words(product)).await;
        browser.choose_first_account().await;
        browser.press("Agree to").await;
        let agreed = asked.agreed(&browser.answer(&asked.callback).await).await;
        asked.paying.ordered(&agreed).await;
        assert_eq!(asked.status().await, "Consumed");
    }
    browser.close().await;
}
