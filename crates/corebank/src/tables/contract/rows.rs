//! Stored rows read back unchanged.

use super::samples::{bank_account, full_entry, read, write};
use super::samples_of_banking::party;
use crate::storage::{BankStore, BankTransaction, Customer};
use lombard_database::testing::promises;
use lombard_domain::money::Currency;
use lombard_domain::page::ListWindow;
use lombard_ports::bank::EntryFilter;

/// Every aggregate reads back unchanged after insert and after update, with timestamps to the microsecond.
pub(super) async fn what_is_stored_is_what_is_read(store: BankStore) {
    promises::a_setting_is_what_was_put_last(&store).await;
    customers_and_accounts(&store).await;
}

async fn customers_and_accounts(store: &BankStore) {
    let customer = |psu: &str| Customer {
        psu: psu.into(),
        name: String::from("Amelia"),
        about: String::from("One account."),
        party: Some(party("p-1")),
    };
    let people = vec![customer("amelia"), customer("bashir")];
    let mut account = bank_account("b1", Currency::GBP);
    let entry = full_entry("e", "b1");
    let rows = (people.clone(), account.clone(), entry.clone());
    write(store, move |tx| {
        tx.customers_insert(&rows.0)?;
        tx.bank_account_insert(&rows.1)?;
        tx.entries_insert(std::slice::from_ref(&rows.2))
    })
    .await;
    assert_eq!(read(store, |tx| tx.customers()).await, people);
    assert_eq!(read(store, |tx| tx.customer(&"nobody".into())).await, None);
    assert_eq!(read(store, |tx| tx.bank_accounts_of(&"bashir".into())).await, vec![account.clone()]);

    account.holders.pop();
    account.eligible = false;
    account.account.nickname = None;
    let second = account.clone();
    write(store, move |tx| tx.bank_account_update(&second)).await;
    assert_eq!(read(store, |tx| tx.bank_accounts(&["b1".into(), "none".into()])).await, vec![account]);
    assert_eq!(read(store, |tx| tx.bank_accounts_of(&"bashir".into())).await, vec![]);

    let filter = EntryFilter::for_accounts(vec!["b1".into()]);
    let page = read(store, move |tx| tx.entries(&filter, &ListWindow::first_page(5))).await;
    assert_eq!(page.items, vec![entry]);
}

pub(super) async fn a_duplicate_is_told_by_its_table(store: BankStore) {
    let insert = |tx: &mut dyn BankTransaction| tx.bank_account_insert(&bank_account("b", Currency::GBP));
    promises::a_duplicate_is_told_by_its_table(&store, "bank_accounts", insert).await;
}
