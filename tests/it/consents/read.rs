use crate::harness::{Bank, EVERYTHING, ExchangeExt, access};
use jiff::SignedDuration;
use serde_json::json;

#[tokio::test]
async fn ais_060_061_only_its_tpp_reads_it_and_unknown_is_told_from_foreign() {
    for bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let rival = bank.tpp("rival");
        let own = robot.client_credentials("accounts").await.unwrap().access_token;
        let theirs = rival.client_credentials("accounts").await.unwrap().access_token;
        let body = json!({"Data": {"Permissions": EVERYTHING}, "Risk": {}});
        let made = robot.consent_post(&own, &body).await.unwrap().ok(201);
        let path = format!("aisp/account-access-consents/{}", made["Data"]["ConsentId"].as_str().unwrap());
        assert_eq!(robot.get(&own, &path).await.unwrap().ok(200), made);
        let foreign = rival.get(&theirs, &path).await.unwrap();
        assert!(foreign.refused(403)[0].0.ends_with("Forbidden.Owner"), "RW-104, RW-130: {}", foreign.text());
        rival.delete(&theirs, &path).await.unwrap().refused(403);
        let unknown = robot.get(&own, "aisp/account-access-consents/unknown").await.unwrap();
        unknown.refused_with(400, "UK.OBIE.Resource.NotFound", "");
        assert_eq!(robot.get(&own, &path).await.unwrap().ok(200), made, "the foreign DELETE did nothing");
    }
}

#[tokio::test]
async fn rw_007_one_trailing_slash_is_the_same_resource() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let slash = access.tpp.get(&access.own, &format!("{}/", access.consent_path())).await.unwrap().ok(200);
    assert_eq!(slash, access.tpp.get(&access.own, &access.consent_path()).await.unwrap().ok(200));
    access.read("aisp/accounts/").await;
}

#[tokio::test]
async fn ais_066_072_077_an_expired_consent_reads_authorised_and_gives_no_data() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let own = tpp.client_credentials("accounts").await.unwrap().access_token;
        let end = bank.now() + SignedDuration::from_mins(10);
        let body = json!({"Data": {"Permissions": EVERYTHING, "ExpirationDateTime": end.to_string()}, "Risk": {}});
        let consent = tpp.consent_post(&own, &body).await.unwrap().text_at("/Data/ConsentId").unwrap();
        let access = crate::harness::CustomerAccess::of(&tpp, &own, &consent).await;
        bank.clock.advance(SignedDuration::from_mins(10) - SignedDuration::from_secs(1));
        access.read("aisp/accounts").await;
        bank.clock.advance(SignedDuration::from_secs(1));
        tpp.get(access.token(), "aisp/accounts").await.unwrap().unauthorised();
        let read = tpp.get(&own, &access.consent_path()).await.unwrap().ok(200);
        assert_eq!(read["Data"]["Status"], "Authorised", "AIS-072");
        assert_eq!(read["Data"]["ExpirationDateTime"].as_str().unwrap().parse().ok(), Some(end), "AIS-075");
        tpp.delete(&own, &access.consent_path()).await.unwrap().ok(204);
    }
}

#[tokio::test]
async fn rw_052_054_055_056_header_values() {
    let bank = Bank::start().await;
    let access = access(&bank.tpp("robot"), &EVERYTHING).await;
    let get = |name: &'static str, value: &str| {
        let url = access.tpp.resource_url("aisp/accounts");
        access.tpp.send(lombard_tpp::HttpCall::get(url).with_bearer(access.token()).with_header(name, value))
    };
    for (name, value) in [
        ("x-fapi-auth-date", "Tue, 11 Sep 2012 19:43:31 GMT"),
        ("x-fapi-customer-ip-address", "104.25.212.99"),
        ("x-fapi-customer-ip-address", "2001:db8::1"),
        ("x-fapi-financial-id", "anything"),
        ("x-customer-user-agent", "Mozilla/5.0 (anything; goes)"),
        ("x-jws-signature", "ignored"),
        ("x-idempotency-key", "ignored"),
    ] {
        assert_eq!(get(name, value).await.unwrap().status, 200, "AS-114: {name}: {value}");
    }
    for (name, value) in [("x-fapi-auth-date", "2012-09-11"), ("x-fapi-customer-ip-address", "999.1.1.1")] {
        get(name, value).await.unwrap().refused_with(400, "UK.OBIE.Header.Invalid", name);
    }
}
