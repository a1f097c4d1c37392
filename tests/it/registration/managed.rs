//! Reading, replacing and deleting a registration: the rows of the directory's conformance tests. Source: DCR-040 to DCR-043.

use super::*;
use crate::harness::{Engine, access, unstarted_on_each_engine};

#[tokio::test]
async fn dcr_040_to_043_a_deleted_client_is_gone_for_good() {
    for bank in Bank::each_engine().await {
        let tpp = registered(&bank, "shop", &json!({})).await;
        let token = own_token(&tpp).await;
        let accounts = tpp.client_credentials("accounts").await.unwrap().access_token;
        let consent = tpp.consent_create(&accounts, &EVERYTHING).await.unwrap();
        let deleted = delete(&tpp, &token).await;
        assert_eq!((deleted.status.as_u16(), deleted.text().as_ref()), (204, ""));
        // DCRT-003, -009 and -010.
        for method in [Method::GET, Method::DELETE] {
            manage(&tpp, method, tpp.client_id().as_str(), &token, None).await.oauth(401, "invalid_token");
        }
        let request = signed(&tpp, &tpp.registration_request().await.unwrap());
        let replaced = manage(&tpp, Method::PUT, tpp.client_id().as_str(), &token, Some(&request)).await;
        replaced.oauth(401, "invalid_token");
        tpp.get(&accounts, &format!("aisp/account-access-consents/{consent}")).await.unwrap().unauthorised();
        tpp.request_token(&[("grant_type", "client_credentials")]).await.unwrap().oauth(401, "invalid_client");
        let again = attempt(&tpp, |request| request).await.ok(201);
        assert_ne!(again.text("client_id"), tpp.client_id().as_str(), "DCR-016");
    }
}

#[tokio::test]
async fn dcr_041_a_token_that_names_another_client_is_revoked() {
    let bank = Bank::start().await;
    let shop = registered(&bank, "shop", &json!({})).await;
    let till = registered(&bank, "till", &json!({})).await;
    for (method, client) in [
        (Method::GET, till.client_id().as_str()),
        (Method::DELETE, till.client_id().as_str()),
        (Method::PUT, "nobody"),
        (Method::GET, "nobody"),
    ] {
        let token = own_token(&shop).await;
        let answer = manage(&shop, method.clone(), client, &token, None).await;
        answer.oauth(401, "invalid_token");
        assert!(answer.head("www-authenticate").starts_with("Bearer"), "{method} {client}");
        read(&shop, &token).await.oauth(401, "invalid_token");
    }
    let token = own_token(&shop).await;
    assert_eq!(read(&shop, &token).await.status.as_u16(), 200);
    for token in ["", "unknown"] {
        assert_eq!(read(&shop, token).await.status.as_u16(), 401, "DCRT-007");
    }
    // The token of one TPP on the connection of another.
    let stolen = till.with_certificate(Some(&till.folder.identity), Protocol::Any).unwrap();
    let answer = manage(&stolen, Method::GET, shop.client_id().as_str(), &token, None).await;
    answer.oauth(401, "invalid_token");
    assert_eq!(read(&till, &own_token(&till).await).await.status.as_u16(), 200, "nothing was deleted");
}

#[tokio::test]
async fn dcr_003_040_anothers_statement_and_a_customers_token_manage_nothing() {
    let bank = Bank::start().await;
    let shop = registered(&bank, "shop", &json!({})).await;
    let till = registered(&bank, "till", &json!({})).await;
    let before = read(&shop, &own_token(&shop).await).await.ok(200);
    let stolen = async || {
        let software = shop.folder.details.software_id.as_str();
        let request = till.registration_request().await.unwrap().claim("iss", software).claim("software_id", software);
        signed(&till, &request.claim("software_statement", shop.folder.software_statement.as_str()))
    };
    till.register(&stolen().await).await.unwrap().oauth(400, "invalid_client_metadata");
    let token = own_token(&till).await;
    let replaced = manage(&till, Method::PUT, till.client_id().as_str(), &token, Some(&stolen().await)).await;
    replaced.oauth(400, "invalid_client_metadata");
    // Signed by the other's own hand, on a connection of this TPP.
    let request = signed(&shop, &shop.registration_request().await.unwrap());
    till.register(&request).await.unwrap().oauth(401, "invalid_client");
    assert_eq!(read(&shop, &own_token(&shop).await).await.ok(200), before);

    let robot = bank.tpp("robot");
    let customer = access(&robot, &EVERYTHING).await;
    for method in [Method::GET, Method::DELETE] {
        let answer = manage(&robot, method, robot.client_id().as_str(), customer.token(), None).await;
        answer.oauth(401, "invalid_token");
    }
    robot.get(customer.token(), "aisp/accounts").await.unwrap().ok(200);
}

