//! Confirmation of funds for a payment. Source: section 2.8.

use super::with;
use crate::harness::paying::{DOMESTIC, consents, orders};
use crate::harness::{Bank, ExchangeExt, PayingTpp, ValueExt};
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

fn path(consent: &str) -> String {
    format!("{}/{consent}/funds-confirmation", consents(NOW))
}

#[tokio::test]
async fn pis_080_to_083_funds_are_confirmed_while_the_consent_is_authorised() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(NOW).await;
        let confirm = async || paying.get(&agreed.token, &path(&agreed.consent)).await;
        for _ in 0..2 {
            let answer = confirm().await.ok(200);
            let result = &answer["Data"]["FundsAvailableResult"];
            assert_eq!(result["FundsAvailable"], Value::Bool(true), "PIS-083");
            assert!(!result.text("FundsAvailableDateTime").is_empty(), "PIS-082");
            assert_eq!(answer["Links"].text("Self"), paying.tpp.resource_url(&path(&agreed.consent)));
            assert_eq!(answer.get("Risk"), None);
        }
        let status = paying.consent_now(NOW, &agreed.consent).await["Data"].text("Status").to_owned();
        assert_eq!(status, "Authorised", "PIS-081");
        paying.ordered(&agreed).await;
        confirm().await.refused_with(400, "UK.OBIE.Resource.InvalidConsentStatus", "Data.Status");
    }
}

#[tokio::test]
async fn pis_083_what_the_account_does_not_hold_is_not_confirmed() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let asked = with(paying.asking(NOW), "/Data/Initiation/InstructedAmount/Amount", json!("999999.99"));
    let agreed = paying.agreed_to(NOW, asked).await;
    let answer = paying.get(&agreed.token, &path(&agreed.consent)).await.ok(200);
    assert_eq!(answer["Data"]["FundsAvailableResult"]["FundsAvailable"], Value::Bool(false));
}

#[tokio::test]
async fn pis_004_006_007_funds_are_confirmed_for_the_tokens_own_consent() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let mine = paying.agreed(NOW).await;
    let other = paying.agreed(NOW).await;
    paying.get(&paying.own, &path(&mine.consent)).await.unauthorised();
    paying.get(&mine.token, &path(&other.consent)).await.refused_with(403, "UK.Lombard.Forbidden.Owner", "");
    paying.get(&mine.token, &path("unknown")).await.refused_with(400, "UK.OBIE.Resource.NotFound", "");
    let later = paying.agreed(DOMESTIC[1]).await;
    let answer = paying.get(&later.token, &path(&later.consent)).await;
    answer.refused_with(400, "UK.OBIE.Resource.NotFound", "");
    // Orders are not made here.
    let call = HttpCall::post(paying.tpp.resource_url(&path(&mine.consent))).with_bearer(&mine.token);
    paying.send(call).await.refused_with(405, "UK.Lombard.Method.NotAllowed", "");
}

#[tokio::test]
async fn pis_084_sch_010_products_that_are_paid_later_confirm_no_funds() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    for product in super::LATER {
        let agreed = paying.agreed(product).await;
        let path = format!("{}/{}/funds-confirmation", consents(product), agreed.consent);
        paying.get(&agreed.token, &path).await.refused_with(404, "UK.Lombard.Path.NotFound", "");
        paying.post(&agreed.token, orders(product), &agreed.order()).await.ok(201);
    }
}
