//! Contract tests of the bank's quarantine: quarantined work of any kind is not due.

use super::samples::{at, bank_account, entry, read, write};
use crate::storage::{BankStore, BankTransaction, OrderAtBank, ScheduledRoutine};
use lombard_database::testing::promises::{self, failed_work};
use lombard_domain::account::{EntryStatus, Mutability, Transaction as Entry};
use lombard_domain::ids::OrderId;
use lombard_domain::money::Currency;
use lombard_ports::bank::{OrderUpdate, StatusUpdate};
use lombard_ports::store::{StoreError, WorkKind};

/// One due item of each kind of the bank's work, with the subject under which it is quarantined.
const DUE: [(WorkKind, &str); 4] = [
    (WorkKind::Arrangement, "routine/a/r"),
    (WorkKind::BankOrder, "o"),
    (WorkKind::PendingEntry, "o"),
    (WorkKind::StatusUpdate, "o"),
];

fn all_due(tx: &mut dyn BankTransaction) -> Result<(), StoreError> {
    tx.bank_account_insert(&bank_account("a", Currency::GBP))?;
    let routine =
        ScheduledRoutine { id: "r".into(), account: "a".into(), due_at: Some(at(1)), plan: String::from("{}") };
    tx.arrangements_put(&[routine.into()])?;
    let at_bank = |id: OrderId| OrderAtBank {
        id,
        debtor: "a".into(),
        due_at: None,
        last_update: 0,
        execution: String::from("{}"),
        received_at: None,
    };
    // The status updates of a payment in a file belong to the file's order.
    let line = OrderId::from("o").for_line(1);
    tx.bank_orders_insert(&[OrderAtBank { due_at: Some(at(1)), ..at_bank("o".into()) }, at_bank(line.clone())])?;
    tx.bank_updates_append(&[StatusUpdate { order: line, number: 1, at: at(1), change: OrderUpdate::Warehoused }])?;
    let pending = EntryStatus::Pending;
    tx.entries_insert(&[Entry { status: pending, mutability: Mutability::Mutable, ..entry("o", "a", at(1), -5) }])
}

/// Returns the kinds of work that the queries for due work find.
async fn due(store: &BankStore) -> Vec<WorkKind> {
    write(store, |tx| {
        let now = at(1_000);
        let found = [
            tx.arrangements_due(now, 9)?.rows.len(),
            tx.bank_orders_due(now, 9)?.rows.len(),
            tx.entries_pending(now, 9)?.rows.len(),
            tx.bank_updates(9)?.rows.len(),
        ];
        Ok(DUE.iter().zip(found).filter(|(_, found)| *found == 1).map(|((kind, _), _)| *kind).collect())
    })
    .await
}

/// A quarantined item excludes only work of its own kind, not work of another kind with the same subject.
pub(super) async fn quarantined_work_is_left_out_until_it_is_let_go(store: BankStore) {
    write(&store, all_due).await;
    let kinds = DUE.map(|(kind, _)| kind);
    assert_eq!(due(&store).await, kinds);
    for (kind, subject) in DUE {
        write(&store, move |tx| tx.quarantine_add(&[failed_work(kind, subject)], at(9))).await;
        let others: Vec<_> = kinds.into_iter().filter(|it| *it != kind).collect();
        assert_eq!(due(&store).await, others, "without {kind:?}");
        assert_eq!(read(&store, |tx| tx.quarantined_counts()).await, [(kind, 1)]);
        assert_eq!(write(&store, |tx| tx.quarantine_release(None)).await, 1);
        assert_eq!(due(&store).await, kinds);
    }
}

pub(super) async fn work_is_quarantined_once_and_numbered_for_ever(store: BankStore) {
    promises::work_is_quarantined_once_and_numbered_for_ever(&store, [WorkKind::BankOrder, WorkKind::PendingEntry])
        .await;
}
