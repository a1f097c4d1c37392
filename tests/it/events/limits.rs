//! Retention and limits of events. Source: EVT-027, EVT-029, EVT-057, EVT-086.

use super::{Queue, raise};
use crate::harness::{Bank, Engine, ExchangeExt, until};
use jiff::SignedDuration;
use serde_json::json;

#[tokio::test]
async fn evt_029_a_poll_has_a_size_of_its_own() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("events.max_body_bytes", "2048")]).await;
    let queue = Queue::of(&bank, "robot").await;
    let of_size = |bytes: usize| {
        let body = format!("{{\"returnImmediately\":true}}{}", " ".repeat(bytes - 26));
        assert_eq!(body.len(), bytes);
        queue.call("v3.1", &json!({})).with_body(body)
    };
    queue.tpp.send(of_size(2048)).await.unwrap().ok(200);
    queue.tpp.send(of_size(2049)).await.unwrap().refused(413);
    let nested = |levels: usize| {
        let value = format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let body =
            format!(r#"{{"setErrs":{{"a":{{"err":"e","description":"d","more":{value}}}}},"returnImmediately":true}}"#);
        queue.call("v3.1", &json!({})).with_body(body)
    };
    queue.tpp.send(nested(13)).await.unwrap().ok(200);
    queue.tpp.send(nested(14)).await.unwrap().refused_with(400, "UK.OBIE.Resource.InvalidFormat", "");
}

#[tokio::test]
async fn evt_027_the_cap_is_the_most_whatever_is_asked_for() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("events.max_events_cap", "2")]).await;
    let queue = Queue::of(&bank, "robot").await;
    raise(&bank, &queue.tpp, 3).await;
    for asked in ["3", "99999999999999999999999999", "2"] {
        let call = queue.call("v3.1", &json!({}));
        let body = format!(r#"{{"maxEvents":{asked},"returnImmediately":true}}"#);
        let polled = super::Polled::read(&queue.tpp.send(call.with_body(body)).await.unwrap());
        assert_eq!((polled.sets.len(), polled.more), (2, true), "{asked}");
    }
}

#[tokio::test]
async fn evt_057_deliveries_can_be_limited() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("events.max_deliveries", "2")]).await;
    let queue = Queue::of(&bank, "robot").await;
    let raised = raise(&bank, &queue.tpp, 1).await;
    for _ in 0..2 {
        queue.now().await.is(&[&raised[0]], false);
    }
    queue.now().await.is(&[], false);
}

#[tokio::test]
async fn evt_014_polls_have_a_rate_if_it_is_set() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("events.rate_per_s", "1"), ("events.rate_burst", "2")]).await;
    let queue = Queue::of(&bank, "robot").await;
    let others = Queue::of(&bank, "rival").await;
    let now = json!({"returnImmediately": true});
    for _ in 0..2 {
        queue.send(&now).await.ok(200);
    }
    let refused = queue.send(&now).await;
    refused.refused_with(429, "UK.Lombard.TooManyRequests", "");
    assert_eq!(refused.head("retry-after"), "1");
    others.send(&now).await.ok(200);
    let elsewhere = queue.tpp.get(&queue.token, "aisp/account-access-consents/unknown").await.unwrap();
    assert_eq!(elsewhere.status, 400, "other endpoints are free");
    bank.clock.advance(SignedDuration::from_secs(1));
    queue.send(&now).await.ok(200);
}

