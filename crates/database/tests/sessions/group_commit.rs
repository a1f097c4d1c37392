//! Transactions of several callers that only insert rows are sent together.

use super::{ADD, ADD_LABEL, LABELS, NOTES, all, write};
use lombard_database::testing::TestDatabase;
use lombard_database::{Database, SqlTransaction, test_on_both_engines};
use lombard_ports::store::StoreError;
use std::collections::BTreeSet;
use std::future::Future as _;
use std::sync::Arc;
use std::task::{Context, Waker};

/// Adds a note with a label, from a task of its own.
async fn label(database: &Database, note: String, label: String) -> Result<(), StoreError> {
    let work = move |session: &mut SqlTransaction<'_>| {
        session.execute_later(&ADD, &[(&note).into()])?;
        session.execute_later(&ADD_LABEL, &[(&note).into(), (&label).into()])
    };
    write(database, work).await.0
}

/// Many at once need fewer round trips than there are of them, and each is stored.
async fn inserts_of_many_callers_are_sent_together(database: Arc<TestDatabase>) {
    let is_remote = database.is_remote();
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    let before = database.traffic();
    let callers = (0..200).map(|number| label(&database, format!("{number:03}"), format!("of {number}")));
    let outcomes = futures_util::future::join_all(callers).await;
    assert!(outcomes.iter().all(Result::is_ok), "{outcomes:?}");
    let round_trips = database.traffic().since(before).round_trips;
    let expected = if is_remote { 1..100 } else { 0..1 };
    assert!(expected.contains(&round_trips), "{round_trips}");
    assert_eq!(all(&database).await, (0..200).map(|number| format!("{number:03}")).collect::<Vec<_>>());
}

/// Of many at once, one fails for its own reason and no other does.
async fn a_transaction_that_is_refused_takes_no_other_with_it(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    label(&database, "taken".into(), "taken".into()).await.unwrap();
    let callers = (0..90).map(|number| {
        let (note, of) = match number % 30 {
            7 => (String::from("taken"), format!("of {number}")),
            8 => (format!("{number:02}"), String::from("taken")),
            _ => (format!("{number:02}"), format!("of {number}")),
        };
        label(&database, note, of)
    });
    let outcomes = futures_util::future::join_all(callers).await;
    let mut expected = BTreeSet::from([String::from("taken")]);
    for (number, outcome) in outcomes.into_iter().enumerate() {
        match number % 30 {
            7 => assert!(matches!(outcome, Err(StoreError::Duplicate("notes"))), "{outcome:?}"),
            8 => assert!(matches!(outcome, Err(StoreError::Duplicate("labels"))), "{outcome:?}"),
            _ => {
                outcome.unwrap();
                expected.insert(format!("{number:02}"));
            }
        }
    }
    assert_eq!(all(&database).await, expected.into_iter().collect::<Vec<_>>());
}

/// Of several that insert the same keys at once, in whatever order, one of each is stored.
async fn of_the_same_keys_one_is_stored(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    let numbers = (0..40).chain((0..40).rev()).chain(0..40);
    let callers = numbers.enumerate().map(|(caller, number)| {
        let database = database.clone();
        async move { (number, label(&database, format!("{number:02}"), format!("of {caller}")).await) }
    });
    let mut stored = Vec::new();
    for (number, outcome) in futures_util::future::join_all(callers).await {
        match outcome {
            Ok(()) => stored.push(number),
            Err(error) => assert!(matches!(error, StoreError::Duplicate("notes")), "{error:?}"),
        }
    }
    stored.sort_unstable();
    assert_eq!(stored, (0..40).collect::<Vec<_>>());
    assert_eq!(all(&database).await.len(), 40);
}

/// Callers that are dropped while they wait harm nobody.
async fn a_caller_that_is_dropped_harms_nobody(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    let mut dropped: Vec<_> =
        (0..50).map(|number| Box::pin(label(&database, format!("x{number}"), format!("x{number}")))).collect();
    for it in &mut dropped {
        let _ = it.as_mut().poll(&mut Context::from_waker(Waker::noop()));
    }
    let kept = futures_util::future::join_all(
        (0..50).map(|number| label(&database, format!("k{number}"), format!("k{number}"))),
    );
    drop(dropped);
    assert!(kept.await.iter().all(Result::is_ok));
    label(&database, "last".into(), "last".into()).await.unwrap();
    let found = all(&database).await;
    assert_eq!(found.iter().filter(|it| it.starts_with('k')).count(), 50);
}

test_on_both_engines! {
    inserts_of_many_callers_are_sent_together,
    a_transaction_that_is_refused_takes_no_other_with_it,
    of_the_same_keys_one_is_stored,
    a_caller_that_is_dropped_harms_nobody,
}
