//! `lombard --ephemeral`, as a process, and the script of `docs/tpps/testing.md`.

use crate::harness::ephemeral::{self, EphemeralBank, said};
use crate::harness::{CustomerAccess, SeededEntropy};
use crate::tls::versions::spoken_version;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_tpp::Tpp;
use serde_json::Value;
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;
use tokio::process::Command;
use tokio_rustls::rustls::ProtocolVersion;
use tokio_rustls::rustls::version::TLS12;

const PAGE: &str = include_str!("../../../docs/tpps/testing.md");

#[tokio::test]
async fn an_ephemeral_bank_says_in_one_line_where_it_is_and_leaves_nothing() {
    let bank = EphemeralBank::start().await;
    let data = bank.data_dir().to_owned();
    let file: Value = serde_json::from_slice(&std::fs::read(data.join("endpoints.json")).unwrap()).unwrap();
    for (name, value) in file.as_object().unwrap() {
        assert_eq!(&bank.ready[name], value);
    }
    let ids = IdGenerator::new(Arc::new(SeededEntropy::of_test("ephemeral")), Clocks::system());
    let tpp = Tpp::open(&data, "robot", Clocks::system(), ids, None).unwrap();
    // What is asked at once waits for what it needs, and is answered: the RSA certificate, the bank's key, its customers.
    let listener = bank.ready["public"].as_str().unwrap();
    assert_eq!(spoken_version(&data, listener, &TLS12).await, Some(ProtocolVersion::TLSv1_2));
    let own = tpp.client_credentials("accounts").await.unwrap().access_token;
    let consent = tpp.consent_create(&own, &["ReadAccountsBasic"]).await.unwrap();
    let access = CustomerAccess::of(&tpp, &own, &consent).await;
    assert!(!access.account_ids().await.is_empty());

    bank.stop().await;
    assert!(!data.exists(), "its folder is removed");
}

#[tokio::test]
async fn the_script_for_test_suites_starts_a_bank_and_ends_it() {
    let folder = tempfile::tempdir().unwrap();
    let program = std::env::current_exe().unwrap();
    let arguments = ephemeral::arguments().join(" ");
    let lombard = folder.path().join("lombard");
    let text = format!("#!/bin/sh\nexec '{}' {arguments}\n", program.display());
    std::fs::write(&lombard, text).unwrap();
    std::fs::set_permissions(&lombard, Permissions::from_mode(0o755)).unwrap();
    let (_, block) = PAGE.split_once("```sh\n").unwrap();
    let script = block.split("```").next().unwrap().replace("npm test", "cp bank.json seen.json");
    let path = format!("{}:{}", folder.path().display(), std::env::var("PATH").unwrap());
    let mut shell = Command::new("sh");
    shell
        .args(["-euc", &format!("{script}wait $! || true")])
        .current_dir(folder.path())
        .env("PATH", path)
        .env(ephemeral::RUNS, "1");
    assert!(shell.stdin(Stdio::null()).stderr(Stdio::null()).status().await.unwrap().success());
    let seen = std::fs::read_to_string(folder.path().join("seen.json")).unwrap();
    let ready = seen.lines().find_map(said).unwrap();
    for member in ["issuer", "well_known", "public", "mtls", "ops", "resource_base", "data_dir", "version"] {
        assert!(ready[member].is_string(), "{member}");
    }
    assert!(!Path::new(ready["data_dir"].as_str().unwrap()).exists(), "the bank has ended");
}
