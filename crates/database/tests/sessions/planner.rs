//! The planner's settings of a connection to PostgreSQL.

use super::NOTES;
use super::shared_reads::read_one;
use lombard_database::statement::SqlStatement;
use lombard_database::testing::{TestDatabase, on_postgres};
use std::sync::Arc;

static PAGE_COST: SqlStatement =
    SqlStatement { table: "notes", sqlite: "", postgres: "SELECT current_setting('random_page_cost')" };

/// What an operator sets for the database.
const SET: &str =
    "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET random_page_cost = 2', current_database()); END $$";

/// Rows are looked up by index also where a table was small when the statement was planned, and an operator's own value stays.
async fn the_cost_of_pages_is_that_of_a_solid_disk_unless_it_is_set(database: Arc<TestDatabase>) {
    let source = database.texts("SELECT source FROM pg_settings WHERE name = 'random_page_cost'").await;
    let own = database.texts("SELECT current_setting('random_page_cost')").await.pop().unwrap();
    let expected = if source == ["default"] { String::from("1.1") } else { own };
    for (set, cost) in [("", expected.as_str()), (SET, "2")] {
        database.run(set).await.unwrap();
        let connected = database.migrated(&[&NOTES]).await;
        let known = read_one(&connected, &PAGE_COST, "").await.unwrap();
        assert_eq!(known.as_deref(), Some(cost));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_cost_of_pages_on_postgres() {
    on_postgres(the_cost_of_pages_is_that_of_a_solid_disk_unless_it_is_set).await;
}
