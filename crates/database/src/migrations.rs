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
    /// The last migration before the rule that migrations expand. Later ones say with which programs they work, and a test
    /// checks what they do.
    pub expands_after: i64,
    /// The older history that recorded the schema's first migrations before it had its own history.
    pub before: Option<EarlierHistory>,
}

impl Schema {
    /// Whether another schema has taken this number over.
    fn leaves_out(&self, number: i64) -> bool {
        let is_past = self.migrations.last().is_some_and(|last| number < last.number);
        is_past && !self.migrations.iter().any(|it| it.number == number)
    }

    /// The number of the newest migration that this program knows; 0 if there is none.
    fn newest(&self) -> i64 {
        self.migrations.last().map_or(0, |last| last.number)
    }

    /// What the history records about the programs that work on a database with this migration: the number of the migration
    /// that they must know. `None` for a migration from before the rule, with which only programs work that know it.
    pub(crate) fn recorded_works_from(&self, migration: &Migration) -> Option<i64> {
        (migration.number > self.expands_after).then_some(migration.works_from)
    }

    /// Whether a program works on a database with this migration, which it does not know.
    fn works_with(&self, unknown: &AppliedMigration) -> bool {
        unknown.works_from.is_some_and(|from| from <= self.newest())
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
    /// The number of the migration that a program must know to work on a database with this one: 0 if this one only adds what
    /// other programs do not notice (it expands), more if it takes away what earlier programs use (it contracts).
    pub works_from: i64,
}

/// Declares migrations, each in a file of the same name for each engine below the crate's folder `migrations`. A migration that
/// takes away what earlier programs use names the migration that a program must know to do without it:
/// `50 "0050_drop_cause" works from 48,`.
#[macro_export]
macro_rules! migrations {
    ($($number:literal $name:literal $(works from $works_from:literal)?,)+) => {
        &[$($crate::Migration {
            number: $number,
            name: $name,
            sqlite: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite/", $name, ".sql")),
            postgres: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/postgres/", $name, ".sql")),
            works_from: 0 $(+ $works_from)?,
        },)+]
    };
}

/// A migration recorded in a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AppliedMigration {
    pub(crate) number: i64,
    pub(crate) name: String,
    pub(crate) checksum: String,
    /// The migration that a program must know to work with this one; `None` if it must know this one.
    pub(crate) works_from: Option<i64>,
}

/// Detects an edited migration file. The checksum is not a cryptographic hash and protects against mistakes only.
pub(crate) fn checksum(text: &str) -> String {
    // FNV-1a, 64 bits.
    let hash = text
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    format!("{hash:016x}")
}

/// The migrations still to be applied to a database that has these migrations of a schema. Migrations of a newer program are
/// accepted if they say that this program works with them.
///
/// # Errors
/// [`StoreError::Unavailable`] with a message for the operator if the database is too new for this program, or was migrated with
/// other files.
pub(crate) fn pending(
    schema: &Schema,
    applied: &[AppliedMigration],
    text: impl Fn(&Migration) -> &'static str,
) -> Result<Vec<Migration>, StoreError> {
    for have in applied.iter().filter(|have| !schema.leaves_out(have.number)) {
        let Some(known) = schema.migrations.iter().find(|known| known.number == have.number) else {
            if schema.works_with(have) {
                continue;
            }
            return Err(too_new(schema, have));
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

/// The migrations of a newer program that a database has and with which this program works.
pub(crate) fn newer<'a>(
    schema: &Schema,
    applied: &'a [AppliedMigration],
) -> impl Iterator<Item = &'a AppliedMigration> {
    let newest = schema.newest();
    applied.iter().filter(move |have| have.number > newest)
}

fn too_new(schema: &Schema, have: &AppliedMigration) -> StoreError {
    let last = schema.migrations.last().map_or("", |last| last.name);
    let needs = match have.works_from.filter(|from| *from < have.number) {
        Some(from) => format!(" It needs a version that knows migration {from}."),
        None => String::new(),
    };
    refusal(format!(
        "a newer version of Lombard applied migration {} to the database. This version knows none after {last} and does not work \
         with it.{needs} Start a newer version, or restore a copy of the database that was made before the upgrade.",
        have.name,
    ))
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

/// The migrations that are applied next in one transaction. A new database, and one whose migrations are taken over from an older
/// history, gets all migrations up to `Schema::expands_after` in one transaction: nobody uses a new database yet, and a takeover
/// must be complete or not happen. Every other migration has its own transaction.
pub(crate) fn next_group(schema: &Schema, is_at_once: bool, pending: &[Migration]) -> Vec<Migration> {
    let at_once = pending.iter().take_while(|it| is_at_once && it.number <= schema.expands_after).count();
    pending.iter().take(at_once.max(1)).copied().collect()
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
        None => {
            for newer in newer(schema, applied) {
                tracing::info!(
                    migration = newer.name,
                    "the database has a migration of a newer version, which works with this one"
                );
            }
            Ok(())
        }
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
        Migration { number, name, sqlite: name, postgres: "", works_from: 0 }
    }

    static OLD: Schema =
        Schema { history: "old", migrations: &[step(1, "a"), step(3, "c")], expands_after: 3, before: None };
    static NEW: Schema = Schema {
        history: "new",
        migrations: &[step(1, "b"), step(2, "d")],
        expands_after: 2,
        before: Some(EarlierHistory { history: "old", numbers: &[(2, 1)], statements: "" }),
    };

    fn has(steps: &[(i64, &str)]) -> Vec<AppliedMigration> {
        let applied = |(number, text): &(i64, &str)| AppliedMigration {
            number: *number,
            name: (*text).to_owned(),
            checksum: checksum(text),
            works_from: None,
        };
        steps.iter().map(applied).collect()
    }

    /// The migrations of [`OLD`] and one of a newer program.
    fn has_newer(works_from: Option<i64>) -> Vec<AppliedMigration> {
        let mut applied = has(&[(1, "a"), (3, "c"), (5, "e")]);
        applied[2].works_from = works_from;
        applied
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
    fn a_newer_migration_is_accepted_if_it_works_with_this_program() {
        for works_from in [0, 3] {
            let applied = has_newer(Some(works_from));
            assert!(require_all(&OLD, &applied, |it| it.sqlite).is_ok(), "{works_from}");
            assert_eq!(newer(&OLD, &applied).map(|it| it.name.as_str()).collect::<Vec<_>>(), ["e"]);
        }
        for works_from in [None, Some(4), Some(5)] {
            let refused = require_all(&OLD, &has_newer(works_from), |it| it.sqlite).unwrap_err();
            let said = format!("{refused:?}");
            assert!(said.contains("Start a newer version, or restore a copy"), "{said}");
            assert_eq!(said.contains("knows migration 4"), works_from == Some(4), "{said}");
        }
    }

    #[test]
    fn only_a_new_database_gets_several_migrations_in_a_transaction() {
        let all = [step(1, "a"), step(3, "c"), step(4, "d"), step(5, "e")];
        let numbers = |is_at_once, pending: &[Migration]| -> Vec<i64> {
            next_group(&OLD, is_at_once, pending).iter().map(|it| it.number).collect()
        };
        assert_eq!(numbers(true, &all), [1, 3]);
        assert_eq!(numbers(false, &all), [1]);
        assert_eq!(numbers(true, &all[2..]), [4], "later migrations are applied one by one");
        assert_eq!(numbers(true, &[]), [0; 0]);
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
