//! TPPs that others wrote: `openid-client` and `oauth4webapi` from npm and `authlib` from PyPI, as they come, go through registration, authorisation and
//! tokens. Source: DCR-001, AS-035, AS-085, AS-120, AS-121, AS-122, AS-151, AS-153, AS-160.

use super::run;
use crate::harness::{Bank, ExchangeExt};
use lombard_jose::base64url;
use lombard_tpp::Endpoints;
use serde_json::{Value, json};

/// A bank on the machine's clock, by which others sign.
pub(super) async fn bank_now() -> Bank {
    let bank = Bank::start().await;
    set_to_now(&bank);
    bank
}

/// Sets the bank's clock, which stands still, to the machine's: a program that signs must be within the skew of the bank (RW-219).
pub(super) fn set_to_now(bank: &Bank) {
    bank.clock.advance_to_present();
}

/// What a TPP's folder holds, as a script is told it.
fn folder(bank: &Bank, name: &str) -> Value {
    let read = |file: &str| std::fs::read_to_string(bank.data_dir().join("tpps").join(name).join(file)).unwrap();
    let card: Value = serde_json::from_str(&read("tpp.json")).unwrap();
    json!({
        "client_id": card["client_id"],
        "kid": card["signing_kid"],
        "method": card["token_endpoint_auth_method"],
        "redirect_uri": card["redirect_uris"][0],
        "certificate": read("transport.pem"),
        "key": read("transport.key"),
        "signing": read("signing.key"),
        "software_statement": read("software_statement.jwt"),
    })
}

/// The script's words for what it was told, or nothing, said loudly, if the library is not there.
async fn said_by(variable: &str, program: &str, script: &str, told: &Value) -> Option<Value> {
    let Ok(library) = std::env::var(variable) else {
        eprintln!("SKIPPED: {script} is no TPP: {variable} is not set (cargo xtask test --interop sets it)");
        return None;
    };
    Some(run(program, script, &library, &told.to_string()).await)
}

#[tokio::test]
async fn openid_client_is_a_tpp_as_it_comes() {
    let bank = bank_now().await;
    let Endpoints { issuer, resource_base, .. } = bank.endpoints();
    let mut told = folder(&bank, "robot");
    let hint = [r#"{"alg":"none"}"#, r#"{"sub":"amelia"}"#].map(|part| base64url(part.as_bytes()));
    let anchors = std::fs::read_to_string(bank.data_dir().join("ca.pem")).unwrap();
    for (name, value) in [
        ("issuer", json!(issuer)),
        ("resource_base", json!(resource_base)),
        ("ca", json!(anchors)),
        ("ciba", json!(true)),
        ("login_hint_token", json!(format!("{}.{}.", hint[0], hint[1]))),
    ] {
        told[name] = value;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/it/interop/openid_client.mjs");
    let Some(said) = said_by("LOMBARD_TEST_OPENID_CLIENT", "node", script, &told).await else { return };
    for flow in ["hybrid", "jarm", "ciba"] {
        assert_eq!(said[flow]["subject"], said[flow]["consent"], "{flow}: the subject of a token is the consent");
    }
    assert!(said["accounts"].as_u64().is_some_and(|count| count > 0), "{said}");
    assert_eq!(said["userinfo"], said["jarm"]["consent"]);
    for yes in ["refreshed", "active", "revoked"] {
        assert_eq!(said[yes], true, "{yes}: {said}");
    }
}

#[tokio::test]
async fn oauth4webapi_is_a_tpp_as_it_comes_by_either_method() {
    let bank = bank_now().await;
    bank.create_tpp(&json!({"name": "certified", "auth": "tls_client_auth", "headless": "amelia"})).await;
    let Endpoints { issuer, resource_base, .. } = bank.endpoints();
    for (name, method) in [("robot", "private_key_jwt"), ("certified", "tls_client_auth")] {
        let mut told = folder(&bank, name);
        assert_eq!(told["method"], method);
        told["issuer"] = json!(issuer);
        told["resource_base"] = json!(resource_base);
        told["ca"] = json!(std::fs::read_to_string(bank.data_dir().join("ca.pem")).unwrap());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/it/interop/oauth4webapi.mjs");
        let Some(said) = said_by("LOMBARD_TEST_OAUTH4WEBAPI", "node", script, &told).await else { return };
        for flow in ["hybrid", "jarm"] {
            assert_eq!(said[flow]["subject"], said[flow]["consent"], "{name} {flow}: the subject is the consent");
        }
        assert!(said["accounts"].as_u64().is_some_and(|count| count > 0), "{name}: {said}");
        assert_eq!(said["userinfo"], said["jarm"]["consent"], "{name}");
        for yes in ["refreshed", "active", "revoked"] {
            assert_eq!(said[yes], true, "{name} {yes}: {said}");
        }
    }
}

#[tokio::test]
async fn authlib_registers_and_is_a_tpp_as_it_comes() {
    let bank = bank_now().await;
    let order = json!({"name": "shop", "unregistered": true, "redirect_uris": ["https://shop.example/callback"]});
    assert_eq!(bank.ops_post("/operations/tpps", &order).await.0, 201);
    let Endpoints { well_known, resource_base, .. } = bank.endpoints();
    let told = json!({
        "well_known": well_known,
        "resource_base": resource_base,
        "ca": std::fs::read_to_string(bank.data_dir().join("ca.pem")).unwrap(),
        "registered": folder(&bank, "robot"),
        "unregistered": folder(&bank, "shop"),
    });
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/it/interop/authlib_client.py");
    let Some(said) = said_by("LOMBARD_TEST_AUTHLIB", "python3", script, &told).await else { return };
    assert_eq!(said["registered"], json!(["openid accounts", "Shop"]));
    assert_eq!((&said["deleted"], &said["revoked"]), (&json!([204, 401]), &json!(401)));
    assert!(said["accounts"].as_u64().is_some_and(|count| count > 0), "{said}");
    for yes in ["read", "front", "refreshed", "active"] {
        assert_eq!(said[yes], true, "{yes}: {said}");
    }
    bank.tpp("robot").client_credentials("accounts").await.unwrap();
    bank.ops_get("/operations/tpps/robot").await.ok(200);
}