/// What acknowledges or reports much costs more than a call.
#[tokio::test]
async fn evt_014_a_poll_counts_one_more_call_for_each_500_acks_or_reports() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        bank.restart_with(&[("events.rate_per_s", "1"), ("events.rate_burst", "10")]).await;
        let queue = Queue::of(&bank, "robot").await;
        let others = Queue::of(&bank, "rival").await;
        let naming = |acknowledged: usize, reported: usize| {
            let ids = |count: usize, what: &str| (0..count).map(|id| format!("{what}{id}")).collect::<Vec<_>>();
            let reported = ids(reported, "r").into_iter().map(|id| (id, json!({"err": "e", "description": "d"})));
            let reported: serde_json::Map<_, _> = reported.collect();
            let ack = ids(acknowledged, "a");
            queue.call("v4.0", &json!({"ack": ack, "setErrs": reported, "returnImmediately": true}))
        };
        let mut left = 10;
        for (acknowledged, reported, calls) in [(0, 0, 1), (499, 0, 1), (500, 0, 2), (0, 500, 2), (250, 250, 2)] {
            let polled = queue.tpp.send(naming(acknowledged, reported)).await.unwrap();
            polled.ok(200);
            left -= calls;
            let expected = format!(r#""events";r={left};t={}"#, 10 - left);
            assert_eq!(polled.head("ratelimit"), expected, "{acknowledged} acknowledged, {reported} reported");
        }
        // Two calls are left. A larger poll passes once, and is made up for before the next.
        assert_eq!(left, 2);
        queue.tpp.send(naming(5_000, 0)).await.unwrap().ok(200);
        for (after, status) in [(0, 429), (8, 429), (2, 200)] {
            bank.clock.advance(SignedDuration::from_secs(after));
            let polled = queue.tpp.send(naming(0, 0)).await.unwrap();
            assert_eq!(polled.status, status, "{after} seconds later");
            if status == 429 {
                assert_eq!(polled.head("retry-after"), (10 - after).to_string());
            }
        }
        others.send(&json!({"returnImmediately": true})).await.ok(200);
    }
}

/// How many polls are held has limits of its own.
#[tokio::test]
async fn evt_076_rw_112_held_polls_are_no_requests_under_way() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("limits.client_requests_max", "2")]).await;
    let queue = Queue::of(&bank, "robot").await;
    let held = [queue.apart(), queue.apart()];
    let held = held.map(|queue| tokio::spawn(async move { queue.poll(json!({})).await }));
    super::until_held(&bank, 2).await;
    queue.now().await.is(&[], false);
    let raised = raise(&bank, &queue.tpp, 1).await;
    for poll in held {
        poll.await.unwrap().is(&[&raised[0]], false);
    }
}

#[tokio::test]
async fn evt_006_a_scope_can_narrow_what_is_answered() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("events.filter_by_scope", "true")]).await;
    let mut queue = Queue::of(&bank, "robot").await;
    let raised = raise(&bank, &queue.tpp, 1).await;
    queue.now().await.is(&[&raised[0]], false);
    queue.token = queue.tpp.client_credentials("payments").await.unwrap().access_token;
    queue.now().await.is(&[], false);
}

#[tokio::test]
async fn evt_086_an_event_waits_without_end_unless_the_bank_sets_a_retention() {
    for mut bank in Bank::each_engine().await {
        let old = raise(&bank, &Queue::of(&bank, "robot").await.tpp, 1).await;
        bank.stop().await;
        bank.clock.advance(SignedDuration::from_hours(24 * 300));
        bank.restart().await;
        Queue::of(&bank, "robot").await.now().await.is(&[&old[0]], false);
    }
}

#[tokio::test]
async fn evt_085_and_086_old_waiting_events_are_dropped_if_a_retention_is_set() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        let settings = [("events.retention_days", "90")];
        bank.restart_with(&settings).await;
        let queue = Queue::of(&bank, "robot").await;
        let old = raise(&bank, &queue.tpp, 2).await;
        queue.poll(json!({"maxEvents": 0, "ack": [old[0]]})).await.is(&[], true);
        // A start does what the worker does every minute.
        for (days, expected) in [(90, vec![&old[1]]), (1, vec![])] {
            bank.stop().await;
            bank.clock.advance(SignedDuration::from_hours(24 * days));
            bank.restart_with(&settings).await;
            let queue = Queue::of(&bank, "robot").await;
            until_dropped(&queue, &expected).await;
        }
    }
}

/// The worker's first activation runs beside the start; what it is to leave must be there before it, too.
async fn until_dropped(queue: &Queue, expected: &[&String]) {
    let dropped = async || {
        let polled = queue.now().await;
        assert!(polled.sets.len() >= expected.len());
        (polled.sets.len() == expected.len()).then_some(polled)
    };
    until(dropped).await.is(expected, false);
}