#[tokio::test]
async fn dcr_042_a_replaced_registration_takes_effect_at_once() {
    let bank = Bank::start().await;
    let tpp = registered(&bank, "shop", &json!({})).await;
    let token = own_token(&tpp).await;
    let payments = tpp.client_credentials("payments").await.unwrap().access_token;
    let narrowed = tpp.registration_request().await.unwrap().claim("scope", "openid accounts");
    let narrowed = narrowed.claim("grant_types", json!(["client_credentials"])).claim("response_types", Value::Null);
    let request = signed(&tpp, &narrowed);
    let replaced = manage(&tpp, Method::PUT, tpp.client_id().as_str(), &token, Some(&request)).await.ok(200);
    assert_eq!((replaced.text("scope"), &replaced["grant_types"]), ("openid accounts", &json!(["client_credentials"])));
    let refused = tpp.request_token(&[("grant_type", "client_credentials"), ("scope", "payments")]).await.unwrap();
    refused.oauth(400, "invalid_scope");
    let body = json!({});
    let paying =
        HttpCall::post(tpp.resource_url("pisp/domestic-payment-consents")).with_bearer(&payments).with_json(&body);
    assert_eq!(tpp.send(paying).await.unwrap().status.as_u16(), 403, "a token loses removed scopes");
    tpp.exchange_code("any").await.unwrap().oauth(400, "unauthorized_client");
    let consent = {
        let accounts = tpp.client_credentials("accounts").await.unwrap().access_token;
        tpp.consent_create(&accounts, &EVERYTHING).await.unwrap()
    };
    let asked = tpp.new_authorisation_request(&consent, "accounts").await.unwrap();
    let page = tpp.open_authorisation(&asked.url(&tpp.folder.signing).unwrap()).await.unwrap();
    assert!(page.head("location").contains("error=unauthorized_client"), "{}", page.head("location"));
}

#[tokio::test]
async fn as_154_dcr_042_a_registration_keeps_the_profile_that_the_bank_has_set() {
    let bank = Bank::start().await;
    let tpp = registered(&bank, "shop", &json!({})).await;
    let token = own_token(&tpp).await;
    let replace = async |response_types: Value| {
        let request = tpp.registration_request().await.unwrap().claim("response_types", response_types);
        let request = signed(&tpp, &request);
        manage(&tpp, Method::PUT, tpp.client_id().as_str(), &token, Some(&request)).await
    };
    let pushes = |registration: &Value| registration.get("require_pushed_authorization_requests").cloned();
    assert_eq!(pushes(&read(&tpp, &token).await.ok(200)), None);
    for (profile, signs) in [("fapi2", false), ("fapi2-message-signing", true)] {
        let url = format!("{}/operations/tpps/shop/profile", bank.endpoints().ops);
        bank.ops(HttpCall::new(Method::PUT, url).with_json(&json!({"profile": profile}))).await.ok(200);
        let shown = read(&tpp, &token).await.ok(200);
        assert_eq!((pushes(&shown), &shown["response_types"]), (Some(json!(true)), &json!(["code"])), "{profile}");
        assert_eq!(shown["require_signed_request_object"], json!(signs), "{profile}");
        assert_eq!(shown.get("authorization_signed_response_alg"), None, "{profile}");
        replace(json!(["code id_token"])).await.oauth(400, "invalid_client_metadata");
        for kept in [json!(["code"]), json!(["code id_token", "code"]), Value::Null] {
            let replaced = replace(kept).await.ok(200);
            assert_eq!((pushes(&replaced), &replaced["response_types"]), (Some(json!(true)), &json!(["code"])));
        }
    }
    let view = bank.ops_get("/operations/tpps/shop").await.ok(200);
    assert_eq!(view.text("profile"), "fapi2-message-signing");
}

