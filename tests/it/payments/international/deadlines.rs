//! Orders sent after the expiry of the held rate. Source: INT-020, PIS-109.

use super::*;
use crate::harness::{ExchangeExt, ValueExt};

const LATE: &str = "UK.OBIE.Rules.AfterCutOffDateTime";

#[tokio::test]
async fn int_020_pis_109_an_order_after_rate_expiry_is_refused_consent_stays() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        bank.set_working_morning().await;
        for product in QUOTED {
            let rates = [(price("Actual"), true), (price("Indicative"), false), (deal(), false)];
            for (rate, ends) in rates {
                let agreed = paying.agreed_to(product, asking_at(&paying, product, rate)).await;
                bank.ops_post("/sandbox/clock", &json!({"advance_secs": 30 * 60})).await;
                let answer = paying.post(&agreed.token, orders(product), &agreed.order()).await;
                if !ends {
                    answer.ok(201);
                    continue;
                }
                // The moment itself is late.
                answer.refused_with(400, LATE, "Data.ExchangeRateInformation.ExpirationDateTime");
                let now = paying.consent_now(product, &agreed.consent).await;
                assert_eq!(now["Data"].text("Status"), "Authorised", "INT-020");
            }
        }
    }
}

#[tokio::test]
async fn int_020_an_order_in_time_is_taken() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    bank.set_working_morning().await;
    let agreed = paying.agreed_to(NOW, asking_at(&paying, NOW, price("Actual"))).await;
    bank.ops_post("/sandbox/clock", &json!({"advance_secs": 30 * 60 - 1})).await;
    paying.ordered(&agreed).await;
}
