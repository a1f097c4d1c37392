//! Variable recurring payments over HTTP: every rule of section 7 that is visible from outside. Rules shared with other
//! payments are tested in `payments`.

mod commercial;
mod consents;
mod ends;
mod funds;
mod limits;
mod migration;
mod parallel;
mod payments;
mod tokens;

use crate::harness::vrp::VRP;
use crate::harness::{Bank, PayingTpp, ValueExt, until};
use crate::payments::books::count;
use jiff::SignedDuration;
use lombard_jose::CompactJws;
use serde_json::{Value, json};

const DAY: i64 = 24 * 3_600;

/// A value set at a pointer.
fn with(mut body: Value, at: &str, value: Value) -> Value {
    let (around, name) = at.rsplit_once('/').unwrap();
    match body.pointer_mut(around).unwrap() {
        Value::Object(members) => drop(members.insert(name.to_owned(), value)),
        items => items[name.parse::<usize>().unwrap()] = value,
    }
    body
}

/// A value taken out at a pointer.
fn without(mut body: Value, at: &str) -> Value {
    let (around, name) = at.rsplit_once('/').unwrap();
    body.pointer_mut(around).unwrap().as_object_mut().unwrap().remove(name).unwrap();
    body
}

/// How much is stored of payments, and what was counted.
async fn stored(bank: &Bank) -> [i64; 4] {
    let mut all = [0; 4];
    let questions = [
        "SELECT count(*) FROM orders",
        "SELECT count(*) FROM idempotency_keys",
        "SELECT count(*) FROM vrp_usage",
        "SELECT CAST(coalesce(sum(used_minor), 0) AS BIGINT) FROM vrp_usage",
    ];
    for (found, question) in all.iter_mut().zip(questions) {
        *found = count(bank, question).await;
    }
    all
}

/// Lets the bank's clock go on, and no other.
async fn wait(bank: &Bank, secs: i64) {
    let (status, answer) = bank.ops_post("/sandbox/clock", &json!({"advance_secs": secs})).await;
    assert_eq!(status, 200, "{answer}");
}

/// How a payment stands.
async fn status(paying: &PayingTpp, id: &str) -> String {
    paying.order_now(VRP, id).await["Data"].text("Status").to_owned()
}

/// Lets the bank's time pass until the payment rests; gives how it ended.
async fn end_of(bank: &Bank, paying: &PayingTpp, id: &str) -> String {
    until(async || {
        let now = status(paying, id).await;
        if ["AcceptedCreditSettlementCompleted", "Rejected"].contains(&now.as_str()) {
            return Some(now);
        }
        wait(bank, 1).await;
        None
    })
    .await
}

/// The events that wait for the TPP, taken: for each its kinds, without what all begin with, and the subject's type, id and
/// reason.
async fn told(paying: &PayingTpp) -> Vec<(Vec<String>, String, String, String)> {
    let token = paying.tpp.client_credentials("payments").await.unwrap().access_token;
    let answer = paying.tpp.poll_events(&token, &json!({"returnImmediately": true, "maxEvents": 100})).await.unwrap();
    let sets = answer.json().unwrap()["sets"].as_object().unwrap().clone();
    let acknowledged: Vec<_> = sets.keys().cloned().collect();
    paying.tpp.poll_events(&token, &json!({"maxEvents": 0, "ack": acknowledged})).await.unwrap();
    let mut all: Vec<_> = sets
        .values()
        .map(|token| {
            let said: Value = CompactJws::parse(token.as_str().unwrap()).unwrap().claims().unwrap();
            let events = said["events"].as_object().unwrap();
            let kinds = events.keys().map(|name| name.rsplit(':').next().unwrap().to_owned()).collect();
            let member = events.values().find(|member| member.get("subject").is_some()).unwrap();
            let of = |name: &str| member["subject"].text(&format!("http://openbanking.org.uk/{name}")).to_owned();
            (kinds, of("rty"), of("rid"), member.text("reason").to_owned())
        })
        .collect();
    all.sort();
    all
}

/// One event of a consent.
fn of_consent(kind: &str, id: &str, reason: &str) -> (Vec<String>, String, String, String) {
    (vec![kind.to_owned()], "domestic-vrp-consents".to_owned(), id.to_owned(), reason.to_owned())
}

/// So many seconds.
fn secs(secs: i64) -> SignedDuration {
    SignedDuration::from_secs(secs)
}
