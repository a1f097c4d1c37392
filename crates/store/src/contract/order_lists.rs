//! Lists of the orders of all clients, and the orders that wait for the bank.

use super::samples::{at, client, read, write};
use super::samples_of_instructions::domestic;
use super::samples_of_payments::{order, payment_consent, plain_terms};
use lombard_domain::ids::OrderId;
use lombard_domain::job::Job;
use lombard_domain::payment::order::{Order, RejectionReason, UnsettledStage};
use lombard_ports::store::{OrderPage, OrderPosition, Store, StoreError};

/// Stores orders that were created at these seconds.
async fn placed(store: &Store, orders: &[(&'static str, i64)]) {
    let orders = orders.to_vec();
    write(store, move |tx| {
        tx.client_insert(&client("t"))?;
        for (id, second) in &orders {
            let terms = plain_terms(domestic().swap_remove(0));
            tx.consent_insert(&payment_consent(id, "t", terms.clone()))?;
            tx.order_insert(&Order { created_at: at(*second), ..order(id, id, "b", 1, &terms) })?;
        }
        Ok(())
    })
    .await;
}

async fn change(store: &Store, id: &'static str, change: impl Fn(&mut Order) + Send + 'static) {
    write(store, move |tx| {
        let mut order = tx.order_for_update(&id.into())?.unwrap();
        change(&mut order);
        tx.order_update(&order)
    })
    .await;
}

fn after(second: i64, id: &str) -> OrderPosition {
    OrderPosition { at: at(second), id: id.into() }
}

fn ids(page: &OrderPage) -> Vec<&str> {
    page.orders.iter().map(|it| it.order.id.as_str()).collect()
}

/// Orders are listed by their creation, and those that wait for the bank by the time at which they were due; pages join.
pub(super) async fn orders_are_listed_by_creation_and_by_when_they_were_due(store: Store) {
    placed(&store, &[("d", 2), ("a", 3), ("b", 2), ("c", 1)]).await;
    let created =
        async |position: OrderPosition, limit| read(&store, move |tx| tx.orders_created(&position, limit)).await;
    let page = created(after(2, ""), 9).await;
    assert_eq!((ids(&page), &page.next), (vec!["b", "d", "a"], &None), "the time itself belongs to the list");
    let page = created(after(0, ""), 2).await;
    assert_eq!((ids(&page), page.next.clone()), (vec!["c", "b"], Some(after(2, "b"))));
    let page = created(page.next.unwrap(), 2).await;
    assert_eq!((ids(&page), page.next.clone()), (vec!["d", "a"], Some(after(3, "a"))));
    let page = created(page.next.unwrap(), 2).await;
    assert_eq!((ids(&page), &page.next), (vec![], &None));
    assert_eq!(read(&store, |tx| tx.orders_created_count(at(2))).await, 3);

    change(&store, "b", |order| assert!(order.reject(RejectionReason::NotGiven, at(5)).is_ok())).await;
    change(&store, "d", |order| order.set_expected_times(None, Some(at(9)))).await;
    let waiting =
        async |until, limit| read(&store, move |tx| tx.orders_unsettled(&after(0, ""), at(until), limit)).await;
    assert_eq!(ids(&waiting(9, 9).await), ["c", "a", "d"], "a rejected order waits for nothing");
    assert_eq!(ids(&waiting(8, 9).await), ["c", "a"]);
    assert_eq!(waiting(9, 1).await.next, Some(after(1, "c")));
}

/// Orders that wait for the bank are counted by how far they have come and how long ago they were due.
pub(super) async fn orders_that_wait_for_the_bank_are_counted_by_age(store: Store) {
    placed(&store, &[("a", 1), ("b", 2), ("c", 3), ("d", 4)]).await;
    change(&store, "b", |order| assert!(order.reserve(at(5)).is_ok())).await;
    let counts = read(&store, |tx| tx.orders_unsettled_counts(&[at(3), at(1)])).await;
    let sorted = |mut counts: Vec<(UnsettledStage, u64)>| {
        counts.sort();
        counts
    };
    let [young, old] = <[_; 2]>::try_from(counts).unwrap().map(sorted);
    assert_eq!(young, [(UnsettledStage::Pending, 1), (UnsettledStage::InProcess, 1)]);
    assert_eq!(old, [(UnsettledStage::Pending, 1)]);
}

/// The number of the last applied update can be replaced by a lower one; an update with the next number is applied then.
pub(super) async fn the_number_of_applied_updates_can_be_set_back(store: Store) {
    placed(&store, &[("o", 1)]).await;
    write(&store, |tx| tx.order_update_mark_applied(&"o".into(), 7)).await;
    write(&store, |tx| tx.order_updates_restart(&"o".into(), 2)).await;
    let page = read(&store, |tx| tx.orders_created(&after(0, ""), 9)).await;
    assert_eq!(page.orders[0].updates_applied, 2);
    assert!(!write(&store, |tx| tx.order_update_mark_applied(&"o".into(), 2)).await);
    assert!(write(&store, |tx| tx.order_update_mark_applied(&"o".into(), 3)).await);
    let none: Result<(), StoreError> = store.write(|tx| tx.order_updates_restart(&"none".into(), 2)).await;
    assert!(none.is_err());
}

/// Of some ids, those of existing orders and jobs are found.
pub(super) async fn existing_orders_and_jobs_are_told_from_others(store: Store) {
    placed(&store, &[("o", 1), ("p", 1)]).await;
    write(&store, |tx| tx.job_enqueue(&Job::new("p".into(), "order", "p", at(1)))).await;
    let asked = ["none", "o", "o\0", "p"].map(OrderId::from);
    let mut orders = read(&store, move |tx| tx.orders_existing(&asked)).await;
    orders.sort();
    assert_eq!(orders, ["o".into(), "p".into()]);
    assert_eq!(read(&store, |tx| tx.jobs_existing(&["o".into(), "p".into()])).await, ["p".into()]);
}
