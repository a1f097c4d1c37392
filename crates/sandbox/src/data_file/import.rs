//! Imports a file: stores all its records in one transaction, or none of them.

use super::check::check;
use super::file::File;
use super::rebase;
use crate::seed::{self, SeedProgress};
use jiff::{SignedDuration, Timestamp};
use lombard_core_api::form::faults::{FaultList, FormFault};
use lombard_corebank::names;
use lombard_corebank::storage::{BankStore, BankTransaction};
use lombard_domain::account::{BalanceType, EntryBalance, EntryStatus, Transaction};
use lombard_domain::frequency::ScottishQuarterDays;
use lombard_domain::ids::{BankAccountId, PsuId, StatementId, TransactionId};
use lombard_domain::ledger::{BalanceLayer, Journal, Posting};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::text::comparable_user_name;
use lombard_ports::controls::{DataFileFault, ImportSummary};
use lombard_ports::store::StoreError;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The number of entries stored at a time.
const CHUNK: usize = 1_000;

/// The maximum number of customers of a bank after a file has added customers.
pub(super) const CUSTOMERS_MAX: u64 = 1_000;

/// The maximum number of accounts of a bank after a file has added accounts.
pub(super) const ACCOUNTS_MAX: u64 = 10_000;

/// The setting whose row each import locks.
const IMPORT_LOCK: &str = "data-file-import";

/// The name of the counterparty's ledger accounts for the entries of a file.
const OTHERS: &str = "data-file";

/// The name of the ledger accounts of credits that are not booked yet.
const EXPECTED: &str = "data-file-expected";

/// Why a file was not imported. Nothing of the file was stored.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file has faults.
    #[error("the file has {}", count(.0))]
    Faulty(Vec<DataFileFault>),
    /// Storage failed.
    #[error("the file could not be stored")]
    Store(#[from] StoreError),
}

fn count(faults: &[DataFileFault]) -> String {
    if faults.len() == 1 { "a fault".to_owned() } else { format!("{} faults", faults.len()) }
}

/// Options for reading a file.
#[derive(Debug, Clone, Copy, Default)]
pub struct ImportOptions {
    /// Whether the times of the file are moved by whole days, so that its `AsOf` is today.
    pub rebase: bool,
    /// Which days the standing orders of the file use as Scottish quarter days. Source: X-23.
    pub scottish_quarter_days: ScottishQuarterDays,
}

/// Imports a file: its customers and accounts are added to those of the bank.
///
/// # Errors
/// [`ImportError::Faulty`] with all faults, or [`ImportError::Store`]. Nothing is stored in either case.
pub async fn import_data_file(
    store: &BankStore,
    bytes: Vec<u8>,
    now: Timestamp,
    options: ImportOptions,
    progress: Arc<dyn SeedProgress>,
) -> Result<ImportSummary, ImportError> {
    let reading = tokio::task::spawn_blocking(move || PreparedImport::read(&bytes, now, options));
    let prepared = reading.await.map_err(|error| StoreError::Unavailable(error.into()))?;
    progress.set_total(u64::try_from(prepared.entries.len()).unwrap_or(u64::MAX));
    let prepared = Arc::new(prepared);
    store.write(move |tx| prepared.put(tx, now, &*progress)).await
}

/// A parsed and checked file. Its entries have running balances if the file has no fault.
struct PreparedImport {
    /// The file without its entries.
    file: File,
    /// The entries, ordered by account, time and id.
    entries: Vec<Transaction>,
    /// The position of each of those entries in the file.
    places: Vec<usize>,
    faults: Vec<DataFileFault>,
}

impl PreparedImport {
    fn read(bytes: &[u8], now: Timestamp, options: ImportOptions) -> Self {
        let ImportOptions { rebase, scottish_quarter_days } = options;
        let as_of = File::as_of(bytes).filter(|_| rebase);
        let shift = as_of.map_or(SignedDuration::ZERO, |as_of| rebase::shift(as_of, now));
        let (mut file, mut faults) = File::read(bytes, shift);
        for order in &mut file.standing_orders.records {
            order.frequency = order.frequency.with_scottish_days(scottish_quarter_days);
        }
        if rebase && file.as_of.is_none() {
            faults.note_at("AsOf".to_owned(), "Is needed to move the times of the file.");
        }
        check(&file, &mut faults);
        check_not_in_future(&file, now, &mut faults);
        let faults = listed(faults);
        if rebase {
            rebase::realign(&mut file);
        }
        let (places, entries) = if faults.is_empty() { with_balances(&mut file) } else { Default::default() };
        Self { file, entries, places, faults }
    }

    /// Every entry's id and its position in the file.
    fn ids(&self) -> impl Iterator<Item = (usize, &TransactionId)> {
        let ready = self.places.iter().zip(&self.entries).map(|(place, entry)| (*place, &entry.id));
        ready.chain(self.file.transactions.placed().map(|(place, entry)| (place, &entry.id)))
    }

