//! The same requests sent a thousand times concurrently through several nodes: one consent, one order, one movement of money,
//! and one event for each status. Source: PIS-066, PIS-069, PIS-041, SET-036.

use super::{books, with};
use crate::harness::paying::{consents, order_of, orders};
use crate::harness::{Bank, Engine, ExchangeExt, PayingTpp, ValueExt};
use futures_util::future::join_all;
use lombard_domain::payment::PaymentProduct;
use lombard_tpp::HttpExchange;
use serde_json::{Value, json};
use std::collections::BTreeSet;

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;
const TIMES: usize = 1_000;
const REFERENCE: &str = "ONCE";

/// Posts these bodies at once under one key, each to the next of the nodes; what was asked to come again is left out.
async fn at_once(tpps: &[PayingTpp], token: &str, path: &str, key: &str, bodies: &[Value]) -> Vec<HttpExchange> {
    let posts = bodies.iter().zip(tpps.iter().cycle()).map(|(body, tpp)| tpp.post_as(token, path, key, body));
    let answers: Vec<_> = join_all(posts).await.into_iter().filter(|answer| !answer.is_busy()).collect();
    assert!(answers.len() > bodies.len() / 2, "most are answered");
    answers
}

fn one_id(answers: &[HttpExchange], member: &str) -> String {
    let ids: BTreeSet<_> = answers.iter().map(|answer| answer.ok(201)["Data"].text(member).to_owned()).collect();
    assert_eq!(ids.len(), 1, "PIS-069");
    ids.into_iter().next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn pis_069_a_thousand_requests_through_every_node_move_money_once() {
    for engine in Engine::at_hand() {
        let nodes = Bank::start_nodes(engine).await;
        let first = PayingTpp::robot(&nodes[0]).await;
        let other = |bank: &Bank| PayingTpp { tpp: bank.tpp("robot"), ..first.clone() };
        let tpps: Vec<_> = nodes.iter().map(other).collect();
        let asked = with(first.asking(NOW), "/Data/Initiation/EndToEndIdentification", json!(REFERENCE));
        let key = first.tpp.new_idempotency_key();
        let answers = at_once(&tpps, &first.own, consents(NOW), &key, &vec![asked.clone(); TIMES]).await;
        let consent = one_id(&answers, "ConsentId");

        let token = first.token(&consent).await;
        let order = order_of(&consent, &asked);
        let key = first.tpp.new_idempotency_key();
        let answers = at_once(&tpps, &token, orders(NOW), &key, &vec![order.clone(); TIMES]).await;
        let id = one_id(&answers, NOW.id_member());
        let changed = |number: usize| with(order.clone(), "/Risk/PaymentContextCode", json!(format!("Other{number}")));
        let changed: Vec<_> = (0..100).map(changed).collect();
        for answer in at_once(&tpps, &token, orders(NOW), &key, &changed).await {
            answer.refused(400);
        }

        assert_eq!(books::end_of(&nodes[0], &first, NOW, &id).await, "AcceptedCreditSettlementCompleted");
        let entries = books::entries(&first.tpp, REFERENCE).await;
        assert_eq!(entries[REFERENCE].len(), 1, "one movement: {entries:?}");
        assert_eq!(entries[REFERENCE][0]["Amount"].text("Amount"), "12.50");
        let events = books::events(&first.tpp).await;
        assert_eq!(events.get(&id), Some(&3), "SET-036: under way, debited, credited");
        assert!(events.get(&consent).is_none_or(|told| *told == 1), "authorised once");
        books::add_up(&nodes[0]).await;
    }
}
