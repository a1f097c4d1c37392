//! The API over its router, with real storage and real tokens. TLS and the layers are tested in other crates.

mod body_stream;
mod downloads;
mod payments;
mod resources;
mod uploads;

use crate::test_app::{AISP, BODY_BYTES_MAX, Served, request, with_token};
use axum::body::Body;
use http::{Request, header};
use lombard_domain::consent::Permission;
use lombard_domain::grant::GrantSubject;
use lombard_domain::scope::Scope;
use lombard_domain::version::Version;
use std::collections::HashSet;

const GOOD: &str = r#"{"Data":{"Permissions":["ReadAccountsBasic"]},"Risk":{}}"#;

/// The expected status and the only expected error of a response.
fn one(status: u16, code: &str, path: Option<&str>) -> (u16, Vec<(String, Option<String>)>) {
    (status, vec![(code.to_owned(), path.map(str::to_owned))])
}

fn empty(request: http::request::Builder) -> Request<Body> {
    request.body(Body::empty()).unwrap()
}

#[tokio::test]
async fn rw_008_and_rw_009_an_undefined_or_unbuilt_path_is_404_for_all_methods() {
    let served = Served::new().await;
    for path in ["/foobar", "/accounts/1/foobar", "/accounts/1/balances/foobar", "/Accounts", "/product"] {
        for method in ["GET", "POST", "DELETE", "OPTIONS", "HEAD"] {
            let answer = served.ask(empty(request(method, path))).await;
            assert_eq!(answer.status, 404, "{method} {path}");
        }
        let answer = served.get(path, "not a token").await;
        assert_eq!(answer.errors(), one(404, "UK.Test.Path.NotFound", None), "RW-131: before authentication");
    }
    for path in ["/open-banking/v3.1/pisp/files", "/open-banking/v4.1/aisp/accounts", "/open-banking"] {
        assert_eq!(
            served.ask(empty(Request::get(path))).await.errors(),
            one(404, "UK.Test.Path.NotFound", None),
            "{path}"
        );
    }
    let newer = served.ask(empty(Request::get("/open-banking/v4.0/aisp/product"))).await;
    assert_eq!(newer.errors(), one(404, "NARR", None), "RW-125: in the words of its version");
}

#[tokio::test]
async fn ais_001_optional_endpoints_can_be_disabled_and_mandatory_ones_cannot() {
    let served = Served::with(HashSet::from(["GetBalances".to_owned(), "GetAccounts".to_owned()])).await;
    for method in ["GET", "POST"] {
        assert_eq!(served.ask(empty(request(method, "/balances"))).await.status, 404);
    }
    assert_eq!(served.ask(empty(request("GET", "/accounts"))).await.status, 401);
}

#[tokio::test]
async fn rw_010_a_version_that_is_no_longer_served_is_503_before_authentication() {
    let served = Served::set(|settings| settings.retired_versions = HashSet::from([Version::V3_1])).await;
    for method in ["GET", "POST", "DELETE", "PATCH"] {
        let answer = served.ask(empty(request(method, "/accounts"))).await;
        assert_eq!(answer.errors(), one(503, "UK.OBIE.UnexpectedError", None), "{method}");
        assert_eq!(served.ask(empty(request(method, "/foobar"))).await.status, 404, "it is not routed");
    }
    let newer = served.ask(empty(Request::get("/open-banking/v4.0/aisp/accounts"))).await;
    assert_eq!(newer.status, 401);
}

#[tokio::test]
async fn rw_110_and_rw_111_other_methods_are_405_with_allow() {
    let served = Served::new().await;
    for (path, allow) in [
        ("/accounts", "GET"),
        ("/accounts/", "GET"),
        ("/accounts/1/balances", "GET"),
        ("/account-access-consents", "POST"),
        ("/account-access-consents/1", "GET, DELETE"),
    ] {
        for method in ["PUT", "PATCH", "HEAD", "OPTIONS"] {
            let answer = served.ask(empty(request(method, path))).await;
            assert_eq!((answer.status.as_u16(), answer.header(header::ALLOW)), (405, Some(allow)), "{method} {path}");
        }
    }
    let answer = served.ask(empty(request("DELETE", "/accounts"))).await;
    assert_eq!(answer.errors(), one(405, "UK.Test.Method.NotAllowed", None));
}

