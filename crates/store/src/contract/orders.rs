//! Payment orders and their payments.

use super::samples::{at, client, read, selected, write};
use super::samples_of_payments::{
    execution, full_conditions, full_terms, instructions, order, payment_consent, plain_terms, rail_detail, source,
};
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::order::{AuthorisationWish, Execution, Order, PaymentStatus, PaymentTerms, Product, Reason};
use lombard_ports::store::{Owned, Store, StoreError};

/// How many compete.
const RACERS: usize = 8;

fn terms() -> PaymentTerms {
    plain_terms(instructions().swap_remove(0))
}

/// Stores orders, each under a consent of its own that is called like it.
async fn placed(store: &Store, orders: Vec<Order>) {
    write(store, move |tx| {
        for order in &orders {
            tx.consent_insert(&payment_consent(order.id.as_str(), "t", terms()))?;
            tx.order_insert(order)?;
        }
        Ok(())
    })
    .await;
}

/// Consents to pay and their orders come out as they went in: every form of an instruction, with everything that can be
/// said and with nothing that need not be.
pub async fn payments_survive_storage(store: Store) {
    let all = instructions().into_iter().map(plain_terms).chain([full_terms()]);
    for (number, terms) in (0..).zip(all) {
        let mut consent = payment_consent(&format!("c{number}"), "t", terms.clone());
        let first = consent.clone();
        write(&store, move |tx| tx.consent_insert(&first)).await;
        let id = consent.id.clone();
        let kept = read(&store, move |tx| tx.consent_any_owner(&id)).await;
        assert_eq!(kept.as_ref(), Some(&consent));

        let (b, x) = (format!("b{number}"), format!("x{number}"));
        consent.authorise_payment(&"amelia".into(), selected(&b, &x), source(1), full_conditions(), at(6)).unwrap();
        let second = consent.clone();
        // Written twice: nothing has changed the second time, and that is no contention.
        write(&store, move |tx| {
            tx.consent_update(&second)?;
            tx.consent_update(&second)
        })
        .await;
        let id = consent.id.clone();
        assert_eq!(read(&store, move |tx| tx.consent_any_owner(&id)).await.as_ref(), Some(&consent));

        let mut made = order(&format!("o{number}"), consent.id.as_str(), &b, 1, &terms);
        let first = made.clone();
        write(&store, move |tx| tx.order_insert(&first)).await;
        assert_eq!(found(&store, &made.id).await.as_ref(), Some(&made));
        made.conditions = full_conditions();
        let moved = made.reject(Reason::InsufficientFunds, at(60));
        assert!(moved.is_ok(), "{moved:?}");
        let second = made.clone();
        write(&store, move |tx| tx.order_update(&second)).await;
        assert_eq!(found(&store, &made.id).await, Some(made));
    }
}

async fn found(store: &Store, id: &OrderId) -> Option<Order> {
    let id = id.clone();
    read(store, move |tx| tx.order_for_update(&id)).await
}

/// Source: RW-102, RW-104, PIS-007.
pub async fn foreign_orders_are_told_from_absent(store: Store) {
    let mine = order("o", "o", "b", 1, &terms());
    placed(&store, vec![mine.clone()]).await;
    let look = |owner: &'static str, id: &'static str| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.order(&owner.into(), &id.into())).await }
    };
    assert_eq!(look("t", "o").await, Owned::Mine(mine));
    assert_eq!(look("rival", "o").await, Owned::Foreign);
    for id in ["none", "", "o\0", "%", "' OR '1'='1"] {
        assert_eq!(look("t", id).await, Owned::Absent, "{id:?}");
        assert_eq!(write(&store, move |tx| tx.order_for_update(&id.into())).await, None, "{id:?}");
    }
}

