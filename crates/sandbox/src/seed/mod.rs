//! Fills an empty sandbox with customers, accounts and a plausible history.
//!
//! The same seed and the same bank date give the same ids and the same history. The tables (`tables`) describe households and
//! their habits. `habit_run` and `card` turn habits into money events, and `ledger` turns those into balanced journals and
//! entries. Everything is stored in one transaction, so a crash leaves no partial data.

mod accounts;
#[cfg(test)]
mod arrangement_tests;
mod arrangements;
mod calendar;
mod card;
mod habit;
mod habit_run;
mod history;
mod ledger;
mod money_event;
mod numbers;
mod people;
#[cfg(test)]
mod product_tests;
mod products;
mod progress;
mod random;
mod rates;
mod span;
mod statements;
mod tables;
#[cfg(test)]
mod tests;

pub use progress::{NoSeedProgress, SeedProgress};

use habit::SeededHousehold;
use jiff::Timestamp;
use ledger::SeededHistory;
use lombard_corebank::channel;
use lombard_corebank::storage::{Arrangement, BankAccountRecord, BankStore, BankTransaction, Customer};
use lombard_domain::ids::PsuId;
use lombard_ports::store::StoreError;
use span::HistorySpan;

/// The setting that records that the sandbox was seeded, and the source of its data.
const SETTING: &str = "sandbox.seed";

/// Why the sandbox was not seeded.
#[derive(Debug, thiserror::Error)]
pub enum SeedError {
    /// Storage failed; nothing was stored.
    #[error("the sandbox's customers could not be stored")]
    Store(#[from] StoreError),
}

/// Seeds the sandbox with a history that ends at the bank's present, unless it was seeded before.
///
/// Takes a few hundred milliseconds of the calling thread, and then one transaction.
///
/// # Errors
/// [`SeedError::Store`] if storage fails; nothing is stored then, and the call can be repeated.
pub async fn seed_sandbox(
    store: &BankStore,
    bank_now: Timestamp,
    seed: u64,
    progress: &dyn SeedProgress,
) -> Result<(), SeedError> {
    if is_seeded(store).await? {
        return Ok(());
    }
    let lives = u64::try_from(tables::HOUSEHOLDS.len()).unwrap_or(u64::MAX);
    let months = u64::try_from(span::FULL_MONTHS).unwrap_or(0);
    progress.set_total(lives.saturating_mul(months).saturating_add(STORE_STEPS));
    let bank = generate_bank(bank_now, seed, progress);
    store.write(move |tx| put(tx, &bank, seed)).await?;
    progress.advance(STORE_STEPS);
    Ok(())
}

/// The number of progress steps for storing, which takes about as long as generating two households.
const STORE_STEPS: u64 = 50;

/// Whether the sandbox was seeded.
///
/// # Errors
/// [`StoreError`] if storage fails.
pub async fn is_seeded(store: &BankStore) -> Result<bool, StoreError> {
    store.read(|tx| Ok(tx.setting(SETTING)?.is_some())).await
}

/// The initial data of a sandbox.
#[derive(Debug)]
pub(crate) struct SeedStart {
    bank: SeededBank,
    /// The value of the setting that records the source of the data.
    from: String,
}

impl SeedStart {
    /// The default customers, with a history that ends at this time. Generation takes a few hundred milliseconds on the calling thread.
    pub(crate) fn default_customers(bank_now: Timestamp, seed: u64) -> Self {
        Self { bank: generate_bank(bank_now, seed, &NoSeedProgress), from: seed.to_string() }
    }

    /// A bank without customers, into which a data file will be imported.
    pub(crate) fn empty() -> Self {
        Self { bank: SeededBank::default(), from: FROM_FILE.to_owned() }
    }

    /// Stores the data in an empty bank and overwrites the setting.
    pub(crate) fn put(&self, tx: &mut dyn BankTransaction) -> Result<(), StoreError> {
        tx.setting_put(SETTING, &self.from)?;
        put_bank(tx, &self.bank)
    }
}

/// The value of the setting for a bank whose customers come from a data file.
const FROM_FILE: &str = "data file";

/// Marks the sandbox as seeded, so that no default customers are created. An existing mark is kept.
pub(crate) fn mark_seeded(tx: &mut dyn BankTransaction) -> Result<(), StoreError> {
    if tx.setting(SETTING)?.is_none() {
        tx.setting_put(SETTING, FROM_FILE)?;
    }
    Ok(())
}

/// The data of a bank to be stored.
#[derive(Debug, Default, PartialEq, Eq)]
struct SeededBank {
    customers: Vec<Customer>,
    accounts: Vec<BankAccountRecord>,
    arrangements: Vec<Arrangement>,
    histories: Vec<SeededHistory>,
}

fn generate_bank(bank_now: Timestamp, seed: u64, progress: &dyn SeedProgress) -> SeededBank {
    let span = HistorySpan::before(bank_now);
    let mut bank = SeededBank::default();
    for life in tables::HOUSEHOLDS {
        let accounts = accounts::open(life, seed, span.first_day());
        bank.customers.extend(customers(life, seed));
        let mut history = history::write(life, &accounts, seed, &span, progress);
        bank.arrangements.extend(arrangements::write(life, &accounts, &history.entries, seed, &span));
        for (row, account) in life.accounts.iter().zip(accounts) {
            let (statements, close) = statements::write(life, &account, row.brought_forward, &history.entries, &span);
            history.statements.extend(statements);
            bank.arrangements.extend(people::parties(life, &account, seed).into_iter().map(Arrangement::from));
            bank.arrangements.extend([close.into(), account.product.into()]);
            bank.accounts.push(account.record);
        }
        bank.histories.push(history);
    }
    bank
}

fn customers(life: &SeededHousehold, seed: u64) -> impl Iterator<Item = Customer> {
    life.customers.iter().map(move |row| Customer {
        psu: PsuId::from(row.login),
        name: row.name.to_owned(),
        about: row.about.to_owned(),
        party: Some(people::party(row.person, seed)),
    })
}

fn put(tx: &mut dyn BankTransaction, bank: &SeededBank, seed: u64) -> Result<(), StoreError> {
    // Another node may have seeded the sandbox since the caller checked.
    if tx.setting(SETTING)?.is_some() {
        return Ok(());
    }
    tx.setting_put(SETTING, &seed.to_string())?;
    put_bank(tx, bank)
}

fn put_bank(tx: &mut dyn BankTransaction, bank: &SeededBank) -> Result<(), StoreError> {
    tx.customers_insert(&bank.customers)?;
    for account in &bank.accounts {
        tx.bank_account_insert(account)?;
    }
    tx.arrangements_put(&bank.arrangements)?;
    for history in &bank.histories {
        let outside: Vec<_> = history.outside.iter().cloned().collect();
        tx.ledger_accounts_open(&outside)?;
        tx.journals_post(&history.journals)?;
        tx.entries_insert(&history.entries)?;
        for statement in &history.statements {
            tx.statement_close(statement)?;
        }
    }
    Ok(())
}
