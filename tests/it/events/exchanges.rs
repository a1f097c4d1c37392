//! The exchanges of table 1.7, each by its number, on every engine.

use super::{Queue, raise, until_held};
use crate::harness::{Bank, ExchangeExt};
use serde_json::{Value, json};

fn now() -> Value {
    json!({"returnImmediately": true})
}

/// A bank, the queue of A with so many events, and that of B.
struct Table {
    bank: Bank,
    a: Queue,
    b: Queue,
    events: Vec<String>,
}

impl Table {
    async fn each_engine(count: usize) -> Vec<Self> {
        let mut all = Vec::new();
        for bank in Bank::each_engine().await {
            let a = Queue::of(&bank, "robot").await;
            let b = Queue::of(&bank, "rival").await;
            let events = if count == 0 { Vec::new() } else { raise(&bank, &a.tpp, count).await };
            all.push(Self { bank, a, b, events });
        }
        all
    }

    /// What still waits for A.
    async fn waiting(&self) -> Vec<String> {
        self.a.now().await.ids()
    }
}

#[tokio::test]
async fn evt_070_exchange_1_nothing_at_once() {
    for Table { a, .. } in Table::each_engine(0).await {
        a.poll(now()).await.is(&[], false);
    }
}

#[tokio::test]
async fn evt_055_exchanges_2_and_3_unacknowledged_events_are_all_sent_again() {
    for Table { a, events, .. } in Table::each_engine(3).await {
        let first = a.poll(now()).await;
        first.is(&[&events[0], &events[1], &events[2]], false);
        let again = a.poll(now()).await;
        again.is(&[&events[0], &events[1], &events[2]], false);
        assert_eq!(first.sets, again.sets, "SET-005: the very same signatures");
    }
}

#[tokio::test]
async fn evt_035_exchanges_4_and_5_one_at_a_time_acknowledged_with_the_next() {
    for table in Table::each_engine(3).await {
        let a = &table.a;
        let events = &table.events;
        a.poll(json!({"maxEvents": 1, "returnImmediately": true})).await.is(&[&events[0]], true);
        let next = json!({"maxEvents": 1, "returnImmediately": true, "ack": [events[0]]});
        a.poll(next).await.is(&[&events[1]], true);
        assert_eq!(table.waiting().await.len(), 2);
    }
}

#[tokio::test]
async fn evt_028_and_evt_072_exchanges_6_to_8_acknowledge_only_returns_at_once() {
    for Table { a, events, .. } in Table::each_engine(2).await {
        a.poll(json!({"maxEvents": 0})).await.is(&[], true);
        a.poll(json!({"maxEvents": 0, "ack": [events[0]]})).await.is(&[], true);
        a.poll(json!({"maxEvents": 0, "ack": [events[1]]})).await.is(&[], false);
        assert_eq!(a.now().await.ids(), Vec::<String>::new());
    }
}

#[tokio::test]
async fn evt_042_exchanges_9_to_11_a_reported_event_is_always_offered_again() {
    for Table { a, events, .. } in Table::each_engine(2).await {
        let first = a.poll(now()).await.sets[&events[1]].clone();
        // EVT-031: no Content-Language is needed beside it.
        let error = json!({events[1].as_str(): {"err": "jwtIss", "description": "x"}});
        let poll = json!({"returnImmediately": true, "maxEvents": 5, "ack": [events[0]], "setErrs": error});
        a.poll(poll).await.is(&[], true);
        for _ in 0..4 {
            let again = a.poll(now()).await;
            again.is(&[&events[1]], false);
            assert_ne!(again.sets[&events[1]], first, "signed anew");
            assert_eq!(super::claims(&again.sets[&events[1]]), super::claims(&first), "it says the same");
            a.poll(json!({"returnImmediately": true, "setErrs": error})).await.is(&[], true);
        }
        a.poll(json!({"maxEvents": 0, "ack": [events[1]]})).await.is(&[], false);
    }
}

