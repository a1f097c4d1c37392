//! Every value of `docs/tpps/signing.md`, computed again.

use super::{blocks, file};
use crate::harness::Bank;
use lombard_jose::{DetachedJws, KeySet, base64url, sha256};
use serde_json::{Value, json};
use std::process::Stdio;
use tokio::process::Command;

/// What `crit` of a message signature lists.
const CRITICAL: [&str; 3] =
    ["http://openbanking.org.uk/iat", "http://openbanking.org.uk/iss", "http://openbanking.org.uk/tan"];

/// The values of the page.
struct Shown {
    page: String,
    body: String,
    payload: String,
    header: String,
    head: String,
    digest: String,
    signature: String,
    key: Value,
    script: String,
}

impl Shown {
    fn read() -> Self {
        let page = file("docs/tpps/signing.md");
        let texts: Vec<String> = blocks(&page).into_iter().map(|(_, text)| text).collect();
        let [body, payload, header, head, digest, signature, key, script] = <[String; 8]>::try_from(texts).unwrap();
        let joined = |text: String| text.replace('\n', "");
        let payload = joined(payload);
        let head = joined(head);
        let signature = joined(signature);
        let key = serde_json::from_str(&key).unwrap();
        Self { page, body, payload, header, head, digest, signature, key, script }
    }

    fn verify(&self, head: &str, signature: &str, keys: &Value) {
        let value = format!("{head}..{signature}");
        let jws = DetachedJws::parse(&value).unwrap();
        jws.verify(self.body.as_bytes(), &KeySet::parse(&keys.to_string()).unwrap(), &CRITICAL).unwrap();
    }
}

#[test]
fn each_value_follows_from_those_before_it() {
    let shown = Shown::read();
    assert_eq!(base64url(shown.body.as_bytes()), shown.payload);
    assert_eq!(base64url(shown.header.as_bytes()), shown.head);
    let input = format!("{}.{}", shown.head, shown.payload);
    let digest: String = sha256(input.as_bytes()).0.iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(digest, shown.digest);
    let lengths = format!("the header has {} characters, the body {}", shown.head.len(), shown.payload.len());
    assert!(shown.page.contains(&lengths), "{lengths}");
    shown.verify(&shown.head, &shown.signature, &json!({"keys": [shown.key]}));
    let header: Value = serde_json::from_str(&shown.header).unwrap();
    assert_eq!(header["crit"], json!(CRITICAL));
}

#[tokio::test]
async fn the_commands_sign_with_a_key_of_the_sandbox() {
    let bank = Bank::start().await;
    let shown = Shown::read();
    let folder = tempfile::tempdir().unwrap();
    let robot = bank.tpp("robot");
    std::fs::write(folder.path().join("body.json"), &shown.body).unwrap();
    let key = bank.data_dir().join("tpps/robot/signing.key");
    std::fs::copy(key, folder.path().join("signing.key")).unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-euc", &shown.script]).env("HEAD", &shown.head).current_dir(folder.path()).stdin(Stdio::null());
    let ended = shell.output().await.unwrap();
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let value = String::from_utf8(ended.stdout).unwrap();
    let (head, signature) = value.split_once("..").unwrap();
    assert_eq!(head, shown.head);
    let mut public = robot.folder.signing.public().to_jwk(&[]);
    public["kid"] = shown.key["kid"].clone();
    shown.verify(head, signature, &json!({"keys": [public]}));
}
