//! The payments of an order.

use super::samples::{at, read, write};
use super::samples_of_instructions::domestic;
use super::samples_of_payments::{execution, order, payment_consent, plain_terms, rail_detail};
use lombard_domain::payment::order::{PaymentExecution, PaymentStatus};
use lombard_ports::store::{Store, StoreError};

/// The number of concurrent writers.
const RACERS: usize = 8;

/// The number of payments in the order.
const LINES: u32 = 40;

async fn placed(store: &Store, ids: &'static [&'static str]) {
    write(store, move |tx| {
        for id in ids {
            let terms = plain_terms(domestic().swap_remove(0));
            tx.consent_insert(&payment_consent(id, "t", terms.clone()))?;
            tx.order_insert(&order(id, id, "b", 1, &terms))?;
        }
        Ok(())
    })
    .await;
}

async fn numbers(store: &Store, after: u32, limit: u32) -> Vec<u32> {
    let found = read(store, move |tx| tx.executions(&"o".into(), after, limit)).await;
    found.into_iter().map(|it| it.number).collect()
}

fn settled(order: &str, number: u32) -> PaymentExecution {
    PaymentExecution {
        status: PaymentStatus::Settled,
        since: at(99),
        detail: Some(rail_detail()),
        last_update: 3,
        ..execution(order, number)
    }
}

/// Source: PIS-090, PIS-094.
pub(super) async fn payments_of_an_order_come_by_number(store: Store) {
    placed(&store, &["o", "p"]).await;
    write(&store, |tx| {
        let all = [("o", 2), ("o", 10), ("o", 1), ("p", 3)].map(|(order, number)| execution(order, number));
        tx.executions_put(&all)
    })
    .await;
    assert_eq!(numbers(&store, 0, 9).await, [1, 2, 10]);
    assert_eq!(numbers(&store, 1, 1).await, [2]);
    assert_eq!(numbers(&store, 10, 9).await, [0; 0]);
    let asked = |order: &'static str, numbers: &'static [u32]| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.executions_numbered(&order.into(), numbers)).await }
    };
    assert_eq!(asked("o", &[10, 3, 1]).await, [execution("o", 10), execution("o", 1)], "as asked for");
    assert_eq!(asked("none", &[1]).await, []);
    assert_eq!(asked("o", &[]).await, []);

    write(&store, |tx| tx.execution_put(&settled("o", 2))).await;
    assert_eq!(read(&store, |tx| tx.execution(&"o".into(), 2)).await, Some(settled("o", 2)));
    assert_eq!(read(&store, |tx| tx.execution(&"o".into(), 1)).await, Some(execution("o", 1)));
    assert_eq!(read(&store, |tx| tx.execution(&"p".into(), 1)).await, None);
    assert_eq!(numbers(&store, 0, 9).await, [1, 2, 10], "one was replaced");
    write(&store, |tx| tx.executions_put(&[])).await;
}

/// A batch of payments may be inserted repeatedly and concurrently: each payment is created once, and its later status is not
/// overwritten. Source: FILE-023.
pub(super) async fn payments_of_an_order_are_there_once(store: Store) {
    placed(&store, &["o"]).await;
    write(&store, |tx| tx.execution_put(&settled("o", 7))).await;
    let batch = || (1..=LINES).map(|number| execution("o", number)).collect::<Vec<_>>();
    let racers = (0..RACERS).map(|_| {
        let (store, batch) = (store.clone(), batch());
        tokio::spawn(async move { write(&store, move |tx| tx.executions_insert(&batch)).await })
    });
    let mut times = vec![0; batch().len()];
    for racer in racers.collect::<Vec<_>>() {
        for (times, is_new) in times.iter_mut().zip(racer.await.unwrap()) {
            *times += u32::from(is_new);
        }
    }
    let expected: Vec<_> = (1..=LINES).map(|number| u32::from(number != 7)).collect();
    assert_eq!(times, expected);
    let mut stored = batch();
    stored[6] = settled("o", 7);
    assert_eq!(read(&store, |tx| tx.executions(&"o".into(), 0, 99)).await, stored);
    assert!(write(&store, |tx| tx.executions_insert(&[])).await.is_empty());

    let orphan: Result<_, StoreError> = store.write(|tx| tx.executions_insert(&[execution("none", 1)])).await;
    assert!(matches!(orphan, Err(StoreError::Corrupt { table: "order_payments", .. })), "{orphan:?}");
}
