//! Contract tests of the built-in bank's orders and their status updates.

use super::samples::{at, pounds, rail_detail, read, write};
use crate::storage::{BankStore, OrderAtBank};
use jiff::civil::date;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::payment::order::{PaymentStatus, RejectionReason};
use lombard_ports::bank::{OrderUpdate, PaymentUpdate, StatusUpdate};
use lombard_ports::controls::{OrderPlan, PLAN_WAIT_SECS_MAX, PlannedOutcome};
use lombard_ports::store::{StoreError, WorkKind};
use std::collections::BTreeMap;

/// The number of concurrent inserts.
const RACERS: u32 = 8;

/// The number of orders with updates, and the number of updates for each order.
const ORDERS: u32 = 4;
const EACH: u32 = 12;

pub(super) fn ordered(id: &str, due: Option<i64>) -> OrderAtBank {
    OrderAtBank {
        id: id.into(),
        debtor: "b".into(),
        due_at: due.map(at),
        last_update: 0,
        execution: String::from("{\"any\":\"words\"}"),
        received_at: None,
    }
}

pub(super) fn status_update(order: &str, number: u32, second: i64) -> StatusUpdate {
    StatusUpdate { order: order.into(), number, at: at(second), change: OrderUpdate::Warehoused }
}

async fn taken(store: &BankStore, ids: &'static [&'static str]) {
    let orders: Vec<_> = ids.iter().map(|id| ordered(id, None)).collect();
    write(store, move |tx| tx.bank_orders_insert(&orders)).await;
}

async fn listed_updates(store: &BankStore, limit: u32) -> Vec<(String, u32)> {
    let found = read(store, move |tx| tx.bank_updates(limit)).await.rows;
    found.into_iter().map(|it| (it.order.to_string(), it.number)).collect()
}

/// Of repeated and concurrent inserts of an order, the first one is kept.
pub(super) async fn the_bank_takes_an_order_once(store: BankStore) {
    let racers = (0..RACERS).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, move |tx| tx.bank_orders_insert(&[ordered("o", Some(i64::from(number)))])).await
        })
    });
    let mut due = Vec::new();
    for (number, racer) in (0_i64..).zip(racers.collect::<Vec<_>>()) {
        if racer.await.unwrap() == [true] {
            due.push(number);
        }
    }
    assert_eq!(due.len(), 1, "one took it: {due:?}");
    let kept = read(&store, |tx| tx.bank_order_for_update(&"o".into())).await;
    assert_eq!(kept, Some(ordered("o", Some(due[0]))));
    assert_eq!(read(&store, |tx| tx.bank_order_for_update(&"none".into())).await, None);
    let batch = ["o2", "o", "o3", "o2"].map(|id| ordered(id, None));
    assert_eq!(write(&store, move |tx| tx.bank_orders_insert(&batch)).await, [true, false, true, false]);
    assert_eq!(read(&store, |tx| tx.bank_order_for_update(&"o".into())).await, kept, "the first one still counts");
}

/// A second reader of an order for update waits for the first transaction.
pub(super) async fn the_banks_orders_lose_no_update(store: BankStore) {
    taken(&store, &["o"]).await;
    let racers = (0..RACERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, |tx| {
                let it = tx.bank_order_for_update(&"o".into())?.unwrap();
                let plan = format!("{}x", it.execution);
                tx.bank_order_update(&OrderAtBank {
                    last_update: it.last_update + 1,
                    due_at: Some(at(7)),
                    execution: plan,
                    ..it
                })
            })
            .await;
        })
    });
    for racer in racers.collect::<Vec<_>>() {
        racer.await.unwrap();
    }
    let kept = read(&store, |tx| tx.bank_order_for_update(&"o".into())).await.unwrap();
    assert_eq!((kept.last_update, kept.due_at), (RACERS, Some(at(7))));
    assert!(kept.execution.ends_with("xxxxxxxx"), "{}", kept.execution);
}

