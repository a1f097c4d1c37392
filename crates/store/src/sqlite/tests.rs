//! What only SQLite promises.

use super::connection::{Database, STATEMENTS_KEPT};
use super::migrate;
use crate::shared::{paged_statements, statements};
use lombard_ports::store::Store;
use lombard_ports::store::StoreError;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

/// Longer than anything here takes.
const PATIENCE: Duration = Duration::from_secs(60);

#[test]
fn every_statement_is_understood_and_numbers_its_parameters_in_order() {
    let database = Database::temporary().unwrap();
    migrate(&database).unwrap();
    let connection = database.connect_writer().unwrap();
    for statement in statements() {
        let prepared = connection
            .prepare(statement.sqlite)
            .unwrap_or_else(|error| panic!("{}: {error}\n{}", statement.table, statement.sqlite));
        for position in 1..=prepared.parameter_count() {
            let name = format!("${position}");
            assert_eq!(prepared.parameter_name(position), Some(name.as_str()), "{}", statement.sqlite);
        }
    }
}

#[test]
fn every_statement_stays_prepared() {
    // Beside those that begin and end transactions.
    let count = statements().count();
    assert!(count + 8 <= STATEMENTS_KEPT, "{count}");
}

#[test]
fn a_second_migration_finds_nothing_to_do() {
    let database = Database::temporary().unwrap();
    assert_eq!(migrate(&database).unwrap().len(), crate::migrations::MIGRATIONS.len());
    assert_eq!(migrate(&database).unwrap(), Vec::<String>::new());
}

#[test]
fn many_processes_migrate_at_once_and_one_does_it() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    let start = std::sync::Barrier::new(6);
    let mut applied: Vec<_> = std::thread::scope(|scope| {
        let node = || {
            start.wait();
            migrate(&Database::at(&path)).unwrap().len()
        };
        let nodes: Vec<_> = (0..6).map(|_| scope.spawn(node)).collect();
        nodes.into_iter().map(|node| node.join().unwrap()).collect()
    });
    applied.sort_unstable();
    assert_eq!(applied, [0, 0, 0, 0, 0, crate::migrations::MIGRATIONS.len()]);
}

#[test]
fn a_new_database_is_its_owners_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    migrate(&Database::at(&path)).unwrap();
    let _open = super::open(Database::at(&path), PATIENCE, None).unwrap();
    for entry in std::fs::read_dir(folder.path()).unwrap() {
        let entry = entry.unwrap();
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{:?}", entry.file_name());
    }
}

#[test]
fn a_database_that_was_not_migrated_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    assert!(super::open(Database::at(&folder.path().join("lombard.db")), PATIENCE, None).is_err());
}

#[test]
fn pending_migrations_are_named_without_touching_the_file() {
    let folder = tempfile::tempdir().unwrap();
    let database = Database::at(&folder.path().join("lombard.db"));
    let all: Vec<_> = crate::migrations::MIGRATIONS.iter().map(|it| it.name.to_owned()).collect();
    assert_eq!(super::pending_migrations(&database).unwrap(), all);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "no file was made");
    migrate(&database).unwrap();
    assert_eq!(super::pending_migrations(&database).unwrap(), Vec::<String>::new());
    let newer = "INSERT INTO schema_migrations (number, name, checksum) VALUES (9999, 'later', '')";
    super::run(&database, newer).unwrap();
    assert!(super::pending_migrations(&database).is_err(), "a newer database is refused");
}

#[test]
fn a_temporary_database_leaves_nothing_behind() {
    let database = Database::temporary().unwrap();
    migrate(&database).unwrap();
    let folder = database.folder().to_owned();
    assert!(folder.exists());
    drop(super::open(database, PATIENCE, None).unwrap());
    assert!(!folder.exists(), "dropping the last store waits for the writer, then removes the files");
}

/// Pages of a list are found through an index, never by sorting or scanning the table.
#[test]
fn pages_come_from_an_index() {
    let database = Database::temporary().unwrap();
    migrate(&database).unwrap();
    let connection = database.connect_writer().unwrap();
    let mut seen = 0;
    for statement in paged_statements() {
        let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {}", statement.sqlite)).unwrap();
        let (mut plan, mut steps) = (String::new(), explain.raw_query());
        while let Some(step) = steps.next().unwrap() {
            plan += &step.get::<_, String>(3).unwrap();
            plan += "; ";
        }
        let sought = plan.contains("SEARCH") || statement.table == "bank_news";
        assert!(sought && !plan.contains("TEMP B-TREE"), "{plan}\n{}", statement.sqlite);
        let side = ["minor >= 0", "minor < 0"].into_iter().find(|side| statement.sqlite.contains(side));
        let index = match (statement.table, side) {
            ("arrangements", _) if statement.sqlite.contains("due_at <= $1") => "arrangements_by_due_time",
            ("arrangements", _) => "sqlite_autoindex_arrangements_1",
            ("statements", _) => "statements_by_end",
            ("orders", _) if statement.sqlite.contains("approve_by <= $1") => "orders_by_end_of_approval",
            ("orders", _) => "orders_awaiting",
            ("order_payments", _) => "sqlite_autoindex_order_payments_1",
            ("bank_orders", _) => "bank_orders_by_due_time",
            // All of it is what is asked for, from its beginning.
            ("bank_news", _) => "bank_news_by_turn",
            ("uploads", _) if statement.sqlite.contains("JOIN consents") => "uploads_unused_by_id",
            ("uploads", _) => "uploads_abandoned",
            ("file_lines", _) => "PRIMARY KEY",
            ("consents", _) => "consents_undecided",
            _ if statement.sqlite.contains("statement_id = $1") => "entries_by_statement",
            _ if statement.sqlite.contains("statement_id IS NULL") => "entries_on_no_statement",
            _ if statement.sqlite.contains("status = 'pending'") => "entries_pending",
            _ if statement.sqlite.contains("seq >= 0") => "entries_booked_by_time",
            (_, Some("minor >= 0")) => "entries_credits_by_time",
            (_, Some(_)) => "entries_debits_by_time",
            (_, None) => "entries_by_time",
        };
        assert!(plan.contains(index), "{plan}\n{}", statement.sqlite);
        seen += 1;
    }
    assert_eq!(seen, 45, "pages of every list, where they begin and end, and what is due");
}

