//! The rule of new migrations: they expand. A node of the release before works on a database that has them, and no request waits long
//! while they are applied.

use crate::Schema;
use crate::effects::{Effect, EffectReader, StatementWork, TableLock, is_concurrent};
use crate::migrations::Migration;
use crate::sql_text::{StatementText, statements};
use std::collections::BTreeSet;

/// Checks that the effects of every statement of a schema are known, and that migrations after the rule keep it.
pub fn new_migrations_expand(schema: &Schema) {
    let faults = faults(schema);
    assert!(faults.is_empty(), "docs/operating/upgrades.md says what a migration may do:\n{}", faults.join("\n"));
}

fn faults(schema: &Schema) -> Vec<String> {
    let mut faults = Vec::new();
    for engine in ["postgres", "sqlite"] {
        let is_postgres = engine == "postgres";
        let text = |migration: &Migration| if is_postgres { migration.postgres } else { migration.sqlite };
        let mut reader = EffectReader::default();
        for migration in schema.migrations {
            let mut found = Vec::new();
            let is_new = migration.number > schema.expands_after;
            let mut new = NewMigration { migration, is_postgres, made: BTreeSet::new(), locked: BTreeSet::new() };
            for statement in statements(text(migration)) {
                match reader.read(&statement) {
                    Ok(effects) if is_new => found.extend(new.faults_of(&statement, effects)),
                    Ok(_) => {}
                    Err(unknown) => found.push(unknown.to_string()),
                }
            }
            if is_new {
                found.extend(new.faults_of_whole(text(migration)));
            }
            faults.extend(found.into_iter().map(|fault| format!("{} on {engine}: {fault}", migration.name)));
        }
    }
    faults
}

/// A migration after the rule, as its statements are read.
struct NewMigration<'m> {
    migration: &'m Migration,
    is_postgres: bool,
    /// The tables that it has made, which nobody uses yet.
    made: BTreeSet<String>,
    /// The tables in use whose writes wait until the migration is committed.
    locked: BTreeSet<String>,
}

