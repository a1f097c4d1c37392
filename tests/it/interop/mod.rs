//! What third-party libraries make of the server: its signatures, verified by `jose` from npm and `joserfc` from PyPI, and TPPs
//! written with `openid-client`, `oauth4webapi` and `authlib`; and what tools make of its OpenAPI documents. `cargo xtask test` installs
//! them under `target` and passes their locations in environment variables. Source: SET-001, SET-002, RW-223.

mod clients;
mod documents;

use crate::harness::{Bank, ExchangeExt, ValueExt};
use lombard_jose::{CompactJws, SignedPayload, SigningKey, message_header, sign_detached};
use lombard_tpp::HttpCall;
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::io::AsyncWriteExt;
use tokio::process::Command;

/// A library, the program it runs in, and our script for it.
const LIBRARIES: [(&str, &str, &str); 2] = [
    ("LOMBARD_TEST_JOSE_NPM", "node", concat!(env!("CARGO_MANIFEST_DIR"), "/it/interop/verify.mjs")),
    ("LOMBARD_TEST_JOSE_PYPI", "python3", concat!(env!("CARGO_MANIFEST_DIR"), "/it/interop/verify.py")),
];

#[tokio::test]
async fn set_001_and_rw_223_other_libraries_verify_what_we_sign() {
    let bank = Bank::start().await;
    let robot = bank.tpp("robot");
    let token = robot.client_credentials("accounts").await.unwrap().access_token;
    bank.ops_post("/sandbox/events", &json!({"client_id": robot.client_id(), "count": 3})).await;
    let polled = robot.poll_events(&token, &json!({"returnImmediately": true})).await.unwrap().ok(200);
    let sound: Vec<String> =
        polled["sets"].as_object().unwrap().values().map(|set| set.as_str().unwrap().to_owned()).collect();
    assert_eq!(sound.len(), 3);
    let claims: Vec<Value> = sound.iter().map(|set| CompactJws::parse(set).unwrap().claims().unwrap()).collect();
    let jwks_uri = robot.discovery().await.unwrap().jwks_uri.clone();
    let keys = robot.send(HttpCall::get(jwks_uri)).await.unwrap().ok(200);
    let unsound = [swapped(&sound[0], &sound[1]), forged(&sound[0])];
    let asked = json!({"keys": keys, "sound": sound, "unsound": unsound, "message": message()}).to_string();
    for (variable, program, script) in LIBRARIES {
        let Ok(folder) = std::env::var(variable) else {
            eprintln!("SKIPPED: {script} verifies nothing: {variable} is not set (cargo xtask test --interop sets it)");
            continue;
        };
        let said = run(program, script, &folder, &asked).await;
        assert_eq!(said.list("/claims").len(), 3, "{program}: {said}");
        assert_eq!(said["claims"], json!(claims), "{program}: every token holds and says the same");
        assert_eq!(said["refused"], 3, "{program}: swapped claims, another's signature and a changed body are refused");
    }
}

/// One token's claims under the other's signature.
fn swapped(one: &str, other: &str) -> String {
    let parts = |token: &str| token.split('.').map(str::to_owned).collect::<Vec<_>>();
    let one = parts(one);
    let other = parts(other);
    format!("{}.{}.{}", one[0], other[1], one[2])
}

/// The token, signed again with a key that only claims to be the bank's.
fn forged(token: &str) -> String {
    let parsed = CompactJws::parse(token).unwrap();
    let key = SigningKey::generate().unwrap().with_id(parsed.header().kid.as_deref().unwrap().into());
    lombard_jose::sign_compact(&key, parsed.header(), parsed.payload()).unwrap()
}

/// A body and its detached signature, as answers carry it.
fn message() -> Value {
    let key = SigningKey::generate().unwrap();
    let body = r#"{"Data":{"Status":"AcceptedSettlementInProcess"},"Risk":{}}"#;
    let header =
        message_header(key.id(), "0015800001041RHAAY", "openbanking.org.uk", SignedPayload::Json, 1_767_225_600);
    let signature = sign_detached(&key, &header, body.as_bytes()).unwrap();
    json!({"keys": {"keys": [key.public().to_jwk(&[])]}, "body": body, "signature": signature})
}

async fn run(program: &str, script: &str, folder: &str, asked: &str) -> Value {
    let mut command = Command::new(program);
    command.args([script, folder]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{program}: {error}"));
    let mut input = child.stdin.take().unwrap();
    input.write_all(asked.as_bytes()).await.unwrap();
    drop(input);
    let ended = child.wait_with_output().await.unwrap();
    let complaint = String::from_utf8_lossy(&ended.stderr);
    assert!(ended.status.success(), "{program}: {complaint}");
    serde_json::from_slice(&ended.stdout).unwrap_or_else(|error| panic!("{program}: {error}"))
}
