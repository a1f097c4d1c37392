use crate::harness::{Bank, ExchangeExt};
use http::Method;
use lombard_tpp::HttpCall;

#[tokio::test]
async fn as_035_only_a_form_post_is_read() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("rival");
    let url = tpp.discovery().await.unwrap().token_endpoint.clone();
    for method in [Method::GET, Method::PUT, Method::DELETE] {
        let answer = tpp.send(HttpCall::new(method.clone(), &url)).await.unwrap();
        answer.decent();
        assert_eq!(answer.status, 405, "{method}");
        assert!(answer.head("allow").contains("POST"), "{method}");
    }
    let fields = format!("grant_type=client_credentials&scope=accounts&client_id={}", tpp.client_id());
    let json = HttpCall::post(&url)
        .with_header("content-type", "application/json")
        .with_body(r#"{"grant_type":"client_credentials"}"#);
    let untyped = HttpCall::post(&url).with_body(fields.clone());
    let repeated = format!("{fields}&scope=payments");
    let twice =
        HttpCall::post(&url).with_header("content-type", "application/x-www-form-urlencoded").with_body(repeated);
    for call in [json, untyped, twice] {
        tpp.send(call).await.unwrap().oauth(400, "invalid_request");
    }
    let unknown = format!("{fields}&colour=blue");
    let call = HttpCall::post(&url).with_header("content-type", "application/x-www-form-urlencoded").with_body(unknown);
    tpp.send(call).await.unwrap().ok(200);
}

#[tokio::test]
async fn as_037_as_163_unknown_grants_are_named_as_such() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    for grant in ["password", "implicit", "urn:ietf:params:oauth:grant-type:jwt-bearer", "nonsense"] {
        tpp.request_token(&[("grant_type", grant)]).await.unwrap().oauth(400, "unsupported_grant_type");
    }
    tpp.request_token(&[("scope", "accounts")]).await.unwrap().oauth(400, "invalid_request");
}
