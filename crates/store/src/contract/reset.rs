//! Resetting the database.

use super::payment_files::upload;
use super::samples::{at, client, code, consent, digest, event, grant, read, signing_key, token, write};
use super::samples_of_instructions::cycles;
use super::samples_of_payments::{file_lines, pounds};
use lombard_database::testing::promises::failed_work;
use lombard_domain::grant::TokenKind;
use lombard_domain::payment::vrp::{PeriodCounter, VrpReservation, VrpUsage};
use lombard_ports::store::{Owned, ReusableSignatures, ServerTransaction, Store, StoreError, WorkKind};

/// A reservation of a VRP payment.
fn counted() -> VrpReservation {
    let counter = PeriodCounter { cycle: cycles()[0], from: jiff::civil::date(2026, 7, 1) };
    VrpReservation { counters: vec![counter], amount: pounds(1) }
}

/// Stores rows of every kind that a reset removes.
fn a_past(tx: &mut dyn ServerTransaction) -> Result<(), StoreError> {
    tx.consent_insert(&consent("c", "t"))?;
    tx.grant_insert(&grant("g", "t", Some("c")))?;
    tx.token_insert(&token(1, "g", TokenKind::Access, None))?;
    tx.code_insert(&code(2, "g"))?;
    tx.events_append(&[event("e", "t", 1)])?;
    tx.upload_begin(&upload("u", "t", "c", 9), at(1))?;
    tx.upload_append(&"u".into(), 0, b"bytes")?;
    tx.file_lines_append(&"u".into(), &file_lines())?;
    tx.upload_attach(&"u".into(), 5)?;
    tx.vrp_reserve(&"c".into(), &counted())?;
    tx.quarantine_add(&[failed_work(WorkKind::Upload, "u")], at(1)).map(drop)
}

/// A reset removes consents, orders, tokens and events, which can then be created again; clients and settings are kept.
pub(super) async fn what_happened_is_forgotten_and_can_happen_again(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.key_insert(&signing_key("k", 1))?;
        tx.setting_put("s", "1")
    })
    .await;
    for _ in 0..2 {
        write(&store, a_past).await;
        write(&store, |tx| tx.server_tables_clear()).await;
        assert_eq!(read(&store, |tx| tx.consent(&"t".into(), &"c".into())).await, Owned::Absent);
        assert_eq!(read(&store, |tx| tx.token_state(&digest(1))).await, None);
        assert_eq!(read(&store, |tx| tx.code_for_update(&digest(2))).await, None);
        assert_eq!(
            read(&store, |tx| tx.events_waiting(&"t".into(), None, &ReusableSignatures::default(), 10)).await,
            vec![]
        );
        assert_eq!(read(&store, |tx| tx.upload_piece(&"u".into(), 0)).await, None);
        assert_eq!(read(&store, |tx| tx.file_lines(&"u".into(), 0, 9)).await, vec![]);
        assert_eq!(read(&store, |tx| tx.vrp_usage(&"c".into(), &counted().counters)).await, VrpUsage::default());
        assert_eq!(read(&store, |tx| tx.quarantined_counts()).await, vec![]);
        assert_eq!(read(&store, |tx| tx.client(&"t".into())).await, Some(client("t")));
        assert_eq!(read(&store, |tx| tx.keys()).await, vec![signing_key("k", 1)]);
        assert_eq!(read(&store, |tx| tx.setting("s")).await.as_deref(), Some("1"));
    }
}

/// A reset that is rolled back changes nothing.
pub(super) async fn a_new_beginning_is_whole_or_not_at_all(store: Store) {
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    write(&store, a_past).await;
    let given_up: Result<(), StoreError> = store
        .write(|tx| {
            tx.server_tables_clear()?;
            Err(StoreError::Duplicate("given up"))
        })
        .await;
    assert!(matches!(given_up, Err(StoreError::Duplicate("given up"))), "{given_up:?}");
    assert!(read(&store, |tx| tx.token_state(&digest(1))).await.is_some());
    assert_eq!(
        read(&store, |tx| tx.events_waiting(&"t".into(), None, &ReusableSignatures::default(), 10)).await.len(),
        1
    );
    assert_eq!(read(&store, |tx| tx.quarantined_counts()).await, [(WorkKind::Upload, 1)]);
    let again: Result<(), StoreError> = store.write(a_past).await;
    assert!(matches!(again, Err(StoreError::Duplicate(_))), "{again:?}");
}

/// The number of concurrent writers.
const WRITERS: u8 = 9;
const RESET: u8 = 4;

/// A concurrent write commits entirely before or entirely after the reset.
pub(super) async fn writers_come_before_or_after_a_new_beginning(store: Store) {
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    let busy = (0..WRITERS).map(|number| {
        let store = store.clone();
        async move {
            if number == RESET {
                store.write::<_, StoreError, _>(|tx| tx.server_tables_clear()).await.unwrap();
            } else {
                let id = format!("c{number}");
                let kept = store.write::<_, StoreError, _>(move |tx| {
                    tx.consent_insert(&consent(&id, "t"))?;
                    tx.grant_insert(&grant(&id, "t", Some(&id)))?;
                    tx.token_insert(&token(number, &id, TokenKind::Access, None))
                });
                kept.await.unwrap();
            }
        }
    });
    futures_util::future::join_all(busy).await;
    for number in (0..WRITERS).filter(|number| *number != RESET) {
        let id = format!("c{number}");
        let known = read(&store, move |tx| {
            let consent = tx.consent(&"t".into(), &id.as_str().into())?;
            Ok((matches!(consent, Owned::Mine(_)), tx.token_state(&digest(number))?.is_some()))
        });
        let (consent, token) = known.await;
        assert_eq!(consent, token, "all that was written together is there, or nothing of it");
    }
    write(&store, |tx| tx.server_tables_clear()).await;
    for number in 0..WRITERS {
        assert_eq!(read(&store, move |tx| tx.token_state(&digest(number))).await, None);
    }
}