#[tokio::test]
async fn evt_042_exchange_11_a_bank_may_park_what_is_reported_too_often() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        bank.restart_with(&[("events.negative_ack_limit", "3")]).await;
        let a = Queue::of(&bank, "robot").await;
        let event = raise(&bank, &a.tpp, 1).await.remove(0);
        let error = json!({event.as_str(): {"err": "jwtIss", "description": "x"}});
        for (report, more) in [(1, true), (2, true), (3, false)] {
            let answer = a.poll(json!({"returnImmediately": true, "setErrs": error})).await;
            assert_eq!((answer.ids().len(), answer.more), (0, more), "report {report}");
        }
        a.poll(now()).await.is(&[], false);
    }
}

#[tokio::test]
async fn evt_037_and_evt_038_exchange_12_ids_of_others_are_as_unknown() {
    for table in Table::each_engine(1).await {
        let a = &table.a;
        let events = &table.events;
        let theirs = raise(&table.bank, &table.b.tpp, 1).await;
        let foreign = a.send(&json!({"returnImmediately": true, "ack": [theirs[0], "nope"]})).await;
        super::Polled::read(&foreign).is(&[&events[0]], false);
        let error = json!({theirs[0].as_str(): {"err": "jws", "description": "x"}});
        let unknown = a.send(&json!({"returnImmediately": true, "setErrs": error, "ack": ["\u{0}", "'"]})).await;
        assert_eq!(unknown.body, foreign.body, "the same bytes");
        table.b.now().await.is(&[&theirs[0]], false);
    }
}

#[tokio::test]
async fn evt_041_exchange_13_the_acknowledgement_wins_and_counts_once() {
    for Table { a, events, .. } in Table::each_engine(1).await {
        let error = json!({events[0].as_str(): {"err": "setData", "description": "x"}});
        let poll = json!({"returnImmediately": true, "ack": [events[0], events[0]], "setErrs": error});
        a.poll(poll).await.is(&[], false);
        // EVT-039: acknowledged again, nothing happens.
        a.poll(json!({"returnImmediately": true, "ack": [events[0]]})).await.is(&[], false);
    }
}

/// Both would strand what is acknowledged beside them.
#[tokio::test]
async fn evt_029_and_evt_024_many_ids_or_an_empty_description_are_acknowledged() {
    for Table { a, events, .. } in Table::each_engine(3).await {
        let unknown = (0..5_000).map(|number| format!("5b1e4b55-8f0e-4f6f-8f1c-{number:012}"));
        let many: Vec<_> = unknown.chain([events[0].clone()]).collect();
        a.poll(json!({"maxEvents": 0, "ack": many})).await.is(&[], true);
        let error = json!({events[2].as_str(): {"err": "", "description": ""}});
        a.poll(json!({"maxEvents": 0, "ack": [events[1]], "setErrs": error})).await.is(&[], true);
        a.poll(now()).await.is(&[&events[2]], false);
    }
}

#[tokio::test]
async fn evt_056_exchanges_14_and_15_the_cap_and_then_those_not_seen_yet() {
    for Table { a, events, .. } in Table::each_engine(150).await {
        let poll = json!({"returnImmediately": true, "maxEvents": 100_000});
        a.poll(poll.clone()).await.is(&events[..100].iter().collect::<Vec<_>>(), true);
        let expected: Vec<_> = events[100..].iter().chain(&events[..50]).collect();
        a.poll(poll).await.is(&expected, true);
    }
}

#[tokio::test]
async fn evt_071_exchange_16_a_held_poll_is_answered_by_the_event() {
    for table in Table::each_engine(0).await {
        let a = table.a.clone();
        let body = json!({});
        let held = tokio::spawn(async move { a.poll(body).await });
        until_held(&table.bank, 1).await;
        let raised = raise(&table.bank, &table.a.tpp, 1).await;
        held.await.unwrap().is(&[&raised[0]], false);
        assert_eq!(table.waiting().await, raised);
    }
}

