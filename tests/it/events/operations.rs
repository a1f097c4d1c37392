//! The operators' view of events. Source: EVT-042, EVT-044, EVT-086.

use super::{Queue, raise};
use crate::harness::{Bank, ExchangeExt, ValueExt};
use serde_json::{Value, json};

#[tokio::test]
async fn evt_042_a_reported_event_is_shown_with_what_its_tpp_says() {
    for bank in Bank::each_engine().await {
        let queue = Queue::of(&bank, "robot").await;
        let raised = raise(&bank, &queue.tpp, 2).await;
        let error = json!({raised[1].as_str(): {"err": "jwtAud", "description": "not\u{1b}[31m us"}});
        queue.poll(json!({"returnImmediately": true, "setErrs": error})).await.is(&[&raised[0]], true);
        let shown = bank.ops_get("/operations/events").await.ok(200);
        let reported = shown.list("/reported");
        assert_eq!((reported.len(), reported[0].text("jti")), (1, raised[1].as_str()));
        assert_eq!(reported[0].text("client_id"), queue.tpp.client_id().as_str());
        assert_eq!((reported[0].text("err"), reported[0].text("description")), ("jwtAud", "not\\u{1b}[31m us"));
        assert_eq!((&reported[0]["reports"], shown.list("/parked").len()), (&json!(1), 0));
    }
}

#[tokio::test]
async fn evt_042_a_parked_event_is_shown_and_can_be_offered_again() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        bank.restart_with(&[("events.negative_ack_limit", "3")]).await;
        let queue = Queue::of(&bank, "robot").await;
        let jti = raise(&bank, &queue.tpp, 1).await.remove(0);
        let error = json!({jti.as_str(): {"err": "jwtAud", "description": "not\u{1b}[31m us"}});
        for _ in 0..3 {
            queue.poll(json!({"returnImmediately": true, "setErrs": error})).await;
        }
        let shown = bank.ops_get("/operations/events").await.ok(200);
        let parked = &shown.list("/parked")[0];
        assert_eq!((parked.text("jti"), parked.text("client_id")), (jti.as_str(), queue.tpp.client_id().as_str()));
        assert_eq!((parked.text("err"), parked.text("description")), ("jwtAud", "not\\u{1b}[31m us"));
        assert_eq!((&parked["reports"], parked.list("/types").len()), (&json!(3), 1));
        queue.now().await.is(&[], false);

        let path = format!("/operations/events/{jti}/requeue");
        assert_eq!(bank.ops_post(&path, &Value::Null).await, (200, json!({ "jti": jti })));
        assert_eq!(bank.ops_post(&path, &Value::Null).await.0, 400, "it is not parked any more");
        queue.now().await.is(&[&jti], false);
        assert_eq!(bank.ops_get("/operations/events").await.ok(200).list("/parked").len(), 0);
    }
}

#[tokio::test]
async fn metrics_count_what_becomes_of_events() {
    let bank = Bank::start().await;
    let queue = Queue::of(&bank, "robot").await;
    let raised = raise(&bank, &queue.tpp, 2).await;
    queue.now().await;
    let error = json!({raised[1].as_str(): {"err": "invalid_key", "description": "x"}});
    queue.poll(json!({"maxEvents": 0, "ack": [raised[0]], "setErrs": error})).await;
    let metrics = bank.ops_get("/metrics").await;
    let text = metrics.text();
    for name in ["queued", "delivered", "acknowledged", "reported", "signature_doubts"] {
        let name = format!("lombard_events_{name}_total ");
        let value =
            text.lines().find_map(|line| line.strip_prefix(&name)).unwrap_or_else(|| panic!("{name} in {text}"));
        assert!(value.parse::<f64>().unwrap() >= 1.0, "{name}{value}");
    }
    for name in ["held_polls", "oldest_age_seconds", "parked "] {
        assert!(text.contains(&format!("lombard_events_{name}")), "{name}");
    }
}
