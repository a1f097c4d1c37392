use crate::harness::{Bank, EVERYTHING, ExchangeExt, access};
use serde_json::json;
use std::os::unix::fs::PermissionsExt;

#[tokio::test]
async fn a_new_tpp_works_at_once_with_the_files_in_its_folder() {
    for bank in Bank::each_engine().await {
        let order = json!({"name": "fresh", "roles": ["aisp"], "headless": "bashir"});
        let fresh = bank.create_tpp(&order).await;
        let fresh_access = access(&fresh, &EVERYTHING).await;
        assert!(!fresh_access.account_ids().await.is_empty());
        let folder = bank.data_dir().join("tpps/fresh");
        for key in ["transport.key", "signing.key"] {
            let mode = std::fs::metadata(folder.join(key)).unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600, "{key}");
        }
        assert_eq!(fresh.folder.details.org_id.as_str().len(), 18);
        assert_eq!(fresh.folder.details.roles, ["AISP"].map(str::to_owned));
    }
}

#[tokio::test]
async fn both_methods_can_be_ordered() {
    let bank = Bank::start().await;
    for auth in ["private_key_jwt", "tls_client_auth"] {
        let tpp = bank.create_tpp(&json!({"name": format!("by-{auth}").replace('_', "-"), "auth": auth})).await;
        assert_eq!(tpp.folder.details.token_endpoint_auth_method, auth);
        tpp.client_credentials("accounts payments fundsconfirmations").await.unwrap();
    }
}

#[tokio::test]
async fn wrong_orders_are_refused_and_leave_nothing() {
    let bank = Bank::start().await;
    let rows = bank.rows();
    for order in [
        json!({"name": "robot"}),
        json!({"name": "../outside"}),
        json!({"name": ""}),
        json!({"name": "x", "roles": ["admin"]}),
        json!({"name": "x", "redirect_uris": ["http://plain.example/"]}),
        json!({"name": "x", "headless": "nobody"}),
        json!({"name": "x", "colour": "blue"}),
        json!({}),
    ] {
        let (status, body) = bank.ops_post("/operations/tpps", &order).await;
        assert!((400..500).contains(&status), "{order}: {status} {body}");
    }
    assert_eq!(bank.rows(), rows);
    assert!(!bank.data_dir().join("tpps/x").exists());
    bank.tpp("robot").client_credentials("accounts").await.map(drop).unwrap();
}

#[tokio::test]
async fn a_created_tpp_without_headless_is_asked_for_a_person() {
    let bank = Bank::start().await;
    let tpp = bank.create_tpp(&json!({"name": "asks"})).await;
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    let answer = tpp.open_authorisation(&request.url(&tpp.folder.signing).unwrap()).await.unwrap();
    answer.decent();
    assert!(answer.header("x-headless-consent").is_none());
    assert!(!answer.head("location").contains("code="));
}
