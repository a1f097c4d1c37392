//! The plan of a migration: what each pending migration does to which table, who waits, and for how long. Nothing is changed.

use crate::Schema;
use crate::effects::{Effect, EffectReader, StatementWork, TableLock};
use crate::migrations::{AppliedMigration, Migration, newer};
use lombard_ports::store::StoreError;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What `migrate_store` would do to a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MigrationPlan {
    /// The pending migrations, in the order in which they are applied.
    pub migrations: Vec<PlannedMigration>,
    /// The names of migrations that a newer version has applied and with which this program works.
    pub newer: Vec<String>,
    /// Whether no migration was applied yet.
    pub is_new: bool,
    /// The longest wait of a step for its lock; `None` on SQLite, whose lock is that of the file.
    pub lock_wait: Option<Duration>,
}

impl MigrationPlan {
    /// A plan to which the schemas are added.
    pub(crate) const fn begin(lock_wait: Option<Duration>) -> Self {
        Self { migrations: Vec::new(), newer: Vec::new(), is_new: true, lock_wait }
    }

    /// Adds a schema: its pending migrations, and what was applied.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] if a statement is not known. A test of each schema excludes that.
    pub(crate) fn add(
        &mut self,
        schema: &Schema,
        pending: &[String],
        applied: &[AppliedMigration],
        engine: PlannedEngine,
        estimates: &RowEstimates,
    ) -> Result<(), StoreError> {
        self.migrations.extend(plan_schema(schema, pending, engine, estimates)?);
        self.newer.extend(newer(schema, applied).map(|it| it.name.clone()));
        self.is_new &= pending.len() == schema.migrations.len();
        Ok(())
    }
}

/// A pending migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedMigration {
    /// Its number within its schema.
    pub number: i64,
    /// Its name.
    pub name: &'static str,
    /// The migration that a program must know to work on a database that has this one: 0 if all programs of the release before do,
    /// `None` if only programs do that know this one.
    pub works_from: Option<i64>,
    /// What it does, one step for each table and action.
    pub steps: Vec<PlannedStep>,
}

/// One step of a pending migration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlannedStep {
    /// The table; empty if the step concerns none.
    pub table: String,
    /// What is done, such as `adds the column cause`.
    pub action: String,
    /// The lock on the table. SQLite has one lock for the whole file, which its writer holds.
    pub lock: PlannedLock,
    /// How long it takes once the lock is there.
    pub duration: PlannedDuration,
}

/// The lock of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedLock {
    /// A lock of PostgreSQL on the table. It is [`TableLock::None`] on a table that does not exist yet.
    Table(TableLock),
    /// The write lock of SQLite's file.
    File,
}

impl fmt::Display for PlannedLock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Self::Table(TableLock::None) => "no lock, nobody waits",
            Self::Table(TableLock::RowExclusive) => "lock ROW EXCLUSIVE, only writes of the same rows wait",
            Self::Table(TableLock::ShareUpdateExclusive) => "lock SHARE UPDATE EXCLUSIVE, nobody waits",
            Self::Table(TableLock::Share) => "lock SHARE, writes wait",
            Self::Table(TableLock::ShareRowExclusive) => "lock SHARE ROW EXCLUSIVE, writes wait",
            Self::Table(TableLock::AccessExclusive) => "lock ACCESS EXCLUSIVE, reads and writes wait",
            Self::File => "lock of the file, writes wait",
        };
        f.write_str(text)
    }
}

/// The duration of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlannedDuration {
    /// An instant, however many rows there are.
    Instant,
    /// All rows are read this many times. The number of rows is an estimate; PostgreSQL has none before the table was analysed.
    Scan {
        /// How many times.
        times: u8,
        /// The number of rows.
        rows: Option<u64>,
    },
    /// All rows, or those of a condition, are changed.
    ChangeOfRows {
        /// The number of rows.
        rows: Option<u64>,
    },
    /// The whole table is written again.
    Rewrite {
        /// The number of rows.
        rows: Option<u64>,
    },
}

impl fmt::Display for PlannedDuration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of =
            |rows: Option<u64>| rows.map_or("an unknown number of rows".to_owned(), |it| format!("about {it} rows"));
        match *self {
            Self::Instant => f.write_str("an instant"),
            Self::Scan { times: 1, rows } => write!(f, "a scan of {}", of(rows)),
            Self::Scan { times, rows } => write!(f, "{times} scans of {}", of(rows)),
            Self::ChangeOfRows { rows } => write!(f, "a change of up to {}", of(rows)),
            Self::Rewrite { rows } => write!(f, "a rewrite of {}", of(rows)),
        }
    }
}

/// The number of rows of each table of a database that exists; `None` if there is no estimate.
pub(crate) type RowEstimates = BTreeMap<String, Option<u64>>;

/// The engine of a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlannedEngine {
    Sqlite,
    Postgres,
}

