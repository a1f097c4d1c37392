//! The purge of records after their time, and the hold, export and erasure of the records of one customer.

use super::samples::{at, client, consent, grant, read, selected, token, write};
use super::samples_of_instructions::domestic;
use super::samples_of_payments::{order, payment_consent, plain_terms};
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentState, DecisionEvidence, EvidencedDecision, RevokedBy};
use lombard_domain::grant::TokenKind;
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::payment::order::{Order, PaymentConsentRequest, RejectionReason};
use lombard_domain::retention::CustomerHold;
use lombard_domain::staff::StaffName;
use lombard_ports::store::{NewUpload, Store};
use serde_json::Value;

fn terms() -> PaymentConsentRequest {
    plain_terms(domestic().swap_remove(0))
}

/// A consent of a customer in a state since a time.
fn of_customer(id: &str, psu: &str, state: ConsentState, since: i64) -> Consent {
    let accounts = vec![selected("b1", &format!("alias-of-{psu}"))];
    Consent {
        psu: Some(psu.into()),
        state,
        state_changed_at: at(since),
        authorised_at: Some(at(6)),
        accounts,
        ..consent(id, "t")
    }
}

/// An order of a customer, rejected if it has ended, with its consumed consent of the same id.
async fn place(store: &Store, id: &'static str, psu: &'static str, has_ended: bool) {
    write(store, move |tx| {
        let base = payment_consent(id, "t", terms());
        tx.consent_insert(&Consent {
            psu: Some(psu.into()),
            state: ConsentState::Consumed,
            state_changed_at: at(10),
            authorised_at: Some(at(6)),
            ..base
        })?;
        let mut placed = Order { psu: psu.into(), ..order(id, id, "b1", 1, &terms()) };
        if has_ended {
            let _ = placed.reject(RejectionReason::NotGiven, at(51)).unwrap();
        }
        tx.order_insert(&placed)
    })
    .await;
}

async fn stored(store: &Store, id: &'static str) -> bool {
    read(store, move |tx| tx.consent_any_owner(&id.into())).await.is_some()
}

async fn stored_order(store: &Store, id: &'static str) -> bool {
    read(store, move |tx| tx.order_for_update(&id.into())).await.is_some()
}

fn hold(psu: &str) -> CustomerHold {
    CustomerHold {
        psu: psu.into(),
        held_at: at(50),
        held_by: StaffName::parse("sam").unwrap(),
        reason: ChangeReason::parse("case 7").unwrap(),
    }
}

/// Source: PIS-026.
pub(super) async fn pis_026_unauthorised_consents_are_purged_after_their_time(store: Store) {
    write(&store, |tx| {
        tx.consent_insert(&consent("undecided", "t"))?;
        tx.consent_insert(&Consent {
            state: ConsentState::Rejected,
            state_changed_at: at(8),
            ..consent("rejected", "t")
        })?;
        tx.consent_insert(&of_customer("live", "amelia", ConsentState::Authorised, 6))
    })
    .await;
    let purge = async |before: Timestamp| write(&store, move |tx| tx.consents_purge_unauthorised(before, 10)).await;
    assert_eq!(purge(at(5)).await, 0, "the boundary instant is kept");
    assert_eq!(purge(at(6)).await, 1);
    assert!(!stored(&store, "undecided").await && stored(&store, "rejected").await);
    assert_eq!(purge(at(1_000)).await, 1);
    assert!(stored(&store, "live").await, "a consent that was authorised is another kind of record");
}

