use super::{published_kids, signing_key};
use crate::harness::Bank;
use jiff::SignedDuration;
use serde_json::json;

#[tokio::test]
async fn as_008_the_key_that_signs_stops_at_the_planned_moment_and_verifies_on() {
    for mut bank in Bank::each_engine().await {
        let old = signing_key(&bank.tpp("robot")).await;
        let path = format!("/operations/keys/{old}/retire");
        let in_hours = |hours| bank.now().checked_add(SignedDuration::from_hours(hours)).unwrap().to_string();
        let (status, said) = bank.ops_post(&path, &json!({"at": in_hours(0)})).await;
        assert!(status == 400 && said["error"].as_str().unwrap().contains("published for an hour"), "{said}");
        assert_eq!(bank.ops_post(&path, &json!({"at": "tomorrow"})).await.0, 400);
        assert_eq!(published_kids(&bank.tpp("robot")).await, [old.as_str()], "nothing has changed");

        let (status, planned) = bank.ops_post(&path, &json!({"at": in_hours(3)})).await;
        assert_eq!((status, planned["until"].as_str()), (200, Some(in_hours(3).as_str())), "{planned}");
        let new = planned["successor"].as_str().unwrap();
        // The plan is changed: the key that was announced takes over at another time.
        let (status, again) = bank.ops_post(&path, &json!({"at": in_hours(2)})).await;
        assert_eq!((status, again["successor"].as_str()), (200, Some(new)), "{again}");
        bank.clock.advance(SignedDuration::from_mins(119));
        assert_eq!(signing_key(&bank.tpp("robot")).await, old);
        bank.clock.advance(SignedDuration::from_mins(1));
        assert_eq!(signing_key(&bank.tpp("robot")).await, new);
        assert!(published_kids(&bank.tpp("robot")).await.contains(&old));

        let (status, said) = bank.ops_post(&path, &json!({})).await;
        assert!(status == 400 && said["error"].as_str().unwrap().contains("does not sign"), "{said}");
        for days in [0, 8] {
            bank.stop().await;
            bank.clock.advance(SignedDuration::from_hours(24 * days));
            bank.restart().await;
        }
        assert_eq!(published_kids(&bank.tpp("robot")).await, [new]);
    }
}