    fn put(
        &self,
        tx: &mut dyn BankTransaction,
        now: Timestamp,
        progress: &dyn SeedProgress,
    ) -> Result<ImportSummary, ImportError> {
        // The row stays locked until the transaction ends, so each of two concurrent imports counts the records of the other.
        tx.setting_put(IMPORT_LOCK, "")?;
        let faults: Vec<_> = self.faults.iter().cloned().chain(self.taken(tx)?).collect();
        if !faults.is_empty() {
            return Err(ImportError::Faulty(faults));
        }
        let file = &self.file;
        seed::mark_seeded(tx)?;
        tx.customers_insert(&file.customers.records)?;
        for account in &file.accounts.records {
            tx.bank_account_insert(&account.to_record())?;
        }
        tx.arrangements_put(&file.arrangements())?;
        self.open_books(tx, now)?;
        for chunk in self.entries.chunks(CHUNK) {
            let journals: Vec<_> = chunk.iter().filter_map(journal).collect();
            tx.journals_post(&journals)?;
            tx.entries_insert(chunk)?;
            progress.advance(u64::try_from(chunk.len()).unwrap_or(0));
        }
        let mut statements: Vec<_> = file.statements.records.iter().collect();
        statements.sort_by_key(|it| it.ends_at);
        for statement in statements {
            tx.statement_close(statement)?;
        }
        let number = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        Ok(ImportSummary {
            customers: number(file.customers.records.len()),
            accounts: number(file.accounts.records.len()),
            statements: number(file.statements.records.len()),
            transactions: number(self.entries.len()),
        })
    }

    /// Reports exceeded limits, records that exist in the bank already, and unknown holders.
    fn taken(&self, tx: &mut dyn BankTransaction) -> Result<Vec<DataFileFault>, StoreError> {
        let mut faults = FaultList::default();
        beyond_limits(tx, &self.file, &mut faults)?;
        accounts_taken(tx, &self.file, &mut faults)?;
        let statements = &self.file.statements;
        let ids: Vec<StatementId> = statements.records.iter().map(|it| it.id.clone()).collect();
        let known: BTreeSet<_> = tx.statements_known(&ids)?.into_iter().collect();
        for (place, _) in statements.placed().filter(|(_, it)| known.contains(&it.id)) {
            faults.note_at(format!("Statement[{place}].StatementId"), "The bank has a statement of this id.");
        }
        let ids: Vec<TransactionId> = self.ids().map(|(_, id)| id.clone()).collect();
        let known: BTreeSet<_> = tx.entries_known(&ids)?.into_iter().collect();
        for (place, _) in self.ids().filter(|(_, id)| known.contains(*id)) {
            faults.note_at(format!("Transaction[{place}].TransactionId"), "The bank has an entry of this id.");
        }
        Ok(listed(faults))
    }

    /// Opens the counterparties' ledger accounts, and posts the opening balances against the bank's equity.
    fn open_books(&self, tx: &mut dyn BankTransaction, now: Timestamp) -> Result<(), StoreError> {
        let accounts = &self.file.accounts.records;
        let currencies: BTreeSet<Currency> = accounts.iter().map(|it| it.account.currency).collect();
        let sides = |currency: &Currency| {
            ["equity", OTHERS, EXPECTED].map(|it| (names::external_account(it, *currency), *currency))
        };
        let outside: Vec<_> = currencies.iter().flat_map(sides).collect();
        tx.ledger_accounts_open(&outside)?;
        let mut first: BTreeMap<&BankAccountId, Timestamp> = BTreeMap::new();
        for entry in &self.entries {
            first.entry(&entry.account).or_insert(entry.booked_at);
        }
        let journals: Vec<_> = accounts
            .iter()
            .filter_map(|it| it.opening.filter(|sum| sum.minor() != 0).map(|sum| (&it.account.id, sum)))
            .map(|(id, sum)| {
                let at = first.get(id).copied().unwrap_or(now).min(now);
                balanced(format!("import/opening/{id}"), at, own_side(id, sum, BalanceLayer::Booked, None), "equity")
            })
            .collect();
        tx.journals_post(&journals).map(drop)
    }
}

/// Reports events that must lie in the past but have a future time.
fn check_not_in_future(file: &File, now: Timestamp, faults: &mut FaultList) {
    for (index, entry) in file.transactions.placed() {
        if !entry.status.is_expected() && entry.booked_at > now {
            let path = format!("Transaction[{index}].BookingDateTime");
            faults.note_at(path, "Lies in the future of the bank's clock; only a pending or future entry can.");
        }
    }
}

/// The faults in the form in which the control reports them.
fn listed(faults: FaultList) -> Vec<DataFileFault> {
    let listed = faults.into_result(()).err().unwrap_or_default();
    listed.into_iter().map(|FormFault { path, message }| DataFileFault { path, message }).collect()
}

