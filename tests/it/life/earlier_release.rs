//! Data of the release before the bank had its own tables: a sandbox after a tour, with a short history.

use crate::harness::{Bank, Engine, ExchangeExt, ValueExt};
use crate::payments::books::count;
use crate::workers::rows::{run_script, texts};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::io::Read;

/// The database on each engine, compressed: a file of SQLite, statements for PostgreSQL.
const SQLITE: &[u8] = include_bytes!("../data/release_0_1/lombard.db.gz");
const POSTGRES: &[u8] = include_bytes!("../data/release_0_1/lombard.sql.gz");
/// The key that its secrets are sealed with.
const KEY: &str = include_str!("../data/release_0_1/private/key-encryption.key");

/// What must be the same after the migration, each row as a text.
const THE_SAME: [&str; 8] = [
    "SELECT psu_id || name FROM customers",
    "SELECT id || client_id || kind || state || terms FROM consents",
    "SELECT id || client_id || product || steps FROM orders",
    "SELECT id || client_id || claims FROM events",
    "SELECT id || booked || '/' || pending || currency FROM ledger_accounts",
    "SELECT id || account_id || minor || status FROM entries",
    "SELECT id || told || plan FROM bank_orders",
    "SELECT kind || account_id || id || detail FROM arrangements",
];

async fn contents(bank: &Bank) -> Vec<BTreeSet<String>> {
    let mut all = Vec::new();
    for question in THE_SAME {
        all.push(texts(bank, question).await);
    }
    all
}

/// A bank that the earlier release has left, not started.
async fn left_behind(engine: Engine) -> Bank {
    let bank = Bank::bare(engine).await;
    match engine {
        Engine::Sqlite => std::fs::write(bank.data_dir().join("lombard.db"), unpacked(SQLITE)).unwrap(),
        Engine::Postgres => {
            let dump = String::from_utf8(unpacked(POSTGRES)).unwrap();
            run_script(&bank, &dump).await;
        }
    }
    std::fs::create_dir(bank.data_dir().join("private")).unwrap();
    std::fs::write(bank.data_dir().join("private/key-encryption.key"), KEY).unwrap();
    bank
}

fn unpacked(file: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    flate2::read::GzDecoder::new(file).read_to_end(&mut all).unwrap();
    all
}

#[tokio::test]
async fn data_of_the_earlier_release_open_with_all_that_they_hold() {
    for engine in Engine::at_hand() {
        Box::pin(opens(left_behind(engine).await)).await;
    }
}

async fn opens(mut bank: Bank) {
    let before = contents(&bank).await;
    assert!(before.iter().all(|rows| !rows.is_empty()), "there is something of everything");
    drop(bank.operator().await);
    assert_eq!(contents(&bank).await, before, "migrated, and nothing else");
    assert_eq!(count(&bank, "SELECT count(*) FROM schema_migrations WHERE number IN (4, 9, 10, 12, 13, 16)").await, 0);
    assert_eq!(count(&bank, "SELECT count(*) FROM bank_migrations WHERE number > 0").await, 11);
    let moved = texts(&bank, "SELECT name FROM bank_settings").await;
    assert!(moved.contains("sandbox.seed") && moved.contains("bank.diary_turned_at"), "{moved:?}");

    bank.restart().await;
    assert_eq!(bank.ops_get("/readyz").await.status, 200);
    let customers = bank.ops_get("/sandbox/psus").await.ok(200).list("/psus").len();
    assert_eq!(customers, 5, "those that were there, and no others");
    for order in texts(&bank, "SELECT id FROM orders WHERE product <> 'file-payment'").await {
        let path = format!("/sandbox/orders/{order}");
        assert_eq!(bank.ops_get(&path).await.status, 200, "{order}");
        // What the bank wrote down of it can be read: nothing follows from an order that is over.
        let over = bank.ops_post(&format!("{path}/outcome"), &json!({"outcome": "settle"})).await;
        assert_eq!(over.0, 409, "{order}: {}", over.1);
    }
    assert_eq!(bank.ops_get("/operations/quarantine").await.ok(200).list("/work"), Vec::<Value>::new());
    let sums = "SELECT count(*) FROM (SELECT currency FROM ledger_accounts GROUP BY currency \
                HAVING sum(booked) <> 0 OR sum(pending) <> 0) AS odd";
    assert_eq!(count(&bank, sums).await, 0, "the ledger sums to zero");
}