/// Due orders are returned earliest first; an order without a due time is never due.
pub(super) async fn what_the_bank_has_to_do_comes_earliest_first(store: BankStore) {
    write(&store, |tx| {
        for (id, due) in [("late", Some(9)), ("over", None), ("tie", Some(5)), ("first", Some(5)), ("held", Some(1))] {
            tx.bank_orders_insert(&[ordered(id, due)])?;
        }
        tx.bank_order_update(&ordered("held", None))
    })
    .await;
    let due = |until: i64, limit: u32| {
        let store = store.clone();
        async move {
            let due = read(&store, move |tx| tx.bank_orders_due(at(until), limit)).await.rows;
            due.iter().map(|it| it.id.to_string()).collect::<Vec<_>>()
        }
    };
    assert_eq!(due(4, 9).await, [""; 0]);
    assert_eq!(due(5, 9).await, ["first", "tie"], "the bound belongs to it");
    assert_eq!(due(99, 1).await, ["first"]);
    assert_eq!(due(99, 9).await, ["first", "tie", "late"]);
}

/// Status updates of every kind are read back unchanged, in any order of appending.
pub(super) async fn status_updates_say_what_happened(store: BankStore) {
    taken(&store, &["o"]).await;
    let payment = PaymentUpdate {
        number: 3,
        due_on: date(2026, 12, 5),
        paid_on: date(2026, 12, 7),
        amount: pounds(9_999_999_999_999_999),
        status: PaymentStatus::Rejected,
        reason: Some(RejectionReason::SuspectedFraud),
        detail: Some(rail_detail()),
    };
    let kinds = [
        OrderUpdate::Warehoused,
        OrderUpdate::Refused(RejectionReason::NotGiven),
        OrderUpdate::Cancelled(RejectionReason::CancelledByCustomer),
        OrderUpdate::Cancelled(RejectionReason::DebtorAccountUnusable),
        OrderUpdate::TimesChanged { execution_at: Some(at(1)), settlement_at: None },
        OrderUpdate::PaymentChanged(PaymentUpdate { reason: None, detail: None, ..payment.clone() }),
        OrderUpdate::PaymentChanged(payment),
    ];
    let all: Vec<_> = (1..)
        .zip(kinds)
        .map(|(number, what)| StatusUpdate { order: "o".into(), number, at: at(9), change: what })
        .collect();
    let shuffled: Vec<_> = all.iter().rev().cloned().collect();
    write(&store, move |tx| tx.bank_updates_append(&shuffled)).await;
    assert_eq!(read(&store, |tx| tx.bank_updates(99)).await.rows, all);
    let again: Result<_, StoreError> = store.write(|tx| tx.bank_updates_append(&[status_update("o", 2, 99)])).await;
    assert!(matches!(again, Err(StoreError::Duplicate("bank_news"))), "{again:?}");
}

/// Updates are read oldest first over all orders. Those of one order are always in sequence, at any limit, even if the bank's
/// clock was set back.
pub(super) async fn status_updates_never_overtake_those_of_their_order(store: BankStore) {
    taken(&store, &["a", "b"]).await;
    for one in [
        status_update("a", 1, 50),
        status_update("b", 1, 20),
        status_update("a", 2, 10),
        status_update("a", 3, 60),
        status_update("b", 2, 55),
    ] {
        write(&store, move |tx| tx.bank_updates_append(std::slice::from_ref(&one))).await;
    }
    let all = [("b", 1), ("a", 1), ("a", 2), ("b", 2), ("a", 3)].map(|(order, number)| (order.to_owned(), number));
    for limit in 1..=5 {
        assert_eq!(listed_updates(&store, limit).await, all[..usize::try_from(limit).unwrap()], "{limit}");
    }
    let back = read(&store, |tx| tx.bank_updates(3)).await.rows.pop().unwrap();
    assert_eq!(back.at, at(10), "what it says of its time is not changed");
}

/// SQL that makes a status update unreadable.
pub(in crate::tables) const SPOIL: &str =
    "UPDATE bank_news SET what = '\"gossip\"' WHERE order_id = 'a' AND number = 2 RETURNING order_id";

/// Adds status updates, one of which is made unreadable by [`SPOIL`].
pub(in crate::tables) async fn add_status_updates(store: &BankStore) {
    taken(store, &["a", "b"]).await;
    let all = [
        status_update("a", 1, 1),
        status_update("a", 2, 2),
        status_update("a", 3, 3),
        status_update("b", 1, 4),
        status_update("b", 2, 5),
    ];
    write(store, move |tx| tx.bank_updates_append(&all)).await;
}

