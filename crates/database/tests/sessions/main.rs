//! Transaction semantics on both engines.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test's helpers fail as the test does; clippy.toml exempts only functions marked as tests"
)]

mod group_read;
mod group_write;
mod planner;
mod shared_reads;
mod silence;

use lombard_database::statement::SqlStatement;
use lombard_database::testing::TestDatabase;
use lombard_database::value::SqlValue;
use lombard_database::{Database, Migration, Query, Schema, SqlTransaction, must_change_one, test_on_both_engines};
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::future::Future as _;
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Waker};
use std::time::Duration;

/// How long a test waits for another thread before it fails.
const PATIENCE: Duration = Duration::from_secs(20);

const MAKE: &str = "CREATE TABLE notes (text TEXT NOT NULL PRIMARY KEY)";

static NOTES: Schema = Schema {
    history: "note_migrations",
    migrations: &[Migration { number: 1, name: "0001_notes", sqlite: MAKE, postgres: MAKE, works_from: 0 }],
    expands_after: 1,
    before: None,
};

const MAKE_LABELS: &str =
    "CREATE TABLE labels (text TEXT NOT NULL PRIMARY KEY, note TEXT NOT NULL REFERENCES notes (text));
    CREATE TABLE marks (label TEXT NOT NULL REFERENCES labels (text), mark TEXT NOT NULL, PRIMARY KEY (label, mark))";

/// Tables that refer to [`NOTES`] and to each other.
static LABELS: Schema = Schema {
    history: "label_migrations",
    migrations: &[Migration {
        number: 1,
        name: "0001_labels",
        sqlite: MAKE_LABELS,
        postgres: MAKE_LABELS,
        works_from: 0,
    }],
    expands_after: 1,
    before: None,
};

const fn of(table: &'static str, text: &'static str) -> SqlStatement {
    SqlStatement { table, sqlite: text, postgres: text }
}

const fn statement(text: &'static str) -> SqlStatement {
    of("notes", text)
}

static ADD: SqlStatement = statement("INSERT INTO notes (text) VALUES ($1)");
static ADD_LABEL: SqlStatement = of("labels", "INSERT INTO labels (note, text) VALUES ($1, $2)");
static ALL: SqlStatement = statement("SELECT text FROM notes ORDER BY text");
static CLEAR: SqlStatement = statement("DELETE FROM notes");
static ONE: SqlStatement = statement("SELECT text FROM notes WHERE text = $1");
static RENAME: SqlStatement = {
    let text = must_change_one!("UPDATE notes SET text = $1 WHERE text = $2");
    SqlStatement { table: "notes", sqlite: text.sqlite, postgres: text.postgres }
};

fn add(session: &mut SqlTransaction<'_>, text: &str) -> Result<(), StoreError> {
    session.execute(&ADD, &[text.into()]).map(drop)
}

fn later(session: &mut SqlTransaction<'_>, text: &str) -> Result<(), StoreError> {
    session.execute_later(&ADD, &[text.into()])
}

fn texts(session: &mut SqlTransaction<'_>) -> Result<Vec<String>, StoreError> {
    session.all(&ALL, &[], |row| row.id())
}

async fn written(database: &Database, text: &'static str) {
    write(database, move |session| add(session, text)).await.0.unwrap();
}

async fn all(database: &Database) -> Vec<String> {
    let found = Arc::new(Mutex::new(Vec::new()));
    let inside = Arc::clone(&found);
    let work = move |session: &mut SqlTransaction<'_>| {
        let Ok(texts) = texts(session) else { return TransactionVerdict::RollBack };
        *inside.lock().unwrap() = texts;
        TransactionVerdict::Commit
    };
    database.read(Box::new(work)).await.unwrap();
    std::mem::take(&mut *found.lock().unwrap())
}

