//! Shared support for the tests of crates with tables: databases of either engine that can also be accessed directly, and
//! checks of schemas, statements and query plans. Requires the feature `testing`; a failed check panics.
#![allow(clippy::unwrap_used, clippy::panic, clippy::missing_panics_doc, reason = "only tests ask for this feature")]

mod expansion;
mod plans;
pub mod promises;
mod releases;
mod tables;

pub use crate::database::migrate_within;
pub use expansion::new_migrations_expand;
pub use plans::ForAllOwners;
pub use releases::{keep_release, published_migrations_stay_as_they_are};
pub use tables::{WorkOwner, every_kind_of_work_is_left_out_by_a_query, every_table_is_described};

use crate::migrations::checksum;
use crate::sqlite::{self, STATEMENTS_KEPT};
use crate::statement::SqlStatement;
use crate::{Database, Migration, Schema, StoreOptions, StoreTimeouts, migrate_store, postgres};
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use rusqlite::Connection;
use std::collections::BTreeSet;
use std::io::{Write as _, stderr};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Once};
use tempfile::TempDir;
use tokio_postgres::types::Type;
use tokio_postgres::{Client, NoTls};

/// The environment variable with the URL of the PostgreSQL server for tests. Each test creates its own schema there and removes
/// it.
const VARIABLE: &str = "LOMBARD_TEST_POSTGRES_URL";

/// The number of statements that begin and end transactions; these stay prepared as well.
const OF_TRANSACTIONS: usize = 8;

/// The largest number of statements of the server's tables.
pub const SERVER_STATEMENTS_MAX: usize = 376;

/// The largest number of statements of the bank's tables.
pub const BANK_STATEMENTS_MAX: usize = 140;

// Two schemas share a connection, on which every statement of both schemas stays prepared.
const _: () = assert!(SERVER_STATEMENTS_MAX + BANK_STATEMENTS_MAX + OF_TRANSACTIONS <= STATEMENTS_KEPT);

/// Checks that a reset covers every table of the schema: each table is named exactly once, as emptied or as kept.
pub fn every_table_is_decided(schema: &Schema, forgotten: &[&str], kept: &[&str]) {
    let decided: BTreeSet<_> = forgotten.iter().chain(kept).copied().collect();
    assert_eq!(decided.len(), forgotten.len() + kept.len(), "each once");
    let sqlite: String = schema.migrations.iter().map(|migration| migration.sqlite).collect();
    let postgres: String = schema.migrations.iter().map(|migration| migration.postgres).collect();
    for (engine, all) in [("sqlite", sqlite), ("postgres", postgres)] {
        let made = all.split("CREATE TABLE ").skip(1).filter_map(|rest| rest.split_whitespace().next());
        assert_eq!(made.collect::<BTreeSet<_>>(), decided, "{engine}");
    }
}

/// Checks that migrations are numbered from 1 without gaps, except for these numbers, which another schema has taken over, and
/// that the name of each begins with its number.
pub fn numbers_count_up_and_names_carry_them(schema: &Schema, moved: &[i64]) {
    let expected = (1..).filter(|number| !moved.contains(number));
    for (number, migration) in expected.zip(schema.migrations) {
        assert_eq!(migration.number, number, "{}", migration.name);
        assert!(migration.name.starts_with(&format!("{number:04}_")), "{}", migration.name);
    }
}

