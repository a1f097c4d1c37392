use super::{published_kids, signing_key};
use crate::harness::Bank;
use jiff::SignedDuration;
use serde_json::json;

#[tokio::test]
async fn as_007_008_a_new_key_is_published_before_it_signs_the_old_one_after() {
    for mut bank in Bank::each_engine().await {
        let old = signing_key(&bank.tpp("robot")).await;
        let (status, rotated) = bank.ops_post("/operations/keys/rotate", &json!(null)).await;
        assert_eq!(status, 200, "{rotated}");
        let new = rotated["kid"].as_str().unwrap().to_owned();
        let kids = published_kids(&bank.tpp("robot")).await;
        assert!(kids.contains(&old) && kids.contains(&new), "both are published at once: {kids:?}");
        assert_eq!(signing_key(&bank.tpp("robot")).await, old, "the new one is not used within the hour");

        bank.clock.advance(SignedDuration::from_hours(1));
        assert_eq!(signing_key(&bank.tpp("robot")).await, new);
        assert!(published_kids(&bank.tpp("robot")).await.contains(&old), "a retired key stays seven days");

        // A start looks at the keys as the worker does every minute: the first records the retirement.
        for days in [0, 8] {
            bank.stop().await;
            bank.clock.advance(SignedDuration::from_hours(24 * days));
            bank.restart().await;
        }
        assert_eq!(published_kids(&bank.tpp("robot")).await, std::slice::from_ref(&new), "and goes then");
        assert_eq!(signing_key(&bank.tpp("robot")).await, new);
    }
}
