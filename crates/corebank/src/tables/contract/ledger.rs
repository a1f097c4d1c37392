//! Contract tests of the built-in bank's ledger.

use super::samples::{bank_account, journal, read, write};
use crate::storage::{BankStore, PostResult};
use lombard_domain::ids::BankAccountId;
use lombard_domain::ledger::{BalanceLayer, LedgerSums, Posting};
use lombard_domain::money::Currency;
use lombard_ports::store::StoreError;

const ACCOUNTS: [&str; 3] = ["a", "b", "c"];

fn ids(names: &[&str]) -> Vec<BankAccountId> {
    names.iter().map(|name| (*name).into()).collect()
}

async fn opened(store: &BankStore) {
    write(store, |tx| {
        let accounts: Vec<_> = ids(&ACCOUNTS).into_iter().map(|id| (id, Currency::GBP)).collect();
        tx.ledger_accounts_open(&accounts)?;
        tx.ledger_accounts_open(&[("usd".into(), Currency::USD)])
    })
    .await;
}

async fn booked(store: &BankStore) -> Vec<i64> {
    let sums = read(store, |tx| tx.ledger_sums(&ids(&ACCOUNTS))).await;
    sums.into_iter().map(|sums| sums.booked).collect()
}

/// A cause that is posted again, in the same call or a later one, moves no money.
pub(super) async fn a_cause_is_posted_once(store: BankStore) {
    opened(&store).await;
    let mut twin = journal("x", "a", "b", 5);
    twin.id = "j-twin".into();
    let posted = write(&store, move |tx| tx.journals_post(&[journal("x", "a", "b", 5), twin.clone()])).await;
    assert_eq!(posted, vec![PostResult::Posted, PostResult::AlreadyPosted]);
    let posted = write(&store, |tx| {
        let mut again = journal("x", "a", "b", 5);
        again.id = "j-again".into();
        tx.journals_post(&[again, journal("y", "b", "c", 2)])
    })
    .await;
    assert_eq!(posted, vec![PostResult::AlreadyPosted, PostResult::Posted]);
    assert_eq!(booked(&store).await, vec![-5, 3, 2]);
}

/// A journal that does not sum to zero is refused, together with all journals of the same call.
pub(super) async fn an_unbalanced_journal_is_refused(store: BankStore) {
    opened(&store).await;
    let outcome: Result<_, StoreError> = store
        .write(|tx| {
            let mut unbalanced = journal("y", "a", "b", 5);
            unbalanced.postings[0].minor += 1;
            tx.journals_post(&[journal("x", "a", "b", 5), unbalanced])
        })
        .await;
    assert!(matches!(outcome, Err(StoreError::Corrupt { table: "journals", .. })), "{outcome:?}");
    assert_eq!(booked(&store).await, vec![0, 0, 0]);
    let posted = write(&store, |tx| tx.journals_post(&[journal("x", "a", "b", 5)])).await;
    assert_eq!(posted, vec![PostResult::Posted], "the refused call left no journal");
}

/// Posting to an account that was never opened, or in another currency, is refused.
pub(super) async fn postings_need_an_account_of_their_currency(store: BankStore) {
    opened(&store).await;
    for stranger in ["nobody", "usd"] {
        let outcome: Result<_, StoreError> =
            store.write(move |tx| tx.journals_post(&[journal("x", "a", stranger, 5)])).await;
        assert!(matches!(outcome, Err(StoreError::Corrupt { .. })), "{stranger}: {outcome:?}");
    }
    assert_eq!(booked(&store).await, vec![0, 0, 0]);
    let outcome: Result<_, StoreError> = store.read(|tx| tx.ledger_sums(&ids(&["a", "nobody"]))).await;
    assert!(matches!(outcome, Err(StoreError::Corrupt { .. })), "{outcome:?}");
}

/// Concurrent journals on the same accounts neither deadlock for ever nor lose an amount.
pub(super) async fn journals_under_concurrency_lose_nothing(store: BankStore) {
    const EACH: i64 = 8;
    opened(&store).await;
    let writers = [("a", "b"), ("b", "a"), ("b", "c"), ("c", "a"), ("a", "c"), ("c", "b")].map(|(from, to)| {
        let store = store.clone();
        tokio::spawn(async move {
            for number in 0..EACH {
                let cause = format!("{from}{to}{number}");
                let minor = if (from, to) == ("a", "b") { 3 } else { 1 };
                let posted = write(&store, move |tx| tx.journals_post(&[journal(&cause, from, to, minor)])).await;
                assert_eq!(posted, vec![PostResult::Posted]);
            }
        })
    });
    for writer in writers {
        writer.await.unwrap();
    }
    assert_eq!(booked(&store).await, vec![-2 * EACH, 2 * EACH, 0]);
    assert_eq!(read(&store, |tx| tx.ledger_totals()).await, vec![(Currency::GBP, LedgerSums::default())]);
}

/// Over all postings, each currency sums to zero in both layers. The sums of accounts keep the layers apart.
pub(super) async fn ledger_totals_stay_zero(store: BankStore) {
    opened(&store).await;
    assert_eq!(read(&store, |tx| tx.ledger_totals()).await, vec![]);
    write(&store, |tx| {
        tx.ledger_accounts_open(&[("usd-out".into(), Currency::USD), ("a".into(), Currency::GBP)])?;
        let side = |account: &str, minor, currency, layer| Posting {
            account: account.into(),
            minor,
            currency,
            layer,
            entry: Some("e".into()),
        };
        let mut mixed = journal("x", "a", "b", 700);
        mixed.postings.extend([
            side("usd", 900, Currency::USD, BalanceLayer::Booked),
            side("usd-out", -900, Currency::USD, BalanceLayer::Booked),
            side("a", -40, Currency::GBP, BalanceLayer::Pending),
            side("c", 40, Currency::GBP, BalanceLayer::Pending),
        ]);
        tx.journals_post(&[mixed])
    })
    .await;
    let zero = LedgerSums::default();
    assert_eq!(read(&store, |tx| tx.ledger_totals()).await, vec![(Currency::GBP, zero), (Currency::USD, zero)]);
    let sums = read(&store, |tx| tx.ledger_sums(&ids(&["c", "a", "usd"]))).await;
    let expected = [(0, 40), (-700, -40), (900, 0)].map(|(booked, pending)| LedgerSums { booked, pending });
    assert_eq!(sums, expected, "opening an account again kept its sums");
}

/// Lists of accounts are returned in the requested order, without accounts that do not exist.
pub(super) async fn accounts_come_in_the_order_asked_for(store: BankStore) {
    write(&store, |tx| {
        for id in ACCOUNTS {
            tx.bank_account_insert(&bank_account(id, Currency::GBP))?;
        }
        tx.journals_post(&[journal("x", "a", "b", 5)])
    })
    .await;
    let asked = ids(&["c", "none", "a"]);
    let (found, sums) = read(&store, move |tx| Ok((tx.bank_accounts(&asked)?, tx.account_sums(&asked)?))).await;
    assert_eq!(found, vec![bank_account("c", Currency::GBP), bank_account("a", Currency::GBP)]);
    let names: Vec<_> = sums.iter().map(|it| (it.id.as_str(), it.sums.booked, it.credit_limit, it.eligible)).collect();
    assert_eq!(names, vec![("c", 0, 50_000, true), ("a", -5, 50_000, true)]);
    assert_eq!(read(&store, |tx| tx.bank_accounts_of(&"amelia".into())).await.len(), 3);
    assert_eq!(read(&store, |tx| tx.account_sums(&[])).await, vec![]);
}