/// Opens a temporary SQLite database with these schemas, after running these SQL statements, which may store rows that no release
/// writes.
///
/// # Errors
/// [`StoreError::Unavailable`] if no temporary folder can be created, or a statement fails.
pub fn temporary_with(schemas: &[&'static Schema], statements: &str) -> Result<Database, StoreError> {
    let database = sqlite::DatabaseFile::temporary()?;
    sqlite::migrate(&database, schemas)?;
    sqlite::run(&database, statements)?;
    sqlite::open(database, schemas, StoreTimeouts::default().connection, None).map(Database)
}

/// The way in which SQLite must find the rows of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Via {
    /// By a search in this index.
    Search(&'static str),
    /// From the start of the table, in the order of this index.
    Scan(&'static str),
}

/// A new, empty database that a test may also access directly.
#[derive(Debug)]
pub struct TestDatabase {
    /// The options with which the program opens it.
    pub options: StoreOptions,
    /// A name unique to this test database.
    pub name: String,
    raw: Raw,
}

#[derive(Debug)]
enum Raw {
    Sqlite { connection: Mutex<Connection>, _folder: TempDir },
    Postgres(Client),
}

impl TestDatabase {
    fn new(url: String, name: String, raw: Raw) -> Arc<Self> {
        Arc::new(Self { options: StoreOptions::new(url), name, raw })
    }

    fn sqlite() -> Arc<Self> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lombard.db");
        let connection = Mutex::new(sqlite::DatabaseFile::at(&path).connect_writer().unwrap());
        let url = format!("sqlite://{}", path.display());
        Self::new(url, next_name(), Raw::Sqlite { connection, _folder: folder })
    }

    /// Returns `None`, and prints a warning, if no server is configured.
    async fn postgres() -> Option<Arc<Self>> {
        let Ok(url) = std::env::var(VARIABLE) else {
            static SAID: Once = Once::new();
            // Written directly to standard error, because the test runner captures other output.
            SAID.call_once(|| {
                let _ = writeln!(stderr(), "\n*** SKIPPED: {VARIABLE} is not set, PostgreSQL is NOT being tested ***");
            });
            return None;
        };
        let name = next_name();
        let joint = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{joint}options=-csearch_path%3D{name}");
        let (client, connection) = tokio_postgres::connect(&url, NoTls).await.unwrap();
        tokio::spawn(connection);
        client.batch_execute(&format!("CREATE SCHEMA {name}")).await.unwrap();
        Some(Self::new(url, name, Raw::Postgres(client)))
    }

    /// The files of SQLite are removed when the last handle is dropped.
    async fn remove(&self) {
        if let Raw::Postgres(client) = &self.raw {
            client.batch_execute(&format!("DROP SCHEMA {} CASCADE", self.name)).await.unwrap();
        }
    }

    /// Whether the database is on a server, so that statements need round trips.
    pub const fn is_remote(&self) -> bool {
        matches!(self.raw, Raw::Postgres(_))
    }

    /// Migrates the database to these schemas and opens it.
    pub async fn migrated(&self, schemas: &[&'static Schema]) -> Database {
        migrate_store(&self.options, schemas).await.unwrap();
        Database::open(&self.options, schemas).await.unwrap()
    }

    /// Opens the database, which was migrated to these schemas, with these time limits.
    pub async fn open_with(&self, schemas: &[&'static Schema], waits: StoreTimeouts) -> Database {
        let options = StoreOptions { waits, ..self.options.clone() };
        Database::open(&options, schemas).await.unwrap()
    }

    /// Runs SQL statements directly on the database.
    ///
    /// # Errors
    /// The driver's error.
    pub async fn run(&self, statements: &str) -> Result<(), StoreError> {
        match &self.raw {
            Raw::Sqlite { connection, .. } => {
                let done = connection.lock().execute_batch(statements);
                done.map_err(|error| StoreError::Unavailable(error.into()))
            }
            Raw::Postgres(client) => {
                let done = client.batch_execute(statements).await;
                done.map_err(|error| StoreError::Unavailable(error.into()))
            }
        }
    }

    /// The first column of a query's rows, a text.
    pub async fn texts(&self, query: &str) -> Vec<String> {
        match &self.raw {
            Raw::Sqlite { connection, .. } => first_columns(&connection.lock(), query, 0),
            Raw::Postgres(client) => client.query(query, &[]).await.unwrap().iter().map(|row| row.get(0)).collect(),
        }
    }

    /// The names of its tables.
    pub async fn tables(&self) -> BTreeSet<String> {
        let query = match &self.raw {
            Raw::Sqlite { .. } => "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'",
            Raw::Postgres(_) => "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()",
        };
        self.texts(query).await.into_iter().collect()
    }

    /// Applies migrations as an older release did, under these numbers and in a history of this name.
    pub async fn apply_as(&self, history: &str, steps: impl Iterator<Item = (i64, &Migration)>) {
        let (number, lock) = match &self.raw {
            Raw::Sqlite { .. } => ("INTEGER", ""),
            Raw::Postgres(_) => ("BIGINT", "INSERT INTO {history} VALUES (0, 'lock', '')"),
        };
        let columns = "NOT NULL PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL";
        let lock = lock.replace("{history}", history);
        self.run(&format!("CREATE TABLE {history} (number {number} {columns}); {lock}")).await.unwrap();
        for (number, migration) in steps {
            let text = match &self.raw {
                Raw::Sqlite { .. } => migration.sqlite,
                Raw::Postgres(_) => migration.postgres,
            };
            self.run(text).await.unwrap();
            let note = format!("INSERT INTO {history} VALUES ({number}, '{}', '{}')", migration.name, checksum(text));
            self.run(&note).await.unwrap();
        }
    }

    /// Checks that the engine can prepare every statement, and PostgreSQL also the group form of each query. On SQLite, checks
    /// also that parameters are numbered in the order in which they first appear, so that the same text binds its parameters in
    /// the same way on both engines.
    pub async fn understands(&self, statements: impl Iterator<Item = &'static SqlStatement>) {
        let mut misunderstood = Vec::new();
        for statement in statements {
            let found = match &self.raw {
                Raw::Sqlite { connection, .. } => prepared(&connection.lock(), statement.sqlite),
                Raw::Postgres(client) => prepared_on_postgres(client, statement.postgres).await,
            };
            if let Err(wrong) = found {
                misunderstood.push(format!("{}: {wrong}", statement.table));
            }
        }
        assert!(misunderstood.is_empty(), "{}", misunderstood.join("\n"));
    }

    /// The query plan of a statement, with sorts and table scans disabled on PostgreSQL.
    pub async fn plan(&self, statement: &SqlStatement) -> String {
        match &self.raw {
            Raw::Sqlite { connection, .. } => {
                let query = format!("EXPLAIN QUERY PLAN {}", statement.sqlite);
                first_columns(&connection.lock(), &query, 3).join("; ")
            }
            Raw::Postgres(client) => postgres_plan(client, statement.postgres, "; SET enable_sort = off").await,
        }
    }

    /// Checks that pages of a list are found by an index, without a sort or a table scan. If both are disabled, PostgreSQL's
    /// planner uses them only when there is no other plan.
    pub async fn finds_pages_by_index(&self, pages: impl Iterator<Item = (&'static SqlStatement, Via)>) {
        let mut wrong = Vec::new();
        for (statement, via) in pages {
            let plan = self.plan(statement).await;
            let (text, is_found) = match (&self.raw, via) {
                (Raw::Sqlite { .. }, Via::Search(index)) => {
                    (statement.sqlite, plan.contains("SEARCH") && is_along(&plan, index))
                }
                (Raw::Sqlite { .. }, Via::Scan(index)) => (statement.sqlite, is_along(&plan, index)),
                (Raw::Postgres(_), _) => {
                    // An incremental sort is allowed: it sorts only groups of equal keys, up to the end of the page.
                    let mut steps = plan.lines().map(|line| line.trim_start_matches([' ', '-', '>']));
                    (statement.postgres, !steps.any(|it| it.starts_with("Sort  ") || it.starts_with("Seq Scan ")))
                }
            };
            if !is_found {
                wrong.push(format!("{via:?}: {plan}\n{text}"));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}

fn next_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!("lombard_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

fn is_along(plan: &str, index: &str) -> bool {
    plan.contains(index) && !plan.contains("TEMP B-TREE")
}

fn first_columns(connection: &Connection, query: &str, column: usize) -> Vec<String> {
    let mut prepared = connection.prepare(query).unwrap();
    let (mut found, mut rows) = (Vec::new(), prepared.raw_query());
    while let Some(row) = rows.next().unwrap() {
        found.push(row.get(column).unwrap());
    }
    found
}

fn prepared(connection: &Connection, text: &str) -> Result<(), String> {
    let prepared = connection.prepare(text).map_err(|error| format!("{error}\n{text}"))?;
    for position in 1..=prepared.parameter_count() {
        let name = format!("${position}");
        if prepared.parameter_name(position) != Some(name.as_str()) {
            return Err(format!("parameter {position} is not {name}\n{text}"));
        }
    }
    Ok(())
}

/// Prepares a statement and, if it is a query that can be grouped, its group form.
async fn prepared_on_postgres(client: &Client, text: &str) -> Result<(), String> {
    let wrong = |text: &str, error: tokio_postgres::Error| format!("{error:?}\n{text}");
    let prepared = client.prepare(text).await.map_err(|error| wrong(text, error))?;
    let array = |of: &Type| match *of {
        Type::INT8 => Some("int8[]"),
        Type::TEXT => Some("text[]"),
        Type::BYTEA => Some("bytea[]"),
        _ => None,
    };
    let arrays: Option<Vec<_>> = prepared.params().iter().map(array).collect();
    let is_read = text.starts_with("SELECT") && !text.contains(" FOR UPDATE");
    match arrays.filter(|arrays| is_read && !arrays.is_empty()) {
        Some(arrays) => {
            let grouped = postgres::group_text(text, arrays.into_iter());
            client.prepare(&grouped).await.map(drop).map_err(|error| wrong(&grouped, error))
        }
        None => Ok(()),
    }
}

/// The plan of a statement with table scans and these further plan steps disabled.
async fn postgres_plan(client: &Client, text: &str, forbid: &str) -> String {
    let scans = "SET plan_cache_mode = force_generic_plan; SET enable_seqscan = off; SET enable_bitmapscan = off";
    client.batch_execute(&format!("{scans}{forbid}")).await.unwrap();
    let count = client.prepare(text).await.unwrap().params().len();
    client.batch_execute(&format!("PREPARE planned AS {text}")).await.unwrap();
    let nothing = vec!["NULL"; count].join(", ");
    let parameters = if count == 0 { String::new() } else { format!("({nothing})") };
    let plan = client.query(&format!("EXPLAIN EXECUTE planned {parameters}"), &[]).await.unwrap();
    client.batch_execute("DEALLOCATE planned").await.unwrap();
    plan.iter().map(|row| row.get::<_, String>(0)).collect::<Vec<_>>().join("\n")
}

/// Runs a test on a new SQLite database.
pub async fn on_sqlite<F: Future<Output = ()>>(test: impl FnOnce(Arc<TestDatabase>) -> F) {
    test(TestDatabase::sqlite()).await;
}

/// Runs a test on a new schema of the PostgreSQL test server. The schema is removed even if the test fails. Without a server
/// the test is skipped with a warning.
pub async fn on_postgres<F: Future<Output = ()> + Send + 'static>(test: impl FnOnce(Arc<TestDatabase>) -> F) {
    let Some(database) = TestDatabase::postgres().await else { return };
    let outcome = tokio::spawn(test(Arc::clone(&database))).await;
    database.remove().await;
    if let Err(broken) = outcome {
        std::panic::resume_unwind(broken.into_panic());
    }
}

/// Declares each function, which is given a [`TestDatabase`], as a test on both engines.
#[macro_export]
macro_rules! test_on_both_engines {
    ($($test:ident,)+) => {
        mod on_sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    $crate::testing::on_sqlite(super::$test).await;
                }
            )+
        }

        mod on_postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    $crate::testing::on_postgres(super::$test).await;
                }
            )+
        }
    };
}

/// Declares each contract test, a function of a store, as a test on both engines, on a new, migrated, empty database.
#[macro_export]
macro_rules! keep_on_both_engines {
    ($schema:path, $store:path => $($group:ident::$promise:ident,)+) => {
        mod on_sqlite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $promise() {
                    let database = $crate::testing::temporary_with(&[&$schema], "").unwrap();
                    super::$group::$promise($store(database)).await;
                }
            )+
        }

        mod on_postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $promise() {
                    $crate::testing::on_postgres(|database| async move {
                        let database = database.migrated(&[&$schema]).await;
                        super::$group::$promise($store(database)).await;
                    })
                    .await;
                }
            )+
        }
    };
}
