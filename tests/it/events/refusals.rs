//! Refused polls. Source: EVT-002 to EVT-013, EVT-089.

use super::{Queue, raise};
use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, access};
use lombard_tpp::{HttpCall, Protocol};
use serde_json::json;

#[tokio::test]
async fn evt_004_a_token_that_stands_on_a_customer_opens_no_queue() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let queue = Queue { tpp: access.tpp.clone(), token: access.token().to_owned() };
    queue.send(&json!({"returnImmediately": true})).await.unauthorised();
}

#[tokio::test]
async fn evt_001_003_and_007_only_a_valid_token_with_its_certificate_may_poll() {
    for bank in Bank::each_engine().await {
        let queue = Queue::of(&bank, "robot").await;
        raise(&bank, &queue.tpp, 1).await;
        for version in ["v3.1", "v4.0"] {
            let url = format!("{}/{version}/events", queue.tpp.endpoints.resource_base);
            let poll = || HttpCall::post(&url).with_json(&json!({"returnImmediately": true}));
            queue.tpp.send(poll()).await.unwrap().unauthorised();
            queue.tpp.send(poll().with_bearer("garbage")).await.unwrap().unauthorised();
            // A security event token is no credential.
            let set = queue.now().await.sets.into_values().next().unwrap();
            queue.tpp.send(poll().with_bearer(&set)).await.unwrap().unauthorised();
            for other in [bank.tpp("rival"), queue.tpp.with_certificate(None, Protocol::Any).unwrap()] {
                other.send(poll().with_bearer(&queue.token)).await.unwrap().unauthorised();
            }
        }
    }
}

#[tokio::test]
async fn evt_010_the_interaction_id_comes_back_byte_for_byte() {
    let bank = Bank::start().await;
    let queue = Queue::of(&bank, "robot").await;
    let good = || queue.call("v3.1", &json!({"returnImmediately": true}));
    let name = "x-fapi-interaction-id";
    for id in ["93bac548d2de4546b106880a5018460d", "93bac548-d2de-4546-b106-880a5018460d", &"x".repeat(128)] {
        let answer = queue.tpp.send(good().with_header(name, id)).await.unwrap();
        answer.ok(200);
        assert_eq!(answer.head(name), id);
    }
    for id in ["two words".to_owned(), "x".repeat(129)] {
        let answer = queue.tpp.send(good().with_header(name, &id)).await.unwrap();
        answer.refused_with(400, "UK.OBIE.Header.Invalid", name);
        assert!(uuid::Uuid::parse_str(answer.head(name)).is_ok());
    }
}

#[tokio::test]
async fn evt_008_009_011_012_and_015_headers() {
    let bank = Bank::start().await;
    let queue = Queue::of(&bank, "robot").await;
    let now = json!({"returnImmediately": true});
    let good = || queue.call("v3.1", &now);
    let send = |call: HttpCall| async { queue.tpp.send(call).await.unwrap() };
    // Neither signed nor idempotent: both headers are ignored, and no signature comes back.
    let answer =
        send(good().with_header("x-jws-signature", "garbage").with_header("x-idempotency-key", "x".repeat(60))).await;
    answer.ok(200);
    assert!(answer.header("x-jws-signature").is_none());
    let plain = send(good()).await;
    assert!(plain.header("content-encoding").is_none(), "EVT-012");
    // Of v4.0.1; nobody is who a header says (EVT-015, RW-060).
    for version in ["v3.1", "v4.0"] {
        let named = queue.call(version, &now).with_header("x-client-id", "somebody-else");
        assert_eq!(send(named).await.ok(200), plain.ok(200), "EVT-015, RW-060");
    }
    let url = format!("{}/v3.1/events", queue.tpp.endpoints.resource_base);
    let typed = |media_type: &str| {
        HttpCall::post(&url)
            .with_bearer(&queue.token)
            .with_header("content-type", media_type)
            .with_body("{\"returnImmediately\":true}")
    };
    for (media_type, status) in [
        ("application/json; charset=utf-8", 200),
        ("application/json; profile=x", 200),
        ("application/jose+jwe", 415),
        ("application/secevent+jwt", 415),
        ("application/json; charset=utf-16", 415),
    ] {
        assert_eq!(send(typed(media_type)).await.status, status, "{media_type}");
    }
    send(typed("application/json").with_header("content-encoding", "gzip")).await.refused(415);
    send(typed("application/json").with_header("content-encoding", "identity")).await.ok(200);
}

#[tokio::test]
async fn evt_024_every_fault_is_told_at_once_and_nothing_is_applied() {
    for bank in Bank::each_engine().await {
        let queue = Queue::of(&bank, "robot").await;
        let raised = raise(&bank, &queue.tpp, 1).await;
        let error = json!({"x": {"err": "e".repeat(41)}});
        let body = json!({"maxEvents": 1.5, "ack": [raised[0], ""], "setErrs": error, "sets": {}});
        let mut found = queue.send(&body).await.refused(400);
        found.sort();
        let expected = [
            ("UK.OBIE.Field.Invalid", "ack[1]"),
            ("UK.OBIE.Field.Invalid", "maxEvents"),
            ("UK.OBIE.Field.Invalid", "setErrs.x.err"),
            ("UK.OBIE.Field.Missing", "setErrs.x.description"),
            ("UK.OBIE.Field.Unexpected", "sets"),
        ];
        assert_eq!(found, expected.map(|(code, path)| (code.to_owned(), path.to_owned())));
        queue.now().await.is(&[&raised[0]], false);
    }
}

#[tokio::test]
async fn evt_002_the_endpoint_is_optional() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("endpoints.off", "CreateEvents")]).await;
    Queue::of(&bank, "robot").await.send(&json!({"returnImmediately": true})).await.refused(404);
}
