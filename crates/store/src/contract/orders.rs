//! Payment orders and their payments.

use super::samples::{at, client, read, selected, write};
use super::samples_of_instructions::domestic;
use super::samples_of_payments::{order, payment_consent, plain_terms};
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::core_state::CoreState;
use lombard_domain::ids::{BankAccountId, OrderId};
use lombard_domain::payment::PaymentProduct;
use lombard_domain::payment::order::{Order, PaymentConsentRequest, RequestedAuthorisation};
use lombard_ports::bank::CallingClient;
use lombard_ports::store::{OrderWithConsent, Owned, Store, StoreError};

/// The number of concurrent writers.
const RACERS: usize = 8;

fn terms() -> PaymentConsentRequest {
    plain_terms(domestic().swap_remove(0))
}

/// Stores orders, each under its own consent with the same id.
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

async fn found(store: &Store, id: &OrderId) -> Option<Order> {
    let id = id.clone();
    read(store, move |tx| tx.order_for_update(&id)).await
}

/// Source: RW-102, RW-104, PIS-007.
pub(super) async fn foreign_orders_are_told_from_absent(store: Store) {
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

/// Orders that are locked or read together, with their consents and clients, are the same as orders read one by one; absent ones
/// are omitted.
pub(super) async fn orders_are_read_with_what_they_stand_on(store: Store) {
    let accounts = [selected("b2", "alias-2"), selected("b1", "alias-1")];
    let of = |id: &str, client: &str| Order { client: client.into(), ..order(id, id, "b", 1, &terms()) };
    let orders = [of("o1", "t"), of("o2", "t"), of("o3", "gone"), of("o4", "t")];
    let placed = orders.clone();
    write(&store, move |tx| {
        tx.client_insert(&client("t"))?;
        for (number, order) in placed.iter().enumerate() {
            let consent = payment_consent(order.id.as_str(), order.client.as_str(), terms());
            let accounts = accounts.get(number..).unwrap_or_default().to_vec();
            tx.consent_insert(&Consent { accounts, ..consent })?;
            tx.order_insert(order)?;
        }
        tx.consent_set_core_state(&"o2".into(), &CoreState::new("slip 7").unwrap())
    })
    .await;
    let ids = ["o3", "none", "o1", "o\0", "o2", ""].map(OrderId::from).to_vec();
    let locked = ids.clone();
    let locked = write(&store, move |tx| tx.orders_for_update(&locked)).await;
    assert_eq!(locked, orders.get(..3).unwrap());
    let found = store.read_by_one_query::<_, StoreError, _>(move |tx| tx.orders_with_consents(&ids)).await;
    let mut found = found.unwrap();
    found.sort_by(|one, other| one.order.id.cmp(&other.order.id));
    assert_eq!(found.len(), 3);
    for (it, order) in found.into_iter().zip(orders) {
        let id = order.consent.clone();
        let (consent, client) =
            read(&store, move |tx| Ok((tx.consent_any_owner(&id)?.unwrap(), tx.client(&"t".into())?.unwrap()))).await;
        let client = CallingClient { id: client.id, organisation: client.org_id };
        let client = Some(client).filter(|client| client.id == order.client);
        assert_eq!(it, OrderWithConsent { order, consent, client });
    }
}

/// The state that a core sets on an order reads back unchanged, and other changes of the order keep it.
pub(super) async fn what_a_core_sets_on_an_order_reads_back(store: Store) {
    let mut it = order("o", "c", "b", 1, &terms());
    let inserted = it.clone();
    write(&store, move |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&payment_consent("c", "t", terms()))?;
        tx.order_insert(&inserted)?;
        tx.order_set_core_state(&"o".into(), &CoreState::new("slip 7").unwrap())
    })
    .await;
    it.core_state = CoreState::new("slip 7").ok();
    let changed = it.clone();
    write(&store, move |tx| tx.order_update(&Order { core_state: None, ..changed.clone() })).await;
    assert_eq!(write(&store, |tx| tx.order_for_update(&"o".into())).await, Some(it));
    let state = CoreState::new("x").unwrap();
    assert!(store.write::<_, StoreError, _>(move |tx| tx.order_set_core_state(&"none".into(), &state)).await.is_err());
}

