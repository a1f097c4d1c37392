//! PostgreSQL servers of which a test has its own: TLS, failover, and servers that do not answer.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::print_stderr,
    clippy::indexing_slicing,
    reason = "a test's helpers fail as the test does; clippy.toml exempts only functions marked as tests"
)]

mod failover;
mod own_server;
mod pooler;
mod tls;

use lombard_database::statement::SqlStatement;
use lombard_database::{Database, Migration, Schema, SqlTransaction, StoreOptions, migrate_store};
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::sync::{Arc, Mutex};

const MAKE: &str = "CREATE TABLE notes (text TEXT NOT NULL PRIMARY KEY)";

const MAKE_NOTES: Migration = Migration { number: 1, name: "0001_notes", sqlite: MAKE, postgres: MAKE, works_from: 0 };

const NOTES_HISTORY: &str = "note_migrations";

static NOTES: Schema = Schema { history: NOTES_HISTORY, migrations: &[MAKE_NOTES], expands_after: 1, before: None };

const fn statement(text: &'static str) -> SqlStatement {
    SqlStatement { table: "notes", sqlite: text, postgres: text }
}

static ADD: SqlStatement = statement("INSERT INTO notes (text) VALUES ($1)");

/// Migrates the database at this URL and opens it.
async fn opened(url: &str) -> Result<Database, StoreError> {
    opened_with(&StoreOptions::new(url)).await
}

async fn opened_with(options: &StoreOptions) -> Result<Database, StoreError> {
    migrate_store(options, &[&NOTES]).await?;
    Database::open(options, &[&NOTES]).await
}

/// Why the database at this URL cannot be used.
async fn refused(url: &str) -> String {
    reasons(&opened(url).await.unwrap_err())
}

/// An error with its causes.
fn reasons(error: &StoreError) -> String {
    let error: &dyn std::error::Error = error;
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// Adds a note in a transaction.
async fn add(database: &Database, text: &str) -> Result<(), StoreError> {
    let text = text.to_owned();
    let work = move |session: &mut SqlTransaction<'_>| match session.execute(&ADD, &[text.as_str().into()]) {
        Ok(_) => TransactionVerdict::Commit,
        Err(_) => TransactionVerdict::RollBack,
    };
    database.write(Box::new(work)).await
}

/// The first column of the first row, a text.
async fn text(database: &Database, query: &'static SqlStatement) -> String {
    let found = Arc::new(Mutex::new(None));
    let inside = Arc::clone(&found);
    let work = move |session: &mut SqlTransaction<'_>| {
        let Ok(text) = session.one(query, &[], |row| row.id::<String>()) else { return TransactionVerdict::RollBack };
        *inside.lock().unwrap() = text;
        TransactionVerdict::Commit
    };
    database.read(Box::new(work)).await.unwrap();
    found.lock().unwrap().take().unwrap()
}
