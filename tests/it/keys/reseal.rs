//! The key-encryption key is replaced while nodes serve.

use super::{published_kids, signing_key};
use crate::harness::{Bank, Engine};
use crate::workers::rows::change;
use jiff::SignedDuration;
use lombard::server::{Overrides, Server, StartError};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

/// The file of the key that everything is sealed with at first.
fn old_key(bank: &Bank) -> PathBuf {
    bank.data_dir().join("private/key-encryption.key")
}

/// Another key-encryption key.
fn new_key(folder: &Path) -> PathBuf {
    let file = folder.join("new.key");
    fs::write(&file, "5".repeat(64)).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
    file
}

async fn restart(bank: &mut Bank, key: &Path, others: &[&Path]) {
    let others: Vec<_> = others.iter().map(|file| file.to_str().unwrap()).collect();
    let key = key.to_str().unwrap();
    let others = others.join(",");
    let mut settings = vec![("signing.key_encryption_key_file", key)];
    if !others.is_empty() {
        settings.push(("signing.other_key_encryption_key_files", &others));
    }
    bank.restart_with(&settings).await;
}

/// Why the bank does not start with this key alone.
async fn refused_start(bank: &Bank, key: &Path) -> StartError {
    let mut config = bank.config();
    config.signing.key_encryption_key_file = Some(key.to_owned());
    let overrides = Overrides { clocks: bank.clocks(), ..Overrides::system() };
    Box::pin(Server::start(config, overrides)).await.expect_err("a start that is refused")
}

async fn reseal(bank: &Bank) -> Value {
    let (status, resealed) = bank.ops_post("/operations/keys/reseal", &json!(null)).await;
    assert_eq!(status, 200, "{resealed}");
    resealed
}

#[tokio::test]
async fn every_secret_is_resealed_with_the_new_key_and_the_old_key_opens_none() {
    for mut bank in Bank::each_engine().await {
        let old = old_key(&bank);
        let new = new_key(bank.data_dir());
        let kid = signing_key(&bank.tpp("robot")).await;
        bank.ops_post("/operations/keys/csr", &json!({})).await;
        assert_eq!(reseal(&bank).await, json!({"resealed": 0, "unchanged": 3, "unopened": []}));
        bank.stop().await;
        restart(&mut bank, &old, &[&new]).await;
        bank.stop().await;
        restart(&mut bank, &new, &[&old]).await;
        assert_eq!(reseal(&bank).await, json!({"resealed": 3, "unchanged": 0, "unopened": []}));
        assert_eq!(reseal(&bank).await, json!({"resealed": 0, "unchanged": 3, "unopened": []}));
        assert_eq!(signing_key(&bank.tpp("robot")).await, kid);
        bank.stop().await;
        assert!(matches!(refused_start(&bank, &old).await, StartError::Sealed));
        restart(&mut bank, &new, &[]).await;
        assert_eq!(signing_key(&bank.tpp("robot")).await, kid);
    }
}

#[tokio::test]
async fn a_node_with_only_the_old_key_keeps_signing_and_omits_unopenable_keys() {
    if !Engine::at_hand().contains(&Engine::Postgres) {
        return;
    }
    let mut former = Bank::unstarted(Engine::Postgres).await;
    let mut current = former.twin();
    let old = old_key(&former);
    let new = new_key(current.data_dir());
    restart(&mut former, &old, &[]).await;
    restart(&mut current, &new, &[&old]).await;
    let kid = signing_key(&former.tpp("robot")).await;
    assert_eq!(reseal(&current).await["resealed"], 2);
    let (_, rotated) = current.ops_post("/operations/keys/rotate", &json!(null)).await;
    let added = rotated["kid"].as_str().unwrap();
    let keys = former.ops_get("/operations/keys").await.json().unwrap();
    assert_eq!(
        (&keys["keys"][0]["state"], &keys["keys"][1]["state"]),
        (&json!("signing"), &json!("unusable")),
        "{keys}"
    );
    for node in [&former, &current] {
        assert_eq!(signing_key(&node.tpp("robot")).await, kid, "what the one has signed, and the other");
    }
    assert_eq!(published_kids(&current.tpp("robot")).await, [kid.as_str(), added]);
    former.stop().await;
    assert!(matches!(refused_start(&former, &old).await, StartError::Sealed));
    restart(&mut former, &new, &[&old]).await;
    former.clock.advance(SignedDuration::from_hours(1));
    assert_eq!(signing_key(&former.tpp("robot")).await, added);
}

#[tokio::test]
async fn an_unopenable_key_does_not_keep_the_others_from_being_resealed() {
    for mut bank in Bank::each_engine().await {
        let old = old_key(&bank);
        let new = new_key(bank.data_dir());
        let kid = signing_key(&bank.tpp("robot")).await;
        bank.stop().await;
        let broken = "INSERT INTO signing_keys (id, origin, sealed, chain, published_at, active_from) \
                      SELECT 'broken', 'made', sealed, chain, published_at - 1, active_from FROM signing_keys";
        assert_eq!(change(&bank, broken).await, 1);
        restart(&mut bank, &new, &[&old]).await;
        assert_eq!(reseal(&bank).await, json!({"resealed": 2, "unchanged": 0, "unopened": ["broken"]}));
        assert_eq!(signing_key(&bank.tpp("robot")).await, kid);
    }
}
