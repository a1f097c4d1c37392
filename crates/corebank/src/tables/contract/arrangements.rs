//! Contract tests of arrangements and statements.

use super::samples::{at, bank_account, entry, read, write};
use super::samples_of_banking::{
    account_party, beneficiary, direct_debit, offer, product, scheduled_payment, standing_order, statement,
};
use crate::storage::{Arrangement, ArrangementKind, BankStore};
use lombard_domain::account::{EntryStatus, Statement, Transaction as Entry};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::{CreditDebit, Currency};
use lombard_domain::page::{Direction, ListWindow, Page};
use lombard_ports::bank::{EntryFilter, StatementFilter};
use lombard_ports::store::StoreError;
use std::collections::BTreeSet;

const ACCOUNTS: [&str; 3] = ["a", "b", "c"];

async fn opened(store: &BankStore) {
    write(store, |tx| ACCOUNTS.iter().try_for_each(|id| tx.bank_account_insert(&bank_account(id, Currency::GBP))))
        .await;
}

fn ids(names: &[&str]) -> Vec<BankAccountId> {
    names.iter().map(|name| (*name).into()).collect()
}

async fn put(store: &BankStore, arrangements: Vec<Arrangement>) {
    write(store, move |tx| tx.arrangements_put(&arrangements)).await;
}

async fn page(store: &BankStore, kind: ArrangementKind, accounts: &[&str], window: ListWindow) -> Page<Arrangement> {
    let accounts = ids(accounts);
    read(store, move |tx| tx.arrangements(kind, &accounts, &window)).await
}

fn places(page: &Page<Arrangement>) -> Vec<String> {
    page.items.iter().map(|it| format!("{}{}", it.account(), it.id())).collect()
}

/// An arrangement of every kind is stored in its own list, is replaced under its id and is removed once.
pub(super) async fn arrangements_are_kept_by_kind(store: BankStore) {
    opened(&store).await;
    let all: Vec<Arrangement> = vec![
        beneficiary("1", "a").into(),
        direct_debit("1", "a").into(),
        standing_order("1", "a").into(),
        scheduled_payment("1", "a").into(),
        product("1", "a").into(),
        offer("1", "a").into(),
        account_party("1", "a").into(),
    ];
    put(&store, all.clone()).await;
    for arrangement in all {
        let found = page(&store, arrangement.kind(), &ACCOUNTS, ListWindow::first_page(5)).await;
        assert_eq!(found, Page::single_page(vec![arrangement]));
    }
    let one = read(&store, |tx| tx.arrangement(ArrangementKind::Offer, &"a".into(), &"1".into())).await;
    assert_eq!(one, Some(offer("1", "a").into()));
    assert_eq!(read(&store, |tx| tx.arrangement(ArrangementKind::Offer, &"b".into(), &"1".into())).await, None);
    let mut changed = standing_order("1", "a");
    changed.next = None;
    put(&store, vec![changed.clone().into()]).await;
    let found = page(&store, ArrangementKind::StandingOrder, &["a"], ListWindow::first_page(5)).await;
    assert_eq!(found.items, [changed.into()]);
    let changed = product("2", "a");
    put(&store, vec![changed.clone().into()]).await;
    let found = page(&store, ArrangementKind::Product, &["a"], ListWindow::first_page(5)).await;
    assert_eq!(found.items, [changed.into()], "AIS-180: an account has one product");
    let remove = |kind, account: &'static str| {
        let store = store.clone();
        async move { write(&store, move |tx| tx.arrangement_remove(kind, &account.into(), &"1".into())).await }
    };
    assert!(!remove(ArrangementKind::StandingOrder, "b").await, "of another account");
    assert!(remove(ArrangementKind::StandingOrder, "a").await);
    assert!(!remove(ArrangementKind::StandingOrder, "a").await);
    assert!(page(&store, ArrangementKind::StandingOrder, &ACCOUNTS, ListWindow::first_page(5)).await.items.is_empty());
    assert_eq!(page(&store, ArrangementKind::DirectDebit, &ACCOUNTS, ListWindow::first_page(5)).await.items.len(), 1);
}

/// Pages are ordered by account, then by id, bytewise, forwards and backwards, across accounts (RW-272, RW-277).
pub(super) async fn arrangements_page_by_account_and_id(store: BankStore) {
    opened(&store).await;
    let of = |account: &str, ids: &str| -> Vec<Arrangement> {
        ids.chars().map(|id| beneficiary(&id.to_string(), account).into()).collect()
    };
    put(&store, [of("b", "zB_0"), of("a", "51"), of("c", "2")].concat()).await;
    let kind = ArrangementKind::Beneficiary;
    let whole = page(&store, kind, &["c", "a", "b", "a"], ListWindow::first_page(7)).await;
    assert!(whole.is_single_page());
    assert_eq!(places(&whole), ["a1", "a5", "b0", "bB", "b_", "bz", "c2"]);
    assert_eq!(places(&page(&store, kind, &["c", "a"], ListWindow::first_page(9)).await), ["a1", "a5", "c2"]);
    for size in 1..7 {
        let mut pages = vec![page(&store, kind, &ACCOUNTS, ListWindow::first_page(size)).await];
        while let Some(next) = pages.last().unwrap().next.clone() {
            let window = ListWindow { from: Some((Direction::Next, next)), as_of: Some(0), size };
            pages.push(page(&store, kind, &ACCOUNTS, window).await);
        }
        let joined: Vec<_> = pages.iter().flat_map(|page| page.items.clone()).collect();
        assert_eq!(joined, whole.items, "pages of {size}");
        for pair in pages.windows(2) {
            let prev = pair[1].prev.clone().unwrap();
            let window = ListWindow { from: Some((Direction::Prev, prev)), as_of: Some(0), size };
            let back = page(&store, kind, &ACCOUNTS, window).await;
            assert_eq!((&back.items, &back.prev, &back.next), (&pair[0].items, &pair[0].prev, &pair[0].next));
        }
    }
}

