//! Reads of one query share connections.

use super::{NOTES, ONE, PATIENCE, add, all, texts, written};
use lombard_database::statement::SqlStatement;
use lombard_database::testing::TestDatabase;
use lombard_database::{Database, SqlTransaction, test_on_both_engines};
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::collections::BTreeSet;
use std::future::Future;
use std::sync::{Arc, Mutex, mpsc};
use std::task::{Context, Waker};

static BACKEND: SqlStatement = SqlStatement { table: "notes", sqlite: "", postgres: "SELECT pg_backend_pid()::text" };

/// Concurrent reads of one query each get their own rows, also after their shared connections were closed.
async fn reads_of_one_query_share_connections(database: Arc<TestDatabase>) {
    let outside = Arc::clone(&database);
    let database = outside.migrated(&[&NOTES]).await;
    for text in ["0", "1", "2", "3"] {
        written(&database, text).await;
    }
    let read = |asked, text| read_one(&database, asked, text);
    for _ in 0..3 {
        let mut dropped = Box::pin(read(&ONE, "3"));
        let is_ready = dropped.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready();
        // PostgreSQL rarely answers within a poll, but a connection that was closed fails at once.
        assert!(is_ready || outside.is_remote());
        drop(dropped);
        // There are more reads than connections. Reads in progress on a closed connection fail; later reads connect again.
        for attempt in 1.. {
            let texts = ["0", "1", "2", "3", "absent"].repeat(40);
            let answers = futures_util::future::join_all(texts.iter().map(|text| read(&ONE, text))).await;
            for (text, answer) in texts.iter().zip(&answers) {
                match answer {
                    Ok(found) => assert_eq!(found.as_deref(), Some(*text).filter(|it| it.len() == 1)),
                    Err(error) => assert!(matches!(error, StoreError::Unavailable(_)), "{error:?}"),
                }
            }
            if answers.iter().all(Result::is_ok) {
                break;
            }
            assert!(outside.is_remote() && attempt < 1000, "{answers:?}");
        }
        if outside.is_remote() {
            let used = futures_util::future::join_all((0..20).map(|_| read(&BACKEND, ""))).await;
            let used: BTreeSet<String> = used.into_iter().map(|it| it.unwrap().unwrap()).collect();
            assert!((2..=4).contains(&used.len()), "of a pool of 16: {used:?}");
            for process in used {
                outside.texts(&format!("SELECT pg_terminate_backend({process})::text")).await;
            }
        }
    }
}

/// The first row of a query, read without a transaction; an empty text stands for no parameter.
pub(super) fn read_one(
    database: &Database,
    asked: &'static SqlStatement,
    text: &'static str,
) -> impl Future<Output = Result<Option<String>, StoreError>> + use<> {
    let (database, found) = (database.clone(), Arc::new(Mutex::new(None)));
    let inside = Arc::clone(&found);
    let work = move |session: &mut SqlTransaction<'_>| {
        let parameters = if text.is_empty() { vec![] } else { vec![text.into()] };
        *inside.lock().unwrap() = session.one(asked, &parameters, |row| row.id::<String>()).ok().flatten();
        TransactionVerdict::Commit
    };
    async move {
        let done = database.read_by_one_query(Box::new(work)).await;
        done.map(|()| found.lock().unwrap().take())
    }
}

/// Writes that hold all connections of the pool do not delay reads of one query, because these share an open connection.
async fn reads_do_not_wait_for_connections_that_writes_hold(database: Arc<TestDatabase>) {
    let outside = Arc::clone(&database);
    let database = outside.migrated(&[&NOTES]).await;
    written(&database, "0").await;
    assert_eq!(read_one(&database, &ONE, "0").await.unwrap().as_deref(), Some("0"));
    let (held, holds) = mpsc::channel();
    let (release, released) = mpsc::channel();
    let holder = database.clone();
    let holding = tokio::spawn(async move {
        let mut is_held = false;
        let work = move |session: &mut SqlTransaction<'_>| {
            let (Ok(()), Ok(_)) = (add(session, "same"), texts(session)) else { return TransactionVerdict::RollBack };
            if !std::mem::replace(&mut is_held, true) {
                held.send(()).unwrap();
                released.recv_timeout(PATIENCE).unwrap();
            }
            TransactionVerdict::RollBack
        };
        holder.write(Box::new(work)).await
    });
    tokio::task::spawn_blocking(move || holds.recv_timeout(PATIENCE).unwrap()).await.unwrap();
    let same = |database: Database| async move {
        let work = |session: &mut SqlTransaction<'_>| match add(session, "same") {
            Ok(()) => TransactionVerdict::Commit,
            Err(_) => TransactionVerdict::RollBack,
        };
        database.write(Box::new(work)).await
    };
    let waiting: Vec<_> = (0..20).map(|_| tokio::spawn(same(database.clone()))).collect();
    if outside.is_remote() {
        // Of a pool of 16, one is shared and one holds the row.
        let blocked = "SELECT pid::text FROM pg_stat_activity \
                       WHERE datname = current_database() AND wait_event_type = 'Lock'";
        let all_are_blocked = async { while outside.texts(blocked).await.len() < 14 {} };
        tokio::time::timeout(PATIENCE, all_are_blocked).await.unwrap();
    }
    let reads = futures_util::future::join_all((0..40).map(|_| read_one(&database, &ONE, "0"))).await;
    assert!(reads.iter().all(|read| read.as_ref().is_ok_and(|found| found.as_deref() == Some("0"))), "{reads:?}");
    assert!(waiting.iter().all(|write| !write.is_finished()));
    release.send(()).unwrap();
    holding.await.unwrap().unwrap();
    for write in waiting {
        // The first write commits; the others find its row, or have waited too long for a connection.
        let written = write.await.unwrap();
        assert!(matches!(written, Ok(()) | Err(StoreError::Duplicate(_) | StoreError::Unavailable(_))), "{written:?}");
    }
    assert_eq!(all(&database).await, ["0", "same"]);
}

test_on_both_engines! {
    reads_of_one_query_share_connections,
    reads_do_not_wait_for_connections_that_writes_hold,
}
