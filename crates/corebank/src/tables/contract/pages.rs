//! Contract tests of pages of entries. Source: RW-271 to RW-278.

use super::samples::{at, bank_account, entry, read, write};
use crate::storage::{BankAccountRecord, BankStore, BankTransaction};
use lombard_domain::account::Transaction as Entry;
use lombard_domain::money::{CreditDebit, Currency};
use lombard_domain::page::{Direction, ListWindow, Page};
use lombard_ports::bank::EntryFilter;
use lombard_ports::store::StoreError;

pub(super) fn all_of(accounts: &[&str]) -> EntryFilter {
    let accounts = accounts.iter().map(|id| (*id).into()).collect();
    EntryFilter::for_accounts(accounts)
}

async fn insert(store: &BankStore, entries: Vec<Entry>) {
    write(store, move |tx| tx.entries_insert(&entries)).await;
}

async fn accounts(store: &BankStore, names: &'static [&'static str]) {
    write(store, move |tx| names.iter().try_for_each(|id| tx.bank_account_insert(&bank_account(id, Currency::GBP))))
        .await;
}

pub(super) async fn page(store: &BankStore, filter: &EntryFilter, window: ListWindow) -> Page<Entry> {
    let filter = filter.clone();
    // The query that also returns the accounts and the span returns the same page.
    let both = move |tx: &mut dyn BankTransaction| {
        let list = tx.entry_list(&filter, Some(&filter), &window)?;
        let beside = (tx.entry_versions(&filter.accounts)?, tx.entry_span(&filter)?);
        Ok((list, tx.entries(&filter, &window)?, beside))
    };
    let (list, page, beside) = read(store, both).await;
    assert_eq!((&list.page, (list.accounts, list.span)), (&page, beside));
    page
}

/// Accounts that are not open to third parties contribute neither entries nor times to a list.
pub(super) async fn a_list_leaves_out_accounts_that_are_not_open(store: BankStore) {
    accounts(&store, &["a", "b"]).await;
    insert(&store, vec![entry("e1", "a", at(1), 1), entry("e2", "b", at(2), 1), entry("e3", "a", at(3), 1)]).await;
    let list = |asked: bool| {
        let (store, filter) = (store.clone(), all_of(&["b", "a"]));
        async move {
            let asked = asked.then(|| filter.clone());
            read(&store, move |tx| tx.entry_list(&filter, asked.as_ref(), &ListWindow::first_page(9))).await
        }
    };
    let (open, counted) = (list(true).await, list(false).await);
    assert_eq!((ids(&open.page), open.span), (vec!["e3", "e2", "e1"], Some((at(1), at(3)))));
    assert_eq!((ids(&counted.page), counted.span), (vec![], Some((at(1), at(3)))));
    write(&store, |tx| {
        tx.bank_account_update(&BankAccountRecord { eligible: false, ..bank_account("a", Currency::GBP) })
    })
    .await;
    let closed = list(true).await;
    assert_eq!((ids(&closed.page), closed.span), (vec!["e2"], Some((at(2), at(2)))));
    let standings: Vec<_> = closed.accounts.iter().map(|(it, _)| (it.id.as_str(), it.eligible)).collect();
    assert_eq!(standings, [("b", true), ("a", false)]);
}

fn ids(page: &Page<Entry>) -> Vec<&str> {
    page.items.iter().map(|entry| entry.id.as_str()).collect()
}

pub(super) fn next(page: &Page<Entry>, size: usize) -> Option<ListWindow> {
    let from = page.next.clone()?;
    Some(ListWindow { from: Some((Direction::Next, from)), as_of: Some(page.as_of), size })
}

pub(super) fn prev(page: &Page<Entry>, size: usize) -> Option<ListWindow> {
    let from = page.prev.clone()?;
    Some(ListWindow { from: Some((Direction::Prev, from)), as_of: Some(page.as_of), size })
}

