//! The planner's settings of a connection to PostgreSQL.

use super::NOTES;
use super::shared_reads::read_one;
use lombard_database::statement::SqlStatement;
use lombard_database::testing::{TestDatabase, on_postgres};
use std::sync::Arc;

/// What a connection of the engine has, in the order of the names.
static PLANNER: SqlStatement = SqlStatement {
    table: "notes",
    sqlite: "",
    postgres: "SELECT string_agg(setting, ' ' ORDER BY name) FROM pg_settings \
        WHERE name IN ('enable_seqscan', 'jit', 'plan_cache_mode', 'random_page_cost')",
};

/// What it is to have: the server's own settings where these are decided.
const WANTED: &str = "SELECT string_agg(CASE source WHEN 'default' THEN wanted ELSE setting END, ' ' ORDER BY name) \
    FROM pg_settings JOIN (VALUES ('enable_seqscan', 'off'), ('jit', 'off'), ('plan_cache_mode', 'force_generic_plan'), \
    ('random_page_cost', '1.1')) AS own (name, wanted) USING (name)";

/// What an operator sets for the database, and what takes it back: other tests use the database too.
const SET: &str = "DO $$ BEGIN \
    EXECUTE format('ALTER DATABASE %I SET enable_seqscan = on', current_database()); \
    EXECUTE format('ALTER DATABASE %I SET jit = on', current_database()); \
    EXECUTE format('ALTER DATABASE %I SET plan_cache_mode = auto', current_database()); \
    EXECUTE format('ALTER DATABASE %I SET random_page_cost = 2', current_database()); \
    END $$";
const RESET: &str = "DO $$ BEGIN \
    EXECUTE format('ALTER DATABASE %I RESET enable_seqscan', current_database()); \
    EXECUTE format('ALTER DATABASE %I RESET jit', current_database()); \
    EXECUTE format('ALTER DATABASE %I RESET plan_cache_mode', current_database()); \
    EXECUTE format('ALTER DATABASE %I RESET random_page_cost', current_database()); \
    END $$";

/// Rows are found by index also where a table was small when the statement was planned, a statement is planned once on each connection, and
/// an operator's own values stay.
async fn the_planner_is_set_unless_the_operator_has_set_it(database: Arc<TestDatabase>) {
    let wanted = database.texts(WANTED).await.pop().unwrap();
    for (set, expected) in [("", wanted.as_str()), (SET, "on on auto 2")] {
        database.run(set).await.unwrap();
        let connected = database.migrated(&[&NOTES]).await;
        let known = read_one(&connected, &PLANNER, "").await.unwrap();
        assert_eq!(known.as_deref(), Some(expected));
    }
    database.run(RESET).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_planner_on_postgres() {
    on_postgres(the_planner_is_set_unless_the_operator_has_set_it).await;
}
