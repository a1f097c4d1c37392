//! Statements of the sandbox's directory that a developer signs, and what settings say of them. Source: DCR-020 to DCR-022.

use super::*;
use jiff::SignedDuration;
use lombard_jose::{CompactJws, JoseHeader, SigningKey, sign_compact};

/// A statement like the TPP's own, changed and signed with the directory's key in the data folder.
pub(crate) fn statement(bank: &Bank, tpp: &Tpp, change: impl FnOnce(&mut Value)) -> String {
    let text = |name: &str| std::fs::read_to_string(bank.data_dir().join("directory").join(name)).unwrap();
    let key = SigningKey::from_pkcs8_pem(&text("signing.key")).unwrap();
    let mut claims: Value = CompactJws::parse(&tpp.folder.software_statement).unwrap().claims().unwrap();
    assert_eq!((claims["iss"].as_str(), key.id().as_str()), (Some(text("issuer").as_str()), text("kid").as_str()));
    claims["iat"] = bank.now().as_second().into();
    change(&mut claims);
    sign_compact(&key, &JoseHeader::ps256(key.id()), claims.to_string().as_bytes()).unwrap()
}

#[tokio::test]
async fn dcr_020_any_statement_that_the_directory_signs_is_good() {
    let bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    let own = statement(&bank, &tpp, |claims| {
        claims["software_id"] = "AnotherSoftware1".into();
        claims["software_client_name"] = "Another Shop".into();
        claims["software_redirect_uris"] = json!(["https://another.example/"]);
    });
    let answer = attempt(&tpp, |request| {
        let request = request.claim("iss", "AnotherSoftware1").claim("software_id", "AnotherSoftware1");
        request.claim("redirect_uris", json!(["https://another.example/"])).claim("software_statement", own)
    })
    .await;
    assert_eq!(answer.ok(201).text("software_client_name"), "Another Shop");
    let revoked = statement(&bank, &tpp, |claims| claims["org_status"] = "Revoked".into());
    let answer = attempt(&tpp, |request| request.claim("software_statement", revoked)).await;
    answer.oauth(400, "unapproved_software_statement");
    let foreign = statement(&bank, &tpp, |claims| claims["org_id"] = "0015800001041RHAAX".into());
    let answer = attempt(&tpp, |request| request.claim("software_statement", foreign)).await;
    answer.oauth(401, "invalid_client");
}

#[tokio::test]
async fn dcr_021_the_age_of_a_statement_is_limited_where_it_is_set() {
    let mut bank = Bank::start().await;
    let tpp = unregistered(&bank, "shop", &json!({})).await;
    bank.clock.advance(SignedDuration::from_hours(48));
    assert_eq!(attempt(&tpp, |request| request).await.status.as_u16(), 201, "a sandbox takes any unless it is set");
    bank.stop().await;
    bank.restart_with(&[("dcr.ssa_max_age_s", "60")]).await;
    let tpp = Tpp::open_unregistered(bank.data_dir(), "shop", bank.clocks(), bank.ids(), None).unwrap();
    for (age, status) in [(60, 201), (61, 400)] {
        let aged = statement(&bank, &tpp, |claims| claims["iat"] = (bank.now().as_second() - age).into());
        let answer = attempt(&tpp, |request| request.claim("software_statement", aged)).await;
        assert_eq!(answer.status.as_u16(), status, "{age}: {}", answer.text());
    }
}

#[tokio::test]
async fn dcr_022_with_the_policy_of_approval_an_operator_admits_a_client() {
    let mut bank = Bank::start().await;
    bank.stop().await;
    bank.restart_with(&[("dcr.policy", "approval")]).await;
    let tpp = registered(&bank, "shop", &json!({})).await;
    tpp.request_token(&[("grant_type", "client_credentials")]).await.unwrap().oauth(401, "invalid_client");
    let waiting = bank.ops_get("/operations/tpps/shop").await.ok(200);
    assert_eq!(
        (waiting.text("status"), waiting.text("status_reason")),
        ("disabled", "waits for approval of its registration")
    );
    assert_eq!(bank.ops_post("/operations/tpps/shop/enable", &json!({})).await.0, 200);
    let token = own_token(&tpp).await;
    // What goes beyond what was approved waits again.
    let changed = statement(&bank, &tpp, |claims| claims["software_client_name"] = "Barclays".into());
    let request = tpp.registration_request().await.unwrap().claim("software_statement", changed);
    let request = signed(&tpp, &request.claim("introspection_signed_response_alg", "PS256"));
    let put = manage(&tpp, Method::PUT, tpp.client_id().as_str(), &token, Some(&request)).await.ok(200);
    let waiting = ["software_client_name", "introspection_signed_response_alg", "software_statement"];
    assert_eq!(put["pending_approval"], json!(waiting));
    let shown = bank.ops_get("/operations/tpps/shop").await.ok(200);
    assert_eq!((shown.text("status"), shown["pending"].text("software_name")), ("active", "Barclays"));
    assert_eq!(shown["signed_messages"], json!([]));
    assert_ne!(shown.text("software_name"), "Barclays");
    let id = tpp.client_id().as_str();
    assert_eq!(bank.ops_post(&format!("/operations/tpps/{id}/approve"), &json!({})).await.0, 200);
    let shown = bank.ops_get(&format!("/operations/tpps/{id}")).await.ok(200);
    assert_eq!((shown.text("software_name"), shown.get("pending")), ("Barclays", None));
    assert_eq!(shown["signed_messages"], json!(["introspection"]), "all that was approved");
    assert_eq!(bank.ops_post(&format!("/operations/tpps/{id}/refuse"), &json!({})).await.0, 400, "nothing waits");
}

#[tokio::test]
async fn the_directory_is_served_to_everybody() {
    let bank = Bank::start().await;
    let tpp = bank.tpp("acme");
    let statement: Value = CompactJws::parse(&tpp.folder.software_statement).unwrap().claims().unwrap();
    let open = tpp.with_certificate(None, Protocol::Any).unwrap();
    let get = async |url: &str| open.send(HttpCall::get(url)).await.unwrap();
    let keys = get(statement.text("software_jwks_endpoint")).await.ok(200);
    assert_eq!(keys["keys"][0]["kid"], tpp.folder.details.signing_kid);
    assert_eq!(get(statement.text("software_jwks_revoked_endpoint")).await.ok(200), json!({"keys": []}));
    let directory = format!("{}/directory", tpp.endpoints.public);
    assert_eq!(get(&format!("{directory}/keys.jwks")).await.ok(200)["keys"].as_array().unwrap().len(), 1);
    for absent in ["signing.key", "software/..%2fsigning.key", "software/nobody.jwks", "../ca.pem"] {
        assert_eq!(get(&format!("{directory}/{absent}")).await.status.as_u16(), 404, "{absent}");
    }
}
