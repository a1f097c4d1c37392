//! Work that grows with what a TPP publishes: key sets with many, large or equally named keys. Source: AS-183.

use crate::harness::{Bank, ExchangeExt};
use crate::registration::{attempt, unregistered};
use serde_json::{Value, json};

/// A number of so many bytes, as a JWK writes it.
fn number(bytes: usize) -> String {
    lombard_jose::base64url(&vec![0xff; bytes])
}

#[tokio::test]
async fn as_183_key_sets_that_cost_too_much_register_nothing() {
    let bank = Bank::start().await;
    let large = |kid: &str| json!({"kty": "RSA", "use": "sig", "kid": kid, "n": number(1024), "e": number(4)});
    let entries = |count: usize| (0..count).map(|at| json!({"n": format!("a{at:x}")})).collect::<Vec<_>>();
    let sound = |count: usize| {
        (0..count)
            .map(|at| json!({"kty": "RSA", "kid": at.to_string(), "n": number(256), "e": "AQAB"}))
            .collect::<Vec<_>>()
    };
    for (number, (case, added, revoked, status)) in [
        ("50 keys", sound(49), vec![], 201),
        ("51 keys", sound(50), vec![], 400),
        ("180 keys of 8192 bits under one kid", vec![large("k"); 180], vec![], 400),
        ("one key of 8192 bits", vec![large("other")], vec![], 400),
        ("17,000 entries, and as many revoked", entries(17_000), entries(17_000), 400),
        ("17,000 revoked entries", vec![], entries(17_000), 201),
    ]
    .into_iter()
    .enumerate()
    {
        let tpp = unregistered(&bank, &format!("keys-{number}"), &json!({})).await;
        let folder = bank.data_dir().join("directory/software");
        let software = tpp.folder.details.software_id.as_str();
        let path = folder.join(format!("{software}.jwks"));
        let published: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        let own = published["keys"].as_array().unwrap().clone();
        let keys = [added, own].concat();
        std::fs::write(&path, json!({ "keys": keys }).to_string()).unwrap();
        if !revoked.is_empty() {
            let path = folder.join(format!("{software}.revoked.jwks"));
            std::fs::write(path, json!({ "keys": revoked }).to_string()).unwrap();
        }
        let answer = attempt(&tpp, |request| request).await;
        assert_eq!(answer.status.as_u16(), status, "{case}: {}", answer.text());
        if status == 400 {
            answer.oauth(400, "invalid_software_statement");
        }
    }
}