/// A consent is removed with all that belongs to it, after its end and not before its orders; a batch is bounded.
pub(super) async fn ended_consents_are_purged_with_what_belongs_to_them(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&of_customer("revoked", "amelia", ConsentState::Revoked(RevokedBy::Psu), 20))?;
        tx.consent_insert(&of_customer("expired", "amelia", ConsentState::Authorised, 6))?;
        let endless = Consent { expires_at: None, ..of_customer("live", "amelia", ConsentState::Authorised, 6) };
        tx.consent_insert(&endless)?;
        tx.grant_insert(&grant("g", "t", Some("revoked")))?;
        tx.token_insert(&token(1, "g", TokenKind::Refresh, None))?;
        tx.consent_use_record(&"revoked".into(), at(7))
    })
    .await;
    place(&store, "paid", "amelia", true).await;
    let purge =
        async |before: Timestamp, limit: u32| write(&store, move |tx| tx.consents_purge_ended(before, limit)).await;
    assert_eq!(purge(at(20), 10).await, 0, "the order of a consumed consent is stored");
    assert_eq!(purge(at(21), 10).await, 1);
    assert!(read(&store, |tx| tx.grant(&"g".into())).await.is_none());
    assert_eq!(purge(at(5_000), 1).await, 1, "a batch is bounded");
    assert_eq!(purge(at(5_000), 1).await, 0);
    assert!(!stored(&store, "expired").await && stored(&store, "live").await);
    assert_eq!(write(&store, |tx| tx.orders_purge(at(50), 10)).await, 0, "the boundary instant is kept");
    assert_eq!(write(&store, |tx| tx.orders_purge(at(51), 10)).await, 1);
    assert!(!stored_order(&store, "paid").await);
    assert_eq!(purge(at(5_000), 10).await, 1);
}

/// Orders that have not ended are kept, and so are all records of a customer on hold.
pub(super) async fn open_orders_and_customers_on_hold_are_not_purged(store: Store) {
    place(&store, "open", "amelia", false).await;
    place(&store, "held", "ben", true).await;
    let decision = EvidencedDecision {
        psu: "ben".into(),
        decided_at: at(9),
        evidence: DecisionEvidence { payee: None, warnings: vec!["Stop".to_owned()] },
    };
    write(&store, move |tx| tx.decision_evidence_insert(&"held".into(), &"g".into(), &decision)).await;
    assert!(write(&store, |tx| tx.customer_hold_place(&hold("ben"))).await);
    assert!(!write(&store, |tx| tx.customer_hold_place(&hold("ben"))).await, "the first hold stays");
    assert_eq!(read(&store, |tx| tx.customer_hold(&"ben".into())).await, Some(hold("ben")));
    let purge = async || {
        write(&store, |tx| {
            let orders = tx.orders_purge(at(99), 10)?;
            let consents = tx.consents_purge_ended(at(99), 10)?;
            Ok([orders, consents, tx.decision_evidence_purge(at(99), 10)?])
        })
        .await
    };
    assert_eq!(purge().await, [0, 0, 0]);
    assert!(write(&store, |tx| tx.customer_hold_release(&"ben".into())).await);
    assert!(!write(&store, |tx| tx.customer_hold_release(&"ben".into())).await);
    assert_eq!(purge().await, [1, 1, 0], "evidence goes with its consent");
    assert!(stored_order(&store, "open").await);
}

/// A file is removed after its time if its order has ended. Its bytes are then removed as those of an abandoned upload.
pub(super) async fn files_of_ended_orders_are_purged_after_their_time(store: Store) {
    for (id, has_ended) in [("paid", true), ("open", false)] {
        place(&store, id, "amelia", has_ended).await;
        write(&store, move |tx| {
            let upload = NewUpload { id: id.into(), client: "t".into(), consent: id.into(), bytes_max: 9 };
            tx.upload_begin(&upload, at(30))?;
            tx.upload_append(&id.into(), 0, b"line")?;
            tx.upload_attach(&id.into(), 4)
        })
        .await;
    }
    assert_eq!(write(&store, |tx| tx.uploads_mark_consumed(10)).await, 2);
    let purge = async |before: Timestamp| write(&store, move |tx| tx.files_purge(before, 10)).await;
    assert_eq!(purge(at(30)).await, 0, "the boundary instant is kept");
    assert_eq!([purge(at(31)).await, purge(at(31)).await], [1, 0]);
    for (id, is_kept) in [("paid", false), ("open", true)] {
        assert_eq!(read(&store, move |tx| tx.upload_is_attached(&id.into())).await, is_kept, "{id}");
    }
    assert_eq!(read(&store, |tx| tx.uploads_abandoned(at(0), 10)).await, ["paid".into()]);
    assert!(write(&store, |tx| tx.upload_remove(&"paid".into())).await);
}