/// A panic in a closure fails that call only: its transaction is rolled back, and other calls are not affected.
async fn a_panicking_closure_harms_nobody(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    for round in ["0", "1", "2"] {
        let panicking = database.write(Box::new(|session| {
            if add(session, "half done").is_err() {
                return TransactionVerdict::RollBack;
            }
            panic!("a closure under test panics, as it should")
        }));
        let (panicked, ()) = tokio::join!(panicking, written(&database, round));
        assert!(matches!(panicked, Err(StoreError::Unavailable(_))), "{panicked:?}");
    }
    let panicked = database.read(Box::new(|_| panic!("so does a reading one"))).await;
    assert!(matches!(panicked, Err(StoreError::Unavailable(_))), "{panicked:?}");
    assert_eq!(all(&database).await, ["0", "1", "2"]);
}

/// A closure that ignores a failed statement and reports success is not committed.
async fn a_failure_that_is_swallowed_commits_nothing(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "taken").await;
    let work = |session: &mut SqlTransaction<'_>| {
        if add(session, "before").is_err() {
            return TransactionVerdict::RollBack;
        }
        let _swallowed = add(session, "taken");
        let _refused = add(session, "after");
        TransactionVerdict::Commit
    };
    let outcome = database.write(Box::new(work)).await;
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    assert_eq!(all(&database).await, ["taken"]);
}

/// A read sees one snapshot of the database in spite of concurrent writes.
async fn reads_see_a_snapshot(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "old").await;
    let (looked, looks) = mpsc::channel();
    let (wrote, writes) = mpsc::channel();
    let writer = database.clone();
    let writing = tokio::spawn(async move {
        tokio::task::spawn_blocking(move || looks.recv_timeout(PATIENCE).unwrap()).await.unwrap();
        written(&writer, "new").await;
        wrote.send(()).unwrap();
    });
    let (seen, reader) = (Arc::new(Mutex::new(Vec::new())), database.clone());
    let inside = Arc::clone(&seen);
    let reading = tokio::spawn(async move {
        let mut is_written = false;
        let work = move |session: &mut SqlTransaction<'_>| {
            // The closure may run more than once, up to the query whose rows it waits for.
            let Ok(first) = texts(session) else { return TransactionVerdict::RollBack };
            if !std::mem::replace(&mut is_written, true) {
                looked.send(()).unwrap();
                writes.recv_timeout(PATIENCE).unwrap();
            }
            let Ok(second) = texts(session) else { return TransactionVerdict::RollBack };
            *inside.lock().unwrap() = vec![first, second];
            TransactionVerdict::Commit
        };
        reader.read(Box::new(work)).await.unwrap();
    });
    reading.await.unwrap();
    writing.await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [["old"], ["old"]]);
    assert_eq!(all(&database).await, ["new", "old"], "what was acknowledged is seen");
}

/// Runs a transaction that writes. Returns the closure's last result, and the number of round trips.
async fn write<T: Send + 'static>(
    database: &Database,
    mut work: impl FnMut(&mut SqlTransaction<'_>) -> Result<T, StoreError> + Send + 'static,
) -> (Result<T, StoreError>, u64) {
    let (slot, before) = (Arc::new(Mutex::new(None)), database.traffic());
    let inside = Arc::clone(&slot);
    let work = move |session: &mut SqlTransaction<'_>| {
        let result = work(session);
        let verdict = if result.is_ok() { TransactionVerdict::Commit } else { TransactionVerdict::RollBack };
        *inside.lock().unwrap() = Some(result);
        verdict
    };
    let done = database.write(Box::new(work)).await;
    let result = slot.lock().unwrap().take().unwrap();
    (done.and(result), database.traffic().since(before).round_trips)
}

/// Statements whose results are not awaited need no round trip of their own, and later statements see their effects.
async fn what_nobody_waits_for_is_sent_with_what_follows(database: Arc<TestDatabase>) {
    let has_server = database.is_remote();
    let database = database.migrated(&[&NOTES]).await;
    let (done, round_trips) =
        write(&database, move |session| ["a", "b", "c"].iter().try_for_each(|text| later(session, text))).await;
    done.unwrap();
    assert_eq!(round_trips, u64::from(has_server), "begin, three statements and commit");
    let (found, round_trips) = write(&database, move |session| {
        later(session, "d")?;
        let found = texts(session)?;
        later(session, "e")?;
        Ok(found)
    })
    .await;
    assert_eq!(found.unwrap(), ["a", "b", "c", "d"]);
    assert_eq!(round_trips, 2 * u64::from(has_server));
    assert_eq!(all(&database).await, ["a", "b", "c", "d", "e"]);
}

