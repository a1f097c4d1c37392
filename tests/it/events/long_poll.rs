//! Long polling. Source: EVT-070 to EVT-079.

use super::{Polled, Queue, raise, until_held};
use crate::harness::{Bank, Engine, ExchangeExt};
use jiff::SignedDuration;
use lombard_tpp::HttpCall;
use serde_json::json;
use tokio::task::JoinHandle;

/// A bank that holds polls as long as may be.
async fn patient(engine: Engine, more: &[(&str, &str)]) -> Bank {
    let mut bank = Bank::unstarted(engine).await;
    let settings: Vec<_> = [("events.long_poll_s", "55")].iter().chain(more).copied().collect();
    bank.restart_with(&settings).await;
    bank
}

fn wait(queue: &Queue) -> JoinHandle<lombard_tpp::HttpExchange> {
    let queue = queue.apart();
    tokio::spawn(async move { queue.send(&json!({})).await })
}

async fn revoke(queue: &Queue) {
    let mut fields = queue.tpp.authentication().await.unwrap();
    fields.push(("token".to_owned(), queue.token.clone()));
    let url = format!("{}/revoke", queue.tpp.endpoints.mtls);
    queue.tpp.send(HttpCall::post(url).with_form(fields)).await.unwrap().ok(200);
}

#[tokio::test]
async fn evt_076_a_fifth_poll_releases_the_oldest_and_an_event_wakes_all_others() {
    for engine in Engine::at_hand() {
        let bank = patient(engine, &[]).await;
        let queue = Queue::of(&bank, "robot").await;
        let mut held = Vec::new();
        for number in 1..=4 {
            held.push(wait(&queue));
            until_held(&bank, number).await;
        }
        held.push(wait(&queue));
        Polled::read(&held.remove(0).await.unwrap()).is(&[], false);
        until_held(&bank, 4).await;
        let raised = raise(&bank, &queue.tpp, 1).await;
        for poll in held {
            Polled::read(&poll.await.unwrap()).is(&[&raised[0]], false);
        }
        until_held(&bank, 0).await;
    }
}

#[tokio::test]
async fn evt_076_over_the_limit_of_all_a_poll_is_answered_at_once() {
    let bank = patient(Engine::Sqlite, &[("events.max_held", "1")]).await;
    let mine = Queue::of(&bank, "robot").await;
    let others = Queue::of(&bank, "rival").await;
    let held = wait(&mine);
    until_held(&bank, 1).await;
    others.poll(json!({})).await.is(&[], false);
    raise(&bank, &mine.tpp, 1).await;
    held.await.unwrap().ok(200);
}

#[tokio::test]
async fn evt_058_another_tpps_event_wakes_nobody_else() {
    let bank = patient(Engine::Sqlite, &[]).await;
    let mine = Queue::of(&bank, "robot").await;
    let others = Queue::of(&bank, "rival").await;
    let held = wait(&mine);
    until_held(&bank, 1).await;
    let theirs = raise(&bank, &others.tpp, 1).await;
    others.now().await.is(&[&theirs[0]], false);
    assert!(!held.is_finished());
    let raised = raise(&bank, &mine.tpp, 1).await;
    Polled::read(&held.await.unwrap()).is(&[&raised[0]], false);
}

#[tokio::test]
async fn evt_074_a_reported_event_neither_ends_the_hold_nor_joins_the_answer() {
    for engine in Engine::at_hand() {
        let bank = patient(engine, &[]).await;
        let queue = Queue::of(&bank, "robot").await;
        let raised = raise(&bank, &queue.tpp, 2).await;
        let apart = queue.apart();
        let error = json!({raised[1].as_str(): {"err": "jwtParse", "description": "x"}});
        let body = json!({"ack": [raised[0]], "setErrs": error});
        let held = tokio::spawn(async move { apart.send(&body).await });
        until_held(&bank, 1).await;
        let fresh = raise(&bank, &queue.tpp, 1).await;
        Polled::read(&held.await.unwrap()).is(&[&fresh[0]], true);
        queue.now().await.is(&[&fresh[0], &raised[1]], false);
    }
}

#[tokio::test]
async fn evt_077_a_token_that_ended_meanwhile_gets_no_event() {
    for engine in Engine::at_hand() {
        let bank = patient(engine, &[]).await;
        let queue = Queue::of(&bank, "robot").await;
        let revoked = wait(&queue);
        until_held(&bank, 1).await;
        revoke(&queue).await;
        let raised = raise(&bank, &queue.tpp, 1).await;
        revoked.await.unwrap().unauthorised();

        let queue = Queue::of(&bank, "robot").await;
        queue.now().await.is(&[&raised[0]], false);
        queue.poll(json!({"maxEvents": 0, "ack": raised})).await.is(&[], false);
        let expired = wait(&queue);
        until_held(&bank, 1).await;
        bank.clock.advance(SignedDuration::from_hours(1));
        let raised = raise(&bank, &queue.tpp, 1).await;
        expired.await.unwrap().unauthorised();
        Queue::of(&bank, "robot").await.now().await.is(&[&raised[0]], false);
    }
}

#[tokio::test]
async fn evt_078_a_server_that_stops_answers_held_polls_first() {
    for engine in Engine::at_hand() {
        let mut bank = patient(engine, &[]).await;
        let held = wait(&Queue::of(&bank, "robot").await);
        until_held(&bank, 1).await;
        let stopping = tokio::spawn(bank.take_server().stop_server());
        Polled::read(&held.await.unwrap()).is(&[], false);
        stopping.await.unwrap();
    }
}

#[tokio::test]
async fn evt_075_who_hangs_up_has_nothing_delivered() {
    for engine in Engine::at_hand() {
        let bank = patient(engine, &[("events.max_deliveries", "1")]).await;
        let queue = Queue::of(&bank, "robot").await;
        let held = wait(&queue);
        until_held(&bank, 1).await;
        held.abort();
        until_held(&bank, 0).await;
        let raised = raise(&bank, &queue.tpp, 1).await;
        queue.now().await.is(&[&raised[0]], false);
        queue.now().await.is(&[], false);
    }
}

#[tokio::test]
async fn evt_071_long_polling_can_be_switched_off() {
    let mut bank = Bank::unstarted(Engine::Sqlite).await;
    bank.restart_with(&[("events.long_poll_s", "0")]).await;
    Queue::of(&bank, "robot").await.poll(json!({})).await.is(&[], false);
}

#[tokio::test]
async fn an_empty_poll_writes_nothing() {
    let bank = Bank::start().await;
    let queue = Queue::of(&bank, "robot").await;
    queue.now().await.is(&[], false);
    let file = rusqlite::Connection::open(bank.data_dir().join("lombard.db")).unwrap();
    let version = || file.pragma_query_value(None, "data_version", |row| row.get::<_, i64>(0)).unwrap();
    let before = version();
    for body in
        [json!({"returnImmediately": true}), json!({"maxEvents": 0}), json!({"returnImmediately": true, "ack": []})]
    {
        queue.poll(body).await.is(&[], false);
    }
    assert_eq!(version(), before, "nobody wrote to the database");
}