/// The rows of a customer, by table.
async fn exported(store: &Store, psu: &'static str) -> Vec<(String, Vec<Value>)> {
    let records = read(store, move |tx| tx.customer_records(&psu.into(), 10)).await;
    records.into_iter().filter(|it| !it.rows.is_empty()).map(|it| (it.table, it.rows)).collect()
}

/// An export has the rows of the customer alone, and says if a table has more.
pub(super) async fn an_export_has_the_rows_of_one_customer(store: Store) {
    write(&store, |tx| {
        tx.consent_insert(&of_customer("c1", "amelia", ConsentState::Authorised, 6))?;
        tx.consent_insert(&of_customer("c2", "amelia", ConsentState::Authorised, 6))?;
        tx.consent_insert(&of_customer("c3", "ben", ConsentState::Authorised, 6))
    })
    .await;
    place(&store, "o", "amelia", true).await;
    let tables = exported(&store, "amelia").await;
    let names: Vec<_> = tables.iter().map(|(table, rows)| (table.as_str(), rows.len())).collect();
    assert_eq!(names, [("consents", 3), ("consent_accounts", 2), ("orders", 1)]);
    let consent = tables[0].1.iter().find(|row| row["id"] == "c1").unwrap();
    assert_eq!(consent["submitted"]["Permissions"][0], "ReadBalances");
    assert_eq!(consent["created_at"], at(5).to_string());
    let limited = read(&store, |tx| tx.customer_records(&"amelia".into(), 2)).await;
    assert!(!limited[0].is_complete && limited[0].rows.len() == 2 && limited[1].is_complete);
    assert!(exported(&store, "nobody").await.is_empty());
}

/// An erasure leaves rows without personal data, which no look-up finds, and touches nobody else.
pub(super) async fn an_erasure_leaves_rows_under_a_pseudonym(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.consent_insert(&of_customer("c1", "amelia", ConsentState::Revoked(RevokedBy::Bank), 6))?;
        tx.consent_insert(&of_customer("c2", "ben", ConsentState::Authorised, 6))?;
        tx.account_alias(&"t".into(), &"b1".into(), &"alias-of-amelia".into())?;
        tx.grant_insert(&grant("g", "t", Some("c1")))
    })
    .await;
    place(&store, "o1", "amelia", true).await;
    place(&store, "o2", "amelia", true).await;
    place(&store, "o3", "amelia", false).await;
    let open = read(&store, |tx| tx.customer_orders_open(&"amelia".into(), 10)).await;
    assert_eq!(open, ["o3".into()]);
    let mut erased = Vec::new();
    loop {
        let some = write(&store, |tx| tx.customer_erase(&"amelia".into(), &"erased-1".into(), at(60), 2)).await;
        if some == 0 {
            break;
        }
        erased.push(some);
    }
    assert_eq!(erased, [5, 3], "four consents, three orders and a TPP without a browser, in batches of two");
    assert!(exported(&store, "amelia").await.is_empty());
    for id in ["c1", "o1", "o2", "o3"] {
        assert!(!stored(&store, id).await, "{id}");
        assert!(!stored_order(&store, id).await, "{id}");
    }
    assert!(stored(&store, "c2").await);
    assert_eq!(exported(&store, "ben").await.len(), 2);
    let known = read(&store, |tx| tx.account_by_alias(&"t".into(), &"alias-of-amelia".into())).await;
    assert!(matches!(known, lombard_ports::store::Owned::Mine(_)), "another customer shares the account with this TPP");
    let left = exported(&store, "erased-1").await;
    let text = serde_json::to_string(&left).unwrap();
    for gone in ["amelia", "\"b1\"", "Payee", "20000012345678", "ReadBalances"] {
        assert!(!text.contains(gone), "{gone}: {text}");
    }
    let orders = &left.iter().find(|(table, _)| table == "orders").unwrap().1;
    assert!(orders.len() == 3 && orders[0]["instruction"]["domestic"]["amount"].is_array(), "{text}");
    assert_eq!(
        read(&store, |tx| tx.orders_existing(&["o1".into()])).await,
        ["o1".into()],
        "the core's order has an owner"
    );
}