/// All pages show the list as it was when the first page was read.
pub(super) async fn an_entry_arriving_between_pages_is_neither_skipped_nor_repeated(store: BankStore) {
    accounts(&store, &["a", "b"]).await;
    insert(&store, (1..=5).map(|n| entry(&format!("e{n}"), if n % 2 == 0 { "a" } else { "b" }, at(n), n)).collect())
        .await;
    let filter = all_of(&["a", "b"]);
    let first = page(&store, &filter, ListWindow::first_page(2)).await;
    assert_eq!(ids(&first), ["e5", "e4"]);
    insert(&store, vec![entry("newest", "a", at(9), 1), entry("between", "b", at(3), 1)]).await;
    let second = page(&store, &filter, next(&first, 2).unwrap()).await;
    assert_eq!(ids(&second), ["e3", "e2"], "what arrived is not in the reader's list");
    insert(&store, vec![entry("oldest", "a", at(0), 1)]).await;
    let third = page(&store, &filter, next(&second, 2).unwrap()).await;
    assert_eq!((ids(&third), third.next.is_none()), (vec!["e1"], true));
    let back = page(&store, &filter, prev(&second, 2).unwrap()).await;
    assert_eq!((ids(&back), back.prev.is_none()), (vec!["e5", "e4"], true));
    let fresh = page(&store, &filter, ListWindow::first_page(9)).await;
    assert_eq!(ids(&fresh), ["newest", "e5", "e4", "e3", "between", "e2", "e1", "oldest"], "a new reader sees all");
}

/// Backward pages are the same as forward pages.
pub(super) async fn backward_pages_mirror_forward_pages(store: BankStore) {
    accounts(&store, &["a", "b"]).await;
    insert(&store, (0..11).map(|n| entry(&format!("e{n:02}"), ["a", "b"][n % 2], at(1), 1)).collect()).await;
    let filter = all_of(&["b", "a", "b"]);
    let mut pages = vec![page(&store, &filter, ListWindow::first_page(3)).await];
    assert_eq!(pages[0].prev, None);
    while let Some(window) = next(pages.last().unwrap(), 3) {
        pages.push(page(&store, &filter, window).await);
    }
    assert_eq!(pages.iter().map(|page| page.items.len()).collect::<Vec<_>>(), [3, 3, 3, 2]);
    for pair in pages.windows(2) {
        let back = page(&store, &filter, prev(&pair[1], 3).unwrap()).await;
        assert_eq!((&back.items, &back.prev, &back.next), (&pair[0].items, &pair[0].prev, &pair[0].next));
    }
    let whole = page(&store, &filter, ListWindow::first_page(11)).await;
    assert!(whole.is_single_page(), "a list that fits the page has no neighbours");
    assert!(page(&store, &all_of(&[]), ListWindow::first_page(3)).await.items.is_empty());
}

/// Entries with equal times are ordered by id. Source: RW-277.
pub(super) async fn equal_times_are_ordered_by_id(store: BankStore) {
    accounts(&store, &["a"]).await;
    // The order is bytewise, as in Rust; a database locale must not sort "B" between "a" and "c".
    insert(&store, ["a", "B", "c", "_", "0"].map(|id| entry(id, "a", at(1), 1)).to_vec()).await;
    let mut seen = Vec::new();
    let mut window = Some(ListWindow::first_page(2));
    while let Some(asked) = window {
        let got = page(&store, &all_of(&["a"]), asked).await;
        seen.extend(ids(&got).into_iter().map(str::to_owned));
        window = next(&got, 2);
    }
    assert_eq!(seen, ["c", "a", "_", "B", "0"]);
}

