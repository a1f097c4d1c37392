//! Tests of the reader of statements.

use super::*;

fn read(text: &str) -> Vec<(String, String, TableLock, StatementWork, bool)> {
    let effects = EffectReader::default().read_text(text).unwrap_or_else(|unknown| panic!("{unknown}"));
    effects.into_iter().map(|it| (it.table, it.action, it.lock, it.work, it.narrows)).collect()
}

fn one(text: &str) -> (TableLock, StatementWork, bool) {
    let effects = read(text);
    assert_eq!(effects.len(), 1, "{effects:?}");
    (effects[0].2, effects[0].3, effects[0].4)
}

#[test]
fn a_column_takes_an_instant_unless_its_default_is_computed() {
    let instant = (TableLock::AccessExclusive, StatementWork::Instant, false);
    for column in ["b TEXT", "COLUMN b TEXT COLLATE \"C\"", "COLUMN b BIGINT NOT NULL DEFAULT 0", "b TEXT DEFAULT '[]'"]
    {
        assert_eq!(one(&format!("ALTER TABLE a ADD {column}")), instant, "{column}");
    }
    let rewrite = (TableLock::AccessExclusive, StatementWork::Rewrite, false);
    for column in ["b BIGINT DEFAULT random()", "b BIGINT GENERATED ALWAYS AS IDENTITY"] {
        assert_eq!(one(&format!("ALTER TABLE a ADD COLUMN {column}")), rewrite, "{column}");
    }
    let scan = (TableLock::AccessExclusive, StatementWork::Scan(1), false);
    assert_eq!(one("ALTER TABLE a ADD COLUMN b BIGINT CHECK (b > 0)"), scan);
}

#[test]
fn what_earlier_programs_do_not_expect_narrows() {
    for text in [
        "ALTER TABLE a ADD COLUMN b BIGINT NOT NULL",
        "ALTER TABLE a DROP COLUMN b",
        "ALTER TABLE a RENAME COLUMN b TO c",
        "ALTER TABLE a RENAME TO b",
        "ALTER TABLE a ALTER COLUMN b TYPE BIGINT",
        "ALTER TABLE a ALTER b SET NOT NULL",
        "ALTER TABLE a ADD CONSTRAINT c CHECK (b > 0)",
        "DROP TABLE a",
        "CREATE UNIQUE INDEX CONCURRENTLY i ON a (b)",
    ] {
        assert!(one(text).2, "{text}");
    }
}

#[test]
fn an_index_blocks_writes_unless_it_is_made_concurrently() {
    assert_eq!(one("CREATE INDEX i ON a (b)"), (TableLock::Share, StatementWork::Scan(1), false));
    let concurrent = (TableLock::ShareUpdateExclusive, StatementWork::Scan(2), false);
    assert_eq!(one("CREATE INDEX CONCURRENTLY i ON a (b) WHERE b > 0"), concurrent);
    let dropped = read("CREATE INDEX i ON a (b);\nDROP INDEX i");
    assert_eq!(dropped[1].0, "a", "the table of the index is known");
    assert!(EffectReader::default().read_text("DROP INDEX of_nobody").is_err());
}

#[test]
fn a_table_that_a_foreign_key_names_is_locked_too() {
    let effects = read("CREATE TABLE a (b TEXT NOT NULL REFERENCES c (id), d TEXT REFERENCES e (id))");
    let locked: Vec<_> = effects.iter().map(|it| (it.0.as_str(), it.2)).collect();
    let blocked = TableLock::ShareRowExclusive;
    assert_eq!(locked, [("a", TableLock::None), ("c", blocked), ("e", blocked)]);
}

#[test]
fn several_actions_of_one_statement_are_read_one_by_one() {
    let effects = read("ALTER TABLE a ADD COLUMN b NUMERIC(9, 2), ADD COLUMN c TEXT");
    let actions: Vec<_> = effects.iter().map(|it| it.1.as_str()).collect();
    assert_eq!(actions, ["adds the column b", "adds the column c"]);
}

#[test]
fn a_statement_that_is_not_known_is_no_guess() {
    for text in ["VACUUM a", "ALTER TABLE a CLUSTER ON b", "CREATE VIEW v AS SELECT 1", "TRUNCATE a"] {
        let unknown = EffectReader::default().read_text(text).unwrap_err();
        assert!(unknown.to_string().contains(text), "{unknown}");
    }
}

#[test]
fn only_indexes_are_made_and_dropped_outside_a_transaction() {
    assert!(is_concurrent("-- Why.\nDROP INDEX CONCURRENTLY IF EXISTS i;"));
    assert!(!is_concurrent("-- CREATE INDEX CONCURRENTLY\nCREATE INDEX i ON a (b);"));
    let statement = statements("CREATE UNIQUE INDEX CONCURRENTLY i ON a (b)").remove(0);
    assert_eq!(ConcurrentStatement::read(&statement), Some(ConcurrentStatement::CreateIndex("i")));
}
