//! Migrations that expand: applied one by one while others use the database, and accepted by programs that do not know them.

use lombard_database::testing::{TestDatabase, migrate_within, on_postgres};
use lombard_database::{
    Database, Migration, PlannedDuration, Schema, migrate_store, pending_migrations, plan_migrations,
    test_on_both_engines,
};
use lombard_ports::store::StoreError;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio_postgres::{Client, NoTls};

const HISTORY: &str = "shop_migrations";

const fn step(number: i64, name: &'static str, text: &'static str) -> Migration {
    Migration { number, name, sqlite: text, postgres: text, works_from: 0 }
}

const GOODS: Migration = step(1, "0001_goods", "CREATE TABLE goods (id TEXT NOT NULL PRIMARY KEY)");
const PRICES: Migration = step(2, "0002_prices", "ALTER TABLE goods ADD COLUMN price BIGINT");
const GOODS_BY_PRICE: Migration = Migration {
    number: 3,
    name: "0003_goods_by_price",
    sqlite: "CREATE INDEX goods_by_price ON goods (price)",
    postgres: "CREATE INDEX CONCURRENTLY goods_by_price ON goods (price)",
    works_from: 0,
};
const CARTS: Migration = step(4, "0004_carts", "CREATE TABLE carts (id TEXT NOT NULL PRIMARY KEY)");
/// A contraction: programs that know the fourth migration do without the column.
const NO_PRICES: Migration = Migration {
    number: 5,
    name: "0005_no_prices",
    sqlite: "DROP INDEX goods_by_price; ALTER TABLE goods DROP COLUMN price",
    postgres: "ALTER TABLE goods DROP COLUMN price",
    works_from: 4,
};

const fn schema(migrations: &'static [Migration]) -> Schema {
    Schema { history: HISTORY, migrations, expands_after: 1, before: None }
}

static FIRST: Schema = schema(&[GOODS]);
static NEXT: Schema = schema(&[GOODS, PRICES, GOODS_BY_PRICE, CARTS]);
static LATER: Schema = schema(&[GOODS, PRICES, GOODS_BY_PRICE, CARTS, NO_PRICES]);
/// Its third migration fails: the table exists.
static BROKEN: Schema = schema(&[GOODS, PRICES, step(3, "0003_goods", "CREATE TABLE goods (id TEXT)")]);

/// An error with its causes.
fn message(error: &StoreError) -> String {
    let error: &dyn std::error::Error = error;
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

async fn history(database: &TestDatabase) -> Vec<String> {
    let works_from = "COALESCE(CAST(works_from AS TEXT), 'its own')";
    database
        .texts(&format!("SELECT name || ' from ' || {works_from} FROM {HISTORY} WHERE number > 0 ORDER BY number"))
        .await
}

async fn a_migration_that_fails_leaves_those_before_it(database: Arc<TestDatabase>) {
    assert!(migrate_store(&database.options, &[&BROKEN]).await.is_err());
    assert_eq!(history(&database).await, ["0001_goods from its own", "0002_prices from 0"]);
    assert_eq!(migrate_store(&database.options, &[&NEXT]).await.unwrap(), ["0003_goods_by_price", "0004_carts"]);
}

async fn a_program_works_with_newer_migrations_that_expand(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[&FIRST]).await.unwrap();
    migrate_store(&database.options, &[&NEXT]).await.unwrap();
    Database::open(&database.options, &[&FIRST]).await.unwrap();
    assert_eq!(migrate_store(&database.options, &[&FIRST]).await.unwrap(), [""; 0]);
    assert_eq!(pending_migrations(&database.options, &[&FIRST]).await.unwrap(), [""; 0]);
    let plan = plan_migrations(&database.options, &[&FIRST]).await.unwrap();
    assert!(plan.migrations.is_empty());
    assert_eq!(plan.newer, ["0002_prices", "0003_goods_by_price", "0004_carts"]);
}

async fn a_program_is_refused_once_what_it_uses_is_taken_away(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[&LATER]).await.unwrap();
    Database::open(&database.options, &[&NEXT]).await.unwrap();
    let refused = Database::open(&database.options, &[&FIRST]).await.unwrap_err();
    let said = message(&refused);
    for part in ["applied migration 0005_no_prices", "knows none after 0001_goods", "Start a newer version"] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

async fn the_history_of_an_earlier_release_is_completed(database: Arc<TestDatabase>) {
    database.apply_as(HISTORY, [(1, &GOODS)].into_iter()).await;
    Database::open(&database.options, &[&FIRST]).await.unwrap();
    migrate_store(&database.options, &[&NEXT]).await.unwrap();
    let expected = ["0001_goods from its own", "0002_prices from 0", "0003_goods_by_price from 0", "0004_carts from 0"];
    assert_eq!(history(&database).await, expected);
}

async fn a_plan_counts_the_rows_and_changes_nothing(database: Arc<TestDatabase>) {
    migrate_store(&database.options, &[&FIRST]).await.unwrap();
    database.run("INSERT INTO goods (id) VALUES ('a'), ('b'), ('c')").await.unwrap();
    database.run("ANALYZE goods").await.unwrap();
    for _ in 0..2 {
        let plan = plan_migrations(&database.options, &[&NEXT]).await.unwrap();
        let names: Vec<_> = plan.migrations.iter().map(|it| it.name).collect();
        assert_eq!(names, ["0002_prices", "0003_goods_by_price", "0004_carts"]);
        let index = &plan.migrations[1].steps[0];
        let times = if database.is_remote() { 2 } else { 1 };
        assert_eq!(index.duration, PlannedDuration::Scan { times, rows: Some(3) });
    }
    let nothing = plan_migrations(&database.options, &[&FIRST]).await.unwrap();
    assert!(nothing.migrations.is_empty() && nothing.newer.is_empty());
}

