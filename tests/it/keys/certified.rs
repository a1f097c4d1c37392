//! Keys with certificates of a directory: requested, imported, published and used.

use super::{published_kids, signing_key};
use crate::harness::{Authority, Bank, ExchangeExt};
use jiff::SignedDuration;
use lombard_jose::SigningKey;
use lombard_tpp::HttpCall;
use serde_json::{Value, json};

/// The keys as `lombard keys list --json` shows them.
async fn listed(bank: &Bank) -> Vec<Value> {
    bank.ops_get("/operations/keys").await.ok(200)["keys"].as_array().unwrap().clone()
}

/// The published entry of this key.
async fn published(bank: &Bank, kid: &str) -> Option<Value> {
    let tpp = bank.tpp("robot");
    let uri = tpp.discovery().await.unwrap().jwks_uri.clone();
    let jwks = tpp.send(HttpCall::get(&uri)).await.unwrap().ok(200);
    jwks["keys"].as_array().unwrap().iter().find(|key| key["kid"] == kid).cloned()
}

async fn import(bank: &Bank, order: &Value) -> (u16, Value) {
    bank.ops_post("/operations/keys/import", order).await
}

#[tokio::test]
async fn as_007_as_008_a_certified_key_is_published_with_the_directory_id() {
    for bank in Bank::each_engine().await {
        let tpp = bank.tpp("robot");
        let authority = Authority::new("directory");
        let old = signing_key(&tpp).await;
        let (status, requested) = bank.ops_post("/operations/keys/csr", &json!({})).await;
        assert_eq!(status, 200, "{requested}");
        assert_eq!(published_kids(&tpp).await, [old.as_str()], "nothing is published before the certificate is there");
        let (_, again) = bank.ops_post("/operations/keys/csr", &json!({"kid": requested["kid"]})).await;
        assert_eq!(again["kid"], requested["kid"]);
        assert_eq!(listed(&bank).await[1]["state"], "waiting");

        let certificate = authority.certify(requested["request"].as_str().unwrap());
        let (status, imported) = import(&bank, &json!({"kid": "from-the-directory", "certificate": certificate})).await;
        assert_eq!((status, imported["state"].as_str()), (200, Some("announced")), "{imported}");
        let key = published(&bank, "from-the-directory").await.unwrap();
        assert_eq!(key["x5c"].as_array().unwrap().len(), 2);
        assert!(key["x5t#S256"].is_string());
        assert_eq!(signing_key(&bank.tpp("robot")).await, old);

        bank.clock.advance(SignedDuration::from_hours(1));
        assert_eq!(signing_key(&bank.tpp("robot")).await, "from-the-directory");
        let keys = listed(&bank).await;
        let states: Vec<_> = keys.iter().map(|key| key["state"].as_str().unwrap()).collect();
        assert_eq!(states, ["verifying", "signing"], "{keys:?}");
        assert_eq!((&keys[1]["origin"], &keys[0]["kid"]), (&json!("made"), &json!(old)));
        assert!(keys[1]["certificate"]["subject"].as_str().unwrap().contains("CN="), "{keys:?}");
    }
}

#[tokio::test]
async fn as_007_a_key_from_a_file_signs_and_its_private_part_is_shown_nowhere() {
    for mut bank in Bank::each_engine().await {
        let given = SigningKey::generate().unwrap();
        let pem = given.pkcs8_pem().unwrap();
        let (status, imported) = import(&bank, &json!({"private_key": &*pem})).await;
        assert_eq!((status, imported["origin"].as_str()), (200, Some("file")), "{imported}");
        assert!(imported["certificate"].is_object(), "a sandbox issues one");
        bank.stop().await;
        bank.restart().await;
        bank.clock.advance(SignedDuration::from_hours(1));
        assert_eq!(signing_key(&bank.tpp("robot")).await, given.id().as_str());
        let shown = bank.ops_get("/operations/keys").await.json().unwrap().to_string();
        assert!(!shown.contains("PRIVATE") && !shown.contains(pem.lines().nth(1).unwrap()), "{shown}");
    }
}

#[tokio::test]
async fn as_007_imports_that_do_not_fit_are_refused_with_their_reason() {
    let bank = Bank::start().await;
    let old = signing_key(&bank.tpp("robot")).await;
    let (_, requested) = bank.ops_post("/operations/keys/csr", &json!({})).await;
    let certificate = Authority::new("directory").certify(requested["request"].as_str().unwrap());
    let foreign = SigningKey::generate().unwrap().pkcs8_pem().unwrap();
    for (order, reason) in [
        (json!({"kid": "k", "certificate": certificate, "private_key": &*foreign}), "another key than the private key"),
        (json!({"kid": old, "certificate": certificate}), "belongs to another signing key"),
        (json!({"kid": "a b", "certificate": certificate}), "1 to 128 letters"),
        (json!({"certificate": ""}), "no certificate in the file"),
        (
            json!({"certificate": "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"}),
            "not an X.509 certificate",
        ),
        (json!({"certificate": Authority::new("other").pem()}), "that of an authority"),
        (json!({"private_key": "secret"}), "not an RSA private key"),
        (json!({"label": "seal"}), "no security module"),
        (json!({}), "nothing to import"),
    ] {
        let (status, said) = import(&bank, &order).await;
        let said = said["error"].as_str().unwrap().to_owned();
        assert!(status == 400 && said.contains(reason) && !said.contains("secret"), "{reason}: {said}");
    }
    let (status, said) = bank.ops_post("/operations/keys/csr", &json!({"kid": "none"})).await;
    assert_eq!((status, said["error"].as_str()), (400, Some("there is no signing key with this id")));
    assert_eq!(published_kids(&bank.tpp("robot")).await, [old.as_str()], "nothing was published");
    assert_eq!(import(&bank, &json!({"certificate": certificate})).await.0, 200);
}
