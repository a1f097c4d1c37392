//! Property tests of pages with random lists, sizes and insertions: each record occurs exactly once, in order. Source: RW-271
//! to RW-278.

use super::pages::{all_of, next, page, prev};
use super::samples::{at, bank_account, entry, write};
use crate::storage::BankStore;
use lombard_domain::account::Transaction as Entry;
use lombard_domain::money::{CreditDebit, Currency};
use lombard_domain::page::ListWindow;
use lombard_ports::bank::EntryFilter;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

const ACCOUNTS: [&str; 3] = ["a", "b", "c"];

/// Entries with few distinct times, so that many times are equal.
fn entries(prefix: &'static str, count: usize) -> impl Strategy<Value = Vec<Entry>> {
    prop::collection::vec((0..ACCOUNTS.len(), 0_i64..5, -2_i64..3), 0..count).prop_map(move |rows| {
        let entry = |(number, (account, time, minor)): (usize, (usize, i64, i64))| {
            entry(&format!("{prefix}{:03}", number * 7 % 100), ACCOUNTS[account], at(time), minor)
        };
        rows.into_iter().enumerate().map(entry).collect()
    })
}

fn filters() -> impl Strategy<Value = EntryFilter> {
    let side = prop_oneof![Just(None), Just(Some(CreditDebit::Credit)), Just(Some(CreditDebit::Debit))];
    (1..=ACCOUNTS.len(), side, prop::option::of(0_i64..5), prop::option::of(0_i64..5)).prop_map(
        |(accounts, direction, from, to)| EntryFilter {
            from: from.map(at),
            to: to.map(at),
            direction,
            ..all_of(&ACCOUNTS[..accounts])
        },
    )
}

/// The expected list by the rules: filtered, newest first, ties ordered by id.
fn expected(entries: &[Entry], filter: &EntryFilter) -> Vec<Entry> {
    let mut list: Vec<_> = entries
        .iter()
        .filter(|it| filter.accounts.contains(&it.account))
        .filter(|it| filter.direction.is_none_or(|side| it.sum.direction() == side))
        .filter(|it| filter.from.is_none_or(|from| it.booked_at >= from))
        .filter(|it| filter.to.is_none_or(|to| it.booked_at <= to))
        .cloned()
        .collect();
    list.sort_by(|a, b| (b.booked_at, b.id.as_str()).cmp(&(a.booked_at, a.id.as_str())));
    list
}

async fn insert(store: &BankStore, entries: Vec<Entry>) {
    write(store, move |tx| tx.entries_insert(&entries)).await;
}

/// Reads all pages forwards, inserting entries after each page, and then all pages backwards.
async fn walk(first: Vec<Entry>, arrivals: Vec<Vec<Entry>>, filter: EntryFilter, size: usize) {
    let store = super::temporary();
    write(&store, |tx| ACCOUNTS.iter().try_for_each(|id| tx.bank_account_insert(&bank_account(id, Currency::GBP))))
        .await;
    insert(&store, first.clone()).await;
    let list = expected(&first, &filter);

    let mut arrivals = arrivals.into_iter();
    let mut forwards = vec![page(&store, &filter, ListWindow::first_page(size)).await];
    while let Some(window) = next(forwards.last().unwrap(), size) {
        insert(&store, arrivals.next().unwrap_or_default()).await;
        forwards.push(page(&store, &filter, window).await);
    }
    let read: Vec<_> = forwards.iter().flat_map(|page| page.items.clone()).collect();
    assert_eq!(read, list);
    assert!(forwards.iter().rev().skip(1).all(|page| page.items.len() == size), "only the last page is short");

    let mut backwards = vec![forwards.last().unwrap().clone()];
    while let Some(window) = prev(backwards.last().unwrap(), size) {
        insert(&store, arrivals.next().unwrap_or_default()).await;
        backwards.push(page(&store, &filter, window).await);
    }
    let read: Vec<_> = backwards.iter().rev().flat_map(|page| page.items.clone()).collect();
    assert_eq!(read, list);
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 60,
        rng_seed: RngSeed::Fixed(277),
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_record_is_seen_exactly_once_and_in_order(
        first in entries("e", 40),
        one in entries("f", 6),
        two in entries("g", 6),
        three in entries("h", 6),
        filter in filters(),
        size in 1_usize..8,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(walk(first, vec![one, two, three], filter, size));
    }
}
