//! Contract tests of the account changes that are reported to the server.

use super::samples::{at, bank_account, read, write};
use crate::storage::BankStore;
use lombard_domain::event::AccountReason;
use lombard_domain::money::Currency;
use lombard_ports::bank::AccountChange;
use lombard_ports::store::StoreError;

/// The number of transactions that append concurrently.
const WRITERS: u64 = 12;

async fn with_account(store: &BankStore) {
    write(store, |tx| tx.bank_account_insert(&bank_account("a", Currency::GBP))).await;
}

/// Changes are read back as they were appended, in the order of their numbers, until they are dropped.
pub(super) async fn account_changes_are_kept_until_they_are_dropped(store: BankStore) {
    with_account(&store).await;
    let reasons = [Some(AccountReason::Closure), Some(AccountReason::Cass), None];
    let change = |number: u64, reason| AccountChange {
        number,
        account: "a".into(),
        at: at(i64::try_from(number).unwrap()),
        reason,
        interaction_id: (number == 2).then(|| "call-2".into()),
    };
    let all: Vec<_> = (1..).zip(reasons).map(|(number, reason)| change(number, reason)).collect();
    for one in all.clone() {
        let appended = write(&store, move |tx| {
            tx.account_change_append(&one.account, one.at, one.reason, one.interaction_id.as_ref())
        });
        appended.await;
    }
    assert_eq!(read(&store, |tx| tx.account_changes(9)).await, all);
    assert_eq!(read(&store, |tx| tx.account_changes(2)).await, all[..2]);
    write(&store, |tx| tx.account_changes_drop(2)).await;
    write(&store, |tx| tx.account_changes_drop(1)).await;
    assert_eq!(read(&store, |tx| tx.account_changes(9)).await, all[2..]);
    write(&store, |tx| tx.account_changes_drop(u64::MAX)).await;
    assert_eq!(read(&store, |tx| tx.account_changes(9)).await, []);
    let next = write(&store, |tx| tx.account_change_append(&"a".into(), at(9), None, None)).await;
    assert_eq!(next, 4, "a number is never given again");
}

/// Concurrent writers append without gaps, and a transaction that is rolled back uses no number. A reader sees a number only together with
/// all lower ones.
pub(super) async fn account_changes_are_numbered_without_gaps(store: BankStore) {
    with_account(&store).await;
    let append = |store: BankStore| async move {
        let given_up: Result<u64, StoreError> = store
            .write(|tx| {
                tx.account_change_append(&"a".into(), at(1), None, None)?;
                Err(StoreError::Duplicate("given up"))
            })
            .await;
        assert!(given_up.is_err());
        write(&store, |tx| tx.account_change_append(&"a".into(), at(1), None, None)).await
    };
    let writers: Vec<_> = (0..WRITERS).map(|_| tokio::spawn(append(store.clone()))).collect();
    let mut seen = 0;
    while seen < WRITERS {
        let changes = read(&store, |tx| tx.account_changes(100)).await;
        assert!(changes.iter().map(|it| it.number).eq(1..=u64::try_from(changes.len()).unwrap()), "{changes:?}");
        seen = u64::try_from(changes.len()).unwrap();
        tokio::task::yield_now().await;
    }
    for writer in writers {
        writer.await.unwrap();
    }
}