async fn entries(store: &BankStore, filter: &EntryFilter) -> Vec<Entry> {
    let filter = filter.clone();
    read(store, move |tx| tx.entries(&filter, &ListWindow::first_page(50))).await.items
}

fn names(entries: &[Entry]) -> Vec<&str> {
    entries.iter().map(|entry| entry.id.as_str()).collect()
}

async fn close(store: &BankStore, statement: Statement) -> u64 {
    write(store, move |tx| tx.statement_close(&statement)).await
}

/// A statement gets the booked entries that are on no statement yet; the entries refer to it and are otherwise unchanged (AIS-147).
pub(super) async fn a_statement_takes_the_entries_booked_until_its_end(store: BankStore) {
    opened(&store).await;
    let pending = Entry { status: EntryStatus::Pending, ..entry("pending", "a", at(3), -4) };
    let list = vec![
        entry("e1", "a", at(1), 1),
        entry("e2", "a", at(10), -2),
        pending,
        entry("later", "a", at(11), 3),
        entry("other", "b", at(5), 4),
    ];
    write(&store, move |tx| tx.entries_insert(&list)).await;
    assert_eq!(close(&store, statement("s1", "a", 0, 10)).await, 2);
    let late = entry("late", "a", at(2), 5);
    write(&store, move |tx| tx.entries_insert(std::slice::from_ref(&late))).await;
    assert_eq!(close(&store, statement("s2", "a", 11, 20)).await, 2, "what comes late is on the next");

    let of = |account: &str, id: &str| EntryFilter {
        statement: Some(id.into()),
        ..EntryFilter::for_accounts(vec![account.into()])
    };
    let on_first = entries(&store, &of("a", "s1")).await;
    assert_eq!(names(&on_first), ["e2", "e1"]);
    assert!(on_first.iter().all(|entry| entry.statement_references == ["REF s1"]));
    assert_eq!(names(&entries(&store, &of("a", "s2")).await), ["later", "late"]);
    assert!(entries(&store, &of("b", "s1")).await.is_empty(), "another account's");
    assert!(entries(&store, &of("a", "none")).await.is_empty());
    let debits = EntryFilter { direction: Some(CreditDebit::Debit), ..of("a", "s1") };
    assert_eq!(names(&entries(&store, &debits).await), ["e2"]);
    let bounded = EntryFilter { from: Some(at(2)), ..of("a", "s1") };
    assert_eq!(names(&entries(&store, &bounded).await), ["e2"], "AIS-094");
    let span = read(&store, move |tx| tx.entry_span(&of("a", "s1"))).await;
    assert_eq!(span, Some((at(1), at(10))));
    let all = entries(&store, &EntryFilter::for_accounts(ids(&["a"]))).await;
    let unstated: Vec<_> = all.iter().filter(|entry| entry.statement_references.is_empty()).collect();
    assert_eq!((unstated.len(), unstated[0].id.as_str()), (1, "pending"));
}

/// The version of an account's entries changes with each of its entries, in the same transaction, and with no entry of another account.
pub(super) async fn every_change_of_an_entry_draws_a_version_for_its_account(store: BankStore) {
    opened(&store).await;
    let versions = async || {
        let found = read(&store, |tx| tx.entry_versions(&ids(&["b", "none", "a"]))).await;
        assert_eq!(found.iter().map(|(account, _)| account.id.as_str()).collect::<Vec<_>>(), ["b", "a"]);
        [found[0].1, found[1].1]
    };
    let pending = Entry { status: EntryStatus::Pending, ..entry("e1", "a", at(1), -4) };
    let settled = Entry { status: EntryStatus::Booked, ..pending.clone() };
    let mut seen = vec![versions().await];
    write(&store, move |tx| tx.entries_insert(&[pending.clone(), entry("e2", "a", at(2), 1)])).await;
    seen.push(versions().await);
    write(&store, move |tx| tx.entry_settle(&settled)).await;
    seen.push(versions().await);
    close(&store, statement("s1", "a", 0, 10)).await;
    seen.push(versions().await);
    let [of_b, of_a]: [BTreeSet<i64>; 2] = [0, 1].map(|place| seen.iter().map(|found| found[place]).collect());
    assert_eq!((of_b.len(), of_a.len()), (1, 4));
    let undone: Result<(), StoreError> =
        store.write(|tx| tx.entries_insert(&[entry("e3", "b", at(3), 1)]).and(Err(StoreError::Duplicate("own")))).await;
    assert!(undone.is_err());
    assert_eq!(Some(&versions().await), seen.last());
}