#[tokio::test]
async fn rw_109_and_rw_059_without_a_live_token_401_has_no_body() {
    let served = Served::new().await;
    for (authorization, challenge) in [
        (None, "Bearer"),
        (Some("Bearer unknown"), r#"Bearer error="invalid_token""#),
        (Some("Basic YTpi"), r#"Bearer error="invalid_request""#),
        (Some("Bearer"), r#"Bearer error="invalid_request""#),
    ] {
        let mut asked = request("GET", "/accounts");
        if let Some(authorization) = authorization {
            asked = asked.header("authorization", authorization);
        }
        let answer = served.ask(empty(asked)).await;
        assert_eq!(answer.status, 401);
        assert!(answer.body.is_empty() && answer.header(header::CONTENT_TYPE).is_none());
        assert_eq!(answer.header(header::WWW_AUTHENTICATE), Some(challenge), "{authorization:?}");
    }
    let token = served.own_token("acme").await;
    let twice = with_token("POST", "/account-access-consents", &token).header("authorization", "Bearer other");
    let answer = served.ask(empty(twice)).await;
    assert_eq!(answer.errors(), one(400, "UK.OBIE.Header.Invalid", Some("Authorization")), "AS-112");
}

#[tokio::test]
async fn rw_047_the_wrong_kind_of_token_is_401_and_rw_105_the_wrong_scope_403() {
    let served = Served::new().await;
    let own = served.own_token("acme").await;
    let (consent, psu) = served.authorised("acme", &[Permission::ReadAccountsBasic]).await;
    assert_eq!(served.get("/accounts", &own).await.errors(), (401, vec![]));
    assert_eq!(served.post_consent(GOOD, &psu).await.errors(), (401, vec![]));
    let path = format!("/account-access-consents/{}", consent.id);
    assert_eq!(served.get(&path, &psu).await.errors(), (401, vec![]));
    let payments = served.token("acme", GrantSubject::Client, &[Scope::Payments]).await;
    assert_eq!(served.post_consent(GOOD, &payments).await.errors(), one(403, "UK.Test.Forbidden.Scope", None));
}

/// A request with every fault, which are corrected one by one: each step responds only when all earlier steps pass.
#[tokio::test]
async fn rw_025_the_first_failing_step_answers() {
    let served = Served::new().await;
    let (_, psu) = served.authorised("acme", &[Permission::ReadAccountsBasic]).await;
    let payments = served.token("acme", GrantSubject::Client, &[Scope::Payments]).await;
    let own = served.own_token("acme").await;
    let ask = async |token: Option<&str>, accept: &str, content_type: Option<&str>, date: &str, body: &str| {
        let mut asked =
            request("POST", "/account-access-consents").header("accept", accept).header("x-fapi-auth-date", date);
        if let Some(token) = token {
            asked = asked.header("authorization", format!("Bearer {token}"));
        }
        if let Some(content_type) = content_type {
            asked = asked.header("content-type", content_type);
        }
        served.ask(asked.body(Body::from(body.to_owned())).unwrap()).await.errors()
    };
    let json = Some("application/json");
    let html = "text/html";
    let any = "*/*";
    let date = "Tue, 11 Sep 2012 19:43:31 GMT";
    assert_eq!(ask(None, html, None, "x", "x").await, (401, vec![]), "step 3");
    assert_eq!(ask(Some(&psu), html, None, "x", "x").await, (401, vec![]), "step 4");
    assert_eq!(ask(Some(&payments), html, None, "x", "x").await.0, 403, "step 5");
    assert_eq!(
        ask(Some(&own), html, None, "x", "x").await,
        one(406, "UK.OBIE.Header.Invalid", Some("Accept")),
        "step 7"
    );
    let content_type = Some("Content-Type");
    assert_eq!(ask(Some(&own), any, None, "x", "x").await, one(400, "UK.OBIE.Header.Missing", content_type), "step 8");
    let text = Some("text/plain");
    assert_eq!(ask(Some(&own), any, text, "x", "x").await, one(415, "UK.OBIE.Header.Invalid", content_type), "step 8");
    let auth_date = Some("x-fapi-auth-date");
    assert_eq!(ask(Some(&own), any, json, "x", "x").await, one(400, "UK.OBIE.Header.Invalid", auth_date), "step 9");
    let format = one(400, "UK.OBIE.Resource.InvalidFormat", None);
    assert_eq!(ask(Some(&own), any, json, date, "x").await, format, "step 11");
    assert_eq!(ask(Some(&own), any, json, date, GOOD).await, (201, vec![]));

    // Steps 11 to 13 on a list: query, permission, id.
    let query = served.get("/accounts/unknown/transactions?fromBookingDateTime=yesterday", &psu).await;
    assert_eq!(query.errors(), one(400, "UK.OBIE.Field.InvalidDate", Some("fromBookingDateTime")));
    let permission = served.get("/accounts/unknown/transactions", &psu).await;
    assert_eq!(permission.errors(), one(403, "UK.Test.Forbidden.Permission", None));
    let id = served.get("/accounts/unknown", &psu).await;
    assert_eq!(id.errors(), one(400, "UK.OBIE.Resource.NotFound", None));
}

#[tokio::test]
async fn rw_112_a_live_token_of_the_wrong_kind_or_scope_counts_too() {
    let rate = lombard_edge::limits::RateLimit { per_second: 1, burst: 4 };
    let served = Served::limited(lombard_edge::endpoint_facts::RateGroup::AccountInformation, rate).await;
    let (_, psu) = served.authorised("acme", &[Permission::ReadAccountsBasic]).await;
    let payments = served.token("acme", GrantSubject::Client, &[Scope::Payments]).await;
    // Each kind of token has its own rate; this one limits tokens of customers alone.
    for (token, status) in
        [(&psu, 401), (&payments, 403), (&psu, 401), (&psu, 401), (&psu, 401), (&psu, 429), (&payments, 403)]
    {
        assert_eq!(served.post_consent(GOOD, token).await.status, status);
    }
}

#[tokio::test]
async fn rw_112_authorisation_requests_of_one_address_have_a_rate() {
    let rate = lombard_edge::limits::RateLimit { per_second: 1, burst: 2 };
    let served = Served::limited(lombard_edge::endpoint_facts::RateGroup::AuthorisationAddresses, rate).await;
    let ask = async |from: &str| {
        let peer = lombard_edge::listener::PeerAddress(from.parse().unwrap());
        let reference = lombard_domain::ids::FapiInteractionId::new("reference".to_owned());
        let routes = lombard_pages::authorize_routes().layer(axum::Extension(peer)).layer(axum::Extension(reference));
        served.ask_of(routes, Request::get("/authorize").body(Body::empty()).unwrap()).await
    };
    for (from, status) in [("192.0.2.1:1", 400), ("192.0.2.1:2", 400), ("192.0.2.1:3", 429), ("192.0.2.2:1", 400)] {
        let answer = ask(from).await;
        assert_eq!(answer.status, status, "{from}");
        assert_eq!(answer.header(header::RETRY_AFTER), (status == 429).then_some("1"));
    }
}

#[tokio::test]
async fn logos_for_one_address_have_a_rate() {
    let rate = lombard_edge::limits::RateLimit { per_second: 1, burst: 2 };
    let served = Served::limited(lombard_edge::endpoint_facts::RateGroup::LogoAddresses, rate).await;
    for (from, status) in [("192.0.2.1:1", 200), ("192.0.2.1:2", 200), ("192.0.2.1:3", 429), ("192.0.2.2:1", 200)] {
        let peer = lombard_edge::listener::PeerAddress(from.parse().unwrap());
        let routes = lombard_pages::logo::routes().layer(axum::Extension(peer));
        let answer = served.ask_of(routes, Request::get("/logos/acme").body(Body::empty()).unwrap()).await;
        assert_eq!(answer.status, status, "{from}");
        assert_eq!(answer.header(header::RETRY_AFTER), (status == 429).then_some("1"));
    }
}

#[tokio::test]
async fn rw_115_a_body_over_the_limit_is_413_and_one_at_the_limit_is_read() {
    let served = Served::new().await;
    let own = served.own_token("acme").await;
    let padded = |bytes: usize| format!("{GOOD}{}", " ".repeat(bytes - GOOD.len()));
    assert_eq!(served.post_consent(&padded(BODY_BYTES_MAX), &own).await.status, 201);
    let answer = served.post_consent(&padded(BODY_BYTES_MAX + 1), &own).await;
    assert_eq!(answer.errors(), one(413, "UK.Test.Body.TooLarge", None));
    let deep = format!(
        r#"{{"Data":{{"Permissions":["ReadAccountsBasic"],"x":{}{}}},"Risk":{{}}}}"#,
        "[".repeat(9),
        "]".repeat(9)
    );
    assert_eq!(served.post_consent(&deep, &own).await.errors(), one(400, "UK.OBIE.Resource.InvalidFormat", None));
}

#[tokio::test]
async fn rw_120_to_rw_131_an_error_body_is_complete_and_tells_nothing() {
    let served = Served::new().await;
    let answer = served.ask(empty(Request::get(format!("{AISP}/nope")))).await;
    assert_eq!(answer.header(header::CONTENT_TYPE), Some("application/json; charset=utf-8"), "RW-071");
    let body = answer.json();
    let mut members: Vec<_> = body.as_object().unwrap().keys().map(String::as_str).collect();
    members.sort_unstable();
    assert_eq!(members, ["Code", "Errors", "Id", "Message"]);
    assert_eq!(body["Code"], "404 NotFound");
    assert_eq!(body["Id"].as_str().unwrap().len(), 36);
}