impl PlannedEngine {
    const fn text(self, migration: &Migration) -> &'static str {
        match self {
            Self::Sqlite => migration.sqlite,
            Self::Postgres => migration.postgres,
        }
    }

    fn step(self, effect: Effect, estimates: &RowEstimates) -> PlannedStep {
        let is_used = estimates.contains_key(&effect.table);
        let counted = effect.rows_of.as_ref().unwrap_or(&effect.table);
        let rows = estimates.get(counted).copied().flatten();
        let is_counted = estimates.contains_key(counted);
        let lock = match self {
            Self::Sqlite => PlannedLock::File,
            Self::Postgres if is_used => PlannedLock::Table(effect.lock),
            // Nobody uses a table that does not exist yet.
            Self::Postgres => PlannedLock::Table(TableLock::None),
        };
        let duration = match effect.work {
            _ if !is_counted => PlannedDuration::Instant,
            StatementWork::Instant => PlannedDuration::Instant,
            StatementWork::Scan(times) => PlannedDuration::Scan { times, rows },
            StatementWork::ChangeOfRows => PlannedDuration::ChangeOfRows { rows },
            StatementWork::Rewrite => PlannedDuration::Rewrite { rows },
        };
        PlannedStep { table: effect.table, action: effect.action, lock, duration }
    }
}

/// The plan of the pending migrations of a schema.
fn plan_schema(
    schema: &Schema,
    pending: &[String],
    engine: PlannedEngine,
    estimates: &RowEstimates,
) -> Result<Vec<PlannedMigration>, StoreError> {
    let mut reader = EffectReader::default();
    let mut planned = Vec::new();
    for migration in schema.migrations {
        let effects = reader.read_text(engine.text(migration));
        let effects = effects.map_err(|unknown| StoreError::Unavailable(unknown.to_string().into()))?;
        if pending.iter().any(|name| name == migration.name) {
            let steps = effects.into_iter().map(|effect| engine.step(effect, estimates)).collect();
            let Migration { number, name, .. } = *migration;
            planned.push(PlannedMigration { number, name, works_from: schema.recorded_works_from(migration), steps });
        }
    }
    Ok(planned)
}

/// The tables on which the migrations of a schema act, or from which they read.
pub(crate) fn tables_of_schema(schema: &Schema, engine: PlannedEngine) -> Vec<String> {
    let mut reader = EffectReader::default();
    let texts = schema.migrations.iter().map(|migration| engine.text(migration));
    let effects = texts.filter_map(|text| reader.read_text(text).ok()).flatten();
    let named = effects.flat_map(|effect| std::iter::once(effect.table).chain(effect.rows_of));
    let mut tables: Vec<_> = named.filter(|table| !table.is_empty()).collect();
    tables.sort_unstable();
    tables.dedup();
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn step(number: i64, name: &'static str, text: &'static str) -> Migration {
        Migration { number, name, sqlite: text, postgres: text, works_from: 0 }
    }

    static BOOKS: Schema = Schema {
        history: "book_migrations",
        migrations: &[
            step(1, "0001_books", "CREATE TABLE books (id TEXT)"),
            step(2, "0002_authors", "ALTER TABLE books ADD COLUMN author TEXT"),
            step(3, "0003_books_by_author", "CREATE INDEX CONCURRENTLY books_by_author ON books (author)"),
            step(4, "0004_loans", "CREATE TABLE loans (book TEXT)"),
        ],
        expands_after: 1,
        before: None,
    };

    fn shown(engine: PlannedEngine, estimates: &RowEstimates) -> Vec<String> {
        let pending = ["0002_authors", "0003_books_by_author", "0004_loans"].map(str::to_owned);
        let planned = plan_schema(&BOOKS, &pending, engine, estimates).unwrap();
        assert!(planned.iter().all(|it| it.works_from == Some(0)));
        let steps = planned.into_iter().flat_map(|it| it.steps);
        steps.map(|it| format!("{}: {}: {}, for {}", it.table, it.action, it.lock, it.duration)).collect()
    }

    #[test]
    fn a_plan_says_the_lock_and_the_rows_of_each_step() {
        let estimates = RowEstimates::from([("books".to_owned(), Some(400_000))]);
        let expected = [
            "books: adds the column author: lock ACCESS EXCLUSIVE, reads and writes wait, for an instant",
            "books: makes the index books_by_author: lock SHARE UPDATE EXCLUSIVE, nobody waits, for 2 scans of about 400000 rows",
            "loans: makes the table: no lock, nobody waits, for an instant",
        ];
        assert_eq!(shown(PlannedEngine::Postgres, &estimates), expected);
        assert_eq!(
            shown(PlannedEngine::Sqlite, &estimates)[0],
            "books: adds the column author: lock of the file, writes wait, for an instant"
        );
    }

    #[test]
    fn nobody_waits_for_tables_that_are_new() {
        let steps = shown(PlannedEngine::Postgres, &RowEstimates::new());
        assert!(steps.iter().all(|it| it.ends_with("no lock, nobody waits, for an instant")), "{steps:?}");
    }
}
