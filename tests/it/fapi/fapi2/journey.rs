//! A client of FAPI 2.0 from its registration to its tokens, and a client that moves from one profile to the other.

use super::{Fapi2Client, Profile, VERIFIER, set_profile};
use crate::harness::{Bank, Browser, EVERYTHING, ExchangeExt, ValueExt, access};
use lombard_jose::CompactJws;
use lombard_tpp::{ExpectedIdToken, HttpCall, IssuedTokens};
use serde_json::{Value, json};

#[tokio::test]
async fn as_154_a_client_of_each_profile_goes_the_whole_way() {
    for bank in Bank::each_engine().await {
        for (profile, auth) in [
            (Profile::Security, "private_key_jwt"),
            (Profile::MessageSigning, "private_key_jwt"),
            (Profile::Security, "tls_client_auth"),
        ] {
            let name = format!("{}-{}", profile.name(), auth.replace('_', "-"));
            let client = Fapi2Client::create(&bank, profile, json!({"name": name, "auth": auth})).await;
            let tpp = &client.tpp;
            let mut request = client.request().await;
            let pushed = client.push(&request).await;
            assert!((60..600).contains(&pushed.ok(201)["expires_in"].as_i64().unwrap()), "AS-151");
            let url = client.url_of(&pushed).await;
            let mut browser = Browser::new(tpp);
            let decision = browser.log_in(&url, "amelia").await;
            let response = client.response(&browser.agree(&decision).await).await;
            assert_eq!(response["state"], request["state"]);
            let code = response["code"].as_str().unwrap();
            let tokens = client.tokens(code).await;
            assert_eq!(tokens.scope.as_deref(), Some("openid accounts"));
            let keys = tpp.bank_keys().await.unwrap();
            let consent = request["claims"].pointer("/id_token/openbanking_intent_id/value").and_then(Value::as_str);
            let expected =
                ExpectedIdToken { consent, access_token: Some(&tokens.access_token), ..ExpectedIdToken::default() };
            let id_token = tpp.check_id_token(tokens.id_token.as_deref().unwrap(), &keys, &expected).await.unwrap();
            assert!(!id_token.0.contains_key("nonce"), "none was sent");
            tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);
            let other = bank.tpp("rival").get(&tokens.access_token, "aisp/accounts").await.unwrap();
            other.unauthorised();
            let refreshed = tpp.refresh(tokens.refresh_token.as_deref().unwrap()).await.unwrap();
            IssuedTokens::from_exchange(refreshed).unwrap();
            introspected(&client, &tokens.access_token).await;

            // Re-authentication: the customer refuses.
            request.insert("nonce".to_owned(), "n".repeat(64).into());
            let mut browser = Browser::new(tpp);
            let decision = browser.log_in(&client.url(&request).await, "amelia").await;
            let refused = browser.submit(decision.form_with("decision"), &[("decision", "refuse")]).await;
            let refused = client.response(&refused.exchange).await;
            assert_eq!((&refused["error"], &refused["state"]), (&json!("access_denied"), &request["state"]));
        }
    }
}

/// A response is signed if the client asks for that, and says the same.
async fn introspected(client: &Fapi2Client, token: &str) {
    let tpp = &client.tpp;
    let call = async |accept: Option<&str>| {
        let mut form = tpp.authentication().await.unwrap();
        form.push(("token".to_owned(), token.to_owned()));
        let call = HttpCall::post(format!("{}/introspect", tpp.endpoints.mtls)).with_form(form);
        let call = accept.map_or(call.clone(), |accept| call.with_header("accept", accept));
        tpp.send(call).await.unwrap()
    };
    let plain = call(None).await;
    assert_eq!(plain.head("content-type"), "application/json");
    let plain = plain.ok(200);
    assert_eq!(plain["active"], true);
    for accept in ["application/json", "*/*", "application/token-introspection+jwt;q=0.5, application/json"] {
        assert_eq!(call(Some(accept)).await.ok(200), plain, "{accept}");
    }
    let signed = call(Some("application/token-introspection+jwt")).await;
    signed.decent();
    assert_eq!((signed.status.as_u16(), signed.head("cache-control")), (200, "no-store"));
    assert_eq!(signed.head("content-type"), "application/token-introspection+jwt");
    let jws = CompactJws::parse(&signed.text()).unwrap();
    jws.verify(&tpp.bank_keys().await.unwrap()).unwrap();
    assert_eq!(jws.header().typ.as_deref(), Some("token-introspection+jwt"));
    let claims: Value = jws.claims().unwrap();
    let expected = json!({
        "iss": tpp.endpoints.issuer,
        "aud": tpp.client_id(),
        "iat": tpp.now().as_second(),
        "token_introspection": plain,
    });
    assert_eq!(claims, expected);
}

#[tokio::test]
async fn as_154_a_bank_moves_a_client_to_fapi_2_and_back() {
    for mut bank in Bank::each_engine().await {
        let robot = bank.tpp("robot");
        let before = access(&robot, &EVERYTHING).await;
        let shown = async |bank: &Bank| bank.ops_get("/operations/tpps/robot").await.ok(200).text("profile").to_owned();
        assert_eq!(shown(&bank).await, "fapi1");
        assert_eq!(set_profile(&bank, "robot", "fapi2").await.text("profile"), "fapi2");
        bank.stop().await;
        bank.restart().await;
        assert_eq!(shown(&bank).await, "fapi2", "a restarted sandbox keeps what an operator set");

        let client = Fapi2Client { tpp: bank.tpp("robot"), profile: Profile::Security };
        let hybrid = client.tpp.new_authorisation_request(&before.consent, "accounts").await.unwrap();
        let by_value = client.tpp.open_authorisation(&hybrid.url(&client.tpp.folder.signing).unwrap()).await.unwrap();
        assert_eq!(client.response(&by_value).await["error"], "invalid_request", "only pushed requests");
        client.tpp.get(before.token(), "aisp/accounts").await.unwrap().ok(200);
        client.tpp.refresh(before.tokens.refresh_token.as_deref().unwrap()).await.unwrap().ok(200);
        let tokens = client.tokens(&client.code().await).await;
        client.tpp.get(&tokens.access_token, "aisp/accounts").await.unwrap().ok(200);

        // Pushed under one profile and opened under another.
        let url = client.url(&client.request().await).await;
        let signing = Fapi2Client { tpp: client.tpp.clone(), profile: Profile::MessageSigning };
        set_profile(&bank, "robot", "fapi2-message-signing").await;
        let late = client.response(&client.tpp.open_authorisation(&url).await.unwrap()).await;
        assert_eq!(late["error"], "invalid_request", "no signed request object was pushed");
        signing.exchange(&signing.code().await, Some(VERIFIER)).await.ok(200);

        set_profile(&bank, "robot", "fapi1").await;
        access(&bank.tpp("robot"), &EVERYTHING).await;
    }
}
