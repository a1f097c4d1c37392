//! Whole journeys: account access, a payment, recurring payments and a file.

use super::provider::{DETAILS, Provider};
use super::{ProviderBank, Visit, on_to_provider};
use crate::harness::paying::{consents, orders};
use crate::harness::pending_consent::PendingConsent;
use crate::harness::{Browser, Engine, ExchangeExt, Page, PayingTpp, ValueExt, vrp};
use crate::payments::books::count;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::{AuthorisationResponse, file_hash};
use serde_json::{Value, json};

/// Goes through the provider as this customer: the decision page, and the purpose that the provider was told.
async fn decision(provider: &Provider, browser: &mut Browser, url: &str, customer: &str) -> (Page, Value) {
    let page = browser.open(url).await;
    let location = on_to_provider(browser, &page).await;
    let back = provider.log_in(&location, customer);
    let purpose = provider.purposes().pop().unwrap();
    (browser.open(&back.url()).await, purpose)
}

/// Agrees with the first account.
async fn agree(browser: &mut Browser, page: &Page, callback: &str) -> AuthorisationResponse {
    let form = page.form_with("decision");
    let account = form.values("account").remove(0);
    let back = browser.submit(form, &[("account", &account), ("decision", "approve")]).await;
    AuthorisationResponse::parse_redirect(&back.exchange, callback).unwrap()
}

#[tokio::test]
async fn a_customer_shares_accounts_after_a_login_at_the_provider() {
    for engine in Engine::at_hand() {
        for is_plain in [false, true] {
            let ProviderBank { bank, provider } = ProviderBank::start_on(engine).await;
            if is_plain {
                provider.be_plain();
            }
            let mut visit = Visit::new(&bank).await;
            let location = visit.reach_provider().await;
            let back = provider.log_in(&location, "amelia");
            let page = visit.browser.open(&back.url()).await;
            assert!(
                page.exchange.text().contains("Amelia"),
                "the name that the provider told: {}",
                page.exchange.text()
            );
            let back = visit.browser.agree(&page).await;
            let channel = visit.told(&back);
            channel.expect_code(&visit.request.state).unwrap();
            assert_eq!(visit.status().await, "Authorised");
            let factors =
                "SELECT count(*) FROM consents WHERE authentication_factors = '[\"knowledge\",\"inherence\"]'";
            assert_eq!(count(&bank, factors).await, 1);
        }
    }
}

#[tokio::test]
async fn as_142_a_payment_is_linked_to_its_amount_and_payee() {
    for engine in Engine::at_hand() {
        for is_plain in [false, true] {
            let ProviderBank { bank, provider } = ProviderBank::start_on(engine).await;
            if is_plain {
                provider.be_plain();
            }
            let asked = PendingConsent::of(&bank, PaymentProduct::DomesticPayment).await;
            let mut browser = Browser::new(&asked.paying.tpp);
            let (page, purpose) = decision(&provider, &mut browser, &asked.url(), "amelia").await;
            let mut told = json!({
                "purpose": "payment", "amount": {"amount": "12.50", "currency": "GBP"},
                "payee": {
                    "name": "Somebody Else", "scheme": "sort-code-account-number", "identification": "20000319825731",
                },
            });
            if !is_plain {
                told["type"] = json!(DETAILS);
                told = json!([told]);
            }
            assert_eq!(purpose, told);
            let channel = agree(&mut browser, &page, &asked.callback).await;
            let agreed = asked.agreed(&channel).await;
            asked.paying.ordered(&agreed).await;
        }
    }
}

#[tokio::test]
async fn as_142_recurring_payments_are_linked_to_their_limits() {
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    let asked = PendingConsent::with(&bank, paying, PaymentProduct::DomesticVrp, vrp::asking()).await;
    let mut browser = Browser::new(&asked.paying.tpp);
    let (page, purpose) = decision(&provider, &mut browser, &asked.url(), "amelia").await;
    assert_eq!(purpose[0]["purpose"], "recurring_payments");
    assert!(purpose[0]["maximum_payment"]["amount"].is_string(), "{purpose}");
    assert!(!purpose[0]["limits"].as_array().unwrap().is_empty(), "{purpose}");
    let channel = agree(&mut browser, &page, &asked.callback).await;
    asked.agreed(&channel).await;
}

#[tokio::test]
async fn as_142_a_file_is_linked_to_its_digest_and_totals() {
    const FILE: PaymentProduct = PaymentProduct::FilePayment;
    let ProviderBank { bank, provider } = ProviderBank::start().await;
    let payment = json!({
        "InstructionIdentification": "I-1", "EndToEndIdentification": "E-1",
        "InstructedAmount": {"Amount": "7.25", "Currency": "GBP"},
        "CreditorAccount": {
            "SchemeName": "UK.OBIE.SortCodeAccountNumber", "Identification": "20000319825731", "Name": "Somebody Else",
        },
    });
    let text = json!({"Data": {"DomesticPayments": [payment]}}).to_string();
    let hash = file_hash(text.as_bytes());
    let initiation = json!({"FileType": "UK.OBIE.PaymentInitiation.3.1", "FileHash": hash});
    let paying = PayingTpp::as_tpp(&bank, "acme").await;
    let body = json!({"Data": {"Initiation": initiation}});
    let asked = PendingConsent::with(&bank, paying, FILE, body).await;
    let tpp = &asked.paying.tpp;
    let path = format!("{}/{}/file", consents(FILE), asked.consent);
    tpp.upload(&asked.paying.own, &path, &tpp.new_idempotency_key(), "application/json", &text).await.unwrap().ok(200);
    let mut browser = Browser::new(tpp);
    let (page, purpose) = decision(&provider, &mut browser, &asked.url(), "amelia").await;
    assert_eq!(purpose[0]["totals"], json!([{"amount": "7.25", "currency": "GBP"}]));
    let digest = lombard_jose::base64url(&lombard_jose::sha256(text.as_bytes()).0);
    assert_eq!(purpose[0]["file_sha256"], digest);
    let channel = agree(&mut browser, &page, &asked.callback).await;
    let agreed = asked.agreed(&channel).await;
    let order = json!({"Data": {"ConsentId": asked.consent, "Initiation": initiation}});
    let made = asked.paying.post(&agreed.token, orders(FILE), &order).await.ok(201);
    assert_eq!(made["Data"].text("Status"), "InitiationPending");
}