/// A failure of a statement whose result is not awaited fails the transaction, wherever the failure is detected.
async fn a_failure_that_comes_late_commits_nothing(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "taken").await;
    let at_commit = write(&database, move |session| {
        add(session, "1")?;
        later(session, "2")?;
        later(session, "taken")?;
        later(session, "3")
    });
    assert!(matches!(at_commit.await.0, Err(StoreError::Duplicate("notes"))));
    let at_query = write(&database, move |session| {
        later(session, "taken")?;
        texts(session).map(drop)
    });
    assert!(matches!(at_query.await.0, Err(StoreError::Duplicate("notes"))));
    for (id, changed) in [("absent", 0), ("taken", 1)] {
        let (outcome, _) = write(&database, move |session| {
            later(session, "before")?;
            session.execute_later_on(&RENAME, &["renamed".into(), id.into()], id)
        })
        .await;
        match changed {
            0 => assert!(matches!(outcome, Err(StoreError::Corrupt { table: "notes", .. })), "{outcome:?}"),
            _ => outcome.unwrap(),
        }
    }
    assert_eq!(all(&database).await, ["before", "renamed"]);
}

/// A transaction of one statement needs no `BEGIN` and `COMMIT`; a transaction of several statements does.
async fn a_single_statement_is_a_transaction_by_itself(database: Arc<TestDatabase>) {
    let has_server = database.is_remote();
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    for (labels, statements) in [(0, 1), (2, 5)] {
        let before = database.traffic();
        let note = format!("with {labels}");
        let work = move |session: &mut SqlTransaction<'_>| {
            session.execute_later(&ADD, &[(&note).into()])?;
            let add = |number| session.execute_later(&ADD_LABEL, &[(&note).into(), format!("{number}").into()]);
            (0..labels).try_for_each(add)
        };
        write(&database, work).await.0.unwrap();
        let sent = database.traffic().since(before);
        let expected = if has_server { (1, statements) } else { (0, 0) };
        assert_eq!((sent.round_trips, sent.statements), expected);
    }
    let (outcome, _) = write(&database, |session| session.execute_later(&ADD, &["with 0".into()])).await;
    assert!(matches!(outcome, Err(StoreError::Duplicate("notes"))), "{outcome:?}");
    let (outcome, _) =
        write(&database, |session| session.execute_later(&ADD_LABEL, &["absent".into(), "a".into()])).await;
    assert!(matches!(outcome, Err(StoreError::Corrupt { .. })), "{outcome:?}");
    assert_eq!(all(&database).await, ["with 0", "with 2"]);
}

/// If a value cannot be sent, the transaction is not committed without it.
async fn what_cannot_be_sent_is_not_left_out(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    let (outcome, _) = write(&database, move |session| {
        session.execute_later(&ADD, &["before".into()])?;
        session.execute_later(&ADD, &[SqlValue::Bytes(&[1])])?;
        session.execute_later(&ADD, &["after".into()])
    })
    .await;
    if outcome.is_err() {
        assert_eq!(all(&database).await, [""; 0]);
    }
    written(&database, "the connection is sound").await;
}

/// A reader that is dropped while it waits leaves no transaction behind on the connection.
async fn a_dropped_reader_leaves_no_transaction(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    for round in 0..20 {
        let mut reading = Box::pin(all(&database));
        // Dropped at various times: before it has a connection, before or after its rows have arrived.
        for _ in 0..round {
            if reading.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready() {
                break;
            }
            tokio::task::yield_now().await;
        }
        drop(reading);
        let (done, _) = write(&database, move |session| add(session, &format!("{round}"))).await;
        done.unwrap();
    }
    assert_eq!(all(&database).await.len(), 20);
}

