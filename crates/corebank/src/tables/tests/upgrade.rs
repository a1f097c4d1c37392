//! Tests of upgrades from databases in which the bank's tables belonged to the server's schema, before the bank had its own migrations.

use super::super::{SCHEMA, open_bank_store};
use jiff::Timestamp;
use lombard_database::testing::TestDatabase;
use lombard_database::{Database, Migration, Schema, migrate_store, test_on_both_engines};
use lombard_ports::store::{QuarantinedWork, StoreError, WorkKind};
use std::collections::BTreeMap;
use std::sync::Arc;

static SERVER: &Schema = &lombard_store::SCHEMA;
const BOTH: [&Schema; 2] = [SERVER, &SCHEMA];

/// The last migration of the common history.
const LAST: i64 = 22;

/// The common history: every migration under its number in that history.
fn old_history() -> BTreeMap<i64, &'static Migration> {
    let before = SCHEMA.before.unwrap();
    let of_bank = |here: i64| SCHEMA.migrations.iter().find(|it| it.number == here).unwrap();
    let servers = SERVER.migrations.iter().map(|it| (it.number, it)).filter(|(number, _)| *number <= LAST);
    servers.chain(before.numbers.iter().map(|(there, here)| (*there, of_bank(*here)))).collect()
}

/// The names of the migrations that a database with the common history up to `last` lacks, in the order in which they are applied.
fn after(last: i64) -> Vec<String> {
    let there = SCHEMA.before.unwrap().numbers.iter().filter(|(there, _)| *there <= last);
    let applied: Vec<i64> = there.map(|(_, here)| *here).collect();
    let of_server = SERVER.migrations.iter().filter(|it| it.number > last);
    let of_bank = SCHEMA.migrations.iter().filter(|it| !applied.contains(&it.number));
    of_server.chain(of_bank).map(|it| it.name.to_owned()).collect()
}

/// The names of the migrations after the common history.
fn later() -> Vec<String> {
    let names = after(LAST);
    assert_eq!(names.last().unwrap(), "0013_bank_orders_by_debtor");
    names
}

/// Rows of the bank in the server's tables, and rows of the server itself.
const ROWS: &str = "
    INSERT INTO settings (name, value) VALUES
    ('sandbox.clock_offset_micros', '5'), ('sandbox.clock_moved_at', '6'), ('bank.diary_turned_at', '7'),
    ('sandbox.seed', '8'), ('another', '9');
    INSERT INTO quarantined_work (kind, subject, cause, since) VALUES
    ('job', 'j', 'odd', 1000001), ('status-update', 'o', 'odd', 1000002), ('arrangement', 'routine/a/r', 'odd', 1000003),
    ('bank-order', 'o', 'odd', 1000004), ('upload', 'u', 'odd', 1000005), ('pending-entry', 'e', 'odd', 1000006);
    INSERT INTO ledger_accounts (id, currency, booked, pending) VALUES ('a', 'GBP', 0, 0)";

async fn old(database: &TestDatabase) {
    database.apply_as(SERVER.history, old_history().into_iter()).await;
    database.run(ROWS).await.unwrap();
}

async fn numbers(database: &TestDatabase, history: &str) -> Vec<i64> {
    let found = database.texts(&format!("SELECT CAST(number AS TEXT) FROM {history} WHERE number > 0")).await;
    let mut numbers: Vec<_> = found.iter().map(|number| number.parse().unwrap()).collect();
    numbers.sort_unstable();
    numbers
}

async fn settings(database: &TestDatabase, table: &str) -> Vec<String> {
    database.texts(&format!("SELECT name || '=' || value FROM {table} ORDER BY name")).await
}

fn own(schema: &Schema) -> Vec<i64> {
    schema.migrations.iter().map(|it| it.number).collect()
}

/// The quarantined work: its kind, subject, cause and time.
fn quarantined(found: Vec<QuarantinedWork>) -> Vec<(WorkKind, String, String, Timestamp)> {
    found.into_iter().map(|it| (it.work.kind, it.work.subject, it.work.cause, it.since)).collect()
}

fn odd(kind: WorkKind, subject: &str, micros: i64) -> (WorkKind, String, String, Timestamp) {
    (kind, subject.to_owned(), "odd".to_owned(), Timestamp::from_microsecond(micros).unwrap())
}

async fn is_split(database: &TestDatabase) {
    assert_eq!(numbers(database, SERVER.history).await, own(SERVER));
    assert_eq!(numbers(database, SCHEMA.history).await, own(&SCHEMA));
    assert_eq!(settings(database, "settings").await, ["another=9", "sandbox.clock_offset_micros=5"]);
    let of_bank =
        ["bank.diary_turned_at=7", "sandbox.clock_moved_at=6", "sandbox.clock_offset_micros=5", "sandbox.seed=8"];
    assert_eq!(settings(database, "bank_settings").await, of_bank);
    let opened = Database::open(&database.options, &BOTH).await.unwrap();
    let (server, bank) = (lombard_store::on_database(opened.clone()), open_bank_store(opened));
    let kept: Result<_, StoreError> = server.read(|tx| tx.quarantined(0, 9)).await;
    assert_eq!(quarantined(kept.unwrap()), [odd(WorkKind::Job, "j", 1_000_001), odd(WorkKind::Upload, "u", 1_000_005)]);
    let taken: Result<_, StoreError> = bank.read(|tx| tx.quarantined(0, 9)).await;
    let expected = [
        odd(WorkKind::StatusUpdate, "o", 1_000_002),
        odd(WorkKind::Arrangement, "routine/a/r", 1_000_003),
        odd(WorkKind::BankOrder, "o", 1_000_004),
        odd(WorkKind::PendingEntry, "e", 1_000_006),
    ];
    assert_eq!(quarantined(taken.unwrap()), expected, "in its order");
    let sums: Result<_, StoreError> = bank.read(|tx| tx.ledger_sums(&["a".into()])).await;
    assert_eq!(sums.unwrap().len(), 1, "its rows are where they were");
}

