//! Contract tests: stored rows are read back unchanged.

use super::samples::{bank_account, full_entry, read, write};
use super::samples_of_banking::party;
use crate::storage::{BankSize, BankStore, BankTransaction, Customer};
use lombard_database::testing::promises;
use lombard_domain::money::Currency;
use lombard_domain::page::ListWindow;
use lombard_ports::bank::EntryFilter;

/// The number of concurrent changes.
const CHANGES: u16 = 12;

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
    let changed =
        Customer { name: String::from("Amy"), about: String::from("Renamed."), party: None, ..people[0].clone() };
    let update = changed.clone();
    write(store, move |tx| tx.customer_update(&update)).await;
    assert_eq!(read(store, |tx| tx.customers()).await, vec![changed, people[1].clone()]);
    assert_eq!(read(store, |tx| tx.bank_accounts_of(&"bashir".into())).await, vec![account.clone()]);
    let held = read(store, |tx| tx.bank_accounts_of_any(&["bashir".into(), "amelia".into(), "nobody".into()])).await;
    assert_eq!(held, vec![account.clone()], "each once");
    assert_eq!(read(store, |tx| tx.bank_size()).await, BankSize { customers: 2, accounts: 1 });
    for (count, has) in [(0, true), (1, true), (2, false)] {
        assert_eq!(read(store, move |tx| tx.has_entries(&"b1".into(), count)).await, has);
    }

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

/// Concurrent changes of one account, each of another column or member, are all kept.
pub(super) async fn changes_of_an_account_lose_none(store: BankStore) {
    write(&store, |tx| tx.bank_account_insert(&bank_account("b", Currency::GBP))).await;
    let before = read(&store, |tx| tx.bank_account_for_update(&"b".into())).await.unwrap();
    let changes = (0..CHANGES).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, move |tx| {
                let mut record = tx.bank_account_for_update(&"b".into())?.unwrap();
                match number % 3 {
                    0 => record.credit_limit += 1,
                    1 => record.authorisers += 1,
                    _ => record.account.nickname.get_or_insert_default().push('x'),
                }
                tx.bank_account_update(&record)
            })
            .await;
        })
    });
    for change in changes.collect::<Vec<_>>() {
        change.await.unwrap();
    }
    let mut expected = before;
    expected.credit_limit += i64::from(CHANGES / 3);
    expected.authorisers += CHANGES / 3;
    expected.account.nickname.get_or_insert_default().push_str(&"x".repeat(usize::from(CHANGES / 3)));
    assert_eq!(read(&store, |tx| tx.bank_accounts(&["b".into()])).await, [expected]);
    assert_eq!(read(&store, |tx| tx.bank_account_for_update(&"none".into())).await, None);
}

/// Concurrent changes of one customer, each of another member, are all kept.
pub(super) async fn changes_of_a_customer_lose_none(store: BankStore) {
    let customer = Customer { psu: "ada".into(), name: String::new(), about: String::new(), party: None };
    write(&store, move |tx| tx.customers_insert(std::slice::from_ref(&customer))).await;
    let changes = (0..CHANGES).map(|number| {
        let store = store.clone();
        tokio::spawn(async move {
            write(&store, move |tx| {
                let mut customer = tx.customer_for_update(&"ada".into())?.unwrap();
                if number % 2 == 0 {
                    customer.name.push('n')
                } else {
                    customer.about.push('a')
                }
                tx.customer_update(&customer)
            })
            .await;
        })
    });
    for change in changes.collect::<Vec<_>>() {
        change.await.unwrap();
    }
    let kept = read(&store, |tx| tx.customer(&"ada".into())).await.unwrap();
    let half = usize::from(CHANGES / 2);
    assert_eq!((kept.name, kept.about), ("n".repeat(half), "a".repeat(half)));
    assert_eq!(read(&store, |tx| tx.customer_for_update(&"none".into())).await, None);
}

pub(super) async fn a_duplicate_is_told_by_its_table(store: BankStore) {
    let insert = |tx: &mut dyn BankTransaction| tx.bank_account_insert(&bank_account("b", Currency::GBP));
    promises::a_duplicate_is_told_by_its_table(&store, "bank_accounts", insert).await;
}
