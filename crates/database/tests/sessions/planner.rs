//! The planner's settings of a connection to PostgreSQL.

use super::NOTES;
use super::shared_reads::read_one;
use lombard_database::statement::SqlStatement;
use lombard_database::testing::{TestDatabase, on_postgres};
use std::sync::Arc;

/// What a connection of the engine has.
static PLANNER: SqlStatement = SqlStatement {
    table: "notes",
    sqlite: "",
    postgres: "SELECT concat_ws(' ', current_setting('random_page_cost'), current_setting('plan_cache_mode'))",
};

/// What it is to have: the server's own settings where these are decided.
const WANTED: &str = "SELECT string_agg(CASE WHEN source <> 'default' THEN setting \
    WHEN name = 'random_page_cost' THEN '1.1' ELSE 'force_generic_plan' END, ' ' ORDER BY name DESC) \
    FROM pg_settings WHERE name IN ('random_page_cost', 'plan_cache_mode')";

/// What an operator sets for the database.
const SET: &str = "DO $$ BEGIN \
    EXECUTE format('ALTER DATABASE %I SET random_page_cost = 2', current_database()); \
    EXECUTE format('ALTER DATABASE %I SET plan_cache_mode = auto', current_database()); \
    END $$";
/// Other tests use the database too.
const RESET: &str = "DO $$ BEGIN \
    EXECUTE format('ALTER DATABASE %I RESET random_page_cost', current_database()); \
    EXECUTE format('ALTER DATABASE %I RESET plan_cache_mode', current_database()); \
    END $$";

/// Rows are looked up by index also where a table was small when the statement was planned, a statement is planned once on each
/// connection, and an operator's own values stay.
async fn the_planner_is_set_unless_the_operator_has_set_it(database: Arc<TestDatabase>) {
    let wanted = database.texts(WANTED).await.pop().unwrap();
    for (set, expected) in [("", wanted.as_str()), (SET, "2 auto")] {
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
