//! Several servers on one database. Source: EVT-079.

use super::{Polled, Queue, raise, until_held};
use crate::harness::{Bank, Engine};
use serde_json::json;

#[tokio::test]
async fn evt_079_an_event_committed_at_one_server_wakes_a_poll_held_by_another() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut first = Bank::unstarted(Engine::Postgres).await;
    let mut second = first.twin();
    // So long that only a wake-up can end it in time, and so seldom a look of its own.
    first.restart_with(&[("events.long_poll_s", "55")]).await;
    second.restart_with(&[("events.long_poll_s", "55")]).await;
    let here = Queue::of(&first, "robot").await;
    let there = Queue::of(&second, "robot").await;
    for _ in 0..5 {
        let apart = there.apart();
        let held = tokio::spawn(async move { apart.send(&json!({})).await });
        until_held(&second, 1).await;
        let started = tokio::time::Instant::now();
        let raised = raise(&first, &here.tpp, 1).await;
        Polled::read(&held.await.unwrap()).is(&[&raised[0]], false);
        assert!(started.elapsed().as_secs() < 4, "by the wake-up, not by looking again");
        // Acknowledged through one, it is gone from both.
        here.poll(json!({"maxEvents": 0, "ack": raised})).await.is(&[], false);
        there.now().await.is(&[], false);
    }
}

#[tokio::test]
async fn evt_038_and_035_two_servers_share_one_queue() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut first = Bank::unstarted(Engine::Postgres).await;
    let mut second = first.twin();
    first.restart().await;
    second.restart().await;
    let here = Queue::of(&first, "robot").await;
    let there = Queue::of(&second, "robot").await;
    let raised = raise(&first, &here.tpp, 30).await;
    // Both acknowledge the same events at the same time.
    let body = json!({"maxEvents": 0, "ack": raised});
    let (one, other) = tokio::join!(here.poll(body.clone()), there.poll(body));
    one.is(&[], false);
    other.is(&[], false);
}
