//! Errors of v4.0: four-character codes in the same body. Source: T3, T4, RW-120 to RW-131.

use super::{both, consent_path, own_token};
use crate::harness::{Bank, CustomerAccess, EVERYTHING, ExchangeExt};
use lombard_tpp::HttpCall;
use serde_json::json;

#[tokio::test]
async fn rw_123_125_faults_of_a_body_have_the_codes_of_v4_0_and_the_same_paths() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (_, new) = both(&tpp);
    let own = own_token(&tpp).await;
    let rows = bank.rows();
    let permissions = |codes: &[&str]| json!({"Data": {"Permissions": codes}, "Risk": {}});
    for (body, expected) in [
        (json!({}), vec![("U004", "Data"), ("U004", "Risk")]),
        (json!({"Data": {"Permissions": EVERYTHING}}), vec![("U004", "Risk")]),
        (json!({"Data": {"Permissions": EVERYTHING}, "Risk": {"a": 1}}), vec![("U005", "Risk.a")]),
        (json!({"Data": {"Permissions": "x"}, "Risk": {}}), vec![("U010", "Data.Permissions")]),
        (permissions(&[]), vec![("U002", "Data.Permissions")]),
        (permissions(&["ReadAccountsBasic", "x"]), vec![("U002", "Data.Permissions[1]")]),
        (permissions(&["ReadBalances"]), vec![("U001", "Data.Permissions")]),
        (
            json!({"Data": {"Permissions": ["x"], "ExpirationDateTime": "soon"}}),
            vec![("U002", "Data.Permissions[0]"), ("U003", "Data.ExpirationDateTime"), ("U004", "Risk")],
        ),
    ] {
        let answer = new.post_consent(&own, &body).await;
        let found = answer.refused(400);
        let found: Vec<_> = found.iter().map(|(code, path)| (code.as_str(), path.as_str())).collect();
        assert_eq!(found, expected, "{body}");
    }
    assert_eq!(bank.rows(), rows, "nothing is stored");
}

#[tokio::test]
async fn t3_every_class_of_status_has_its_code_of_v4_0() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let (old, new) = both(&tpp);
    let own = own_token(&tpp).await;
    let consent = old.consent(&own, &["ReadAccountsBasic"]).await;
    let access = CustomerAccess::of(&tpp, &own, &consent).await;
    let payments = tpp.client_credentials("payments").await.unwrap().access_token;
    let accounts = || HttpCall::get(new.url("aisp/accounts")).with_bearer(access.token());
    let consents = || HttpCall::post(new.url("aisp/account-access-consents")).with_bearer(&own);
    let read = |token: &str| HttpCall::get(new.url(&consent_path(&consent))).with_bearer(token);
    let unknown = HttpCall::get(new.url(&consent_path("unknown"))).with_bearer(&own);
    let json = || consents().with_header("content-type", "application/json");
    for (what, call, status, code, path) in [
        ("unknown id", unknown, 400, "U011", ""),
        ("unknown account", HttpCall::get(new.url("aisp/accounts/x")).with_bearer(access.token()), 400, "U011", ""),
        ("no JSON", json().with_body("x"), 400, "U010", ""),
        ("no content type", consents().with_body("{}"), 400, "U007", "Content-Type"),
        ("bad header", accounts().with_header("x-fapi-auth-date", "2012-09-11"), 400, "U006", "x-fapi-auth-date"),
        ("scope", read(&payments), 403, "NARR", ""),
        ("permission", HttpCall::get(new.url("aisp/balances")).with_bearer(access.token()), 403, "NARR", ""),
        ("path", HttpCall::get(new.url("aisp/nothing")).with_bearer(access.token()), 404, "NARR", ""),
        ("method", HttpCall::post(new.url("aisp/accounts")).with_bearer(access.token()), 405, "NARR", ""),
        ("accept", accounts().with_header("accept", "application/xml"), 406, "U006", "Accept"),
        ("size", json().with_body(vec![b' '; 2 * 1024 * 1024]), 413, "NARR", ""),
        (
            "media type",
            consents().with_header("content-type", "text/plain").with_body("x"),
            415,
            "U006",
            "Content-Type",
        ),
    ] {
        let answer = tpp.send(call).await.unwrap();
        assert_eq!(answer.refused(status), [(code.to_owned(), path.to_owned())], "{what}");
    }
    tpp.send(HttpCall::get(new.url("aisp/accounts"))).await.unwrap().unauthorised();
    tpp.send(read("unknown")).await.unwrap().unauthorised();
    new.get(&own, "aisp/accounts").await.unauthorised();
}