/// An unreadable update blocks the later ones of its order only. Once the earlier ones are acknowledged it is reported, and
/// after it is quarantined it does not count against the limit.
pub(in crate::tables) async fn spoilt_updates_keep_back_their_order_alone(store: &BankStore) {
    let rest = [("a", 1), ("b", 1), ("b", 2)].map(|(order, number)| (order.to_owned(), number));
    let look = async |limit| read(store, move |tx| tx.bank_updates(limit)).await;
    assert_eq!(listed_updates(store, 9).await, rest);
    assert!(look(9).await.unreadable.is_empty(), "one before it can be heard");
    write(store, |tx| tx.bank_updates_drop(&[("a".into(), 1)])).await;
    let unreadable = look(1).await.unreadable;
    assert_eq!(
        unreadable.iter().map(|it| (it.kind, it.subject.as_str())).collect::<Vec<_>>(),
        [(WorkKind::StatusUpdate, "a")]
    );
    write(store, move |tx| tx.quarantine_add(&unreadable, at(1))).await;
    assert_eq!(listed_updates(store, 1).await, rest[1..2]);
    assert!(look(9).await.unreadable.is_empty());
}

/// Acknowledging removes the updates of each order up to a number, and no others.
pub(super) async fn acknowledged_updates_are_gone(store: BankStore) {
    taken(&store, &["a", "b", "c"]).await;
    let all: Vec<_> =
        [("a", 1), ("a", 2), ("b", 1), ("b", 2), ("c", 1)].map(|(id, number)| status_update(id, number, 1)).into();
    write(&store, move |tx| tx.bank_updates_append(&all)).await;
    let acknowledged = || vec![("a".into(), 1), ("b".into(), 2), ("none".into(), 9)];
    for _ in 0..2 {
        write(&store, move |tx| tx.bank_updates_drop(&acknowledged())).await;
        assert_eq!(listed_updates(&store, 9).await, [(String::from("a"), 2), (String::from("c"), 1)]);
    }
    write(&store, |tx| tx.bank_updates_append(&[status_update("b", 3, 0)])).await;
    assert_eq!(
        listed_updates(&store, 1).await,
        [(String::from("b"), 3)],
        "its earlier ones do not hold it back any more"
    );
}

/// With concurrent writers and a reader of small batches, all updates arrive, and those of each order in sequence.
pub(super) async fn status_updates_have_no_gaps_under_concurrency(store: BankStore) {
    taken(&store, &["o0", "o1", "o2", "o3"]).await;
    let tellers: Vec<_> = (0..ORDERS)
        .flat_map(|order| (0..EACH).map(move |turn| (order, turn)))
        .map(|(order, turn)| {
            let store = store.clone();
            tokio::spawn(async move {
                let id = OrderId::new(format!("o{order}"));
                write(&store, move |tx| {
                    let it = tx.bank_order_for_update(&id)?.unwrap();
                    let number = it.last_update + 1;
                    // Each writer has its own clock: one clock runs forwards, another backwards.
                    let second = i64::from(turn * 7 % EACH);
                    tx.bank_updates_append(&[StatusUpdate {
                        order: id.clone(),
                        number,
                        at: at(second),
                        change: OrderUpdate::Warehoused,
                    }])?;
                    tx.bank_order_update(&OrderAtBank { last_update: number, ..it })
                })
                .await;
            })
        })
        .collect();
    let mut acknowledged: BTreeMap<String, u32> = BTreeMap::new();
    let all = ORDERS * EACH;
    while acknowledged.values().sum::<u32>() < all {
        let some = listed_updates(&store, 3).await;
        for (order, number) in some {
            let last = acknowledged.entry(order.clone()).or_default();
            assert_eq!(number, *last + 1, "{order}");
            *last = number;
        }
        let marks: Vec<_> = acknowledged.iter().map(|(order, number)| (OrderId::new(order.clone()), *number)).collect();
        write(&store, move |tx| tx.bank_updates_drop(&marks)).await;
    }
    for teller in tellers {
        teller.await.unwrap();
    }
    assert_eq!(listed_updates(&store, 9).await, []);
}