/// Consecutive pages of a statement's entries are complete and do not overlap (RW-272).
pub(super) async fn entries_of_a_statement_page(store: BankStore) {
    opened(&store).await;
    write(&store, |tx| tx.entries_insert(&(0..9).map(|n| entry(&format!("e{n}"), "a", at(n), n)).collect::<Vec<_>>()))
        .await;
    close(&store, statement("s1", "a", 0, 6)).await;
    let filter = EntryFilter { statement: Some("s1".into()), ..EntryFilter::for_accounts(ids(&["a"])) };
    let mut pages = vec![super::pages::page(&store, &filter, ListWindow::first_page(3)).await];
    while let Some(window) = super::pages::next(pages.last().unwrap(), 3) {
        pages.push(super::pages::page(&store, &filter, window).await);
    }
    let joined: Vec<_> = pages.iter().flat_map(|page| names(&page.items)).collect();
    assert_eq!(joined, ["e6", "e5", "e4", "e3", "e2", "e1", "e0"]);
    let back = super::pages::page(&store, &filter, super::pages::prev(&pages[1], 3).unwrap()).await;
    assert_eq!((back.items, back.prev), (pages[0].items.clone(), None));
}

/// Two statements of an account never have the same end, so a period is closed once.
pub(super) async fn a_period_is_closed_once(store: BankStore) {
    opened(&store).await;
    close(&store, statement("s1", "a", 0, 10)).await;
    close(&store, statement("s2", "b", 0, 10)).await;
    for again in [statement("s1", "a", 11, 20), statement("s3", "a", 5, 10)] {
        let outcome: Result<_, StoreError> = store.write(move |tx| tx.statement_close(&again)).await;
        assert!(matches!(outcome, Err(StoreError::Duplicate("statements"))), "{outcome:?}");
    }
}

/// Statements are ordered by end, newest first, lie wholly within the bounds, and their span is reported (AIS-092, AIS-096, RW-277).
pub(super) async fn statements_come_newest_first_and_wholly_inside(store: BankStore) {
    opened(&store).await;
    let periods = [("s1", "a", 0, 9), ("s2", "a", 10, 19), ("s3", "a", 20, 29), ("t1", "b", 5, 19), ("u1", "c", 0, 99)];
    for (id, account, from, to) in periods {
        close(&store, statement(id, account, from, to)).await;
    }
    let found = |filter: StatementFilter, window: ListWindow| {
        let store = store.clone();
        async move { read(&store, move |tx| Ok((tx.statements(&filter, &window)?, tx.statement_span(&filter)?))).await }
    };
    let ids_of = |page: &Page<Statement>| page.items.iter().map(|it| it.id.to_string()).collect::<Vec<_>>();
    let covered = StatementFilter::for_accounts(ids(&["b", "a"]));
    let (all, span) = found(covered.clone(), ListWindow::first_page(9)).await;
    assert_eq!((ids_of(&all), span), (["s3", "t1", "s2", "s1"].map(String::from).to_vec(), Some((at(0), at(29)))));
    for (from, to, expected, span) in [
        (Some(5), None, vec!["s3", "t1", "s2"], Some((at(5), at(29)))),
        (Some(6), Some(19), vec!["s2"], Some((at(10), at(19)))),
        (None, Some(18), vec!["s1"], Some((at(0), at(9)))),
        (Some(21), Some(40), vec![], None),
    ] {
        let filter = StatementFilter { from: from.map(at), to: to.map(at), ..covered.clone() };
        let (page, available) = found(filter, ListWindow::first_page(9)).await;
        assert_eq!((ids_of(&page), available), (expected.into_iter().map(String::from).collect(), span));
    }
    let (first, _) = found(covered.clone(), ListWindow::first_page(2)).await;
    assert_eq!((ids_of(&first), first.prev.is_none()), (vec!["s3".to_owned(), "t1".to_owned()], true));
    let next = ListWindow { from: Some((Direction::Next, first.next.clone().unwrap())), as_of: Some(0), size: 2 };
    let (second, _) = found(covered.clone(), next).await;
    assert_eq!((ids_of(&second), second.next.is_none()), (vec!["s2".to_owned(), "s1".to_owned()], true));
    let prev = ListWindow { from: Some((Direction::Prev, second.prev.unwrap())), as_of: Some(0), size: 2 };
    assert_eq!(ids_of(&found(covered, prev).await.0), ids_of(&first));

    let one = |account: &'static str| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.statement(&account.into(), &"s2".into())).await }
    };
    assert_eq!(one("a").await, Some(statement("s2", "a", 10, 19)));
    assert_eq!(one("b").await, None, "AIS-145");
}
