//! Resetting the sandbox, and its effects for TPPs.

use super::{accounts_of, clock, order, refused};
use crate::harness::{Bank, PayingTpp, ValueExt, until};
use crate::payments::books::ledger_count;
use jiff::SignedDuration;
use lombard_domain::payment::PaymentProduct;
use serde_json::{Value, json};

const NOW: PaymentProduct = PaymentProduct::DomesticPayment;

async fn psus(bank: &Bank) -> Vec<Value> {
    bank.ops_get("/sandbox/psus").await.json().unwrap().list("/psus")
}

/// The customers and their money once the bank has done what was due when it was seeded: a history ends a minute before
/// the bank's time, and what is due within that minute is the scheduler's work.
async fn psus_when_nothing_is_due(bank: &Bank) -> Vec<Value> {
    let now = bank.now().as_microsecond();
    let due = format!(
        "SELECT (SELECT count(*) FROM entries WHERE status = 'pending' AND booked_at <= {now}) \
         + (SELECT count(*) FROM arrangements WHERE due_at <= {now})"
    );
    until(async || (ledger_count(bank, &due).await == 0).then_some(())).await;
    psus(bank).await
}

/// How many events wait for a TPP.
async fn told(paying: &PayingTpp) -> usize {
    let asked = json!({"returnImmediately": true, "maxEvents": 100});
    let answer = paying.tpp.poll_events(&paying.own, &asked).await.unwrap();
    assert_eq!(answer.status.as_u16(), 200);
    answer.json().unwrap()["sets"].as_object().unwrap().len()
}

/// A payment that is made and credited; its order's id.
async fn pays(bank: &Bank, paying: &PayingTpp) -> String {
    let (id, _) = paying.ordered(&paying.agreed(NOW).await).await;
    let outcome = format!("/sandbox/orders/{id}/outcome");
    let there = order(bank, &outcome, &json!({"outcome": "credit"})).await;
    assert_eq!(there.text("status"), "AcceptedCreditSettlementCompleted");
    id
}

#[tokio::test]
async fn a_reset_leaves_the_tpps_and_nothing_else() {
    for bank in Bank::each_engine().await {
        let first = psus_when_nothing_is_due(&bank).await;
        let before = PayingTpp::robot(&bank).await;
        let spent = pays(&bank, &before).await;
        assert!(told(&before).await > 0);
        let closed = accounts_of(&bank, "deepak").await[0].text("id").to_owned();
        order(&bank, &format!("/sandbox/accounts/{closed}/close"), &json!({})).await;
        let real = clock(&bank, &json!({"advance_secs": 0})).await;
        clock(&bank, &json!({"advance_secs": 86_400 * 40})).await;

        let answer = order(&bank, "/sandbox/reset", &Value::Null).await;
        let now = answer.text("now").parse::<jiff::Timestamp>().unwrap();
        assert!(now.duration_since(real).abs() < SignedDuration::from_hours(1), "the clock shows the real time: {now}");
        let seeded = psus_when_nothing_is_due(&bank).await;
        assert_eq!(seeded, first, "the same customers with the same accounts and money");
        let path = format!("/sandbox/orders/{spent}");
        assert_eq!(bank.ops_get(&path).await.status.as_u16(), 404);
        let stale = before.tpp.get(&before.own, "pisp/domestic-payments/none").await.unwrap();
        assert_eq!(stale.status.as_u16(), 401, "tokens are gone, on the node that had seen them too");

        let after = PayingTpp::robot(&bank).await;
        assert_eq!(told(&after).await, 0, "events are gone");
        pays(&bank, &after).await;
    }
}

#[tokio::test]
async fn an_emptied_bank_takes_the_file_that_was_written_before() {
    for bank in Bank::each_engine().await {
        let first = psus(&bank).await;
        let file = bank.ops_get("/sandbox/seed").await.json().unwrap();
        order(&bank, "/sandbox/reset?empty=true", &Value::Null).await;
        assert_eq!(psus(&bank).await, Vec::<Value>::new());
        assert_eq!(order(&bank, "/sandbox/seed", &file).await["customers"], 5);
        let again = psus(&bank).await;
        assert_eq!(again.len(), first.len());
        let ids = |psus: &[Value]| psus.iter().flat_map(|it| it.list("/accounts")).map(|it| it["id"].clone()).collect();
        let (one, other): (Vec<_>, Vec<_>) = (ids(&again), ids(&first));
        assert_eq!(one, other);
        pays(&bank, &PayingTpp::robot(&bank).await).await;
    }
}

#[tokio::test]
async fn a_reset_is_ordered_in_no_other_way() {
    let bank = Bank::start().await;
    let first = psus_when_nothing_is_due(&bank).await;
    let hint = refused(&bank, "/sandbox/reset?empty=perhaps", &Value::Null, 400).await;
    assert!(hint.contains("empty=true"), "{hint}");
    assert_eq!(bank.ops_get("/sandbox/reset").await.status.as_u16(), 405);
    assert_eq!(psus(&bank).await, first);
}
