//! A new beginning.

use super::payment_files::upload;
use super::quarantine::failed;
use super::samples::{
    at, bank_account, client, code, consent, digest, event, grant, journal, read, signing_key, token, write,
};
use super::samples_of_instructions::cycles;
use super::samples_of_payments::{file_lines, pounds};
use lombard_domain::grant::TokenKind;
use lombard_domain::money::Currency;
use lombard_domain::vrp::{Counter, Reservation, Usage};
use lombard_ports::store::{Customer, Owned, Posted, Store, StoreError, Transaction, WorkKind};

/// A payment under limits.
fn counted() -> Reservation {
    let counter = Counter { cycle: cycles()[0], from: jiff::civil::date(2026, 7, 1) };
    Reservation { counters: vec![counter], amount: pounds(1) }
}

/// What the bank, its customers and its TPPs had and did.
fn a_past(tx: &mut dyn Transaction) -> Result<Vec<Posted>, StoreError> {
    let amelia = Customer { psu: "amelia".into(), name: "Amelia".into(), about: "One account.".into(), party: None };
    tx.customers_insert(&[amelia])?;
    for id in ["a", "b"] {
        tx.bank_account_insert(&bank_account(id, Currency::GBP))?;
    }
    tx.consent_insert(&consent("c", "t"))?;
    tx.grant_insert(&grant("g", "t", Some("c")))?;
    tx.token_insert(&token(1, "g", TokenKind::Access, None))?;
    tx.code_insert(&code(2, "g"))?;
    tx.events_append(&[event("e", "t", 1)])?;
    tx.upload_begin(&upload("u", "t", "c", 9), at(1))?;
    tx.upload_append(&"u".into(), 0, b"bytes")?;
    tx.file_lines_append(&"u".into(), &file_lines())?;
    tx.upload_keep(&"u".into(), 5)?;
    tx.vrp_reserve(&"c".into(), &counted())?;
    tx.quarantine_add(&[failed(WorkKind::Upload, "u")], at(1))?;
    tx.journals_post(&[journal("x", "a", "b", 5)])
}

/// What happened is gone, and can happen again; who the clients are and how the bank is set up is not.
pub async fn what_happened_is_forgotten_and_can_happen_again(store: Store) {
    write(&store, |tx| {
        tx.client_insert(&client("t"))?;
        tx.key_insert(&signing_key("k", 1))?;
        tx.setting_put("s", "1")
    })
    .await;
    for _ in 0..2 {
        assert_eq!(write(&store, a_past).await, [Posted::Now]);
        write(&store, |tx| tx.forget_all()).await;
        assert_eq!(read(&store, |tx| tx.customers()).await, vec![]);
        assert_eq!(read(&store, |tx| tx.bank_accounts(&["a".into(), "b".into()])).await, vec![]);
        assert_eq!(read(&store, |tx| tx.ledger_totals()).await, vec![]);
        assert_eq!(read(&store, |tx| tx.consent(&"t".into(), &"c".into())).await, Owned::Absent);
        assert_eq!(read(&store, |tx| tx.token_state(&digest(1))).await, None);
        assert_eq!(read(&store, |tx| tx.code_for_update(&digest(2))).await, None);
        assert_eq!(read(&store, |tx| tx.events_waiting(&"t".into(), None, &[], 10)).await, vec![]);
        assert_eq!(read(&store, |tx| tx.upload_piece(&"u".into(), 0)).await, None);
        assert_eq!(read(&store, |tx| tx.file_lines(&"u".into(), 0, 9)).await, vec![]);
        assert_eq!(read(&store, |tx| tx.vrp_usage(&"c".into(), &counted().counters)).await, Usage::default());
        assert_eq!(read(&store, |tx| tx.quarantined_counts()).await, vec![]);
        assert_eq!(read(&store, |tx| tx.client(&"t".into())).await, Some(client("t")));
        assert_eq!(read(&store, |tx| tx.keys()).await, vec![signing_key("k", 1)]);
        assert_eq!(read(&store, |tx| tx.setting("s")).await.as_deref(), Some("1"));
    }
}

/// A new beginning that is given up leaves the past as it was.
pub async fn a_new_beginning_is_whole_or_not_at_all(store: Store) {
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    write(&store, a_past).await;
    let given_up: Result<(), StoreError> = store
        .write(|tx| {
            tx.forget_all()?;
            Err(StoreError::Duplicate("given up"))
        })
        .await;
    assert!(matches!(given_up, Err(StoreError::Duplicate("given up"))), "{given_up:?}");
    assert_eq!(read(&store, |tx| tx.bank_accounts(&["a".into(), "b".into()])).await.len(), 2);
    assert!(read(&store, |tx| tx.token_state(&digest(1))).await.is_some());
    assert_eq!(write(&store, |tx| tx.journals_post(&[journal("x", "a", "b", 5)])).await, [Posted::Before]);
}

/// Writers at once, and which of them begins anew.
const WRITERS: u8 = 9;
const RESET: u8 = 4;

/// Whoever writes while it goes on comes before it or after it.
pub async fn writers_come_before_or_after_a_new_beginning(store: Store) {
    write(&store, |tx| tx.client_insert(&client("t"))).await;
    let busy = (0..WRITERS).map(|number| {
        let store = store.clone();
        async move {
            if number == RESET {
                store.write::<_, StoreError, _>(|tx| tx.forget_all()).await.unwrap();
            } else {
                let id = format!("c{number}");
                let kept = store.write::<_, StoreError, _>(move |tx| {
                    tx.ledger_accounts_open(&[("a".into(), Currency::GBP), ("b".into(), Currency::GBP)])?;
                    tx.journals_post(&[journal(&id, "a", "b", 5)])?;
                    tx.consent_insert(&consent(&id, "t"))?;
                    tx.grant_insert(&grant(&id, "t", Some(&id)))?;
                    tx.token_insert(&token(number, &id, TokenKind::Access, None))
                });
                kept.await.unwrap();
            }
        }
    });
    futures_util::future::join_all(busy).await;
    let totals = read(&store, |tx| tx.ledger_totals()).await;
    assert!(totals.iter().all(|(_, sums)| sums.booked == 0 && sums.pending == 0), "{totals:?}");
    for number in (0..WRITERS).filter(|number| *number != RESET) {
        let id = format!("c{number}");
        let known = read(&store, move |tx| {
            let consent = tx.consent(&"t".into(), &id.as_str().into())?;
            Ok((matches!(consent, Owned::Mine(_)), tx.token_state(&digest(number))?.is_some()))
        });
        let (consent, token) = known.await;
        assert_eq!(consent, token, "all that was written together is there, or nothing of it");
    }
    write(&store, |tx| tx.forget_all()).await;
    assert_eq!(read(&store, |tx| tx.ledger_totals()).await, vec![]);
}
