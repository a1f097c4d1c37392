//! The requests of the functional conformance suite. Source: AS-172, AS-173, AS-180.

use crate::harness::{Bank, EVERYTHING, ExchangeExt};
use lombard_tpp::{ASSERTION_TYPE, IssuedTokens};
use serde_json::{Value, json};

#[tokio::test]
async fn as_172_173_180_both_client_kinds_reach_accounts_as_the_suite_does() {
    let bank = Bank::start().await;
    for (name, auth) in [("suite-jwt", "private_key_jwt"), ("suite-mtls", "tls_client_auth")] {
        let tpp = bank.create_tpp(&json!({"name": name, "auth": auth, "headless": "amelia"})).await;
        for scope in ["accounts", "payments", "fundsconfirmations"] {
            tpp.client_credentials(scope).await.unwrap();
        }
        let own = tpp.client_credentials("accounts openid").await.unwrap().access_token;
        tpp.get(&own, "aisp/accounts").await.unwrap().unauthorised();
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let now = bank.now().as_second();
        // The name of the suite's token is its state; both acr values are essential; everything lives 30 minutes.
        let mut request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        request.state = "accountToken0001".to_owned();
        let intent = json!({"essential": true, "value": consent});
        let acr = json!({"essential": true, "values": ["urn:openbanking:psd2:sca", "urn:openbanking:psd2:ca"]});
        let request = request
            .claim("state", "accountToken0001")
            .claim("exp", now + 1_800)
            .claim("claims", json!({"id_token": {"openbanking_intent_id": intent, "acr": acr}}));
        let channel = tpp.authorise_headless(&request).await.unwrap();
        let (code, _) = channel.expect_code("accountToken0001").unwrap();
        let tokens = IssuedTokens::from_exchange(tpp.exchange_code(code).await.unwrap()).unwrap();
        tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
    }
}

#[tokio::test]
async fn as_172_an_assertion_of_thirty_minutes_with_extra_claims_is_accepted() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    let now = bank.now().as_second();
    let assertion =
        tpp.new_client_assertion().await.unwrap().claim("exp", now + 1_800).claim("nbf", now).claim("nonce", "n");
    let assertion =
        assertion.claim("client_id", tpp.client_id().as_str()).claim("claims", json!({"id_token": Value::Null}));
    let assertion = assertion.sign(&tpp.folder.signing).unwrap();
    let form = [
        ("grant_type", "client_credentials"),
        ("scope", "accounts openid"),
        ("client_assertion_type", ASSERTION_TYPE),
        ("client_assertion", assertion.as_str()),
    ];
    let form = form.map(|(name, value)| (name.to_owned(), value.to_owned()));
    tpp.request_token_with_form(&form).await.unwrap().ok(200);
}