/// However many try at once, a consent has one order; one that may be used again has many. Source: PIS-041, VRP-001.
pub async fn a_consent_is_used_up_by_one_order(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&payment_consent("c", "t", terms()))
    })
    .await;
    assert_eq!(read(&store, |tx| tx.order_of_consent(&"c".into())).await, None);
    let racers = (0..RACERS).map(|number| {
        let (store, order) = (store.clone(), order(&format!("o{number}"), "c", "b", 1, &terms()));
        tokio::spawn(async move { store.write::<_, StoreError, _>(move |tx| tx.order_insert(&order)).await })
    });
    let mut made = 0;
    for racer in racers.collect::<Vec<_>>() {
        match racer.await.unwrap() {
            Ok(()) => made += 1,
            Err(error) => assert!(matches!(error, StoreError::Duplicate("orders")), "{error:?}"),
        }
    }
    assert_eq!(made, 1);
    let winner = read(&store, |tx| tx.order_of_consent(&"c".into())).await.unwrap();
    let again = order(winner.as_str(), "c", "b", 1, &terms());
    let outcome: Result<(), StoreError> = store.write(move |tx| tx.order_insert(&again)).await;
    assert!(matches!(outcome, Err(StoreError::Duplicate("orders"))), "{outcome:?}");

    write(&store, |tx| {
        tx.consent_insert(&payment_consent("often", "t", terms()))?;
        ["v1", "v2"].into_iter().try_for_each(|id| {
            tx.order_insert(&Order { product: Product::DomesticVrp, ..order(id, "often", "b", 1, &terms()) })
        })
    })
    .await;
    assert_eq!(read(&store, |tx| tx.order_of_consent(&"often".into())).await, None, "it is not used up");
}

/// Whoever has an order for update is waited for.
pub async fn orders_under_concurrency_lose_no_update(store: Store) {
    placed(&store, vec![order("o", "o", "b", 99, &terms())]).await;
    let racers = (0..RACERS).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, move |tx| {
                let mut order = tx.order_for_update(&"o".into())?.unwrap();
                let moved = order.approve(&format!("psu-{number}").as_str().into(), at(60));
                assert!(moved.is_ok(), "{moved:?}");
                tx.order_update(&order)
            })
            .await;
        })
    });
    for racer in racers.collect::<Vec<_>>() {
        racer.await.unwrap();
    }
    let approvals = found(&store, &"o".into()).await.unwrap().approvals.unwrap();
    assert_eq!(usize::from(approvals.count()), RACERS + 1, "each of them beside the first");
}

/// The same news may come many times and from many sides at once, and late: it is heard once.
pub async fn news_of_an_order_are_heard_once(store: Store) {
    placed(&store, vec![order("o", "o", "b", 1, &terms()), order("other", "other", "b", 1, &terms())]).await;
    let racers = (0..RACERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { write(&store, |tx| tx.order_news_heard(&"o".into(), 1)).await })
    });
    let mut heard = 0;
    for racer in racers.collect::<Vec<_>>() {
        heard += u32::from(racer.await.unwrap());
    }
    assert_eq!(heard, 1);
    for (number, expected) in [(2, true), (2, false), (1, false), (3, true)] {
        assert_eq!(write(&store, move |tx| tx.order_news_heard(&"o".into(), number)).await, expected, "{number}");
    }
    let updated = found(&store, &"o".into()).await.unwrap();
    write(&store, move |tx| tx.order_update(&updated)).await;
    assert!(!write(&store, |tx| tx.order_news_heard(&"o".into(), 3)).await, "an update does not forget it");
    assert!(write(&store, |tx| tx.order_news_heard(&"other".into(), 1)).await, "each order hears for itself");
}

/// Oldest first, from these accounts, while somebody has to agree. Source: PIS-112.
pub async fn orders_wait_for_those_who_must_agree(store: Store) {
    let waits = |id: &str, debtor: &str, second| Order { created_at: at(second), ..order(id, id, debtor, 2, &terms()) };
    let list = vec![
        waits("a", "b1", 3),
        waits("b", "b2", 1),
        waits("c", "b1", 2),
        waits("d", "b3", 0),
        waits("tie", "b2", 2),
        order("alone", "alone", "b1", 1, &terms()),
    ];
    placed(&store, list).await;
    let awaiting = |debtors: &'static [&'static str], limit| {
        let store = store.clone();
        async move {
            let debtors: Vec<_> = debtors.iter().map(|it| BankAccountId::from(*it)).collect();
            let found = read(&store, move |tx| tx.orders_awaiting(&debtors, limit)).await;
            found.into_iter().map(|it| it.id.to_string()).collect::<Vec<_>>()
        }
    };
    assert_eq!(awaiting(&["b1", "b2", "b1"], 9).await, ["b", "c", "tie", "a"]);
    assert_eq!(awaiting(&["b1", "b2"], 2).await, ["b", "c"]);
    assert_eq!(awaiting(&["b4"], 9).await, [""; 0]);
    assert_eq!(awaiting(&[], 9).await, [""; 0]);
    write(&store, |tx| {
        let mut agreed = tx.order_for_update(&"b".into())?.unwrap();
        assert!(agreed.approve(&"chloe".into(), at(60)).is_ok());
        tx.order_update(&agreed)?;
        let mut refused = tx.order_for_update(&"c".into())?.unwrap();
        assert!(refused.decline(&"chloe".into(), at(60)).is_ok());
        tx.order_update(&refused)
    })
    .await;
    assert_eq!(awaiting(&["b1", "b2"], 9).await, ["tie", "a"]);
}

