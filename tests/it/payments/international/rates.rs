//! Exchange rates: given with the consent, of the requested type, and repeated by the order. Source: section 5.1.

use super::*;
use crate::harness::pending_consent::accounts_of;
use crate::harness::{ExchangeExt, ValueExt};
use jiff::{SignedDuration, Timestamp};

fn time(text: &str) -> Timestamp {
    text.parse().unwrap()
}

#[tokio::test]
async fn int_010_020_021_024_each_rate_type_is_shown_and_repeated_by_the_order() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        bank.set_working_morning().await;
        for product in QUOTED {
            for rate in [deal(), price("Actual"), price("Indicative")] {
                let asked = asking_at(&paying, product, rate.clone());
                let made = paying.consent(product, &asked).await;
                let told = made["Data"]["ExchangeRateInformation"].clone();
                assert_eq!(told["UnitCurrency"], "GBP", "INT-024");
                assert_eq!(told["RateType"], rate["RateType"], "INT-024");
                let worth = told["ExchangeRate"].as_f64().expect("INT-025: a number");
                match told.text("RateType") {
                    "Agreed" => {
                        assert_eq!(told, deal(), "section 5.1: rate and contract, and no end");
                    }
                    kind => {
                        assert!((1.0..1.4).contains(&worth), "{worth}");
                        assert_eq!(told.get("ContractIdentification"), None);
                        let end = told.get("ExpirationDateTime").map(|end| time(end.as_str().unwrap()));
                        let held = time(made["Data"].text("CreationDateTime")) + SignedDuration::from_mins(30);
                        assert_eq!(end, (kind == "Actual").then_some(held), "INT-020, INT-021");
                    }
                }
                assert_eq!(made["Data"]["Initiation"], asked["Data"]["Initiation"], "PIS-018: nothing is completed");
                let consent = made["Data"].text("ConsentId");
                let token = paying.token(consent).await;
                assert_eq!(paying.consent_now(product, consent).await["Data"]["ExchangeRateInformation"], told);
                let order = crate::harness::paying::order_of(consent, &asked);
                let placed = paying.post(&token, orders(product), &order).await.ok(201);
                assert_eq!(placed["Data"]["ExchangeRateInformation"], told, "INT-021");
                assert_eq!(placed["Data"]["Charges"], made["Data"]["Charges"], "INT-021");
                let read = paying.order_now(product, placed["Data"].text(product.id_member())).await;
                assert_eq!(read["Data"]["ExchangeRateInformation"], told, "INT-021");
            }
        }
    }
}

#[tokio::test]
async fn section_5_1_where_no_rate_is_asked_for_none_is_told() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    for product in ABROAD {
        let agreed = paying.agreed(product).await;
        let shown = paying.consent_now(product, &agreed.consent).await;
        let (_, placed) = paying.ordered(&agreed).await;
        for answer in [shown, placed] {
            assert_eq!(answer["Data"].get("ExchangeRateInformation"), None, "SO-014");
        }
    }
}

#[tokio::test]
async fn int_002_no_exchange_is_a_rate_of_one() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    bank.set_working_morning().await;
    let asked = with(asking_at(&paying, NOW, price("Actual")), "/Data/Initiation/CurrencyOfTransfer", json!("GBP"));
    let told = paying.consent(NOW, &asked).await["Data"]["ExchangeRateInformation"].clone();
    assert_eq!(told["ExchangeRate"].as_f64(), Some(1.0));
}

#[tokio::test]
async fn pis_083_084_int_023_funds_are_confirmed_at_the_rate_that_was_told() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        bank.set_working_morning().await;
        for (product, rate) in [(NOW, deal()), (LATER, price("Actual"))] {
            // What is instructed is in the currency of the account, or in the one that is sent.
            for (amount, currency, has) in [("12.50", "GBP", true), ("12.50", "EUR", true), ("999999.00", "EUR", false)]
            {
                let amount = json!({"Amount": amount, "Currency": currency});
                let asked =
                    with(asking_at(&paying, product, rate.clone()), "/Data/Initiation/InstructedAmount", amount);
                let agreed = paying.agreed_to(product, asked).await;
                let path = format!("{}/{}/funds-confirmation", consents(product), agreed.consent);
                let answer = paying.get(&agreed.token, &path).await.ok(200);
                let result = &answer["Data"]["FundsAvailableResult"];
                assert_eq!(result["FundsAvailable"], json!(has), "{product:?} {currency}");
            }
        }
        // What is debited on a later day is not looked at before.
        let agreed = paying.agreed_to(LATER, asking_at(&paying, LATER, price("Indicative"))).await;
        let path = format!("{}/{}/funds-confirmation", consents(LATER), agreed.consent);
        let answer = paying.get(&agreed.token, &path).await;
        answer.refused_with(400, "UK.OBIE.Resource.InvalidConsentStatus", "Data.Status");
    }
}

#[tokio::test]
async fn int_012_a_customer_pays_from_an_account_in_the_unit_and_from_no_other() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        bank.set_working_morning().await;
        let dollars = json!({"UnitCurrency": "USD", "RateType": "Actual"});
        let amount = json!({"Amount": "12.50", "Currency": "USD"});
        let asked = with(asking_at(&paying, NOW, dollars), "/Data/Initiation/InstructedAmount", amount);
        let consent = paying.consent(NOW, &asked).await["Data"].text("ConsentId").to_owned();
        let bashirs = accounts_of(&bank, "bashir").await;
        let id = |currency: &str| bashirs.iter().find(|it| it.text("currency") == currency).unwrap()["id"].clone();
        let authorise = async |account: Value| {
            let body = json!({"psu": "bashir", "decision": "approve", "accounts": [account]});
            bank.ops_post(&format!("/sandbox/consents/{consent}/authorise"), &body).await.0
        };
        let status = async || paying.consent_now(NOW, &consent).await["Data"].text("Status").to_owned();
        for other in ["GBP", "EUR"] {
            assert_eq!((authorise(id(other)).await, &*status().await), (400, "AwaitingAuthorisation"), "{other}");
        }
        assert_eq!((authorise(id("USD")).await, &*status().await), (200, "Authorised"));
        // A customer without such an account cannot pay it.
        let consent = paying.consent(NOW, &asked).await["Data"].text("ConsentId").to_owned();
        let request = paying.tpp.new_authorisation_request(&consent, "payments").await.unwrap();
        let refused = paying.tpp.authorise_headless(&request).await.unwrap();
        assert!(refused.expect_code(&request.state).is_err(), "PIS-033");
        assert_eq!(paying.consent_now(NOW, &consent).await["Data"].text("Status"), "Rejected");
    }
}