#[tokio::test]
async fn as_182_a_registration_sets_what_is_signed() {
    let bank = Bank::start().await;
    let tpp = registered(&bank, "shop", &json!({})).await;
    let token = own_token(&tpp).await;
    let replace = async |members: &[(&str, Value)]| {
        let request = tpp.registration_request().await.unwrap();
        let request = members.iter().fold(request, |request, (name, value)| request.claim(name, value.clone()));
        manage(&tpp, Method::PUT, tpp.client_id().as_str(), &token, Some(&signed(&tpp, &request))).await
    };
    let responses = "authorization_signed_response_alg";
    let introspection = "introspection_signed_response_alg";
    let shown = replace(&[(responses, json!("PS256")), (introspection, json!("PS256"))]).await.ok(200);
    assert_eq!((&shown[responses], &shown[introspection]), (&json!("PS256"), &json!("PS256")));
    let view = bank.ops_get("/operations/tpps/shop").await.ok(200);
    assert_eq!(view["signed_messages"], json!(["responses", "introspection"]));
    // A request that says nothing of it leaves it, and one that names one of them replaces all.
    assert_eq!(replace(&[]).await.ok(200)[responses], "PS256");
    let shown = replace(&[("require_signed_request_object", json!(true))]).await.ok(200);
    assert_eq!((shown.get(responses), shown.get(introspection)), (None, None));
    assert_eq!(bank.ops_get("/operations/tpps/shop").await.ok(200)["signed_messages"], json!(["requests"]));
    replace(&[(responses, json!("ES256"))]).await.oauth(400, "invalid_client_metadata");
}

#[tokio::test]
async fn dcr_043_every_node_follows() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut bank = unstarted_on_each_engine().await.pop().unwrap();
    let mut twin = bank.twin();
    bank.restart().await;
    let shop = registered(&bank, "shop", &json!({})).await;
    twin.restart().await;
    let token = own_token(&shop).await;
    let url = format!("{}/register/{}", twin.endpoints().mtls, shop.client_id());
    let anchors = lombard_tpp::parse_certificates(&twin.data_dir().join("ca.pem")).unwrap();
    let transport = lombard_tpp::Transport::new(&anchors, Some(&shop.folder.identity), Protocol::Any, None).unwrap();
    let read_there = async || transport.send(HttpCall::get(&url).with_bearer(&token)).await.unwrap();
    assert_eq!(read_there().await.status.as_u16(), 200, "its keys are stored, so that the other node has them");
    assert_eq!(delete(&shop, &token).await.status.as_u16(), 204);
    read_there().await.oauth(401, "invalid_token");
}

/// A change of a request at a time, seconds.
type Change = fn(Jwt, i64) -> Jwt;

#[tokio::test]
async fn dcr_011_conformance_rows_of_refused_requests_have_a_json_body() {
    let bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    let now = bank.now().as_second();
    let cases: [(&str, Change); 6] = [
        ("DCRT-004 expired", |request, now| request.claim("exp", now - 1)),
        ("DCRT-004 issuer", |request, _| request.claim("iss", "foo.is/invalid")),
        ("DCRT-004 empty issuer", |request, _| request.claim("iss", "")),
        ("DCRT-004 long issuer", |request, _| request.claim("iss", "0".repeat(30))),
        ("DCRT-004 ID token", |request, _| request.claim("id_token_signed_response_alg", "RS256")),
        ("DCRT-011", |request, _| request.claim("response_types", json!(["id_token", "token"]))),
    ];
    for (case, change) in cases {
        let answer = attempt(&tpp, |request| change(request, now)).await;
        answer.oauth(400, "invalid_client_metadata");
        assert!(!answer.text_at("/error_description").unwrap().is_empty(), "{case}");
    }
    let rs256 = tpp.registration_request().await.unwrap().header("alg", "RS256");
    tpp.register(&signed(&tpp, &rs256)).await.unwrap().oauth(400, "invalid_client_metadata");
}