/// A read takes one round trip each time it waits for rows, and none to begin or end.
async fn reads_take_as_many_round_trips_as_they_wait(database: Arc<TestDatabase>) {
    let remote = database.is_remote();
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "a").await;
    all(&database).await;
    let before = database.traffic();
    all(&database).await;
    assert_eq!(database.traffic().since(before).round_trips, u64::from(remote));
    let found = Arc::new(Mutex::new(Vec::new()));
    let inside = Arc::clone(&found);
    let work = move |session: &mut SqlTransaction<'_>| {
        let mut both = [0, 0];
        let queries = [Query::new(&ALL, []), Query::new(&ALL, [])];
        let done = session.query_together(&queries, |number, _| {
            both[number] += 1;
            Ok(())
        });
        inside.lock().unwrap().push(done.map(|()| both));
        TransactionVerdict::Commit
    };
    let before = database.traffic();
    database.read(Box::new(work)).await.unwrap();
    assert_eq!(database.traffic().since(before).round_trips, u64::from(remote));
    assert!(matches!(found.lock().unwrap().last(), Some(Ok([1, 1]))));
}

/// A read with very many queries sees one snapshot to its end.
async fn a_read_may_ask_often(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "7").await;
    let found = Arc::new(Mutex::new(0));
    let inside = Arc::clone(&found);
    let patient = move |session: &mut SqlTransaction<'_>| {
        for _ in 0..40 {
            let Ok(Some(_)) = session.one(&ONE, &["7".into()], |row| row.id::<String>()) else {
                return TransactionVerdict::RollBack;
            };
        }
        *inside.lock().unwrap() += 1;
        TransactionVerdict::Commit
    };
    database.read(Box::new(patient)).await.unwrap();
    assert_eq!(*found.lock().unwrap(), 1);
}

/// A closure that waits often, or writes many rows, commits everything exactly once, and nothing if it fails at its end. The same
/// holds for a closure whose statements differ from run to run.
async fn a_write_is_carried_out_once_however_often_it_waits(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES]).await;
    for waits in [1_usize, 3, 4, 5, 9] {
        for (end, is_kept) in [("", true), ("0", false)] {
            let before = all(&database).await;
            let (outcome, _) = write(&database, move |session| {
                for number in 0..waits {
                    later(session, &format!("{waits} {number} before"))?;
                    assert!(texts(session)?.contains(&format!("{waits} {number} before")));
                    add(session, &format!("{waits} {number}"))?;
                }
                add(session, &format!("{waits} {end}"))
            })
            .await;
            assert_eq!(outcome.is_ok(), is_kept, "{waits} {outcome:?}");
            let added = all(&database).await.len() - before.len();
            assert_eq!(added, if is_kept { 2 * waits + 1 } else { 0 }, "{waits}");
            database
                .write(Box::new(|session| {
                    let _ = session.execute_later(&CLEAR, &[]);
                    TransactionVerdict::Commit
                }))
                .await
                .unwrap();
        }
    }
    let (outcome, _) = write(&database, move |session| {
        add(session, "first")?;
        (0..200).try_for_each(|number| later(session, &format!("many {number:03}")))?;
        texts(session)
    })
    .await;
    assert_eq!((outcome.unwrap().len(), all(&database).await.len()), (201, 201));
    let mut runs = 0;
    let (outcome, _) = write(&database, move |session| {
        runs += 1;
        later(session, &format!("run {runs}"))?;
        add(session, &format!("waited {runs}"))?;
        texts(session)
    })
    .await;
    let found = outcome.unwrap();
    assert_eq!(found, all(&database).await, "what the last run saw was committed");
    assert_eq!(found.iter().filter(|it| it.starts_with("run") || it.starts_with("waited")).count(), 2, "{found:?}");
}

test_on_both_engines! {
    a_write_is_carried_out_once_however_often_it_waits,
    what_nobody_waits_for_is_sent_with_what_follows,
    a_failure_that_comes_late_commits_nothing,
    a_single_statement_is_a_transaction_by_itself,
    what_cannot_be_sent_is_not_left_out,
    a_dropped_reader_leaves_no_transaction,
    reads_take_as_many_round_trips_as_they_wait,
    a_read_may_ask_often,
    a_panicking_closure_harms_nobody,
    a_failure_that_is_swallowed_commits_nothing,
    reads_see_a_snapshot,
}