/// Their end belongs to the time that is over; without an end they wait for ever. Source: PIS-112.
pub async fn orders_lapse_when_their_time_is_over(store: Store) {
    let until = |id: &str, end: Option<Timestamp>| {
        let terms = PaymentTerms {
            authorisation: AuthorisationWish { complete_by: end, ..AuthorisationWish::default() },
            ..terms()
        };
        order(id, id, "b", 2, &terms)
    };
    let list = vec![
        until("late", Some(at(90))),
        until("soon", Some(at(70))),
        until("never", None),
        until("next", Some(at(80))),
    ];
    placed(&store, list).await;
    let lapsed = |second, limit| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.orders_lapsed(at(second), limit)).await }
    };
    assert_eq!(lapsed(69, 9).await, []);
    assert_eq!(lapsed(70, 9).await, ["soon".into()]);
    assert_eq!(lapsed(999, 2).await, ["soon".into(), "next".into()]);
    write(&store, |tx| {
        let mut over = tx.order_for_update(&"soon".into())?.unwrap();
        assert!(over.lapse(at(70)).is_ok());
        tx.order_update(&over)
    })
    .await;
    assert_eq!(lapsed(999, 9).await, ["next".into(), "late".into()]);
}

/// Source: PIS-090, PIS-094.
pub async fn payments_of_an_order_come_by_number(store: Store) {
    placed(&store, vec![order("o", "o", "b", 1, &terms()), order("p", "p", "b", 1, &terms())]).await;
    write(&store, |tx| {
        for (order, number) in [("o", 2), ("o", 10), ("o", 1), ("p", 3)] {
            tx.execution_put(&execution(order, number))?;
        }
        Ok(())
    })
    .await;
    let numbers = |after, limit| {
        let store = store.clone();
        async move {
            let found = read(&store, move |tx| tx.executions(&"o".into(), after, limit)).await;
            found.into_iter().map(|it| it.number).collect::<Vec<_>>()
        }
    };
    assert_eq!(numbers(0, 9).await, [1, 2, 10]);
    assert_eq!(numbers(1, 1).await, [2]);
    assert_eq!(numbers(10, 9).await, [0; 0]);
    let moved =
        Execution { status: PaymentStatus::Settled, since: at(99), detail: Some(rail_detail()), ..execution("o", 2) };
    let put = moved.clone();
    write(&store, move |tx| tx.execution_put(&put)).await;
    assert_eq!(read(&store, |tx| tx.execution(&"o".into(), 2)).await, Some(moved));
    assert_eq!(read(&store, |tx| tx.execution(&"o".into(), 1)).await, Some(execution("o", 1)));
    assert_eq!(read(&store, |tx| tx.execution(&"p".into(), 1)).await, None);
    assert_eq!(numbers(0, 9).await, [1, 2, 10], "one was replaced");
}

/// The oldest first; not those somebody decided on, and none to account information. Source: PIS-027.
pub async fn payment_consents_are_found_while_undecided(store: Store) {
    write(&store, |tx| {
        for (id, second) in [("c2", 6), ("c1", 5), ("agreed", 5), ("refused", 5), ("deleted", 5), ("late", 9)] {
            tx.consent_insert(&Consent { created_at: at(second), ..payment_consent(id, "t", terms()) })?;
        }
        tx.consent_insert(&super::samples::consent("accounts", "t"))?;
        for id in ["agreed", "refused", "deleted"] {
            let mut it = tx.consent_any_owner(&id.into())?.unwrap();
            match id {
                "agreed" => it
                    .authorise_payment(&"amelia".into(), selected("b", "x"), source(1), full_conditions(), at(6))
                    .unwrap(),
                "refused" => assert!(it.reject(at(6))),
                _ => it.delete(at(6)),
            }
            tx.consent_update(&it)?;
        }
        Ok(())
    })
    .await;
    let undecided = |second, limit| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.payment_consents_undecided(at(second), limit)).await }
    };
    assert_eq!(undecided(4, 9).await, []);
    assert_eq!(undecided(5, 9).await, ["c1".into()], "the bound belongs to it");
    assert_eq!(undecided(8, 9).await, ["c1".into(), "c2".into()]);
    assert_eq!(undecided(99, 1).await, ["c1".into()]);
}