/// Time bounds are inclusive, and a filter by direction selects credits or debits. Source: AIS-041, AIS-091, AIS-124.
pub(super) async fn bounds_are_inclusive_and_sides_are_told_apart(store: BankStore) {
    accounts(&store, &["a"]).await;
    let entries = (1..=6).map(|n| entry(&format!("e{n}"), "a", at(n), if n % 2 == 0 { -n } else { n })).collect();
    insert(&store, entries).await;
    insert(&store, vec![entry("zero", "a", at(4), 0)]).await;
    let within = EntryFilter { from: Some(at(2)), to: Some(at(5)), ..all_of(&["a"]) };
    assert_eq!(ids(&page(&store, &within, ListWindow::first_page(9)).await), ["e5", "zero", "e4", "e3", "e2"]);
    let credits = EntryFilter { direction: Some(CreditDebit::Credit), ..within.clone() };
    let first = page(&store, &credits, ListWindow::first_page(2)).await;
    assert_eq!(ids(&first), ["e5", "zero"], "zero is credit (RW-251)");
    let second = page(&store, &credits, next(&first, 2).unwrap()).await;
    assert_eq!(ids(&second), ["e3"]);
    assert_eq!(ids(&page(&store, &credits, prev(&second, 2).unwrap()).await), ["e5", "zero"]);
    let debits = EntryFilter { direction: Some(CreditDebit::Debit), ..within };
    let first = page(&store, &debits, ListWindow::first_page(1)).await;
    assert_eq!(ids(&first), ["e4"]);
    let second = page(&store, &debits, next(&first, 1).unwrap()).await;
    assert_eq!((ids(&second), second.next.is_none()), (vec!["e2"], true));
    assert_eq!(ids(&page(&store, &debits, prev(&second, 1).unwrap()).await), ["e4"]);
}

/// The span of a list reaches from its first to its last entry. Source: AIS-096.
pub(super) async fn spans_reach_from_the_first_to_the_last_entry(store: BankStore) {
    accounts(&store, &["a", "b"]).await;
    insert(&store, vec![entry("e1", "a", at(3), 1), entry("e2", "b", at(7), -1), entry("e3", "a", at(5), -1)]).await;
    let span = |filter: EntryFilter| {
        let store = store.clone();
        async move { read(&store, move |tx| tx.entry_span(&filter)).await }
    };
    assert_eq!(span(all_of(&["a", "b"])).await, Some((at(3), at(7))));
    assert_eq!(span(all_of(&["a"])).await, Some((at(3), at(5))));
    let debits = EntryFilter { direction: Some(CreditDebit::Debit), ..all_of(&["a", "b"]) };
    assert_eq!(span(debits).await, Some((at(5), at(7))));
    let credits = EntryFilter { direction: Some(CreditDebit::Credit), ..all_of(&["b"]) };
    assert_eq!(span(credits).await, None);
    let bounded = EntryFilter { from: Some(at(4)), to: Some(at(6)), ..all_of(&["a", "b"]) };
    assert_eq!(span(bounded).await, Some((at(5), at(5))));
}

/// Two accounts, each with entries.
pub(crate) async fn add_accounts_with_entries(store: &BankStore) {
    accounts(store, &["a", "b"]).await;
    insert(store, (1..=5).map(|n| entry(&format!("e{n}"), if n % 2 == 0 { "a" } else { "b" }, at(n), n)).collect())
        .await;
}

/// The number of reads that [`read_what_tpps_read`] makes.
pub(crate) const READS: u8 = 5;

/// Reads balances, versions and lists, as the bank does.
pub(crate) async fn read_what_tpps_read(store: &BankStore) {
    let ids = all_of(&["a", "b"]).accounts;
    for some in [&ids[..1], &ids[..]] {
        let some = some.to_vec();
        let sums = store.read_by_one_query::<_, StoreError, _>(move |tx| tx.account_sums(&some)).await.unwrap();
        assert!(!sums.is_empty());
    }
    store.read_by_one_query::<_, StoreError, _>(move |tx| tx.entry_versions(&ids)).await.unwrap();
    for names in [&["a"][..], &["a", "b"]] {
        let filter = all_of(names);
        let list =
            move |tx: &mut dyn BankTransaction| tx.entry_list(&filter, Some(&filter), &ListWindow::first_page(2));
        assert_eq!(read(store, list).await.page.items.len(), 2);
    }
}