#[tokio::test]
async fn evt_073_exchange_17_a_hold_ends_in_time_with_nothing() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        bank.restart_with(&[("events.long_poll_s", "1")]).await;
        let a = Queue::of(&bank, "robot").await;
        let before = tokio::time::Instant::now();
        a.poll(json!({"returnImmediately": false})).await.is(&[], false);
        assert!(before.elapsed().as_millis() >= 1_000, "it was held");
    }
}

#[tokio::test]
async fn evt_075_exchange_18_acknowledgements_persist_when_the_caller_hangs_up() {
    for table in Table::each_engine(1).await {
        let apart = table.a.apart();
        let body = json!({"ack": [table.events[0]]});
        let held = tokio::spawn(async move { apart.send(&body).await });
        until_held(&table.bank, 1).await;
        held.abort();
        let _hung_up = held.await;
        until_held(&table.bank, 0).await;
        assert_eq!(table.waiting().await, Vec::<String>::new());
    }
}

#[tokio::test]
async fn evt_024_exchanges_19_to_21_a_refused_poll_acknowledges_nothing() {
    for table in Table::each_engine(1).await {
        let a = &table.a;
        let event = &table.events[0];
        let refused = a.send(&json!({"maxEvents": -1, "ack": [event]})).await;
        refused.refused_with(400, "UK.OBIE.Field.Invalid", "maxEvents");
        a.send(&json!({"ack": [event], "foo": 1})).await.refused_with(400, "UK.OBIE.Field.Unexpected", "foo");
        for version in ["v3.1", "v4.0"] {
            let empty = a.call(version, &json!({})).with_body("");
            let code = if version == "v3.1" { "UK.OBIE.Resource.InvalidFormat" } else { "U010" };
            a.tpp.send(empty).await.unwrap().refused_with(400, code, "");
        }
        assert_eq!(table.waiting().await, std::slice::from_ref(event));
    }
}

#[tokio::test]
async fn evt_005_exchange_22_a_token_without_any_of_the_three_scopes_is_403() {
    for mut table in Table::each_engine(1).await {
        table.a.token = table.a.tpp.client_credentials("openid").await.unwrap().access_token;
        table.a.send(&now()).await.refused_with(403, "UK.Lombard.Forbidden.Scope", "");
        for scope in ["accounts", "payments", "fundsconfirmations"] {
            table.a.token = table.a.tpp.client_credentials(scope).await.unwrap().access_token;
            assert_eq!(table.waiting().await, table.events, "EVT-006: {scope}");
        }
    }
}

#[tokio::test]
async fn evt_060_exchange_23_one_queue_serves_both_versions() {
    for Table { a, events, .. } in Table::each_engine(1).await {
        let through = |version: &str, body: Value| a.tpp.send(a.call(version, &body));
        let old = through("v3.1", now()).await.unwrap();
        let new = through("v4.0", now()).await.unwrap();
        let old = super::Polled::read(&old);
        let new = super::Polled::read(&new);
        new.is(&[&events[0]], false);
        let said = |polled: &super::Polled| super::claims(&polled.sets[&events[0]]);
        assert_eq!((said(&old), old.more), (said(&new), new.more), "but for the `typ` of the header (SET-003)");
        let acknowledged = through("v4.0", json!({"maxEvents": 0, "ack": [events[0]]})).await.unwrap();
        super::Polled::read(&acknowledged).is(&[], false);
        a.now().await.is(&[], false);
    }
}

#[tokio::test]
async fn evt_055_exchange_24_two_polls_at_the_same_time_may_both_have_it() {
    for Table { a, events, .. } in Table::each_engine(1).await {
        let (one, other) = tokio::join!(a.now(), a.now());
        one.is(&[&events[0]], false);
        other.is(&[&events[0]], false);
    }
}
