//! A server killed at any time loses no event and acknowledges none.

use super::{Queue, raise};
use crate::harness::{Bank, ServerProcess};
use serde_json::json;
use std::collections::BTreeSet;

const EVENTS: usize = 300;

/// Starts the bank again on the data of the one that was killed.
async fn again(bank: &mut Bank) -> Queue {
    bank.clock.advance_to_present();
    bank.restart().await;
    Queue::of(bank, "robot").await
}

#[tokio::test]
async fn evt_036_a_kill_between_commit_and_answer_loses_and_repeats_no_event() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        let server = ServerProcess::start(&bank).await;
        let queue = Queue::of(&bank, "robot").await;
        let raised: BTreeSet<_> = raise(&bank, &queue.tpp, EVENTS).await.into_iter().collect();
        // What an answered poll acknowledged, and what a poll tried to whose answer never came.
        let mut acknowledged = BTreeSet::new();
        let mut tried = BTreeSet::new();
        let mut received: Vec<String> = Vec::new();
        let mut server = Some(server);
        for round in 0.. {
            let body = json!({"returnImmediately": true, "maxEvents": 10, "ack": received});
            let answer = queue.tpp.send(queue.call("v3.1", &body));
            if round == 9 {
                // The poll is on its way when the server dies: before its commit, after it, or during its answer.
                let (answer, _) = tokio::join!(answer, server.take().unwrap().kill());
                if let Ok(answer) = answer
                    && answer.status == 200
                {
                    acknowledged.extend(received);
                } else {
                    tried.extend(received);
                }
                break;
            }
            let answered = super::Polled::read(&answer.await.unwrap());
            acknowledged.extend(std::mem::take(&mut received));
            received = answered.ids();
        }
        let queue = again(&mut bank).await;
        let left: BTreeSet<_> = queue.drain().await.into_iter().collect();
        assert!(left.is_disjoint(&acknowledged), "what was acknowledged never comes again");
        let due: BTreeSet<_> = raised.difference(&acknowledged).cloned().collect();
        let must: BTreeSet<_> = due.difference(&tried).cloned().collect();
        assert!(must.is_subset(&left), "what was not acknowledged comes again");
        assert!(left.is_subset(&due), "nothing else comes");
        let some = left.intersection(&tried).count();
        assert!(some == 0 || some == tried.len(), "EVT-036: one poll's acknowledgements are one transaction");
        bank.stop().await;
    }
}

#[tokio::test]
async fn evt_075_killed_during_an_answer_its_events_come_again() {
    for mut bank in crate::harness::unstarted_on_each_engine().await {
        let server = ServerProcess::start(&bank).await;
        let queue = Queue::of(&bank, "robot").await;
        let raised: BTreeSet<_> = raise(&bank, &queue.tpp, 100).await.into_iter().collect();
        let polls: Vec<_> = (0..8)
            .map(|_| {
                let queue = queue.clone();
                // Whether it was answered or not: nothing is acknowledged.
                tokio::spawn(async move {
                    queue.tpp.send(queue.call("v3.1", &json!({"returnImmediately": true}))).await.is_ok()
                })
            })
            .collect();
        tokio::task::yield_now().await;
        server.kill().await;
        for poll in polls {
            let _answered = poll.await.unwrap();
        }
        let queue = again(&mut bank).await;
        let left: BTreeSet<_> = queue.drain().await.into_iter().collect();
        assert_eq!(left, raised);
        bank.stop().await;
    }
}
