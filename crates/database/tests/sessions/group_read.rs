//! The same query of several callers is sent as one statement.

use super::shared_reads::read_one;
use super::{NOTES, ONE, statement, write, written};
use lombard_database::statement::SqlStatement;
use lombard_database::testing::TestDatabase;
use lombard_database::value::SqlValue;
use lombard_database::{Database, SqlTransaction, StoreOptions, test_on_both_engines};
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::future::Future as _;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

/// A query with a parameter of each type, one of them used twice, that returns several rows in a defined order.
static SOME: SqlStatement = SqlStatement {
    table: "notes",
    sqlite: "SELECT text, $1 FROM notes WHERE text >= $2 AND length($2) = 2 ORDER BY text DESC LIMIT $3",
    postgres: "SELECT text, $1::bytea FROM notes WHERE text >= $2 AND length($2) = 2 ORDER BY text DESC LIMIT $3",
};
/// A query that PostgreSQL refuses for an empty text.
static DIVIDED: SqlStatement = statement("SELECT text FROM notes WHERE text = $1 AND 4 / length($1) = 2");

/// The texts from the given one on, latest first, each with the caller's mark.
async fn latest(database: &Database, from: String, most: i64, mark: u8) -> Vec<(String, Vec<u8>)> {
    let found = Arc::new(Mutex::new(Vec::new()));
    let inside = Arc::clone(&found);
    let work = move |session: &mut SqlTransaction<'_>| {
        let parameters = [SqlValue::OwnedBytes(vec![mark]), (&from).into(), most.into()];
        *inside.lock().unwrap() =
            session.all(&SOME, &parameters, |row| Ok((row.id::<String>()?, row.bytes()?.to_vec()))).unwrap_or_default();
        TransactionVerdict::Commit
    };
    database.read_by_one_query(Box::new(work)).await.unwrap();
    let mut found = found.lock().unwrap();
    std::mem::take(&mut *found)
}

/// Concurrent callers of two queries each get their own rows, in order, and need fewer round trips than there are callers, for
/// any number of connections.
async fn each_caller_of_many_gets_the_rows_of_its_own_query(database: Arc<TestDatabase>) {
    let outside = Arc::clone(&database);
    let database = outside.migrated(&[&NOTES]).await;
    let add = |session: &mut SqlTransaction<'_>| (10..60).try_for_each(|it| super::add(session, &it.to_string()));
    write(&database, add).await.0.unwrap();
    for pool_size in [1, 3, 4, 16] {
        let options = StoreOptions { pool_size, ..outside.options.clone() };
        read_at_once(&Database::open(&options, &[&NOTES]).await.unwrap(), outside.is_remote()).await;
    }
}

async fn read_at_once(database: &Database, is_remote: bool) {
    let before = database.traffic();
    let lists = futures_util::future::join_all((0..90).map(|number: u8| {
        let from = 10 + usize::from(number) % 70;
        latest(database, from.to_string(), i64::from(number % 4), number)
    }));
    let single = futures_util::future::join_all((0..90).map(|number| {
        let wanted = ["10", "35", "59", "60", "nul\0"][number % 5];
        read_one(database, &ONE, wanted)
    }));
    let (lists, single) = futures_util::future::join(lists, single).await;
    let round_trips = database.traffic().since(before).round_trips;
    for (number, found) in (0_u8..).zip(lists) {
        let (from, most) = (10 + u32::from(number) % 70, usize::from(number % 4));
        let expected: Vec<_> = (from..60).rev().take(most).map(|it| (it.to_string(), vec![number])).collect();
        assert_eq!(found, expected, "caller {number}");
    }
    for (number, found) in single.into_iter().enumerate() {
        let expected = ["10", "35", "59"].get(number % 5).map(|it| String::from(*it));
        assert_eq!(found.unwrap(), expected, "caller {number}");
    }
    let expected = if is_remote { 1..90 } else { 0..1 };
    assert!(expected.contains(&round_trips), "{round_trips}");
}

/// Of many concurrent queries only the faulty one is refused.
async fn a_query_that_is_refused_takes_no_other_with_it(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "ab").await;
    let read = |number: usize| divided(&database, if number % 30 == 7 { "" } else { "ab" });
    for (number, found) in futures_util::future::join_all((0..90).map(read)).await.into_iter().enumerate() {
        match found {
            Ok(found) => assert_eq!(found.as_deref(), (number % 30 != 7).then_some("ab"), "caller {number}"),
            Err(StoreError::Corrupt { table: "notes", .. }) => {
                assert!(is_remote && number % 30 == 7, "caller {number}")
            }
            Err(error) => panic!("caller {number}: {error:?}"),
        }
    }
}

async fn divided(database: &Database, text: &'static str) -> Result<Option<String>, StoreError> {
    let found = Arc::new(Mutex::new(Ok(None)));
    let inside = Arc::clone(&found);
    let work = move |session: &mut SqlTransaction<'_>| {
        *inside.lock().unwrap() = session.one(&DIVIDED, &[text.into()], |row| row.id::<String>());
        TransactionVerdict::Commit
    };
    database.read_by_one_query(Box::new(work)).await?;
    let mut found = found.lock().unwrap();
    std::mem::replace(&mut *found, Ok(None))
}

/// Dropped callers, whether they send or wait, do not block other callers.
async fn callers_that_are_dropped_keep_nobody_waiting(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let database = database.migrated(&[&NOTES]).await;
    written(&database, "kept").await;
    for _ in 0..20 {
        let mut callers: Vec<_> = (0..60).map(|_| Box::pin(read_one(&database, &ONE, "kept"))).collect();
        for caller in &mut callers {
            let is_ready = caller.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready();
            assert_eq!(is_ready, !is_remote);
        }
        if !is_remote {
            return;
        }
        let mut number = 0;
        callers.retain(|_| {
            number += 1;
            number > 8 && number % 3 != 0
        });
        for found in futures_util::future::join_all(callers).await {
            assert_eq!(found.unwrap().as_deref(), Some("kept"));
        }
    }
}

test_on_both_engines! {
    each_caller_of_many_gets_the_rows_of_its_own_query,
    a_query_that_is_refused_takes_no_other_with_it,
    callers_that_are_dropped_keep_nobody_waiting,
}