test_on_both_engines! {
    a_migration_that_fails_leaves_those_before_it,
    a_program_works_with_newer_migrations_that_expand,
    a_program_is_refused_once_what_it_uses_is_taken_away,
    the_history_of_an_earlier_release_is_completed,
    a_plan_counts_the_rows_and_changes_nothing,
}

/// Another connection to the database.
async fn connect(database: &TestDatabase) -> Client {
    let (client, connection) = tokio_postgres::connect(&database.options.url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn nodes_that_migrate_at_once_wait_for_an_index_without_a_deadlock() {
    on_postgres(async |database| {
        migrate_store(&database.options, &[&FIRST]).await.unwrap();
        let nodes: Vec<_> = (0..6)
            .map(|_| {
                let options = database.options.clone();
                tokio::spawn(async move { migrate_store(&options, &[&NEXT]).await.unwrap().len() })
            })
            .collect();
        let mut applied = 0;
        for node in nodes {
            applied += node.await.unwrap();
        }
        assert_eq!(applied, 3, "each migration once, whoever applies it");
        Database::open(&database.options, &[&NEXT]).await.unwrap();
    })
    .await;
}

/// Two databases on a server would otherwise wait for each other.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_node_that_makes_an_index_holds_its_turn_without_a_snapshot() {
    on_postgres(async |database| {
        migrate_store(&database.options, &[&FIRST]).await.unwrap();
        let watcher = connect(&database).await;
        let report = connect(&database).await;
        report
            .batch_execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM shop_migrations")
            .await
            .unwrap();
        let options = database.options.clone();
        let migration = tokio::spawn(async move { migrate_store(&options, &[&NEXT]).await.unwrap() });
        let waits = "SELECT FROM pg_stat_activity WHERE query LIKE 'CREATE INDEX CONCURRENTLY goods_by_price%' \
                     AND wait_event_type = 'Lock' AND datname = current_database()";
        while watcher.query(waits, &[]).await.unwrap().is_empty() {
            assert!(!migration.is_finished(), "the index waits for the report");
            tokio::task::yield_now().await;
        }
        let holders = "SELECT backend_xmin IS NULL FROM pg_stat_activity JOIN pg_locks USING (pid) \
                       WHERE relation = 'shop_migrations'::regclass AND mode = 'RowShareLock'";
        let holders: Vec<bool> = watcher.query(holders, &[]).await.unwrap().iter().map(|row| row.get(0)).collect();
        assert_eq!(holders, [true], "one node holds the turn");
        report.batch_execute("COMMIT").await.unwrap();
        assert_eq!(migration.await.unwrap().len(), 3);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_index_that_was_left_unfinished_is_made_again() {
    on_postgres(async |database| {
        migrate_store(&database.options, &[&FIRST]).await.unwrap();
        database
            .run("ALTER TABLE goods ADD COLUMN price BIGINT; CREATE INDEX goods_by_price ON goods (id)")
            .await
            .unwrap();
        let unfinished = "UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'goods_by_price'::regclass";
        database.run(unfinished).await.unwrap();
        static INDEX_ALONE: Schema = schema(&[GOODS, GOODS_BY_PRICE]);
        assert_eq!(migrate_store(&database.options, &[&INDEX_ALONE]).await.unwrap(), ["0003_goods_by_price"]);
        let query =
            "SELECT indexdef FROM pg_indexes WHERE indexname = 'goods_by_price' AND schemaname = current_schema()";
        let made = database.texts(query).await;
        assert!(made[0].ends_with("(price)"), "{made:?}");
        let valid = "SELECT indisvalid::text FROM pg_index WHERE indexrelid = 'goods_by_price'::regclass";
        assert_eq!(database.texts(valid).await, ["true"]);
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_migration_gives_a_lock_up_soon_and_names_who_holds_it() {
    const LOCK_WAIT: Duration = Duration::from_millis(200);
    const ATTEMPTS: u32 = 3;
    on_postgres(async |database| {
        migrate_store(&database.options, &[&FIRST]).await.unwrap();
        let holder = connect(&database).await;
        holder.batch_execute("BEGIN; SELECT count(*) FROM goods").await.unwrap();
        let reader = connect(&database).await;
        let options = database.options.clone();
        let migration = tokio::spawn(async move { migrate_within(&options, &[&NEXT], LOCK_WAIT, ATTEMPTS).await });
        let mut longest = Duration::ZERO;
        while !migration.is_finished() {
            let since = Instant::now();
            reader.query_one("SELECT count(*) FROM goods", &[]).await.unwrap();
            longest = longest.max(since.elapsed());
        }
        // The reader queues behind the migration, which waits for the holder.
        assert!(longest < LOCK_WAIT * 5, "{longest:?}");
        let said = message(&migration.await.unwrap().unwrap_err());
        let expected =
            ["0002_prices tried 3 times to lock the table goods (ACCESS EXCLUSIVE)", "process ", "lombard migrate"];
        for part in expected {
            assert!(said.contains(part), "{part}: {said}");
        }
        holder.batch_execute("COMMIT").await.unwrap();
        assert_eq!(migrate_within(&database.options, &[&NEXT], LOCK_WAIT, ATTEMPTS).await.unwrap().len(), 3);
    })
    .await;
}
