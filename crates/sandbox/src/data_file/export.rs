//! Exports every customer, account and record, in an order that does not depend on how they were created.

use super::file::File;
use super::records::FileAccount;
use jiff::Timestamp;
use lombard_corebank::storage::{Arrangement, ArrangementKind, BankAccountRecord, BankStore, BankTransaction};
use lombard_domain::account::{EntryStatus, Transaction};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::{Amount, SignedAmount};
use lombard_domain::page::{Direction, ListWindow, Page};
use lombard_ports::bank::{EntryFilter, StatementFilter};
use lombard_ports::store::StoreError;
use std::collections::BTreeMap;

/// The number of records read at a time.
const PAGE: usize = 1_000;

/// Exports all data of the bank's customers as a data file, as of the bank's time.
///
/// # Errors
/// [`StoreError`].
pub async fn export_data_file(store: &BankStore, now: Timestamp) -> Result<Vec<u8>, StoreError> {
    let file = store.read(move |tx| gather(tx, now)).await?;
    let writing = tokio::task::spawn_blocking(move || file.write());
    writing.await.map_err(|error| StoreError::Unavailable(error.into()))
}

fn gather(tx: &mut dyn BankTransaction, now: Timestamp) -> Result<File, StoreError> {
    let mut file = File { as_of: Some(now), ..File::default() };
    file.customers = tx.customers()?.into();
    file.customers.records.sort_by(|a, b| a.psu.cmp(&b.psu));
    let mut accounts: BTreeMap<BankAccountId, BankAccountRecord> = BTreeMap::new();
    for customer in &file.customers.records {
        let held = tx.bank_accounts_of(&customer.psu)?;
        accounts.extend(held.into_iter().map(|record| (record.account.id.clone(), record)));
    }
    for (id, record) in accounts {
        for kind in ArrangementKind::ALL {
            for arrangement in arrangements(tx, *kind, &id)? {
                file.put(arrangement)?;
            }
        }
        let filter = StatementFilter { accounts: vec![id.clone()], from: None, to: None };
        let mut statements = all(|window| tx.statements(&filter, window))?;
        statements.reverse();
        file.statements.records.extend(statements);
        let filter = EntryFilter::for_accounts(vec![id.clone()]);
        let mut entries = all(|window| tx.entries(&filter, window))?;
        entries.reverse();
        file.accounts.records.push(account(tx, record, &entries)?);
        file.transactions.records.extend(entries);
    }
    Ok(file)
}

/// Builds an account's record. Its opening balance is the booked balance less the sum of its entries.
fn account(
    tx: &mut dyn BankTransaction,
    record: BankAccountRecord,
    entries: &[Transaction],
) -> Result<FileAccount, StoreError> {
    let BankAccountRecord { account, holders, eligible, credit_limit, authorisers } = record;
    let currency = account.currency;
    let booked = tx.ledger_sums(std::slice::from_ref(&account.id))?.first().map_or(0, |sums| sums.booked);
    let entered = entries.iter().filter(|it| it.status == EntryStatus::Booked).map(|it| it.sum.minor());
    let opening = booked.saturating_sub(entered.fold(0_i64, i64::saturating_add));
    Ok(FileAccount {
        account,
        holders,
        eligible,
        credit_limit: (credit_limit != 0).then(|| Amount::from_minor(credit_limit.unsigned_abs(), currency)),
        authorisers: (authorisers != 1).then_some(authorisers),
        opening: (opening != 0).then(|| SignedAmount::from_minor(opening, currency)),
        booked: Some(SignedAmount::from_minor(booked, currency)),
    })
}

fn arrangements(
    tx: &mut dyn BankTransaction,
    kind: ArrangementKind,
    account: &BankAccountId,
) -> Result<Vec<Arrangement>, StoreError> {
    all(|window| tx.arrangements(kind, std::slice::from_ref(account), window))
}

/// Reads all pages of a list.
fn all<T>(mut read: impl FnMut(&ListWindow) -> Result<Page<T>, StoreError>) -> Result<Vec<T>, StoreError> {
    let mut window = ListWindow::first_page(PAGE);
    let mut items = Vec::new();
    loop {
        let page = read(&window)?;
        items.extend(page.items);
        let Some(next) = page.next else { return Ok(items) };
        window = ListWindow { from: Some((Direction::Next, next)), as_of: Some(page.as_of), size: PAGE };
    }
}
