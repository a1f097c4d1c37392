//! After a key rotation every queued event can still be delivered. Source: SET-005.

use super::{Queue, checked, raise};
use crate::harness::Bank;
use jiff::SignedDuration;
use lombard_jose::CompactJws;
use serde_json::{Value, json};

fn kid(token: &str) -> String {
    CompactJws::parse(token).unwrap().header().kid.clone().unwrap()
}

#[tokio::test]
async fn set_005_rotating_keys_strands_nothing() {
    for mut bank in Bank::each_engine().await {
        let mut queue = Queue::of(&bank, "robot").await;
        let delivered = raise(&bank, &queue.tpp, 2).await;
        let first = queue.now().await;
        let rotated = bank.ops_post("/operations/keys/rotate", &Value::Null).await.1;
        let fresh = raise(&bank, &queue.tpp, 1).await.remove(0);
        bank.clock.advance(SignedDuration::from_mins(61));
        queue = Queue::with(&bank.tpp("robot")).await;

        let second = queue.now().await;
        let keys = queue.tpp.bank_keys().await.unwrap();
        for jti in &delivered {
            assert_eq!(second.sets[jti], first.sets[jti], "the old key is still published, so its signature is kept");
        }
        assert_eq!(kid(&second.sets[&fresh]), rotated["kid"].as_str().unwrap(), "the new key signs");
        let before: Vec<Value> = second.sets.values().map(|token| checked(token, &keys)).collect();

        // The old key's time is over: it is retired, and gone eight days later.
        for days in [0, 8] {
            bank.stop().await;
            bank.clock.advance(SignedDuration::from_hours(24 * days));
            bank.restart().await;
        }
        queue = Queue::with(&bank.tpp("robot")).await;
        let third = queue.now().await;
        let keys = queue.tpp.bank_keys().await.unwrap();
        let after: Vec<Value> = third.sets.values().map(|token| checked(token, &keys)).collect();
        assert_eq!(after, before, "signed anew, every event says what it said, its times included (SET-012)");
        assert!(third.sets.values().all(|token| kid(token) == rotated["kid"].as_str().unwrap()));
        let ids = third.ids();
        queue.poll(json!({"maxEvents": 0, "ack": ids})).await.is(&[], false);
    }
}

#[tokio::test]
async fn as_008_events_of_a_withdrawn_key_are_signed_anew() {
    for bank in Bank::each_engine().await {
        let mut queue = Queue::of(&bank, "robot").await;
        let delivered = raise(&bank, &queue.tpp, 2).await;
        let first = queue.now().await;
        let stolen = kid(&first.sets[&delivered[0]]);
        let (status, withdrawn) = bank.ops_post(&format!("/operations/keys/{stolen}/withdraw"), &Value::Null).await;
        assert_eq!(status, 200, "{withdrawn}");

        queue = Queue::with(&bank.tpp("robot")).await;
        let second = queue.now().await;
        let keys = queue.tpp.bank_keys().await.unwrap();
        for jti in &delivered {
            assert_eq!(kid(&second.sets[jti]), withdrawn["signs_now"].as_str().unwrap(), "{jti}");
            checked(&second.sets[jti], &keys);
        }
        queue.poll(json!({"maxEvents": 0, "ack": delivered})).await.is(&[], false);
    }
}