/// A plan replaces the previous one, and the plan "usual" removes it. Only plans of the requested consents are returned.
pub(super) async fn a_consent_has_its_last_plan(store: BankStore) {
    let plan = |outcome, wait_secs| OrderPlan { outcome, wait_secs };
    let (first, second): (ConsentId, ConsentId) = ("c-1".into(), "c-2".into());
    let planned = async |consents: Vec<ConsentId>| {
        let mut found = read(&store, move |tx| tx.order_plans(&consents.iter().collect::<Vec<_>>())).await;
        found.sort_by(|a, b| a.0.cmp(&b.0));
        found
    };
    let put = async |consent: &ConsentId, plan| {
        let consent = consent.clone();
        write(&store, move |tx| tx.order_plan_put(&consent, plan)).await;
    };
    for outcome in PlannedOutcome::ALL {
        put(&first, plan(outcome, 5)).await;
        assert_eq!(planned(vec![first.clone()]).await, [(first.clone(), plan(outcome, 5))]);
    }
    put(&second, plan(PlannedOutcome::Held, PLAN_WAIT_SECS_MAX)).await;
    let held = (second.clone(), plan(PlannedOutcome::Held, PLAN_WAIT_SECS_MAX));
    assert_eq!(planned(vec![second.clone(), "none".into()]).await, std::slice::from_ref(&held));
    put(&first, OrderPlan::USUAL).await;
    assert_eq!(planned(vec![first, second]).await, [held]);
    assert_eq!(planned(Vec::new()).await, []);
}

/// Orders are found by id, in the sequence of the ids, and listed by the time of their receipt, then by id.
pub(super) async fn orders_are_found_by_id_and_by_the_time_of_their_receipt(store: BankStore) {
    let received = |id: &str, second: Option<i64>| OrderAtBank { received_at: second.map(at), ..ordered(id, None) };
    let orders = [("d", Some(2)), ("a", Some(3)), ("c", Some(2)), ("b", Some(2)), ("old", None)];
    let orders = orders.map(|(id, second)| received(id, second));
    let inserted = orders.clone();
    write(&store, move |tx| tx.bank_orders_insert(&inserted)).await;
    let ids = ["none", "d", "o\0", "old", "a"].map(OrderId::from).to_vec();
    let found = read(&store, move |tx| tx.bank_orders(&ids)).await;
    assert_eq!(found, [orders[0].clone(), orders[4].clone(), orders[1].clone()]);
    let listed = |from: i64, after: &'static str, limit: u32| {
        let store = store.clone();
        async move {
            let found = read(&store, move |tx| tx.bank_orders_received(at(from), after, limit)).await;
            found.iter().map(|it| it.id.to_string()).collect::<Vec<_>>()
        }
    };
    assert_eq!(listed(0, "", 9).await, ["b", "c", "d", "a"], "an order of an earlier release is not listed");
    assert_eq!(listed(2, "b", 2).await, ["c", "d"]);
    assert_eq!(listed(2, "d", 2).await, ["a"]);
    assert_eq!(listed(3, "", 9).await, ["a"], "the first instant belongs to the part");
    assert_eq!(listed(4, "", 9).await, [""; 0]);
}

/// Of each order with updates that wait for their acknowledgement, the first number is told.
pub(super) async fn the_first_update_that_waits_is_told_of_each_order(store: BankStore) {
    taken(&store, &["o", "p", "q"]).await;
    write(&store, |tx| {
        let updates = [("o", 1), ("o", 2), ("o", 3), ("p", 1)].map(|(order, number)| status_update(order, number, 1));
        tx.bank_updates_append(&updates)?;
        tx.bank_updates_drop(&[("o".into(), 1)])
    })
    .await;
    let ids = ["o", "p", "q", "none"].map(OrderId::from).to_vec();
    let mut waiting = read(&store, move |tx| tx.bank_updates_waiting(&ids)).await;
    waiting.sort();
    assert_eq!(waiting, [("o".into(), 2), ("p".into(), 1)]);
}
