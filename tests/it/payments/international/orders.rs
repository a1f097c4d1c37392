//! International orders: equality with the consent, links and execution.

use super::*;
use crate::harness::{ExchangeExt, ValueExt, until};

#[tokio::test]
async fn pis_050_052_125_a_rate_is_compared_as_a_number() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    bank.set_working_morning().await;
    let agreed = paying.agreed_to(NOW, asking_at(&paying, NOW, deal())).await;
    let written =
        |rate: &str| agreed.order().to_string().replace("\"ExchangeRate\":1.17", &format!("\"ExchangeRate\":{rate}"));
    let post = async |body: String| {
        let message = paying.tpp.new_message_signature().sign(&paying.tpp.folder.signing, body.as_bytes()).unwrap();
        let call = lombard_tpp::HttpCall::post(paying.tpp.resource_url(orders(NOW))).with_bearer(&agreed.token);
        let call = call
            .with_header("x-idempotency-key", paying.tpp.new_idempotency_key())
            .with_header("content-type", "application/json");
        paying.send(call.with_header(lombard_tpp::SIGNATURE, message).with_body(body)).await
    };
    for (rate, path) in [
        ("1.18", "Data.Initiation.ExchangeRateInformation.ExchangeRate"),
        ("1.170000000001", "Data.Initiation.ExchangeRateInformation.ExchangeRate"),
    ] {
        post(written(rate)).await.refused_with(400, "UK.OBIE.Resource.ConsentMismatch", path);
    }
    let other = with(agreed.order(), "/Data/Initiation/CurrencyOfTransfer", json!("USD"));
    let answer = paying.post(&agreed.token, orders(NOW), &other).await;
    answer.refused_with(400, "UK.OBIE.Resource.ConsentMismatch", "Data.Initiation.CurrencyOfTransfer");
    post(written("117.00e-2")).await.ok(201);
}

#[tokio::test]
async fn pis_097_098_x_11_a_refund_from_abroad_goes_to_an_iban_at_the_bank() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        for product in ABROAD {
            let asked = with(paying.asking(product), "/Data/ReadRefundAccount", json!("Yes"));
            let (id, placed) = paying.ordered(&paying.agreed_to(product, asked).await).await;
            let refund = &placed["Data"]["Refund"];
            assert_eq!(refund["Account"].text("SchemeName"), "UK.OBIE.IBAN", "PIS-098");
            assert_eq!(refund["Agent"].text("SchemeName"), "UK.OBIE.BICFI", "PIS-098");
            assert!([8, 11].contains(&refund["Agent"].text("Identification").len()), "PIS-119");
            assert_eq!(refund["Creditor"]["Name"], refund["Account"]["Name"], "PIS-097");
            assert_eq!(refund["Account"]["Name"], placed["Data"]["Debtor"]["Name"]);
            assert_eq!(paying.order_now(product, &id).await["Data"]["Refund"], *refund);
        }
    }
}

#[tokio::test]
async fn pis_044_094_a_payment_abroad_runs_to_its_end() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        bank.set_working_morning().await;
        let (id, made) = paying.ordered(&paying.agreed_to(NOW, asking_at(&paying, NOW, deal())).await).await;
        assert_eq!(made["Data"].text("Status"), "Pending", "PIS-044");
        let arrived = async || {
            bank.ops_post("/sandbox/clock", &json!({"advance_secs": 3_600})).await;
            let now = paying.order_now(NOW, &id).await;
            (now["Data"].text("Status") == "AcceptedCreditSettlementCompleted").then_some(now)
        };
        until(arrived).await;
        let details = paying.details(NOW, &id).await;
        assert_eq!(details.len(), 1, "PIS-094");
        assert_eq!(details[0].text("Status"), "AcceptedCreditSettlementCompleted");
    }
}

#[tokio::test]
async fn int_022_a_held_rate_for_a_later_day_is_paid_for_at_once() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        bank.set_working_morning().await;
        for (rate, at_once) in [(price("Actual"), true), (price("Indicative"), false)] {
            let (id, _) = paying.ordered(&paying.agreed_to(LATER, asking_at(&paying, LATER, rate)).await).await;
            let kept = async || {
                bank.ops_post("/sandbox/clock", &json!({"advance_secs": 5})).await;
                let now = paying.order_now(LATER, &id).await;
                let details = paying.details(LATER, &id).await;
                let settled = ["AcceptedSettlementCompleted", "AcceptedSettlementInProcess"];
                let debited = details.iter().any(|it| settled.contains(&it.text("Status")));
                (now["Data"].text("Status") == "InitiationCompleted" && debited == at_once).then_some(())
            };
            until(kept).await;
        }
    }
}
