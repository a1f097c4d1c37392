//! Signed requests, signed responses and signed introspection are switches of their own. Source: AS-182, FAPI 2.0 Message Signing
//! sections 5.3 to 5.5.

use super::{Fapi2Client, Profile};
use crate::harness::{Bank, EVERYTHING, Engine, ExchangeExt, ValueExt};
use http::Method;
use lombard_tpp::{HttpCall, HttpExchange};
use serde_json::{Value, json};

/// Has an operator set what is signed for a TPP beyond its profile; gives its view.
async fn sign(bank: &Bank, name: &str, messages: &[&str]) -> Value {
    let url = format!("{}/operations/tpps/{name}/signed-messages", bank.endpoints().ops);
    bank.ops(HttpCall::new(Method::PUT, url).with_json(&json!({"signed_messages": messages}))).await.ok(200)
}

async fn introspect(client: &Fapi2Client, token: &str) -> HttpExchange {
    let mut form = client.tpp.authentication().await.unwrap();
    form.push(("token".to_owned(), token.to_owned()));
    client.tpp.send(HttpCall::post(format!("{}/introspect", client.tpp.endpoints.mtls)).with_form(form)).await.unwrap()
}

#[tokio::test]
async fn as_182_signed_requests_may_have_plain_responses() {
    let bank = Bank::start().await;
    let order = json!({"name": "signing", "headless": "amelia"});
    let client = Fapi2Client::create(&bank, Profile::MessageSigning, order).await;
    let plain = Fapi2Client { tpp: client.tpp.clone(), profile: Profile::Security };
    for (mode, is_signed) in [(Value::Null, false), (json!("query"), false), (json!("jwt"), true)] {
        let mut request = client.request().await;
        request.insert("response_mode".to_owned(), mode.clone());
        request.retain(|_, value| !value.is_null());
        let url = client.url(&request).await;
        let answer = client.tpp.open_authorisation(&url).await.unwrap();
        let reader = if is_signed { &client } else { &plain };
        assert!(reader.response(&answer).await.contains_key("code"), "{mode}");
    }
}

#[tokio::test]
async fn as_182_each_switch_signs_its_messages_and_no_others() {
    for engine in Engine::at_hand() {
        let bank = Bank::start_on(engine).await;
        let order = json!({"name": "shop", "headless": "amelia"});
        let client = Fapi2Client::create(&bank, Profile::Security, order).await;
        let signed = Fapi2Client { tpp: client.tpp.clone(), profile: Profile::MessageSigning };
        let token = client.tpp.client_credentials("accounts").await.unwrap().access_token;
        for switches in 0..8_u8 {
            let on = |bit: u8| switches & (1 << bit) != 0;
            let names = ["requests", "responses", "introspection"];
            let wanted: Vec<_> = (0..3).zip(names).filter(|(bit, _)| on(*bit)).map(|(_, name)| name).collect();
            let view = sign(&bank, "shop", &wanted).await;
            assert_eq!((&view["signed_messages"], view.text("profile")), (&json!(wanted), "fapi2"));

            let request = client.request().await;
            let unsigned = client.push_plain(&request).await;
            assert_eq!(unsigned.status.as_u16(), if on(0) { 400 } else { 201 }, "{wanted:?}: {}", unsigned.text());
            let object = client.object(&client.request().await).sign(&client.tpp.folder.signing).unwrap();
            let pushed = client.push_fields(vec![("request".to_owned(), object)]).await;
            let answer = client.tpp.open_authorisation(&client.url_of(&pushed).await).await.unwrap();
            let reader = if on(1) { &signed } else { &client };
            assert!(reader.response(&answer).await.contains_key("code"), "{wanted:?}");

            let media = if on(2) { "application/token-introspection+jwt" } else { "application/json" };
            assert_eq!(introspect(&client, &token).await.head("content-type"), media, "{wanted:?}");
        }
        let url = format!("{}/operations/tpps/shop/signed-messages", bank.endpoints().ops);
        let unknown = HttpCall::new(Method::PUT, url).with_json(&json!({"signed_messages": ["tokens"]}));
        assert_eq!(bank.ops(unknown).await.status.as_u16(), 400);
    }
}

#[tokio::test]
async fn as_182_responses_of_fapi_1_may_be_signed_always() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("robot");
    sign(&bank, "robot", &["responses"]).await;
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    for (response_type, mode, place) in [
        ("code id_token", None, Some("#response=")),
        ("code id_token", Some("jwt"), Some("#response=")),
        ("code", None, Some("?response=")),
        ("code", Some("jwt"), Some("?response=")),
        ("code id_token", Some("fragment"), None),
    ] {
        let consent = tpp.consent_create(&own, &EVERYTHING).await.unwrap();
        let request = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
        let mut request = request.claim("response_type", response_type).parameter("response_type", response_type);
        if let Some(mode) = mode {
            request = request.claim("response_mode", mode);
        }
        let answer = tpp.open_authorisation(&request.url(&tpp.folder.signing).unwrap()).await.unwrap();
        let location = answer.head("location");
        match place {
            Some(place) => assert!(location.contains(place), "{response_type} {mode:?}: {location}"),
            None => assert!(!location.contains("code="), "{response_type} {mode:?}: {location}"),
        }
    }
}
