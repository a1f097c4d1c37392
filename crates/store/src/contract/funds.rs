//! Confirmation of funds.

use super::samples::{at, consent, read, write};
use jiff::civil::date;
use lombard_domain::account::{AccountIdentification, AccountScheme};
use lombard_domain::consent::{Consent, ConsentRequest, FundsConfirmationTerms};
use lombard_domain::funds::{FundsConfirmationRequest, FundsConfirmationResult};
use lombard_domain::money::{Amount, Currency};
use lombard_ports::store::{Owned, Store};

fn answer(id: &str, consent: &str, reference: &str) -> FundsConfirmationResult {
    let amount = Amount::from_minor(100, Currency::GBP);
    let question = FundsConfirmationRequest { consent: consent.into(), reference: reference.into(), amount };
    FundsConfirmationResult { id: id.into(), question, created_at: at(1), available: true }
}

/// Source: CBP-036.
pub(super) async fn a_reference_is_used_once_under_a_consent(store: Store) {
    let keep = |id: &'static str, consent: &'static str, reference: &'static str| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.funds_confirmation_insert(&answer(id, consent, reference))).await }
    };
    assert!(keep("1", "c", "r").await);
    assert!(!keep("2", "c", "r").await);
    assert!(keep("3", "c", "R").await);
    assert!(keep("4", "d", "r").await);
    let ids: Vec<_> = (0..16).map(|number| format!("at once {number}")).collect();
    let at_once = ids.into_iter().map(|id| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.funds_confirmation_insert(&answer(&id, "c", "at once"))).await }
    });
    let kept = futures_util::future::join_all(at_once).await;
    assert_eq!(kept.into_iter().filter(|kept| *kept).count(), 1);
}

/// Funds confirmations are counted by consent and day; the counters of past days can be purged. Source: RW-112.
pub(super) async fn questions_at_once_count_each_up_to_the_most(store: Store) {
    let (today, tomorrow) = (date(2026, 1, 1), date(2026, 1, 2));
    let count = |consent: &'static str, day| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.funds_question_count(&consent.into(), day, 5)).await }
    };
    let counted = futures_util::future::join_all((0..16).map(|_| count("c", today))).await;
    assert_eq!(counted.into_iter().filter(|counted| *counted).count(), 5);
    assert!(!count("c", today).await);
    assert!(count("d", today).await && count("c", tomorrow).await);
    let purge = |limit| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.funds_questions_purge(tomorrow, limit)).await }
    };
    assert_eq!((purge(1).await, purge(9).await, purge(9).await), (1, 1, 0), "a batch at a time");
    for _ in 0..4 {
        assert!(count("c", tomorrow).await);
    }
    assert!(!count("c", tomorrow).await, "the day that is not over was kept");
}

/// An undecided consent of this kind is not rejected by expiry. Source: CBP-001; PIS-035.
pub(super) async fn a_consent_to_ask_about_funds_survives_storage(store: Store) {
    let full = AccountIdentification {
        scheme: AccountScheme::Iban,
        number: "GB33BUKB20201555555555".into(),
        name: Some("A Name".into()),
        secondary: Some("R1".into()),
        proxy: None,
    };
    let bare = AccountIdentification { name: None, secondary: None, ..full.clone() };
    for (id, account) in [("full", full), ("bare", bare)] {
        let it = Consent {
            request: ConsentRequest::FundsConfirmation(FundsConfirmationTerms { account }),
            ..consent(id, "t")
        };
        let kept = it.clone();
        write(&store, move |tx| tx.consent_insert(&kept)).await;
        assert_eq!(read(&store, move |tx| tx.consent(&"t".into(), &id.into())).await, Owned::Mine(it));
    }
    assert_eq!(read(&store, |tx| tx.payment_consents_undecided(at(1_000_000), 10)).await, []);
}
