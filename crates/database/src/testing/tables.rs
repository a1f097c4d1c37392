//! Checks of the statements that a crate declares, on both engines.

use super::TestDatabase;
use crate::statement::SqlStatement;
use crate::{Schema, StoredData};
use lombard_domain::code::StoredCode;
use lombard_ports::store::WorkKind;
use std::collections::BTreeSet;

/// The tables in which a kind of work is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkOwner {
    /// The server's tables.
    Server,
    /// The built-in bank's tables.
    Bank,
}

const fn owner(kind: WorkKind) -> WorkOwner {
    match kind {
        WorkKind::Job | WorkKind::LapsedOrder | WorkKind::UndecidedConsent | WorkKind::Upload => WorkOwner::Server,
        WorkKind::Arrangement | WorkKind::BankOrder | WorkKind::PendingEntry | WorkKind::StatusUpdate => {
            WorkOwner::Bank
        }
    }
}

/// Checks that, for each kind of work of this owner, some query for due work excludes the work quarantined in this table.
pub fn every_kind_of_work_is_left_out_by_a_query<I: Iterator<Item = &'static SqlStatement>>(
    statements: impl Fn() -> I,
    table: &str,
    of: WorkOwner,
) {
    for kind in WorkKind::ALL {
        let condition = format!("{table}.kind = '{}'", kind.name());
        let is_left_out = statements().any(|it| it.sqlite.contains(&condition) && it.postgres.contains(&condition));
        assert_eq!(is_left_out, owner(kind) == of, "{condition}");
        assert_eq!(WorkKind::from_code(kind.code()), Some(kind));
    }
}

/// Checks that every table of a migrated database of this schema is described, and that nothing else is.
pub async fn every_table_is_described(database: &TestDatabase, schema: &'static Schema, described: &[StoredData]) {
    crate::migrate_store(&database.options, &[schema]).await.unwrap();
    let names: BTreeSet<_> = described.iter().map(|it| it.name.to_owned()).collect();
    assert_eq!(names.len(), described.len(), "each once");
    assert_eq!(names, database.tables().await);
}

/// Declares the tests that every crate with tables has: tests of a schema, with the numbers that another schema has taken over
/// from it; of its statements, given as a function with their maximum number; and of its table of quarantined work. The caller
/// must name the functions `every_statement_is_understood` and `statements_of_earlier_releases_are_understood` in
/// [`test_on_both_engines`](crate::test_on_both_engines).
#[macro_export]
macro_rules! test_tables {
    ($schema:path, moved $moved:expr; $statements:path, at most $max:expr; $quarantine:literal of $owner:expr) => {
        #[test]
        fn every_statement_stays_prepared() {
            let count = $statements().count();
            assert!(count <= $max, "{count}");
        }

        #[test]
        fn numbers_count_up() {
            $crate::testing::numbers_count_up_and_names_carry_them(&$schema, $moved);
        }

        #[test]
        fn new_migrations_expand() {
            $crate::testing::new_migrations_expand(&$schema);
        }

        #[test]
        fn published_migrations_stay_as_they_are() {
            $crate::testing::published_migrations_stay_as_they_are(&$schema);
        }

        #[test]
        #[ignore = "not a test: writes the statements of this release, for cargo xtask keep-release"]
        fn statements_are_kept_for_the_next_release() {
            $crate::testing::keep_release(&$schema, $statements());
        }

        #[test]
        fn every_kind_of_work_is_left_out_by_a_query() {
            $crate::testing::every_kind_of_work_is_left_out_by_a_query($statements, $quarantine, $owner);
        }

        async fn every_statement_is_understood(database: ::std::sync::Arc<$crate::testing::TestDatabase>) {
            $crate::migrate_store(&database.options, &[&$schema]).await.unwrap();
            database.understands($statements()).await;
        }

        async fn statements_of_earlier_releases_are_understood(
            database: ::std::sync::Arc<$crate::testing::TestDatabase>,
        ) {
            $crate::migrate_store(&database.options, &[&$schema]).await.unwrap();
            database.understands_kept_releases(&$schema).await;
        }
    };
}
