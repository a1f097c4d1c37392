//! The storage engines of the tests, and direct access to their tables.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A storage engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Engine {
    /// A file of its own per bank.
    Sqlite,
    /// A database of its own per bank, on the server `LOMBARD_TEST_POSTGRES_URL` names.
    Postgres,
}

impl Engine {
    /// The engines at hand: SQLite always, PostgreSQL when its URL is set. A skip says so loudly.
    pub(crate) fn at_hand() -> Vec<Self> {
        if postgres_url().is_some() {
            return vec![Self::Sqlite, Self::Postgres];
        }
        eprintln!("SKIPPED on PostgreSQL: LOMBARD_TEST_POSTGRES_URL is not set");
        vec![Self::Sqlite]
    }
}

/// The PostgreSQL server of the tests.
pub(crate) fn postgres_url() -> Option<url::Url> {
    let text = std::env::var("LOMBARD_TEST_POSTGRES_URL").ok()?;
    Some(text.parse().expect("LOMBARD_TEST_POSTGRES_URL is not a URL"))
}

/// The URL of another database on the same server.
pub(crate) fn postgres_database(name: &str) -> String {
    let mut url = postgres_url().expect("LOMBARD_TEST_POSTGRES_URL is set");
    url.set_path(name);
    url.into()
}

/// Runs statements on the server's own database, one by one.
pub(crate) async fn postgres_run(statements: &[String]) {
    run_at(postgres_url().expect("LOMBARD_TEST_POSTGRES_URL is set").as_str(), statements).await;
}

/// Runs statements on the database at this URL, one by one.
pub(crate) async fn run_at(url: &str, statements: &[String]) {
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    for statement in statements {
        client.batch_execute(statement).await.unwrap_or_else(|error| panic!("{statement}: {error:?}"));
    }
    drop(client);
    driver.await.unwrap().unwrap();
}

/// How many rows each table of a SQLite file has.
pub(crate) fn sqlite_rows(file: &Path) -> BTreeMap<String, i64> {
    let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
    let database = rusqlite::Connection::open_with_flags(file, flags).unwrap();
    let names = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name";
    let mut tables = database.prepare(names).unwrap();
    let tables: Vec<String> = tables.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
    let count = |table: String| {
        let rows = database.query_row(&format!("SELECT count(*) FROM \"{table}\""), [], |row| row.get(0)).unwrap();
        (table, rows)
    };
    tables.into_iter().map(count).collect()
}

/// The tables of the database at this URL, or in this SQLite file if there is none.
pub(crate) async fn tables(url: Option<&str>, file: &Path) -> BTreeSet<String> {
    let Some(url) = url else { return sqlite_rows(file).into_keys().collect() };
    let (client, connection) = tokio_postgres::connect(url, tokio_postgres::NoTls).await.unwrap();
    let driver = tokio::spawn(connection);
    let names = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'";
    let tables = client.query(names, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
    drop(client);
    driver.await.unwrap().unwrap();
    tables
}
