//! Contract tests of the scheduler's due work, its order, and the queries that process it.

use super::samples::{at, bank_account, entry, journal, read, write};
use super::samples_of_banking::{scheduled_payment, standing_order};
use crate::storage::{Arrangement, BankStore, ScheduledRoutine};
use lombard_domain::account::{
    AccountIdentification, AccountScheme, EntryStatus, Mutability, ScheduledPayment, Transaction as Entry,
};
use lombard_domain::ledger::BalanceLayer;
use lombard_domain::money::Currency;
use lombard_ports::store::StoreError;

async fn opened(store: &BankStore) {
    write(store, |tx| {
        let mut second = bank_account("b", Currency::GBP);
        second.account.identifications[0].number = String::from("20000087654321");
        tx.bank_account_insert(&bank_account("a", Currency::GBP))?;
        tx.bank_account_insert(&second)
    })
    .await;
}

/// Work of every kind is returned earliest first. Work without a due time is never due, and rescheduled work is due later.
pub(super) async fn what_is_due_comes_earliest_first(store: BankStore) {
    opened(&store).await;
    let routine = |id: &str, due: Option<i64>| ScheduledRoutine {
        id: id.into(),
        account: "a".into(),
        due_at: due.map(at),
        plan: String::from("{\"any\":\"words\"}"),
    };
    let payment = ScheduledPayment { at: at(5), ..scheduled_payment("p", "b") };
    let all: Vec<Arrangement> = vec![
        routine("late", Some(9)).into(),
        routine("over", None).into(),
        routine("tie", Some(5)).into(),
        payment.into(),
        standing_order("s", "a").into(),
    ];
    write(&store, move |tx| tx.arrangements_put(&all)).await;
    let due = |until: i64, limit: u32| {
        let store = store.clone();
        async move {
            let due = read(&store, move |tx| tx.arrangements_due(at(until), limit)).await.rows;
            due.iter().map(|it| it.id().to_owned()).collect::<Vec<_>>()
        }
    };
    assert_eq!(due(1, 9).await, [""; 0]);
    assert_eq!(due(5, 9).await, ["s", "tie", "p"], "the bound belongs to it");
    assert_eq!(due(99, 2).await, ["s", "tie"]);
    let moved = routine("tie", Some(50));
    let later = moved.clone();
    write(&store, move |tx| tx.arrangements_put(&[later.clone().into()])).await;
    assert_eq!(due(10, 9).await, ["s", "p", "late"]);
    let found = read(&store, |tx| tx.arrangements_due(at(99), 9)).await.rows;
    assert_eq!(found.last(), Some(&Arrangement::from(moved)), "with its plan and its time");
}

/// A pending entry is found until it is settled, which may happen at another time than expected. After that, the entry never changes
/// (AIS-122, AIS-123).
pub(super) async fn a_pending_entry_is_settled_once(store: BankStore) {
    opened(&store).await;
    let pending = |id: &str, second, minor| Entry {
        status: EntryStatus::Pending,
        mutability: Mutability::Mutable,
        ..entry(id, "a", at(second), minor)
    };
    let list = vec![pending("e2", 7, -5), pending("e1", 3, -8), entry("booked", "a", at(1), 1)];
    write(&store, move |tx| tx.entries_insert(&list)).await;
    let found = read(&store, |tx| tx.entries_pending(at(7), 9)).await.rows;
    assert_eq!(found.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), ["e1", "e2"]);
    assert_eq!(read(&store, |tx| tx.entries_pending(at(6), 9)).await.rows.len(), 1);
    assert_eq!(read(&store, |tx| tx.entry_latest_booking(&"a".into())).await, Some(at(1)));
    assert_eq!(read(&store, |tx| tx.entry_latest_booking(&"b".into())).await, None);
    let settled =
        Entry { status: EntryStatus::Booked, mutability: Mutability::Immutable, booked_at: at(5), ..found[0].clone() };
    let update = settled.clone();
    write(&store, move |tx| tx.entry_settle(&update)).await;
    assert_eq!(read(&store, |tx| tx.entries_pending(at(7), 9)).await.rows.len(), 1);
    let on_none = read(&store, |tx| tx.entries_on_no_statement(&"a".into(), at(5))).await;
    assert_eq!(on_none, [entry("booked", "a", at(1), 1), settled.clone()]);
    let moved = Entry { booked_at: at(4), ..settled.clone() };
    for again in [settled, moved] {
        let outcome: Result<_, StoreError> = store.write(move |tx| tx.entry_settle(&again)).await;
        assert!(matches!(outcome, Err(StoreError::Corrupt { .. })), "{outcome:?}");
    }
}

/// The postings of a pending entry's reservation are found with both their sides.
pub(super) async fn postings_aside_are_those_of_the_entrys_journal(store: BankStore) {
    opened(&store).await;
    let mut aside = journal("x", "a", "b", 5);
    aside.postings.iter_mut().for_each(|posting| posting.layer = BalanceLayer::Pending);
    aside.postings[0].entry = Some("e".into());
    let mut booked = journal("y", "a", "b", 7);
    booked.postings[0].entry = Some("other".into());
    let rows = [aside.clone(), booked];
    write(&store, move |tx| tx.journals_post(&rows)).await;
    assert_eq!(read(&store, |tx| tx.reserved_postings(&"e".into())).await, aside.postings);
    assert_eq!(read(&store, |tx| tx.reserved_postings(&"other".into())).await, []);
    assert_eq!(read(&store, |tx| tx.reservation_cause(&"e".into())).await.as_deref(), Some(aside.cause.as_str()));
    assert_eq!(read(&store, |tx| tx.reservation_cause(&"other".into())).await, None);
    let sums = write(&store, |tx| tx.account_sums_for_update(&"a".into())).await.unwrap();
    assert_eq!((sums.sums.booked, sums.sums.pending), (-7, -5));
    assert_eq!(write(&store, |tx| tx.account_sums_for_update(&"none".into())).await, None);
}

/// An account is found by each of its present account numbers.
pub(super) async fn an_account_is_found_by_its_number(store: BankStore) {
    opened(&store).await;
    let number = |scheme, number: &str| AccountIdentification::new(scheme, number);
    let find = |asked: AccountIdentification| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.bank_account_by_number(&asked)).await }
    };
    let sort_code = AccountScheme::SortCodeAccountNumber;
    assert_eq!(find(number(sort_code, "20000012345678")).await, Some("a".into()));
    assert_eq!(find(number(sort_code, "20000087654321")).await, Some("b".into()));
    assert_eq!(find(number(AccountScheme::Iban, "20000012345678")).await, None);
    write(&store, |tx| {
        let mut first = bank_account("a", Currency::GBP);
        first.account.identifications[0].number = String::from("20000000000001");
        tx.bank_account_update(&first)
    })
    .await;
    assert_eq!(find(number(sort_code, "20000012345678")).await, None);
    assert_eq!(find(number(sort_code, "20000000000001")).await, Some("a".into()));
}
