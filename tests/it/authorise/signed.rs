//! JWT secured authorisation responses (JARM). Source: AS-153.

use crate::harness::{Bank, EVERYTHING, ExchangeExt};
use lombard_jose::CompactJws;
use lombard_tpp::{AuthorisationRequest, IssuedTokens, Tpp};
use serde_json::Value;

async fn request(tpp: &Tpp, response_type: &str) -> AuthorisationRequest {
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
    let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    request
        .claim("response_type", response_type)
        .parameter("response_type", response_type)
        .claim("response_mode", "jwt")
}

/// What came back, its signature, issuer and audience checked, and the sign it stood behind.
async fn answer(tpp: &Tpp, request: &AuthorisationRequest) -> (char, Value) {
    let answer = tpp.open_authorisation(&request.url(&tpp.folder.signing).unwrap()).await.unwrap();
    answer.decent();
    let rest = answer.head("location").strip_prefix(tpp.redirect_uri().unwrap()).unwrap();
    let response = CompactJws::parse(rest[1..].strip_prefix("response=").unwrap()).unwrap();
    response.verify(&tpp.bank_keys().await.unwrap()).unwrap();
    let claims: Value = response.claims().unwrap();
    assert_eq!(claims["iss"].as_str().unwrap(), tpp.endpoints.issuer);
    assert_eq!(claims["aud"].as_str().unwrap(), tpp.client_id().as_str());
    (rest.chars().next().unwrap(), claims)
}

#[tokio::test]
async fn as_153_code_and_hybrid_answers_are_signed_and_their_codes_work() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    for (response_type, place) in [("code", '?'), ("code id_token", '#')] {
        let request = request(&tpp, response_type).await;
        let (at, claims) = answer(&tpp, &request).await;
        assert_eq!((at, claims["state"].as_str()), (place, Some(request.state.as_str())), "{response_type}");
        assert!((1..=600).contains(&(claims["exp"].as_i64().unwrap() - bank.now().as_second())));
        assert_eq!(claims["id_token"].is_string(), place == '#', "{response_type}");
        let exchange = tpp.exchange_code(claims["code"].as_str().unwrap()).await.unwrap();
        assert!(IssuedTokens::from_exchange(exchange).unwrap().id_token.is_some(), "AS-044");
    }
}

#[tokio::test]
async fn as_065_153_errors_are_signed_too() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let request = request(&tpp, "code").await.claim("scope", "accounts");
    let (at, claims) = answer(&tpp, &request).await;
    assert_eq!((at, claims["error"].as_str()), ('?', Some("invalid_scope")));
    assert_eq!(claims["state"].as_str(), Some(request.state.as_str()));
    assert!(claims.get("code").is_none());
}
