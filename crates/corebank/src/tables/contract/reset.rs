//! Contract tests of resetting the bank.

use super::bank_orders::{ordered, status_update};
use super::samples::{at, bank_account, entry, journal, read, write};
use super::samples_of_banking::{beneficiary, statement};
use crate::storage::{ArrangementKind, BankStore, BankTransaction, Customer, PostResult};
use lombard_database::testing::promises::failed_work;
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::Currency;
use lombard_domain::page::ListWindow;
use lombard_ports::bank::EntryFilter;
use lombard_ports::controls::{OrderPlan, PlannedOutcome};
use lombard_ports::store::{StoreError, WorkKind};

fn accounts() -> [BankAccountId; 2] {
    ["a", "b"].map(BankAccountId::from)
}

/// Stores rows of every kind that a reset removes.
fn a_past(tx: &mut dyn BankTransaction) -> Result<Vec<PostResult>, StoreError> {
    let amelia = Customer { psu: "amelia".into(), name: "Amelia".into(), about: "One account.".into(), party: None };
    tx.customers_insert(&[amelia])?;
    for id in ["a", "b"] {
        tx.bank_account_insert(&bank_account(id, Currency::GBP))?;
    }
    tx.arrangements_put(&[beneficiary("1", "a").into()])?;
    tx.entries_insert(&[entry("e", "a", at(1), -5)])?;
    tx.statement_close(&statement("s", "a", 0, 10))?;
    tx.bank_orders_insert(&[ordered("o", Some(1))])?;
    tx.bank_updates_append(&[status_update("o", 1, 1)])?;
    tx.order_plan_put(&"c".into(), OrderPlan { outcome: PlannedOutcome::Held, wait_secs: 0 })?;
    tx.quarantine_add(&[failed_work(WorkKind::PendingEntry, "e")], at(1))?;
    tx.account_change_append(&"a".into(), at(1), None, None)?;
    tx.journals_post(&[journal("x", "a", "b", 5)])
}

/// A reset removes customers, accounts and orders, which can then be created again; settings are kept.
pub(super) async fn what_happened_is_forgotten_and_can_happen_again(store: BankStore) {
    write(&store, |tx| tx.setting_put("s", "1")).await;
    for _ in 0..2 {
        assert_eq!(write(&store, a_past).await, [PostResult::Posted]);
        write(&store, |tx| tx.bank_reset()).await;
        assert_eq!(read(&store, |tx| tx.customers()).await, []);
        assert_eq!(read(&store, |tx| tx.bank_accounts(&accounts())).await, []);
        let kind = ArrangementKind::Beneficiary;
        assert!(
            read(&store, move |tx| tx.arrangements(kind, &accounts(), &ListWindow::first_page(5)))
                .await
                .items
                .is_empty()
        );
        let filter = EntryFilter::for_accounts(accounts().to_vec());
        assert!(read(&store, move |tx| tx.entries(&filter, &ListWindow::first_page(5))).await.items.is_empty());
        assert_eq!(read(&store, |tx| tx.statement(&"a".into(), &"s".into())).await, None);
        assert_eq!(read(&store, |tx| tx.bank_order_for_update(&"o".into())).await, None);
        assert_eq!(read(&store, |tx| tx.bank_updates(9)).await.rows, []);
        assert_eq!(read(&store, |tx| tx.order_plans(&[&"c".into()])).await, []);
        assert_eq!(read(&store, |tx| tx.account_changes(9)).await, []);
        assert_eq!(read(&store, |tx| tx.ledger_totals()).await, []);
        assert_eq!(read(&store, |tx| tx.quarantined_counts()).await, []);
        assert_eq!(read(&store, |tx| tx.setting("s")).await.as_deref(), Some("1"));
    }
}

/// A reset that is rolled back changes nothing.
pub(super) async fn a_new_beginning_is_whole_or_not_at_all(store: BankStore) {
    write(&store, a_past).await;
    let given_up: Result<(), StoreError> = store
        .write(|tx| {
            tx.bank_reset()?;
            Err(StoreError::Duplicate("given up"))
        })
        .await;
    assert!(matches!(given_up, Err(StoreError::Duplicate("given up"))), "{given_up:?}");
    assert_eq!(read(&store, |tx| tx.bank_accounts(&accounts())).await.len(), 2);
    assert_eq!(write(&store, |tx| tx.journals_post(&[journal("x", "a", "b", 5)])).await, [PostResult::AlreadyPosted]);
}

/// The number of concurrent writers, of which one resets the bank.
const WRITERS: u8 = 9;
const RESET: u8 = 4;

/// A concurrent write commits entirely before or entirely after the reset.
pub(super) async fn writers_come_before_or_after_a_new_beginning(store: BankStore) {
    let busy = (0..WRITERS).map(|number| {
        let store = store.clone();
        async move {
            if number == RESET {
                write(&store, |tx| tx.bank_reset()).await;
            } else {
                let id = format!("c{number}");
                write(&store, move |tx| {
                    tx.ledger_accounts_open(&[("a".into(), Currency::GBP), ("b".into(), Currency::GBP)])?;
                    tx.bank_orders_insert(&[ordered(&id, None)])?;
                    tx.journals_post(&[journal(&id, "a", "b", 5)])
                })
                .await;
            }
        }
    });
    futures_util::future::join_all(busy).await;
    let totals = read(&store, |tx| tx.ledger_totals()).await;
    assert!(totals.iter().all(|(_, sums)| sums.booked == 0 && sums.pending == 0), "{totals:?}");
    let mut kept = Vec::new();
    for number in (0..WRITERS).filter(|number| *number != RESET) {
        let id = format!("c{number}");
        if read(&store, move |tx| tx.bank_order_for_update(&id.as_str().into())).await.is_some() {
            kept.push(number);
        }
    }
    // The reset also removes the journals of removed orders, together with the sums that they moved.
    if !kept.is_empty() {
        let sums = read(&store, |tx| tx.ledger_sums(&accounts())).await;
        let moved = 5 * i64::try_from(kept.len()).unwrap();
        assert_eq!(sums.iter().map(|it| it.booked).collect::<Vec<_>>(), [-moved, moved], "{kept:?}");
    }
    for number in kept {
        let cause = format!("c{number}");
        let posted = write(&store, move |tx| tx.journals_post(&[journal(&cause, "a", "b", 5)])).await;
        assert_eq!(posted, [PostResult::AlreadyPosted], "c{number}");
    }
    write(&store, |tx| tx.bank_reset()).await;
    assert_eq!(read(&store, |tx| tx.ledger_totals()).await, []);
}
