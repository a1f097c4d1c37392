//! Rows of several callers for one statement are sent together, on an engine with a server.

use super::{LABELS, NOTES, all};
use lombard_database::Database;
use lombard_database::statement::SqlStatement;
use lombard_database::testing::{TestDatabase, on_postgres};
use lombard_ports::store::StoreError;
use std::collections::BTreeSet;
use std::future::Future as _;
use std::sync::Arc;
use std::task::{Context, Waker};

/// Adds notes that do not exist yet, each with a label.
static LABEL: SqlStatement = SqlStatement {
    table: "notes",
    sqlite: "",
    postgres: "WITH given AS (SELECT DISTINCT ON (note) * FROM unnest($1::text[], $2::text[]) \
               WITH ORDINALITY AS given (note, label, number) ORDER BY note, number), \
               added AS (INSERT INTO notes (text) SELECT note FROM given ON CONFLICT (text) DO NOTHING RETURNING text), \
               carried_out AS (SELECT given.* FROM given JOIN added ON added.text = given.note), \
               labelled AS (INSERT INTO labels (note, text) SELECT note, label FROM carried_out) \
               SELECT number FROM carried_out",
};

/// Adds a note with a label. `false` if it was not added.
async fn label(database: &Database, note: String, label: String) -> Result<bool, StoreError> {
    database.single_statements().unwrap().run_in_group(&LABEL, vec![note.into(), label.into()]).await
}

/// Many concurrent rows need fewer round trips than there are rows, and each row is stored.
async fn rows_of_many_callers_are_sent_together(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    let before = database.traffic();
    let callers = (0..200).map(|number| label(&database, format!("{number:03}"), format!("of {number}")));
    let outcomes = futures_util::future::join_all(callers).await;
    assert!(outcomes.iter().all(|it| matches!(it, Ok(true))), "{outcomes:?}");
    let round_trips = database.traffic().since(before).round_trips;
    assert!((1..100).contains(&round_trips), "{round_trips}");
    assert_eq!(all(&database).await, (0..200).map(|number| format!("{number:03}")).collect::<Vec<_>>());
}

/// Of many concurrent rows, only the faulty ones are not stored: its note exists already, or the server refuses its label or its
/// text.
async fn a_row_that_is_refused_takes_no_other_with_it(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    assert!(label(&database, "taken".into(), "taken".into()).await.unwrap());
    let given = |number: usize| match number % 30 {
        7 => (String::from("taken"), format!("of {number}")),
        8 => (format!("{number:02}"), String::from("taken")),
        9 => (format!("{number:02}\0"), format!("of {number}")),
        _ => (format!("{number:02}"), format!("of {number}")),
    };
    let callers = (0..90).map(|number| {
        let (note, of) = given(number);
        label(&database, note, of)
    });
    let outcomes = futures_util::future::join_all(callers).await;
    let mut expected = BTreeSet::from([String::from("taken")]);
    for (number, outcome) in outcomes.into_iter().enumerate() {
        let is_carried_out = !(7..=9).contains(&(number % 30));
        assert_eq!(outcome.unwrap(), is_carried_out, "{number}");
        expected.extend(is_carried_out.then(|| given(number).0));
    }
    assert_eq!(all(&database).await, expected.into_iter().collect::<Vec<_>>());
}

/// If several callers add the same notes at once, in any order, each note is added once.
async fn of_the_same_keys_one_is_carried_out(database: Arc<TestDatabase>) {
    let database = database.migrated(&[&NOTES, &LABELS]).await;
    let numbers = (0..40).chain((0..40).rev()).chain(0..40);
    let callers = numbers.enumerate().map(|(caller, number)| {
        let database = database.clone();
        async move { (number, label(&database, format!("{number:02}"), format!("of {caller}")).await.unwrap()) }
    });
    let outcomes = futures_util::future::join_all(callers).await;
    let mut added: Vec<_> = outcomes.into_iter().filter_map(|(number, is_added)| is_added.then_some(number)).collect();
    added.sort_unstable();
    assert_eq!(added, (0..40).collect::<Vec<_>>());
    assert_eq!(all(&database).await.len(), 40);
}

/// Callers that are dropped while they wait do not affect others.
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
    assert!(kept.await.iter().all(|it| matches!(it, Ok(true))));
    assert!(label(&database, "last".into(), "last".into()).await.unwrap());
    let found = all(&database).await;
    assert_eq!(found.iter().filter(|it| it.starts_with('k')).count(), 50);
}

macro_rules! test_on_postgres {
    ($($test:ident,)+) => {
        mod on_postgres {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $test() {
                    super::on_postgres(super::$test).await;
                }
            )+
        }
    };
}

test_on_postgres! {
    rows_of_many_callers_are_sent_together,
    a_row_that_is_refused_takes_no_other_with_it,
    of_the_same_keys_one_is_carried_out,
    a_caller_that_is_dropped_harms_nobody,
}
