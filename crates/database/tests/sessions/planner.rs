//! The planner's settings of a connection to PostgreSQL.

use super::shared_reads::read_one;
use super::{LABELS, NOTES};
use lombard_database::statement::SqlStatement;
use lombard_database::testing::{TestDatabase, on_postgres};
use std::sync::Arc;

/// The planner's settings on a connection of the engine, in the order of their names.
static PLANNER: SqlStatement = SqlStatement {
    table: "notes",
    sqlite: "",
    postgres: "SELECT string_agg(setting, ' ' ORDER BY name) FROM pg_settings \
        WHERE name IN ('enable_hashjoin', 'enable_mergejoin', 'enable_seqscan', 'jit', 'plan_cache_mode', 'random_page_cost')",
};

/// The expected settings: the engine's values, or the server's own where an operator has set them.
const WANTED: &str = "SELECT string_agg(CASE source WHEN 'default' THEN wanted ELSE setting END, ' ' ORDER BY name) \
    FROM pg_settings JOIN (VALUES ('enable_hashjoin', 'off'), ('enable_mergejoin', 'off'), ('enable_seqscan', 'off'), ('jit', 'off'), \
    ('plan_cache_mode', 'force_generic_plan'), ('random_page_cost', '1.1')) AS own (name, wanted) USING (name)";

/// Sets an operator's values for the database, and the statement that resets them, because other tests use the database too.
const SET: &str = "DO $$ DECLARE own record; BEGIN \
    FOR own IN VALUES ('enable_hashjoin', 'on'), ('enable_mergejoin', 'on'), ('enable_seqscan', 'on'), ('jit', 'on'), \
    ('plan_cache_mode', 'auto'), ('random_page_cost', '2') \
    LOOP EXECUTE format('ALTER DATABASE %I SET %I = %L', current_database(), own.column1, own.column2); END LOOP; END $$";
const RESET: &str = "DO $$ DECLARE own record; BEGIN \
    FOR own IN VALUES ('enable_hashjoin'), ('enable_mergejoin'), ('enable_seqscan'), ('jit'), ('plan_cache_mode'), ('random_page_cost') \
    LOOP EXECUTE format('ALTER DATABASE %I RESET %I', current_database(), own.column1); END LOOP; END $$";

/// Rows are found by index even if a table was small when the statement was planned. A statement is planned once on each
/// connection. An operator's own values are kept.
async fn the_planner_is_set_unless_the_operator_has_set_it(database: Arc<TestDatabase>) {
    let wanted = database.texts(WANTED).await.pop().unwrap();
    let mut known = Vec::new();
    for set in ["", SET] {
        database.run(set).await.unwrap();
        let connected = database.migrated(&[&NOTES]).await;
        known.push(read_one(&connected, &PLANNER, "").await.unwrap().unwrap());
    }
    // The reset is registered before anything can fail.
    database.run(RESET).await.unwrap();
    assert_eq!(known, [wanted.as_str(), "on on on on auto 2"]);
}

/// A query that joins a label with the note that it names, planned as on the engine's connections. The first row is the plan step
/// of the join.
static JOINED: SqlStatement = SqlStatement {
    table: "labels",
    sqlite: "",
    postgres: "EXPLAIN SELECT labels.text, notes.text FROM labels LEFT JOIN notes ON notes.text = labels.note WHERE labels.text = $1",
};

/// By the statistics, every label names a note that precedes most others.
const MANY_NOTES: &str = "INSERT INTO notes SELECT 'a' || number FROM generate_series(1, 200) AS number; \
    INSERT INTO labels (text, note) SELECT 'of ' || text, text FROM notes; \
    INSERT INTO notes SELECT 'n' || number FROM generate_series(1, 20000) AS number; \
    ANALYZE notes; ANALYZE labels";

/// A row is joined by index with the row that it names. A merge join would read the index from its beginning, and the whole index
/// for a label that names one of the last notes.
async fn the_row_that_another_one_names_is_found_by_index(database: Arc<TestDatabase>) {
    let connected = database.migrated(&[&NOTES, &LABELS]).await;
    database.run(MANY_NOTES).await.unwrap();
    let step = read_one(&connected, &JOINED, "of a1").await.unwrap().unwrap();
    assert!(step.starts_with("Nested Loop"), "{step}");
}

/// The tests run one after the other, because the first changes settings of the database for every new connection.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn the_planner_on_postgres() {
    on_postgres(the_planner_is_set_unless_the_operator_has_set_it).await;
    on_postgres(the_row_that_another_one_names_is_found_by_index).await;
}
