//! Several schemas in one database, each with its own migration history, on both engines.
#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test's helpers fail as the test does; clippy.toml exempts only functions marked as tests"
)]

mod expanding;

use lombard_database::testing::TestDatabase;
use lombard_database::{Database, EarlierHistory, Migration, Schema, migrate_store, test_on_both_engines};
use std::sync::Arc;

const fn step(number: i64, name: &'static str, text: &'static str) -> Migration {
    Migration { number, name, sqlite: text, postgres: text, works_from: 0 }
}

const SHELVES: Migration = step(1, "0001_shelves", "CREATE TABLE shelves (id TEXT NOT NULL PRIMARY KEY)");
const NOTES: Migration = step(1, "0001_notes", "CREATE TABLE notes (id TEXT NOT NULL PRIMARY KEY)");
const BOOKS: Migration = step(3, "0003_books", "CREATE TABLE books (id TEXT NOT NULL PRIMARY KEY)");

/// A schema whose second migration was taken over by [`READERS`].
static LIBRARY: Schema =
    Schema { history: "library_migrations", migrations: &[SHELVES, BOOKS], expands_after: 3, before: None };

static READERS: Schema = Schema {
    history: "reader_migrations",
    migrations: &[NOTES, step(2, "0002_readers", "CREATE TABLE readers (id TEXT NOT NULL PRIMARY KEY)")],
    expands_after: 2,
    before: Some(EarlierHistory {
        history: "library_migrations",
        numbers: &[(2, 1)],
        statements: "INSERT INTO readers (id) SELECT id FROM notes",
    }),
};

/// A schema with an edited migration.
static EDITED: Schema = Schema {
    history: "library_migrations",
    migrations: &[step(1, "0001_shelves", "CREATE TABLE shelves (id TEXT)"), BOOKS],
    expands_after: 3,
    before: None,
};

/// The schema of an earlier release, with the first migration only.
static EARLIER: Schema =
    Schema { history: "library_migrations", migrations: &[SHELVES], expands_after: 3, before: None };

const BOTH: [&Schema; 2] = [&LIBRARY, &READERS];

async fn applied(database: &TestDatabase, history: &str) -> Vec<String> {
    database.texts(&format!("SELECT name FROM {history} WHERE number > 0 ORDER BY number")).await
}

/// Creates a database as it was before [`READERS`] had its own history.
async fn old(database: &TestDatabase) {
    database.apply_as("library_migrations", [(1, &SHELVES), (2, &NOTES), (3, &BOOKS)].into_iter()).await;
    database.run("INSERT INTO notes (id) VALUES ('n')").await.unwrap();
}

async fn a_second_migration_finds_nothing_to_do(database: Arc<TestDatabase>) {
    let names = migrate_store(&database.options, &BOTH).await.unwrap();
    assert_eq!(names, ["0001_shelves", "0003_books", "0001_notes", "0002_readers"], "the first schema first");
    assert_eq!(migrate_store(&database.options, &BOTH).await.unwrap(), [""; 0]);
    assert_eq!(database.texts("SELECT id FROM readers").await, [""; 0]);
    Database::open(&database.options, &BOTH).await.unwrap();
}

async fn many_nodes_migrate_at_once_and_each_migration_is_applied_once(database: Arc<TestDatabase>) {
    let nodes: Vec<_> = (0..6)
        .map(|_| {
            let options = database.options.clone();
            tokio::spawn(async move { migrate_store(&options, &BOTH).await.unwrap().len() })
        })
        .collect();
    let mut applied = 0;
    for node in nodes {
        applied += node.await.unwrap();
    }
    assert_eq!(applied, 4);
}

async fn a_database_that_lacks_a_migration_is_refused(database: Arc<TestDatabase>) {
    assert!(Database::open(&database.options, &[&LIBRARY]).await.is_err(), "it was not migrated");
    migrate_store(&database.options, &[&EARLIER]).await.unwrap();
    assert!(Database::open(&database.options, &[&LIBRARY]).await.is_err());
    assert_eq!(migrate_store(&database.options, &[&LIBRARY]).await.unwrap(), ["0003_books"]);
    Database::open(&database.options, &[&LIBRARY]).await.unwrap();
    assert!(Database::open(&database.options, &BOTH).await.is_err(), "it lacks the other schema");
}

async fn a_newer_database_and_an_edited_migration_are_refused(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[&LIBRARY]).await.unwrap();
    for other in [&EARLIER, &EDITED] {
        assert!(migrate_store(&database.options, &[other]).await.is_err(), "{other:?}");
        assert!(Database::open(&database.options, &[other]).await.is_err(), "{other:?}");
    }
    assert_eq!(applied(&database, "library_migrations").await, ["0001_shelves", "0003_books"]);
}

async fn a_part_of_an_older_history_is_taken_over_once(database: Arc<TestDatabase>) {
    old(&database).await;
    assert_eq!(migrate_store(&database.options, &BOTH).await.unwrap(), ["0002_readers"]);
    assert_eq!(applied(&database, "library_migrations").await, ["0001_shelves", "0003_books"]);
    assert_eq!(applied(&database, "reader_migrations").await, ["0001_notes", "0002_readers"]);
    // The SQL for the takeover is not run a second time, because it would violate a constraint.
    assert_eq!(migrate_store(&database.options, &BOTH).await.unwrap(), [""; 0]);
    assert_eq!(database.texts("SELECT id FROM readers").await, ["n"]);
    Database::open(&database.options, &BOTH).await.unwrap();
}

/// A failing migration leaves both histories unchanged.
async fn an_older_history_is_taken_over_whole_or_not_at_all(database: Arc<TestDatabase>) {
    old(&database).await;
    database.run("CREATE TABLE readers (id TEXT)").await.unwrap();
    assert!(migrate_store(&database.options, &BOTH).await.is_err());
    assert_eq!(applied(&database, "library_migrations").await, ["0001_shelves", "0001_notes", "0003_books"]);
    database.run("DROP TABLE readers").await.unwrap();
    assert_eq!(migrate_store(&database.options, &BOTH).await.unwrap(), ["0002_readers"]);
    assert_eq!(database.texts("SELECT id FROM readers").await, ["n"]);
}

test_on_both_engines! {
    a_second_migration_finds_nothing_to_do,
    many_nodes_migrate_at_once_and_each_migration_is_applied_once,
    a_database_that_lacks_a_migration_is_refused,
    a_newer_database_and_an_edited_migration_are_refused,
    a_part_of_an_older_history_is_taken_over_once,
    an_older_history_is_taken_over_whole_or_not_at_all,
}