impl NewMigration<'_> {
    fn faults_of(&mut self, statement: &StatementText<'_>, effects: Vec<Effect>) -> Vec<String> {
        let mut faults = Vec::new();
        for effect in effects {
            if effect.action == "makes the table" {
                self.made.insert(effect.table);
                continue;
            }
            if self.made.contains(&effect.table) {
                continue;
            }
            if effect.narrows && self.migration.works_from == 0 {
                faults.push(format!(
                    "{} {}: earlier programs may need it. Take it away in a later release, with `works from NUMBER`",
                    effect.table, effect.action
                ));
            }
            let has_condition = statement.tokens.iter().any(|token| token.eq_ignore_ascii_case("WHERE"));
            if effect.work == StatementWork::ChangeOfRows && !has_condition {
                faults.push(format!(
                    "{} {}: all rows in one step. Let a worker change them in batches",
                    effect.table, effect.action
                ));
            }
            if self.is_postgres {
                faults.extend(self.fault_of_lock(&effect));
            }
        }
        faults
    }

    fn fault_of_lock(&mut self, effect: &Effect) -> Option<String> {
        let Effect { table, action, lock, work, .. } = effect;
        if lock.blocks_writes() {
            self.locked.insert(table.clone());
        }
        match work {
            StatementWork::Rewrite => Some(format!("{table} {action}: the table is written again while requests wait")),
            StatementWork::Scan(_) if *lock == TableLock::Share => {
                Some(format!("{table} {action}: writes wait for it. Write CREATE INDEX CONCURRENTLY"))
            }
            StatementWork::Scan(_) if lock.blocks_writes() => {
                Some(format!("{table} {action}: requests wait while all rows are read"))
            }
            StatementWork::Scan(_) | StatementWork::ChangeOfRows if !self.locked.is_empty() => Some(format!(
                "{table} {action}: requests wait for the lock on {:?} meanwhile. Divide the migration",
                self.locked
            )),
            _ => None,
        }
    }

    fn faults_of_whole(&self, text: &str) -> Vec<String> {
        let mut faults = Vec::new();
        if self.locked.len() > 1 {
            faults.push(format!(
                "it locks the tables {:?}. Requests wait for the first while it waits for the next",
                self.locked
            ));
        }
        if self.migration.works_from > self.migration.number {
            faults.push("`works from` names a later migration".to_owned());
        }
        if is_concurrent(text) {
            faults.extend(statements(text).iter().filter_map(|statement| {
                let upper = statement.tokens.iter().map(|token| token.to_uppercase()).collect::<Vec<_>>();
                let is_repeatable = match upper.iter().position(|token| token == "CONCURRENTLY") {
                    None => false,
                    Some(_) if upper.iter().any(|token| token == "DROP") => upper.iter().any(|token| token == "EXISTS"),
                    Some(_) => true,
                };
                (!is_repeatable).then(|| {
                    format!(
                        "{}: beside a statement with CONCURRENTLY, each statement makes an index concurrently or drops one IF EXISTS, \
                         so that it can be repeated",
                        statement.text
                    )
                })
            }));
        }
        faults
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OLD: Migration = Migration {
        number: 1,
        name: "0001_a",
        sqlite: "CREATE TABLE a (b TEXT); CREATE INDEX i ON a (b); CREATE TABLE c (d TEXT)",
        postgres: "CREATE TABLE a (b TEXT); CREATE INDEX i ON a (b); CREATE TABLE c (d TEXT)",
        works_from: 0,
    };

    /// The faults of a second migration after the rule. The schema lives as long as the test.
    fn faults_of(sqlite: &'static str, postgres: &'static str, works_from: i64) -> Vec<String> {
        let new = Migration { number: 2, name: "0002_b", sqlite, postgres, works_from };
        let migrations: &'static [Migration] = Vec::leak(vec![OLD, new]);
        faults(&Schema { history: "h", migrations, expands_after: 1, before: None })
    }

    #[track_caller]
    fn refused(text: &'static str, works_from: i64, because: &str) {
        let faults = faults_of("", text, works_from);
        assert!(faults.iter().any(|fault| fault.contains(because)), "{text}: {faults:?}");
    }

    #[test]
    fn what_adds_and_lets_nobody_wait_is_a_new_migration() {
        for text in [
            "ALTER TABLE a ADD COLUMN e TEXT",
            "CREATE TABLE f (g TEXT REFERENCES a (b)); CREATE INDEX f_by_g ON f (g)",
            "UPDATE a SET b = 'x' WHERE b = 'y'",
        ] {
            assert_eq!(faults_of("", text, 0), [""; 0], "{text}");
        }
        assert_eq!(faults_of("CREATE INDEX j ON a (b)", "CREATE INDEX CONCURRENTLY j ON a (b)", 0), [""; 0]);
    }

    #[test]
    fn what_rewrites_or_lets_requests_wait_is_refused() {
        refused("ALTER TABLE a ADD COLUMN e BIGINT DEFAULT random()", 0, "written again");
        refused("CREATE INDEX j ON a (b)", 0, "CREATE INDEX CONCURRENTLY");
        refused("ALTER TABLE a ADD COLUMN e BIGINT CHECK (e > 0)", 0, "while all rows are read");
        refused("ALTER TABLE a ADD COLUMN e TEXT; ALTER TABLE c ADD COLUMN e TEXT", 0, "it locks the tables");
        refused("ALTER TABLE a ADD COLUMN e TEXT; INSERT INTO c SELECT b FROM a", 0, "Divide the migration");
        refused("UPDATE a SET b = 'x'", 0, "in batches");
        refused("CREATE INDEX CONCURRENTLY j ON a (b); ALTER TABLE c ADD COLUMN e TEXT", 0, "can be repeated");
        refused("CREATE INDEX CONCURRENTLY j ON a (b); DROP INDEX CONCURRENTLY i", 0, "IF EXISTS");
        refused("VACUUM a", 0, "not known");
    }

    #[test]
    fn what_takes_away_says_which_programs_do_without_it() {
        for text in ["ALTER TABLE a DROP COLUMN b", "ALTER TABLE a RENAME TO e", "DROP TABLE a", "DROP INDEX i"] {
            refused(text, 0, "`works from NUMBER`");
            assert_eq!(faults_of("", text, 2), [""; 0], "{text}");
            assert!(!faults_of(text, "", 0).is_empty(), "on SQLite: {text}");
        }
        refused("DROP TABLE a", 3, "names a later migration");
    }
}