/// A store of its own for each promise.
async fn keeps<F: Future<Output = ()>>(promise: impl FnOnce(Store) -> F) {
    promise(crate::open_temporary().await.unwrap()).await;
}

macro_rules! promises {
    ($($group:ident::$promise:ident,)+) => {$(
        #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
        async fn $promise() {
            keeps(crate::contract::$group::$promise).await;
        }
    )+};
}

mod contract {
    use super::keeps;
    crate::store_contract!(promises);
}

#[tokio::test]
async fn postings_cannot_be_edited() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    let options = crate::Options::new(format!("sqlite://{}", path.display()));
    crate::migrate(&options).await.unwrap();
    let store = crate::open(&options).await.unwrap();
    let connection = Database::at(&path).connect_writer().unwrap();
    // A new beginning takes them away, and what comes after it stays again.
    for _ in 0..2 {
        connection.execute_batch(crate::contract::POSTINGS).unwrap();
        for attempt in ["UPDATE postings SET minor = 6 WHERE minor = 5", "DELETE FROM postings"] {
            assert!(connection.execute_batch(attempt).is_err(), "{attempt}");
        }
        store.write(|tx| tx.forget_all()).await.unwrap();
    }
}

#[tokio::test]
async fn spoilt_news_keep_back_their_order_alone() {
    use crate::contract::bank_orders;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    let options = crate::Options::new(format!("sqlite://{}", path.display()));
    crate::migrate(&options).await.unwrap();
    let store = crate::open(&options).await.unwrap();
    bank_orders::some_news(&store).await;
    assert_eq!(Database::at(&path).connect_writer().unwrap().execute(bank_orders::SPOIL, []).unwrap(), 1);
    bank_orders::spoilt_news_keep_back_their_order_alone(&store).await;
}

/// A page of events and what is done with it touch only the rows they are about, whatever waits.
#[test]
fn evt_056_a_poll_never_walks_the_backlog() {
    let database = Database::temporary().unwrap();
    migrate(&database).unwrap();
    let connection = database.connect_writer().unwrap();
    let plan = |sql: &str| {
        let mut explain = connection.prepare(&format!("EXPLAIN QUERY PLAN {sql}")).unwrap();
        let (mut plan, mut steps) = (String::new(), explain.raw_query());
        while let Some(step) = steps.next().unwrap() {
            plan += &step.get::<_, String>(3).unwrap();
            plan += "; ";
        }
        plan
    };
    let mut seen = 0;
    for statement in statements().filter(|it| it.table == "events") {
        let sql = statement.sqlite;
        let found = plan(sql);
        if sql.contains("ORDER BY reports, deliveries") {
            assert!(found.contains("USING INDEX events_by_turn") && !found.contains("TEMP B-TREE"), "{found}\n{sql}");
            seen += 1;
        } else if sql.contains(" id IN") || sql.contains(" id = $") {
            assert!(found.contains("(id=?)"), "{found}\n{sql}");
            seen += 1;
        } else if sql.contains("ORDER BY number LIMIT 1") {
            assert!(!found.contains("TEMP B-TREE"), "{found}\n{sql}");
            seen += 1;
        }
    }
    assert_eq!(seen, 11);
}

/// Writes down who was woken.
#[derive(Debug, Default)]
struct Heard(parking_lot::Mutex<Vec<String>>);

impl lombard_ports::wake::Wake for Heard {
    fn client(&self, client: &lombard_domain::ids::ClientId) {
        self.0.lock().push(client.to_string());
    }

    fn everyone(&self) {}

    fn hears_others(&self, _: bool) {}
}

#[tokio::test]
async fn evt_062_a_commit_wakes_and_a_rollback_does_not() {
    let heard = std::sync::Arc::new(Heard::default());
    let options =
        crate::Options { wake: Some(std::sync::Arc::clone(&heard) as _), ..crate::Options::new("sqlite::memory:") };
    let store = crate::open(&options).await.unwrap();
    crate::contract::append_and_roll_back(&store, "loser").await;
    assert!(heard.0.lock().is_empty());
    crate::contract::append(&store, "winner").await;
    assert_eq!(*heard.0.lock(), ["winner", "winner"], "once for each event");
}

/// Another process that keeps the writer out (a backup, a person with a shell) holds up callers for so long and no longer,
/// and what was answered so is not done afterwards.
#[tokio::test]
async fn a_transaction_whose_turn_comes_too_late_is_not_done() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("lombard.db");
    migrate(&Database::at(&path)).unwrap();
    let store = super::open(Database::at(&path), Duration::ZERO, None).unwrap();
    let late = store.write(|tx| tx.setting_put("late", "done")).await;
    assert!(matches!(late, Err(StoreError::Unavailable(_))), "{late:?}");
    drop(store);
    let store = super::open(Database::at(&path), PATIENCE, None).unwrap();
    store.write(|tx| tx.setting_put("in time", "done")).await.unwrap();
    let kept = store.read(|tx| Ok::<_, StoreError>((tx.setting("late")?, tx.setting("in time")?))).await.unwrap();
    assert_eq!(kept, (None, Some("done".to_owned())));
}
