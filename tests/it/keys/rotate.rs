use crate::harness::{Bank, EVERYTHING, access};
use jiff::SignedDuration;
use lombard_jose::Compact;
use lombard_tpp::{Expected, Tpp};
use serde_json::json;

#[tokio::test]
async fn as_007_008_a_new_key_is_published_before_it_signs_and_the_old_one_after() {
    for mut bank in Bank::each_engine().await {
        let old = signing_key(&bank.tpp("robot")).await;
        let (status, rotated) = bank.ops_post("/operations/keys/rotate", &json!(null)).await;
        assert_eq!(status, 200, "{rotated}");
        let new = rotated["kid"].as_str().unwrap().to_owned();
        let published = |tpp: Tpp| async move {
            let keys = tpp.bank_keys().await.unwrap();
            keys.iter().map(|key| key.id().unwrap().to_string()).collect::<Vec<_>>()
        };
        let kids = published(bank.tpp("robot")).await;
        assert!(kids.contains(&old) && kids.contains(&new), "both are published at once: {kids:?}");
        assert_eq!(signing_key(&bank.tpp("robot")).await, old, "the new one is not used within the hour");

        bank.clock.advance(SignedDuration::from_hours(1));
        assert_eq!(signing_key(&bank.tpp("robot")).await, new);
        assert!(published(bank.tpp("robot")).await.contains(&old), "a retired key stays seven days");

        // A start looks at the keys as the worker does every minute: the first records the retirement.
        for days in [0, 8] {
            bank.stop().await;
            bank.clock.advance(SignedDuration::from_hours(24 * days));
            bank.restart().await;
        }
        assert_eq!(published(bank.tpp("robot")).await, std::slice::from_ref(&new), "and goes then");
        assert_eq!(signing_key(&bank.tpp("robot")).await, new);
    }
}

/// The key a fresh identity token is signed with; the token is checked against the published keys.
async fn signing_key(tpp: &Tpp) -> String {
    let token = access(tpp, &EVERYTHING).await.tokens.id_token.unwrap();
    tpp.check_id_token(&token, &tpp.bank_keys().await.unwrap(), &Expected::default()).await.unwrap();
    Compact::parse(&token).unwrap().header().kid.clone().unwrap()
}