/// Reports too many customers or accounts. The limits exist because some pages list all customers and accounts.
fn beyond_limits(tx: &mut dyn BankTransaction, file: &File, faults: &mut FaultList) -> Result<(), StoreError> {
    let has = tx.bank_size()?;
    let customers = ("Customer", has.customers, file.customers.records.len(), CUSTOMERS_MAX);
    let accounts = ("Account", has.accounts, file.accounts.records.len(), ACCOUNTS_MAX);
    for (list, has, adds, most) in [customers, accounts] {
        let adds = u64::try_from(adds).unwrap_or(u64::MAX);
        if adds > 0 && has.saturating_add(adds) > most {
            let sentence = format!(
                "The bank has {has} of these and the file {adds}; together {most} are allowed. A reset removes some."
            );
            faults.note_at(list.to_owned(), sentence);
        }
    }
    Ok(())
}

/// Reports customers and accounts that exist in the bank already, and unknown holders.
fn accounts_taken(tx: &mut dyn BankTransaction, file: &File, faults: &mut FaultList) -> Result<(), StoreError> {
    let known: BTreeSet<PsuId> = tx.customers()?.into_iter().map(|it| it.psu).collect();
    let own: BTreeSet<&PsuId> = file.customers.records.iter().map(|it| &it.psu).collect();
    let known_names: BTreeSet<String> = known.iter().map(|psu| comparable_user_name(psu.as_str())).collect();
    for (index, customer) in file.customers.placed() {
        if known_names.contains(&comparable_user_name(customer.psu.as_str())) {
            faults.note_at(format!("Customer[{index}].Login"), "The bank has a customer of this login.");
        }
    }
    let ids: Vec<_> = file.accounts.records.iter().map(|it| it.account.id.clone()).collect();
    let standing: BTreeSet<_> = tx.account_availability(&ids)?.into_iter().map(|it| it.id).collect();
    for (index, record) in file.accounts.placed() {
        if standing.contains(&record.account.id) {
            faults.note_at(format!("Account[{index}].AccountId"), "The bank has an account of this id.");
        }
        for number in &record.account.identifications {
            if tx.bank_account_by_number(number)?.is_some() {
                faults.note_at(format!("Account[{index}].Account"), "The bank has an account of this number.");
            }
        }
        // The customer may be among the records that could not be parsed.
        let is_nowhere = |psu: &PsuId| !own.contains(psu) && !known.contains(psu);
        if file.customers.is_whole() && record.holders.iter().any(is_nowhere) {
            faults.note_at(format!("Account[{index}].Holder"), "Neither file nor bank has a customer of this login.");
        }
    }
    Ok(())
}

/// Removes the entries from the file and returns them in posting order with running balances. Also returns the position of each entry in
/// the file.
fn with_balances(file: &mut File) -> (Vec<usize>, Vec<Transaction>) {
    let mut running: BTreeMap<BankAccountId, i64> = BTreeMap::new();
    for record in &file.accounts.records {
        running.insert(record.account.id.clone(), record.opening.map_or(0, SignedAmount::minor));
    }
    let mut entries: Vec<_> = std::mem::take(&mut file.transactions.records).into_iter().enumerate().collect();
    entries.sort_by(|(_, a), (_, b)| (&a.account, a.booked_at, &a.id).cmp(&(&b.account, b.booked_at, &b.id)));
    for (_, entry) in entries.iter_mut().filter(|(_, it)| it.status == EntryStatus::Booked) {
        if let Some(sum) = running.get_mut(&entry.account) {
            *sum = sum.saturating_add(entry.sum.minor());
            let sum = SignedAmount::from_minor(*sum, entry.sum.currency());
            entry.balance = Some(EntryBalance { kind: BalanceType::InterimBooked, sum });
        }
    }
    entries.into_iter().unzip()
}

/// The journal of an entry against the counterparty. Rejected entries and information entries move no money and have none.
fn journal(entry: &Transaction) -> Option<Journal> {
    let layer = match entry.status {
        EntryStatus::Booked => BalanceLayer::Booked,
        EntryStatus::Pending | EntryStatus::Future => BalanceLayer::Pending,
        EntryStatus::Rejected | EntryStatus::Information => return None,
    };
    // An expected credit is not available yet (CBP-040), so it reaches its own account only when it is booked.
    let is_expected_credit = entry.status.is_expected() && entry.sum.minor() > 0;
    let expected = is_expected_credit.then(|| names::external_account(EXPECTED, entry.sum.currency()));
    let own = own_side(expected.as_ref().unwrap_or(&entry.account), entry.sum, layer, Some(entry.id.clone()));
    Some(balanced(format!("import/entry/{}", entry.id), entry.booked_at, own, OTHERS))
}

fn own_side(account: &BankAccountId, sum: SignedAmount, layer: BalanceLayer, entry: Option<TransactionId>) -> Posting {
    Posting { account: account.clone(), minor: sum.minor(), currency: sum.currency(), layer, entry }
}

fn balanced(cause: String, booked_at: Timestamp, own: Posting, other: &str) -> Journal {
    let account = names::external_account(other, own.currency);
    let theirs = Posting { account, minor: own.minor.saturating_neg(), entry: None, ..own.clone() };
    let id = names::derive_id(&format!("journal/{cause}"), booked_at).into();
    Journal { id, cause, booked_at, postings: vec![own, theirs] }
}
