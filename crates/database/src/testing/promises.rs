//! Contract tests that every store must pass, whatever its tables. A failure panics.

#![allow(clippy::indexing_slicing, reason = "these are tests: a panic fails them")]

use jiff::Timestamp;
use lombard_ports::store::{FailedWork, QuarantineStore, SettingStore, Store, StoreError, Tables, WorkKind};

/// The error that a closure under test returns.
const OWN: &str = "the closure's own error";

/// Failed work whose cause contains a NUL, which PostgreSQL cannot store.
pub fn failed_work(kind: WorkKind, subject: &str) -> FailedWork {
    FailedWork { kind, subject: subject.to_owned(), cause: String::from("it is odd\0") }
}

/// Quarantining the same work again changes nothing, and a number is never reused. `kinds` are two kinds of this store.
pub async fn work_is_quarantined_once_and_numbered_for_ever<T: Tables>(store: &Store<T>, kinds: [WorkKind; 2])
where
    for<'t> T::Transaction<'t>: QuarantineStore,
{
    let at = |second: i64| Timestamp::from_microsecond(second * 1_000_000 + 123_456).unwrap();
    let add = async |work: Vec<FailedWork>, second| {
        store.write::<_, StoreError, _>(move |tx| tx.quarantine_add(&work, at(second))).await.unwrap()
    };
    let after = async |number| store.read::<_, StoreError, _>(move |tx| tx.quarantined(number, 9)).await.unwrap();
    let release =
        async |number| store.write::<_, StoreError, _>(move |tx| tx.quarantine_release(Some(number))).await.unwrap();
    let (one, other) = (failed_work(kinds[0], "u"), failed_work(kinds[1], "u"));
    assert_eq!(add(vec![one.clone(), other.clone()], 1).await, [one.clone(), other.clone()]);
    assert_eq!(add(vec![FailedWork { cause: String::from("it is odder"), ..one.clone() }], 2).await, []);
    let shown = after(0).await;
    let cause = String::from("it is odd");
    assert_eq!(
        shown.iter().map(|it| it.work.clone()).collect::<Vec<_>>(),
        [FailedWork { cause: cause.clone(), ..one.clone() }, FailedWork { cause, ..other }]
    );
    assert!(shown.iter().all(|it| it.since == at(1)));
    let (first, second) = (shown[0].number, shown[1].number);
    assert_eq!(after(first).await, shown[1..]);
    assert_eq!((release(second).await, release(second).await), (1, 0));
    add(vec![one, failed_work(kinds[1], "v")], 3).await;
    let shown = after(0).await;
    assert_eq!((shown.len(), shown[0].number), (2, first));
    assert!(shown[1].number > second);
}

/// A setting has the value that was stored last.
pub async fn a_setting_is_what_was_put_last<T: Tables>(store: &Store<T>)
where
    for<'t> T::Transaction<'t>: SettingStore,
{
    assert_eq!(setting(store, "seed").await, None);
    for value in ["1", "2"] {
        store.write::<_, StoreError, _>(move |tx| tx.setting_put("seed", value)).await.unwrap();
        assert_eq!(setting(store, "seed").await.as_deref(), Some(value));
    }
}

/// Inserting an existing id fails with [`StoreError::Duplicate`] and its table, and the transaction is rolled back. The closure
/// always inserts the same row.
pub async fn a_duplicate_is_told_by_its_table<T: Tables, F>(store: &Store<T>, table: &'static str, mut insert: F)
where
    for<'t> T::Transaction<'t>: SettingStore,
    F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<(), StoreError> + Clone + Send + 'static,
{
    store.write::<_, StoreError, _>(insert.clone()).await.unwrap();
    let outcome: Result<(), StoreError> = store
        .write(move |tx| {
            tx.setting_put("before", "x")?;
            insert(tx)
        })
        .await;
    assert!(matches!(outcome, Err(StoreError::Duplicate(told)) if told == table), "{outcome:?}");
    assert_eq!(setting(store, "before").await, None);
}

/// A closure's error rolls back its changes of settings and is returned unchanged. The caller checks that its other changes are
/// rolled back.
pub async fn an_error_of_the_closure_comes_back<T: Tables, F>(store: &Store<T>, mut write: F)
where
    for<'t> T::Transaction<'t>: SettingStore,
    F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<(), StoreError> + Send + 'static,
{
    let outcome: Result<(), StoreError> = store
        .write(move |tx| {
            tx.setting_put("x", "1")?;
            write(tx)?;
            Err(StoreError::Duplicate(OWN))
        })
        .await;
    assert!(matches!(outcome, Err(StoreError::Duplicate(OWN))), "{outcome:?}");
    assert_eq!(setting(store, "x").await, None);
}

/// In a read transaction neither a setting nor the closure's rows can be written.
pub async fn a_read_refuses_to_write<T: Tables, F>(store: &Store<T>, write: F)
where
    for<'t> T::Transaction<'t>: SettingStore,
    F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<(), StoreError> + Send + 'static,
{
    let outcomes: [Result<(), StoreError>; 2] =
        [store.read(|tx| tx.setting_put("x", "1")).await, store.read(write).await];
    for outcome in outcomes {
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    }
    assert_eq!(setting(store, "x").await, None);
}

/// A read that was announced as one query runs exactly one query, cannot write, and does not affect the connection.
pub async fn one_query_is_one_query<T: Tables>(store: &Store<T>)
where
    for<'t> T::Transaction<'t>: SettingStore,
{
    store.write::<_, StoreError, _>(|tx| tx.setting_put("seed", "1")).await.unwrap();
    for _ in 0..2 {
        let found = store.read_by_one_query::<_, StoreError, _>(|tx| tx.setting("seed")).await.unwrap();
        assert_eq!(found.as_deref(), Some("1"));
        let twice: Result<_, StoreError> =
            store.read_by_one_query(|tx| tx.setting("seed").and_then(|_| tx.setting("seed"))).await;
        assert!(matches!(twice, Err(StoreError::Unavailable(_))), "{twice:?}");
        let written: Result<_, StoreError> = store.read_by_one_query(|tx| tx.setting_put("seed", "2")).await;
        assert!(matches!(written, Err(StoreError::Unavailable(_))), "{written:?}");
        assert_eq!(setting(store, "seed").await.as_deref(), Some("1"));
    }
    store.write::<_, StoreError, _>(|tx| tx.setting_put("seed", "2")).await.unwrap();
    let found = store.read_by_one_query::<_, StoreError, _>(|tx| tx.setting("seed")).await.unwrap();
    assert_eq!(found.as_deref(), Some("2"), "no snapshot is left");
}

async fn setting<T: Tables>(store: &Store<T>, name: &'static str) -> Option<String>
where
    for<'t> T::Transaction<'t>: SettingStore,
{
    store.read::<_, StoreError, _>(move |tx| tx.setting(name)).await.unwrap()
}