async fn an_old_database_is_split_once(database: Arc<TestDatabase>) {
    assert_eq!(old_history().into_keys().collect::<Vec<_>>(), (1..=LAST).collect::<Vec<_>>());
    old(&database).await;
    assert!(Database::open(&database.options, &BOTH).await.is_err(), "it was not migrated");
    assert_eq!(migrate_store(&database.options, &BOTH).await.unwrap(), later());
    is_split(&database).await;
    // Rows that were added later stay: a second run moves nothing.
    database.run("INSERT INTO settings (name, value) VALUES ('sandbox.seed', 'later')").await.unwrap();
    assert_eq!(migrate_store(&database.options, &BOTH).await.unwrap(), [""; 0]);
    database.run("DELETE FROM settings WHERE value = 'later'").await.unwrap();
    is_split(&database).await;
}

async fn nodes_split_an_old_database_at_once_and_only_once(database: Arc<TestDatabase>) {
    old(&database).await;
    let nodes: Vec<_> = (0..6)
        .map(|_| {
            let options = database.options.clone();
            tokio::spawn(async move { migrate_store(&options, &BOTH).await.unwrap().len() })
        })
        .collect();
    let mut applied = Vec::new();
    for node in nodes {
        applied.push(node.await.unwrap());
    }
    assert_eq!(applied.iter().sum::<usize>(), later().len(), "each migration once, whoever applies it");
    is_split(&database).await;
}

/// A database of any earlier release gets the missing migrations of both schemas, and keeps its rows.
async fn a_database_of_an_earlier_release_is_split(database: Arc<TestDatabase>) {
    const EARLIER: i64 = 10;
    let earlier = old_history().into_iter().filter(|(number, _)| *number <= EARLIER);
    database.apply_as(SERVER.history, earlier).await;
    database.run("INSERT INTO settings (name, value) VALUES ('sandbox.seed', '8')").await.unwrap();
    let names = migrate_store(&database.options, &BOTH).await.unwrap();
    assert_eq!(names, after(EARLIER));
    assert_eq!(numbers(&database, SERVER.history).await, own(SERVER));
    assert_eq!(numbers(&database, SCHEMA.history).await, own(&SCHEMA));
    assert_eq!(settings(&database, "settings").await, [""; 0]);
    assert_eq!(settings(&database, "bank_settings").await, ["sandbox.seed=8"]);
    assert_eq!(migrate_store(&database.options, &BOTH).await.unwrap(), [""; 0]);
    Database::open(&database.options, &BOTH).await.unwrap();
}

/// A node with another core leaves the old tables unchanged; the bank takes them over whenever it is used.
async fn an_old_database_without_the_bank_is_left_as_it_is(database: Arc<TestDatabase>) {
    old(&database).await;
    let is_of_server = |name: &String| SERVER.migrations.iter().any(|it| it.name == name);
    let (of_server, of_bank): (Vec<_>, Vec<_>) = later().into_iter().partition(is_of_server);
    assert_eq!(migrate_store(&database.options, &[SERVER]).await.unwrap(), of_server);
    Database::open(&database.options, &[SERVER]).await.unwrap();
    assert_eq!(settings(&database, "settings").await.len(), 5);
    assert_eq!(migrate_store(&database.options, &BOTH).await.unwrap(), of_bank);
    is_split(&database).await;
}

async fn the_server_alone_has_no_table_of_the_bank(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[SERVER]).await.unwrap();
    let alone = database.tables().await;
    assert!(alone.contains("consents") && alone.contains(SERVER.history));
    Database::open(&database.options, &[SERVER]).await.unwrap();
    assert!(Database::open(&database.options, &BOTH).await.is_err());
    migrate_store(&database.options, &BOTH).await.unwrap();
    let both = database.tables().await;
    let of_bank: Vec<_> = both.difference(&alone).map(String::as_str).collect();
    let expected = [
        "account_changes",
        "arrangements",
        "bank_account_holders",
        "bank_account_numbers",
        "bank_accounts",
        "bank_migrations",
        "bank_news",
        "bank_orders",
        "bank_quarantine",
        "bank_settings",
        "counters",
        "customers",
        "entries",
        "journals",
        "ledger_accounts",
        "order_plans",
        "postings",
        "statements",
    ];
    assert_eq!(of_bank, expected);
    assert!(alone.iter().all(|table| !table.starts_with("bank_")), "{alone:?}");
}

test_on_both_engines! {
    a_database_of_an_earlier_release_is_split,
    an_old_database_is_split_once,
    an_old_database_without_the_bank_is_left_as_it_is,
    nodes_split_an_old_database_at_once_and_only_once,
    the_server_alone_has_no_table_of_the_bank,
}
