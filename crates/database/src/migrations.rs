//! The migrations of a schema: the same numbers and names on both engines, in separate files, embedded in the program.
//!
//! The migrations applied to a database are recorded in a history table, one per schema. This module does not access a
//! database; the engines do.

use lombard_ports::store::StoreError;

/// The tables of one part of the program, as the migrations that create them.
#[derive(Debug)]
pub struct Schema {
    /// The history table, which records the applied migrations.
    pub history: &'static str,
    /// Every migration, oldest first. A published migration never changes; add one instead. Missing numbers belong to migrations
    /// that another schema has taken over.
    pub migrations: &'static [Migration],
    /// The older history that recorded the schema's first migrations before it had its own history.
    pub before: Option<EarlierHistory>,
}

impl Schema {
    /// Whether another schema has taken this number over.
    fn leaves_out(&self, number: i64) -> bool {
        let is_past = self.migrations.last().is_some_and(|last| number < last.number);
        is_past && !self.migrations.iter().any(|it| it.number == number)
    }
}

/// An older history table, part of whose migrations a schema has taken over.
#[derive(Debug, Clone, Copy)]
pub struct EarlierHistory {
    /// The history table.
    pub history: &'static str,
    /// The migrations taken over: the number in the older history and the number in this schema.
    pub numbers: &'static [(i64, i64)],
    /// SQL that is executed once, after all migrations, in a database that recorded them in the older history; the same on both
    /// engines.
    pub statements: &'static str,
}

/// A migration: one step of a schema.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// The number of the migration within the schema.
    pub number: i64,
    /// The name of its files, which begins with the number.
    pub name: &'static str,
    /// Its statements on SQLite.
    pub sqlite: &'static str,
    /// Its statements on PostgreSQL.
    pub postgres: &'static str,
}

/// Declares migrations, each in a file of the same name for each engine below the crate's folder `migrations`.
#[macro_export]
macro_rules! migrations {
    ($($number:literal $name:literal,)+) => {
        &[$($crate::Migration {
            number: $number,
            name: $name,
            sqlite: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/postgres/", $name, ".sql")),
        },)+]
    };
}

/// A migration recorded in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AppliedMigration {
    pub(crate) number: i64,
    pub(crate) checksum: String,
}

/// Detects an edited migration file. The checksum is not a cryptographic hash and protects against mistakes only.
pub(crate) fn checksum(text: &str) -> String {
    // FNV-1a, 64 bits.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// The migrations still to be applied to a database that has these migrations of a schema.
///
/// # Errors
/// [`StoreError::Unavailable`] with a message for the operator if the database is newer than this program, or was migrated with
/// other files.
pub(crate) fn pending(
    schema: &Schema,
    applied: &[AppliedMigration],
    text: impl Fn(&Migration) -> &'static str,
) -> Result<Vec<Migration>, StoreError> {
    for have in applied.iter().filter(|have| !schema.leaves_out(have.number)) {
        let Some(known) = schema.migrations.iter().find(|known| known.number == have.number) else {
            return Err(refusal(format!(
                "the database has migration {} but this program knows none after {}: it was used by a newer version of \
                 Lombard. Start that version, or restore a copy of the database made before the upgrade.",
                have.number,
                schema.migrations.last().map_or("", |last| last.name),
            )));
        };
        if checksum(text(known)) != have.checksum {
            return Err(refusal(format!(
                "migration {} of the database is not the one of this program. Was a published migration edited?",
                known.name,
            )));
        }
    }
    let missing = |known: &&Migration| !applied.iter().any(|have| have.number == known.number);
    Ok(schema.migrations.iter().filter(missing).copied().collect())
}

/// The migrations of a schema that are recorded in the older history, each with its number in that history.
pub(crate) fn taken_over(schema: &Schema, known: &[AppliedMigration]) -> Vec<(&'static Migration, i64)> {
    let numbers = schema.before.map_or(&[][..], |before| before.numbers);
    let is_known = |there: i64| known.iter().any(|have| have.number == there);
    let migration = |here: i64| schema.migrations.iter().find(|it| it.number == here);
    let taken = numbers.iter().filter(|(there, _)| is_known(*there));
    taken.filter_map(|(there, here)| migration(*here).map(|it| (it, *there))).collect()
}

/// The names of the migrations that a database lacks. `known` are the migrations recorded in the older history.
pub(crate) fn lacking(
    schema: &Schema,
    applied: &[AppliedMigration],
    known: &[AppliedMigration],
    text: impl Fn(&Migration) -> &'static str,
) -> Result<Vec<String>, StoreError> {
    let taken = taken_over(schema, known);
    let missing = pending(schema, applied, text)?.into_iter();
    let missing = missing.filter(|it| !taken.iter().any(|(taken, _)| taken.number == it.number));
    Ok(missing.map(|migration| migration.name.to_owned()).collect())
}

/// Checks that a database has every migration of a schema.
///
/// # Errors
/// As [`pending`], and if a migration is still to be applied.
pub(crate) fn require_all(
    schema: &Schema,
    applied: &[AppliedMigration],
    text: impl Fn(&Migration) -> &'static str,
) -> Result<(), StoreError> {
    match pending(schema, applied, text)?.first() {
        None => Ok(()),
        Some(first) => Err(refusal(format!("the database lacks migration {}: run `lombard migrate`.", first.name))),
    }
}

fn refusal(message: String) -> StoreError {
    StoreError::Unavailable(message.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn step(number: i64, name: &'static str) -> Migration {
        Migration { number, name, sqlite: name, postgres: "" }
    }

    static OLD: Schema = Schema { history: "old", migrations: &[step(1, "a"), step(3, "c")], before: None };
    static NEW: Schema = Schema {
        history: "new",
        migrations: &[step(1, "b"), step(2, "d")],
        before: Some(EarlierHistory { history: "old", numbers: &[(2, 1)], statements: "" }),
    };

    fn has(steps: &[(i64, &str)]) -> Vec<AppliedMigration> {
        steps.iter().map(|(number, text)| AppliedMigration { number: *number, checksum: checksum(text) }).collect()
    }

    #[test]
    fn only_what_is_missing_is_pending() {
        let numbers = |applied: &[AppliedMigration]| -> Vec<i64> {
            pending(&OLD, applied, |it| it.sqlite).unwrap().iter().map(|it| it.number).collect()
        };
        assert_eq!(numbers(&[]), [1, 3]);
        assert_eq!(numbers(&has(&[(1, "a"), (2, "b")])), [3], "2 went to another schema");
        assert!(require_all(&OLD, &has(&[(1, "a"), (3, "c")]), |it| it.sqlite).is_ok());
        assert!(require_all(&OLD, &has(&[(1, "a")]), |it| it.sqlite).is_err());
    }

    #[test]
    fn a_newer_database_and_an_edited_file_are_refused() {
        assert!(pending(&OLD, &has(&[(1, "a"), (4, "e")]), |it| it.sqlite).is_err());
        assert!(pending(&OLD, &has(&[(1, "edited")]), |it| it.sqlite).is_err());
    }

    #[test]
    fn migrations_of_an_older_history_are_taken_over() {
        let taken = |known: &[(i64, &str)]| -> Vec<_> {
            taken_over(&NEW, &has(known)).into_iter().map(|(it, there)| (it.name, there)).collect()
        };
        assert_eq!(taken(&[(1, "a"), (2, "b")]), [("b", 2)]);
        assert_eq!(taken(&[(1, "a")]), []);
    }
}