/// Of concurrent attempts one creates the order of a single-use consent; a VRP consent has many orders. Source: PIS-041,
/// VRP-001.
pub(super) async fn a_consent_is_used_up_by_one_order(store: Store) {
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
            tx.order_insert(&Order { product: PaymentProduct::DomesticVrp, ..order(id, "often", "b", 1, &terms()) })
        })
    })
    .await;
    assert_eq!(read(&store, |tx| tx.order_of_consent(&"often".into())).await, None, "it is not used up");
}

/// The orders of a consent that allows several are listed, newest first.
pub(super) async fn orders_of_a_reused_consent_are_listed_newest_first(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&payment_consent("often", "t", terms()))?;
        tx.consent_insert(&payment_consent("once", "t", terms()))?;
        tx.order_insert(&order("o", "once", "b", 1, &terms()))?;
        [("v1", 1), ("v3", 2), ("v2", 2)].into_iter().try_for_each(|(id, second)| {
            let made = order(id, "often", "b", 1, &terms());
            tx.order_insert(&Order { product: PaymentProduct::DomesticVrp, created_at: at(second), ..made })
        })
    })
    .await;
    let list = async |consent: &'static str, limit| {
        let found = read(&store, move |tx| tx.orders_of_reused_consent(&consent.into(), limit)).await;
        found.into_iter().map(|id| id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(list("often", 9).await, ["v3", "v2", "v1"]);
    assert_eq!(list("often", 2).await, ["v3", "v2"]);
    assert!(list("once", 9).await.is_empty(), "it is the consent's one order");
}

/// The orders that a customer authorised are listed, newest first, without those of other customers.
pub(super) async fn orders_of_a_customer_are_listed_newest_first(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        for (id, second, psu) in [("a", 1, "amelia"), ("b", 2, "bashir"), ("d", 3, "amelia"), ("c", 3, "amelia")] {
            tx.consent_insert(&payment_consent(id, "t", terms()))?;
            let made = order(id, id, "b", 1, &terms());
            tx.order_insert(&Order { psu: psu.into(), created_at: at(second), ..made })?;
        }
        Ok(())
    })
    .await;
    let list = async |psu: &'static str, limit| {
        let found = read(&store, move |tx| tx.orders_of_psu(&psu.into(), limit)).await;
        found.into_iter().map(|id| id.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(list("amelia", 9).await, ["d", "c", "a"]);
    assert_eq!(list("amelia", 1).await, ["d"]);
    assert_eq!(list("bashir", 9).await, ["b"]);
    assert!(list("nobody", 9).await.is_empty());
}

/// A second reader of an order for update waits for the first transaction.
pub(super) async fn orders_under_concurrency_lose_no_update(store: Store) {
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

/// A status update may be delivered repeatedly, concurrently and late: it is applied once.
pub(super) async fn status_updates_of_an_order_are_applied_once(store: Store) {
    placed(&store, vec![order("o", "o", "b", 1, &terms()), order("other", "other", "b", 1, &terms())]).await;
    let racers = (0..RACERS).map(|_| {
        let store = store.clone();
        tokio::spawn(async move { write(&store, |tx| tx.order_update_mark_applied(&"o".into(), 1)).await })
    });
    let mut applied = 0;
    for racer in racers.collect::<Vec<_>>() {
        applied += u32::from(racer.await.unwrap());
    }
    assert_eq!(applied, 1);
    for (number, expected) in [(2, true), (2, false), (1, false), (3, true)] {
        assert_eq!(
            write(&store, move |tx| tx.order_update_mark_applied(&"o".into(), number)).await,
            expected,
            "{number}"
        );
    }
    let updated = found(&store, &"o".into()).await.unwrap();
    write(&store, move |tx| tx.order_update(&updated)).await;
    assert!(!write(&store, |tx| tx.order_update_mark_applied(&"o".into(), 3)).await, "an update does not forget it");
    assert!(write(&store, |tx| tx.order_update_mark_applied(&"other".into(), 1)).await, "each order hears for itself");
}

/// Lists orders from these accounts that await an approval, oldest first. Source: PIS-112.
pub(super) async fn orders_wait_for_those_who_must_agree(store: Store) {
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

/// An order lapses at its deadline, including the exact instant. An order without a deadline never lapses. Source: PIS-112.
pub(super) async fn orders_lapse_when_their_time_is_over(store: Store) {
    let until = |id: &str, end: Option<Timestamp>| {
        let terms = PaymentConsentRequest {
            authorisation: RequestedAuthorisation { complete_by: end, ..RequestedAuthorisation::default() },
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
