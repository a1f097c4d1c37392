//! The built-in bank in a process of its own, and a server in front of it.

use crate::harness::{Bank, Engine, ExchangeExt, TestCore, ValueExt, until};
use crate::payments::books::{count, ledger_count};
use lombard_tpp::{HttpCall, Protocol, TlsIdentity, Transport, parse_certificates};
use rustls_pki_types::PrivateKeyDer;
use rustls_pki_types::pem::PemObject;
use serde_json::{Value, json};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::sync::Arc;

async fn started(engine: Engine) -> Bank {
    let mut bank = Bank::unstarted_with(engine, TestCore::Process).await;
    bank.restart().await;
    bank
}

/// Whether a table is there.
fn table(engine: Engine, name: &str) -> String {
    match engine {
        Engine::Sqlite => format!("SELECT count(*) FROM sqlite_master WHERE name = '{name}'"),
        Engine::Postgres => format!("SELECT count(*) FROM information_schema.tables WHERE table_name = '{name}'"),
    }
}

#[tokio::test]
async fn neither_database_has_tables_of_the_other_side() {
    for engine in Engine::at_hand() {
        let bank = started(engine).await;
        for name in ["ledger_accounts", "postings", "customers", "bank_migrations"] {
            let question = table(engine, name);
            assert_eq!((count(&bank, &question).await, ledger_count(&bank, &question).await), (0, 1), "{name}");
        }
        for name in ["consents", "orders", "grants", "schema_migrations"] {
            let question = table(engine, name);
            assert_eq!((count(&bank, &question).await, ledger_count(&bank, &question).await), (1, 0), "{name}");
        }
    }
}

fn core(bank: &Bank) -> Value {
    serde_json::from_slice(&std::fs::read(bank.core_file()).unwrap()).unwrap()
}

fn transport(core: &Value, has_certificate: bool) -> Transport {
    let certificates = |member: &str| parse_certificates(Path::new(core.text(member))).unwrap();
    let key = Arc::new(PrivateKeyDer::from_pem_file(core.text("key")).unwrap());
    let identity = TlsIdentity { chain: certificates("certificate"), key };
    let anchors = certificates("ca");
    Transport::new(&anchors, has_certificate.then_some(&identity), Protocol::Any, None).unwrap()
}

#[tokio::test]
async fn the_core_file_says_how_to_connect_and_nobody_else_can() {
    let bank = started(Engine::Sqlite).await;
    let core = core(&bank);
    for file in [bank.core_file(), core.text("key").into()] {
        let mode = std::fs::metadata(&file).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{}", file.display());
    }
    let ready = || HttpCall::get(format!("{}/readyz", core.text("url")));
    assert_eq!(transport(&core, true).send(ready()).await.unwrap().status, 200);
    let refused = transport(&core, false).send(ready()).await;
    assert!(refused.is_err(), "{refused:?}");
    // A certificate of another authority: that of a TPP.
    let mut foreign = core.clone();
    foreign["certificate"] = json!(bank.data_dir().join("tpps/robot/transport.pem"));
    foreign["key"] = json!(bank.data_dir().join("tpps/robot/transport.key"));
    let refused = transport(&foreign, true).send(ready()).await;
    assert!(refused.is_err(), "{refused:?}");
}

#[tokio::test]
async fn the_controls_of_the_ops_listener_act_on_the_bank() {
    for engine in Engine::at_hand() {
        let bank = started(engine).await;
        let shown = async || bank.ops_get("/sandbox/psus").await.ok(200);
        let customers = shown().await;
        let logins: Vec<_> = customers.list("/psus").iter().map(|it| it.text("login").to_owned()).collect();
        assert_eq!(logins, ["amelia", "bashir", "chloe", "deepak", "esther"]);

        let before = bank.ops_get("/sandbox/clock").await.ok(200);
        let moved = bank.ops_post("/sandbox/clock", &json!({"advance_secs": 3600})).await;
        assert_eq!(moved.0, 200, "{}", moved.1);
        assert_ne!(before["now"], moved.1["now"]);
        assert_eq!(bank.ops_get("/sandbox/clock").await.ok(200)["now"], moved.1["now"]);
        let (status, far) = bank.ops_post("/sandbox/clock", &json!({"set": "2150-01-01T00:00:00Z"})).await;
        assert!(status == 400 && far.text("error").contains("2099"), "{far}");

        let account = customers["psus"][0]["accounts"][0].text("id").to_owned();
        let close = format!("/sandbox/accounts/{account}/close");
        assert_eq!(bank.ops_post(&close, &Value::Null).await.0, 200);
        assert_eq!(bank.ops_post(&close, &Value::Null).await.0, 409);
        assert_eq!(bank.ops_post("/sandbox/accounts/none/close", &Value::Null).await.0, 404);
        let (status, faulty) = bank.ops_post("/sandbox/seed", &json!({"Customer": [{}]})).await;
        assert!(status == 400 && !faulty["faults"].as_array().unwrap().is_empty(), "{faulty}");

        let moved = json!({"mobile": "+44-7700900999", "address": {"TownName": "Leeds", "Country": "GB"}});
        assert_eq!(bank.ops_post("/sandbox/psus/amelia/change", &moved).await.0, 200);
        let party = bank.ops_get("/sandbox/seed").await.ok(200)["Customer"][0]["Party"].clone();
        assert_eq!(party["Mobile"], moved["mobile"], "{party}");
        assert_eq!(party["Address"], json!([moved["address"]]), "{party}");

        let (status, now) = bank.ops_post("/sandbox/reset", &Value::Null).await;
        assert_eq!((status, &now["now"]), (200, &before["now"]), "the clock is reset too");
        assert_ne!(shown().await["psus"][0]["accounts"][0]["status"], "Deleted");
    }
}

#[tokio::test]
async fn the_server_serves_without_the_bank_and_goes_on_with_it() {
    let mut bank = started(Engine::Sqlite).await;
    bank.kill_core().await;
    assert_eq!(bank.ops_get("/sandbox/psus").await.status, 503);
    assert_eq!(bank.ops_post("/sandbox/clock", &json!({"advance_secs": 1})).await.0, 503);
    assert_eq!(bank.ops_get("/readyz").await.status, 200);
    bank.tpp("robot").client_credentials("accounts").await.unwrap();
    // It starts without the bank too.
    bank.stop().await;
    bank.restart_without_core().await;
    assert_eq!(bank.ops_get("/sandbox/psus").await.status, 503);
    bank.run_core().await;
    until(async || (bank.ops_get("/sandbox/psus").await.status == 200).then_some(())).await;
}
