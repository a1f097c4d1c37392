//! Tests of the certificates of a built-in bank in its own process.

use super::*;

const KEYS: [&str; 3] = ["core/private/ca.key", "core/private/server.key", "core/connector.key"];
const LEAVES: [&str; 2] = ["core/private/server.pem", "core/connector.pem"];

fn open(sandbox: &Sandbox, now: Timestamp) -> BankProcessTrust {
    BankProcessTrust::open_or_create(sandbox.dir.path(), now, &ServerNames::default()).unwrap()
}

fn texts(sandbox: &Sandbox, names: &[&str]) -> Vec<String> {
    names.iter().map(|name| sandbox.text(name)).collect()
}

#[test]
fn the_connector_may_call_and_the_bank_may_serve_and_neither_the_other() {
    let sandbox = Sandbox::new();
    let trust = open(&sandbox, today());
    assert_eq!(trust.connector_key_file, sandbox.path("core/connector.key"));
    assert_eq!(trust.anchor_der, sandbox.certificate("core/ca.pem"));
    let use_of = |der: &[u8]| {
        let certificate = parsed(der);
        assert_eq!(certificate.issuer(), parsed(&trust.anchor_der).subject());
        let usage = certificate.extended_key_usage().unwrap().unwrap().value.clone();
        (usage.client_auth, usage.server_auth)
    };
    assert_eq!(use_of(&sandbox.certificate("core/connector.pem")), (true, false));
    assert_eq!(use_of(&trust.server.chain_der[0]), (false, true));
    for key in KEYS {
        assert_eq!(sandbox.mode(key), 0o600, "{key}");
    }
}

#[test]
fn a_later_start_keeps_keys_and_renews_certificates_near_their_end() {
    let sandbox = Sandbox::new();
    let now = today();
    open(&sandbox, now);
    let keys = texts(&sandbox, &KEYS);
    let leaves = texts(&sandbox, &LEAVES);
    open(&sandbox, now + days(366));
    assert_eq!(texts(&sandbox, &LEAVES), leaves);
    open(&sandbox, now + days(368));
    assert_eq!(texts(&sandbox, &KEYS), keys);
    assert!(texts(&sandbox, &LEAVES).iter().zip(&leaves).all(|(after, before)| after != before));
}

#[test]
fn each_folder_has_an_authority_of_its_own() {
    let one = Sandbox::new();
    let other = Sandbox::new();
    assert_ne!(open(&one, today()).anchor_der, open(&other, today()).anchor_der);
}
