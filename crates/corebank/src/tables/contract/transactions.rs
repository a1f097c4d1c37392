//! What a transaction on the bank's tables is.

use super::samples::{at, bank_account, entry, journal, read, write};
use crate::storage::{BankStore, Posted};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;
use lombard_ports::store::StoreError;

fn accounts() -> [BankAccountId; 2] {
    ["a", "b"].map(BankAccountId::from)
}

/// A closure's error undoes all it did, and comes back as it was.
pub(super) async fn rollback_leaves_nothing(store: BankStore) {
    let outcome: Result<(), StoreError> = store
        .write(|tx| {
            accounts().iter().try_for_each(|id| tx.bank_account_insert(&bank_account(id.as_str(), Currency::GBP)))?;
            tx.journals_post(&[journal("x", "a", "b", 5)])?;
            tx.setting_put("x", "1")?;
            Err(StoreError::Duplicate("the closure's own error"))
        })
        .await;
    assert!(matches!(outcome, Err(StoreError::Duplicate("the closure's own error"))));
    assert_eq!(read(&store, |tx| tx.bank_accounts(&accounts())).await, []);
    assert_eq!(read(&store, |tx| tx.ledger_totals()).await, []);
    assert_eq!(read(&store, |tx| tx.setting("x")).await, None);
}

/// A read cannot write, whichever way.
pub(super) async fn writing_in_a_read_fails(store: BankStore) {
    write(&store, |tx| {
        accounts().iter().try_for_each(|id| tx.bank_account_insert(&bank_account(id.as_str(), Currency::GBP)))
    })
    .await;
    let outcomes: [Result<(), StoreError>; 3] = [
        store.read(|tx| tx.setting_put("x", "1")).await,
        store.read(|tx| tx.journals_post(&[journal("x", "a", "b", 5)]).map(drop)).await,
        store.read(|tx| tx.entries_insert(&[entry("e", "a", at(1), 1)])).await,
    ];
    for outcome in outcomes {
        assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");
    }
    assert_eq!(read(&store, |tx| tx.setting("x")).await, None);
    assert_eq!(write(&store, |tx| tx.journals_post(&[journal("x", "a", "b", 5)])).await, [Posted::Now]);
}
