use super::{published_kids, signing_key};
use crate::harness::Bank;
use serde_json::json;

#[tokio::test]
async fn as_008_a_withdrawn_key_is_gone_at_once_and_a_new_one_signs() {
    for bank in Bank::each_engine().await {
        let stolen = signing_key(&bank.tpp("robot")).await;
        let path = format!("/operations/keys/{stolen}/withdraw");
        let (status, withdrawn) = bank.ops_post(&path, &json!(null)).await;
        assert_eq!((status, withdrawn["kid"].as_str()), (200, Some(stolen.as_str())), "{withdrawn}");
        let new = withdrawn["signs_now"].as_str().unwrap();
        assert_ne!(new, stolen);
        assert_eq!(published_kids(&bank.tpp("robot")).await, [new]);
        assert_eq!(signing_key(&bank.tpp("robot")).await, new);

        let (status, refused) = bank.ops_post(&path, &json!(null)).await;
        assert_eq!((status, &refused["error"]), (400, &json!("there is no signing key with this id")));
        assert_eq!(published_kids(&bank.tpp("robot")).await, [new], "nothing has changed");
    }
}

#[tokio::test]
async fn as_008_a_key_that_does_not_sign_yet_is_withdrawn_alone() {
    for bank in Bank::each_engine().await {
        let old = signing_key(&bank.tpp("robot")).await;
        let (_, rotated) = bank.ops_post("/operations/keys/rotate", &json!(null)).await;
        let path = format!("/operations/keys/{}/withdraw", rotated["kid"].as_str().unwrap());
        let (status, withdrawn) = bank.ops_post(&path, &json!(null)).await;
        assert_eq!((status, withdrawn["signs_now"].as_str()), (200, Some(old.as_str())), "{withdrawn}");
        assert_eq!(published_kids(&bank.tpp("robot")).await, [old.as_str()]);
    }
}

#[tokio::test]
async fn as_008_the_announced_key_takes_over_from_a_withdrawn_one() {
    for bank in Bank::each_engine().await {
        let stolen = signing_key(&bank.tpp("robot")).await;
        let (_, rotated) = bank.ops_post("/operations/keys/rotate", &json!(null)).await;
        let (status, withdrawn) = bank.ops_post(&format!("/operations/keys/{stolen}/withdraw"), &json!(null)).await;
        assert_eq!((status, &withdrawn["signs_now"]), (200, &rotated["kid"]), "{withdrawn}");
        let announced = rotated["kid"].as_str().unwrap();
        assert_eq!(signing_key(&bank.tpp("robot")).await, announced);
        assert_eq!(published_kids(&bank.tpp("robot")).await, [announced]);
    }
}
