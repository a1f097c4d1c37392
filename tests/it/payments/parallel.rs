//! A request sent a thousand times concurrently makes one payment. Source: PIS-069, RW-185.

use super::with;
use crate::harness::paying::orders;
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, ValueExt, unstarted_on_each_engine};
use futures_util::future::join_all;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpExchange;
use serde_json::json;
use std::collections::HashSet;

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

fn ids(answers: &[HttpExchange]) -> HashSet<String> {
    answers.iter().map(|answer| answer.ok(201)["Data"].text(NOW.id_member()).to_owned()).collect()
}

/// Everything that was answered; who was asked to come again is not counted.
async fn all_at_once(times: usize, send: impl AsyncFn(usize) -> HttpExchange) -> Vec<HttpExchange> {
    let answers = join_all((0..times).map(|number| send(number))).await;
    let answers: Vec<_> = answers.into_iter().filter(|answer| !answer.is_busy()).collect();
    assert!(answers.len() > times / 2, "most are answered");
    answers
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_069_a_thousand_identical_orders_are_one() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("signing.queue_max", "10000"), ("server.connections_max", "4096")]).await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed(NOW).await;
    let key = paying.tpp.new_idempotency_key();
    let order = agreed.order();
    let before = bank.rows();
    let answers = all_at_once(1_000, async |_| paying.post_as(&agreed.token, orders(NOW), &key, &order).await).await;
    assert_eq!(ids(&answers).len(), 1);
    let after = bank.rows();
    for table in ["orders", "idempotency_keys"] {
        assert_eq!(after[table], before[table] + 1, "{table}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_066_069_of_many_bodies_under_one_key_one_is_ordered() {
    let bank = Bank::start().await;
    let paying = PayingTpp::robot(&bank).await;
    let agreed = paying.agreed(NOW).await;
    let key = paying.tpp.new_idempotency_key();
    let good = agreed.order();
    let other = with(agreed.order(), "/Data/Initiation/EndToEndIdentification", json!("X"));
    let body = |number: usize| if number.is_multiple_of(2) { &good } else { &other };
    let send = async |number| (number, paying.post_as(&agreed.token, orders(NOW), &key, body(number)).await);
    let answers = join_all((0..100).map(send)).await;
    let mut made = HashSet::new();
    for (number, answer) in answers {
        if number % 2 == 0 {
            made.insert(answer.ok(201)["Data"].text(NOW.id_member()).to_owned());
        } else {
            answer.refused(400);
        }
    }
    assert_eq!(made.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_041_165_of_many_keys_one_order_is_made() {
    for bank in Bank::each_engine().await {
        let paying = PayingTpp::robot(&bank).await;
        let agreed = paying.agreed(NOW).await;
        let order = agreed.order();
        let answers = all_at_once(50, async |_| paying.post(&agreed.token, orders(NOW), &order).await).await;
        let (made, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 201);
        assert_eq!(made.len(), 1);
        for answer in refused {
            answer.refused_with(400, "UK.OBIE.Resource.InvalidConsentStatus", "Data.Status");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_069_two_nodes_make_one_order() {
    for mut bank in unstarted_on_each_engine().await {
        if bank.data_dir().join("lombard.db").exists() {
            continue;
        }
        let mut twin = bank.twin();
        bank.restart().await;
        twin.restart().await;
        let here = PayingTpp::robot(&bank).await;
        let there = PayingTpp { tpp: twin.tpp("robot"), ..here.clone() };
        let agreed = here.agreed(NOW).await;
        let key = here.tpp.new_idempotency_key();
        let order = agreed.order();
        let send = async |number: usize| {
            let node = if number.is_multiple_of(2) { &here } else { &there };
            node.post_as(&agreed.token, orders(NOW), &key, &order).await
        };
        let answers = all_at_once(200, send).await;
        assert_eq!(ids(&answers).len(), 1);
    }
}
