//! Consents and account resources, from request to response.

use super::{GOOD, empty, one};
use crate::test_app::{AISP, BASE, Served, with_token};
use http::header;
use lombard_domain::consent::Permission;
use serde_json::{Value, json};

const EVERYTHING: [Permission; 5] = [
    Permission::ReadAccountsBasic,
    Permission::ReadBalances,
    Permission::ReadTransactionsBasic,
    Permission::ReadTransactionsCredits,
    Permission::ReadTransactionsDebits,
];

#[tokio::test]
async fn ais_012_ais_060_and_ais_063_a_consent_is_made_read_and_deleted() {
    let served = Served::new().await;
    let own = served.own_token("acme").await;
    let made = served.post_consent(GOOD, &own).await;
    assert_eq!(made.status, 201);
    assert_eq!(made.header(header::CONTENT_TYPE), Some("application/json; charset=utf-8"));
    let body = made.json();
    let id = body["Data"]["ConsentId"].as_str().unwrap();
    let address = format!("{BASE}{AISP}/account-access-consents/{id}");
    assert_eq!(body["Data"]["Status"], "AwaitingAuthorisation");
    assert_eq!((&body["Links"], &body["Meta"]), (&json!({ "Self": address }), &json!({ "TotalPages": 1 })));

    let path = format!("/account-access-consents/{id}");
    let read = served.get(&path, &own).await;
    assert_eq!((read.status.as_u16(), read.json()), (200, body.clone()));
    assert_eq!(served.get(&format!("{path}/"), &own).await.json(), body, "RW-007, RW-243");

    let rival = served.own_token("rival").await;
    assert_eq!(served.get(&path, &rival).await.errors(), one(403, "UK.Test.Forbidden.Owner", None));
    let deleted = served.ask(empty(with_token("DELETE", &path, &own))).await;
    assert_eq!((deleted.status.as_u16(), deleted.body.len()), (204, 0));
    assert_eq!(deleted.header(header::CONTENT_TYPE), None, "RW-075");
    for method in ["GET", "DELETE"] {
        let again = served.ask(empty(with_token(method, &path, &own))).await;
        assert_eq!(again.errors(), one(400, "UK.OBIE.Resource.NotFound", None));
    }
}

#[tokio::test]
async fn rw_123_and_ais_031_faults_of_a_body_come_back_with_their_paths() {
    let served = Served::new().await;
    let own = served.own_token("acme").await;
    let answer = served.post_consent(r#"{"Data":{"Permissions":["x"],"ExpirationDateTime":"y"},"z":1}"#, &own).await;
    let error = |code: &str, path: &str| (code.to_owned(), Some(path.to_owned()));
    assert_eq!(
        answer.errors(),
        (
            400,
            vec![
                error("UK.OBIE.Field.Invalid", "Data.Permissions[0]"),
                error("UK.OBIE.Field.InvalidDate", "Data.ExpirationDateTime"),
                error("UK.OBIE.Field.Unexpected", "z"),
                error("UK.OBIE.Field.Missing", "Risk"),
            ]
        )
    );
    let past = r#"{"Data":{"Permissions":["ReadBalances"],"ExpirationDateTime":"2020-01-01T00:00:00Z"},"Risk":{}}"#;
    assert_eq!(
        served.post_consent(past, &own).await.errors(),
        (
            400,
            vec![
                error("UK.OBIE.Field.Expected", "Data.Permissions"),
                error("UK.OBIE.Field.InvalidDate", "Data.ExpirationDateTime"),
            ]
        )
    );
}

#[tokio::test]
async fn ais_063_after_deletion_the_consents_tokens_are_dead() {
    let served = Served::new().await;
    let (consent, psu) = served.authorised("acme", &EVERYTHING).await;
    assert_eq!(served.get("/accounts", &psu).await.status, 200);
    let own = served.own_token("acme").await;
    let path = format!("/account-access-consents/{}", consent.id);
    assert_eq!(served.ask(empty(with_token("DELETE", &path, &own))).await.status, 204);
    assert_eq!(served.get("/accounts", &psu).await.errors(), (401, vec![]));
}

#[tokio::test]
async fn ais_081_accounts_and_what_is_on_them() {
    let served = Served::new().await;
    let (consent, psu) = served.authorised("acme", &EVERYTHING).await;
    let id = consent.accounts[0].alias.as_str();
    let list = served.get("/accounts", &psu).await.json();
    assert_eq!(list["Data"]["Account"].as_array().unwrap().len(), 2);
    assert_eq!(list["Links"], json!({ "Self": format!("{BASE}{AISP}/accounts") }));
    let one_account = served.get(&format!("/accounts/{id}"), &psu).await.json();
    assert_eq!(one_account["Data"]["Account"][0]["AccountId"], id);
    assert_eq!(one_account["Links"]["Self"], format!("{BASE}{AISP}/accounts/{id}"));
    let balances = served.get(&format!("/accounts/{id}/balances"), &psu).await.json();
    assert_eq!(balances["Data"]["Balance"].as_array().unwrap().len(), 2);
    let entries = served.get(&format!("/accounts/{id}/transactions"), &psu).await;
    assert_eq!((entries.status.as_u16(), &entries.json()["Data"]), (200, &json!({ "Transaction": [] })), "RW-103");
    assert_eq!(entries.json()["Meta"], json!({ "TotalPages": 1 }), "AIS-096: no data, no period");

    let (other, _) = served.authorised("rival", &EVERYTHING).await;
    let foreign = served.get(&format!("/accounts/{}/balances", other.accounts[0].alias), &psu).await;
    assert_eq!(foreign.errors(), one(403, "UK.Test.Forbidden.Owner", None), "RW-104");
}

#[tokio::test]
async fn rw_272_to_rw_278_links_lead_through_the_pages() {
    let served = Served::new().await;
    let (_, psu) = served.authorised("acme", &EVERYTHING).await;
    let follow = async |link: &Value| {
        let path = link.as_str().unwrap().strip_prefix(&format!("{BASE}{AISP}")).unwrap().to_owned();
        served.get(&path, &psu).await.json()
    };
    let first = served.get("/balances/?unknown=1", &psu).await.json();
    let links = &first["Links"];
    assert_eq!(links["Self"], format!("{BASE}{AISP}/balances"));
    assert_eq!((links.get("Prev"), first["Meta"].clone()), (None, json!({})), "RW-275");
    let second = follow(&links["Next"]).await;
    assert_eq!(second["Links"]["Self"], links["Next"]);
    assert_eq!(second["Links"].get("Next"), None);
    let accounts = |page: &Value| {
        page["Data"]["Balance"].as_array().unwrap().iter().map(|b| b["AccountId"].clone()).collect::<Vec<_>>()
    };
    assert_eq!((accounts(&first).len(), accounts(&second).len()), (2, 2));
    assert_ne!(accounts(&first), accounts(&second));
    assert_eq!(follow(&second["Links"]["Prev"]).await["Data"], first["Data"]);
    assert_eq!(follow(&second["Links"]["First"]).await, first);

    let cursor = links["Next"].as_str().unwrap().split_once("pg=").unwrap().1;
    for path in ["/balances?pg=nonsense".to_owned(), format!("/accounts?pg={cursor}")] {
        assert_eq!(served.get(&path, &psu).await.errors(), one(400, "UK.OBIE.Field.Invalid", Some("pg")), "{path}");
    }
}
