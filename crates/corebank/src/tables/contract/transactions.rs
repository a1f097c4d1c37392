//! Contract tests of transactions on the bank's tables.

use super::samples::{at, bank_account, entry, journal, read, write};
use crate::storage::{BankStore, BankTransaction, PostResult};
use lombard_database::testing::promises;
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;
use lombard_ports::store::StoreError;

fn accounts() -> [BankAccountId; 2] {
    ["a", "b"].map(BankAccountId::from)
}

/// An error of the closure rolls back all writes and is returned unchanged.
pub(super) async fn rollback_leaves_nothing(store: BankStore) {
    let write = |tx: &mut dyn BankTransaction| {
        insert_accounts(tx)?;
        tx.journals_post(&[journal("x", "a", "b", 5)]).map(drop)
    };
    promises::an_error_of_the_closure_comes_back(&store, write).await;
    assert_eq!(read(&store, |tx| tx.bank_accounts(&accounts())).await, []);
    assert_eq!(read(&store, |tx| tx.ledger_totals()).await, []);
}

/// A read that needs no transaction takes exactly one query.
pub(super) async fn one_query_is_one_query(store: BankStore) {
    promises::one_query_is_one_query(&store).await;
}

/// A read transaction cannot write, by any method.
pub(super) async fn writing_in_a_read_fails(store: BankStore) {
    write(&store, |tx| insert_accounts(tx)).await;
    promises::a_read_refuses_to_write(&store, |tx| tx.journals_post(&[journal("x", "a", "b", 5)]).map(drop)).await;
    promises::a_read_refuses_to_write(&store, |tx| tx.entries_insert(&[entry("e", "a", at(1), 1)])).await;
    assert_eq!(write(&store, |tx| tx.journals_post(&[journal("x", "a", "b", 5)])).await, [PostResult::Posted]);
}

fn insert_accounts(tx: &mut dyn BankTransaction) -> Result<(), StoreError> {
    accounts().iter().try_for_each(|id| tx.bank_account_insert(&bank_account(id.as_str(), Currency::GBP)))
}
