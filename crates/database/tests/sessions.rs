//! Transaction semantics on both engines.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test's helpers fail as the test does; clippy.toml exempts only functions marked as tests"
)]

use lombard_database::statement::SqlStatement;
use lombard_database::testing::TestDatabase;
use lombard_database::{Database, Migration, Schema, SqlTransaction, test_on_both_engines};
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

/// How long a test waits for another thread before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

const MAKE: &str = "CREATE TABLE notes (text TEXT NOT NULL PRIMARY KEY)";

static NOTES: Schema = Schema {
    history: "note_migrations",
    migrations: &[Migration { number: 1, name: "0001_notes", sqlite: MAKE, postgres: MAKE }],
    before: None,
};

const fn statement(text: &'static str) -> SqlStatement {
    SqlStatement { table: "notes", sqlite: text, postgres: text }
}

static ADD: SqlStatement = statement("INSERT INTO notes (text) VALUES ($1)");
static ALL: SqlStatement = statement("SELECT text FROM notes ORDER BY text");

fn add(session: &mut SqlTransaction<'_>, text: &str) -> Result<(), StoreError> {
    session.execute(&ADD, &[text.into()]).map(drop)
}

fn texts(session: &mut SqlTransaction<'_>) -> Vec<String> {
    session.all(&ALL, &[], |row| row.id()).unwrap()
}

async fn written(database: &Database, text: &'static str) {
    let work = move |session: &mut SqlTransaction<'_>| {
        add(session, text).unwrap();
        TransactionVerdict::Commit
    };
    database.write(Box::new(work)).await.unwrap();
}

async fn all(database: &Database) -> Vec<String> {
    let found = Arc::new(Mutex::new(Vec::new()));
    let inside = Arc::clone(&found);
    let work = move |session: &mut SqlTransaction<'_>| {
        *inside.lock().unwrap() = texts(session);
        TransactionVerdict::Commit
    };
    database.read(Box::new(work)).await.unwrap();
    std::mem::take(&mut *found.lock().unwrap())
}

/// A panic in a closure fails that call only: its transaction is rolled back, and other calls are not affected.
async fn a_panicking_closure_harms_nobody(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    for round in ["0", "1", "2"] {
        let panicking = database.write(Box::new(|session| {
            add(session, "half done").unwrap();
            panic!("a closure under test panics, as it should")
        }));
        let (panicked, ()) = tokio::join!(panicking, written(&database, round));
        assert!(matches!(panicked, Err(StoreError::Unavailable(_))), "{panicked:?}");
    }
    let panicked = database.read(Box::new(|_| panic!("so does a reading one"))).await;
    assert!(matches!(panicked, Err(StoreError::Unavailable(_))), "{panicked:?}");
    assert_eq!(all(&database).await, ["0", "1", "2"]);
}

/// A closure that ignores a failed statement and reports success is not committed.
async fn a_failure_that_is_swallowed_commits_nothing(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "taken").await;
    let work = |session: &mut SqlTransaction<'_>| {
        add(session, "before").unwrap();
        let _swallowed = add(session, "taken");
        let _refused = add(session, "after");
        TransactionVerdict::Commit
    };
    let outcome = database.write(Box::new(work)).await;
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    assert_eq!(all(&database).await, ["taken"]);
}

/// A read sees one snapshot of the database in spite of concurrent writes.
async fn reads_see_a_snapshot(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "old").await;
    let (looked, looks) = mpsc::channel();
    let (wrote, writes) = mpsc::channel();
    let writer = database.clone();
    let writing = tokio::spawn(async move {
        tokio::task::spawn_blocking(move || looks.recv_timeout(PATIENCE).unwrap()).await.unwrap();
        written(&writer, "new").await;
        wrote.send(()).unwrap();
    });
    let (seen, reader) = (Arc::new(Mutex::new(Vec::new())), database.clone());
    let inside = Arc::clone(&seen);
    let reading = tokio::spawn(async move {
        let work = move |session: &mut SqlTransaction<'_>| {
            let first = texts(session);
            looked.send(()).unwrap();
            writes.recv_timeout(PATIENCE).unwrap();
            *inside.lock().unwrap() = vec![first, texts(session)];
            TransactionVerdict::Commit
        };
        reader.read(Box::new(work)).await.unwrap();
    });
    reading.await.unwrap();
    writing.await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [["old"], ["old"]]);
    assert_eq!(all(&database).await, ["new", "old"], "what was acknowledged is seen");
}

test_on_both_engines! {
    a_panicking_closure_harms_nobody,
    a_failure_that_is_swallowed_commits_nothing,
    reads_see_a_snapshot,
}
