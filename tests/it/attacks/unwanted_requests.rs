//! What browsers and link checkers ask for without a person who wants it. Source: RFC 9110 section 9.3.2, Fetch (WHATWG) section 3.9.

use crate::harness::{Bank, Browser, EVERYTHING};
use http::{Method, StatusCode};
use lombard_tpp::{HttpCall, Tpp};

/// The address of an authorisation request for a fresh consent.
async fn request(tpp: &Tpp) -> String {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    tpp.new_authorisation_request(&consent, "accounts").await.unwrap().url(&tpp.folder.signing).unwrap()
}

#[tokio::test]
async fn rfc9110_9_3_2_authorisation_endpoint_head_equals_get_without_body() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let url = request(&tpp).await;
    let other_client = format!("{}/authorize?client_id=nobody", tpp.endpoints.public);
    for (url, status) in [(&url, StatusCode::FOUND), (&other_client, StatusCode::BAD_REQUEST)] {
        let head = tpp.send(HttpCall::new(Method::HEAD, url)).await.unwrap();
        let get = tpp.send(HttpCall::get(url)).await.unwrap();
        assert_eq!((head.status, get.status), (status, status), "{url}");
        assert!(head.body.is_empty(), "{url}");
        let names = |headers: &http::HeaderMap| headers.keys().map(ToString::to_string).collect::<Vec<_>>();
        assert_eq!(names(&head.headers), names(&get.headers), "{url}");
    }
}

#[tokio::test]
async fn a_prefetch_of_the_authorisation_endpoint_keeps_the_open_journey() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let url = request(&tpp).await;
    let mut browser = Browser::new(&tpp);
    let decision = browser.log_in(&url, "amelia").await;
    let prefetch = tpp.send(HttpCall::get(&url).with_header("sec-purpose", "prefetch")).await.unwrap();
    assert_eq!((prefetch.status, prefetch.header("set-cookie")), (StatusCode::FORBIDDEN, None));
    let answer = browser.agree(&decision).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER);
}
