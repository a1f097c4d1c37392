//! Moves money in the caller's transaction: one balanced journal, the entries that customers see, and their running balances.
//! A cause is booked only once, even if its booking is requested again.

use super::names;
use crate::storage::{BankTransaction as Tables, PostResult};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{BalanceType, EntryBalance, EntryStatus, Mutability, Transaction};
use lombard_domain::ids::BankAccountId;
use lombard_domain::ledger::{BalanceLayer, Journal, Posting};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_ports::store::StoreError;

/// One line of a journal: an amount on a ledger account, and the entry that its holder sees.
#[derive(Debug)]
pub struct JournalLine {
    /// The ledger account.
    pub account: BankAccountId,
    /// The currency.
    pub currency: Currency,
    /// Minor units, positive in the account's favour.
    pub minor: i64,
    /// The entry that its holder sees; `None` for an account without a holder.
    pub entry: Option<Box<Transaction>>,
}

impl JournalLine {
    /// A line with an entry of a customer.
    pub fn with_entry(entry: Transaction) -> Self {
        Self {
            account: entry.account.clone(),
            currency: entry.sum.currency(),
            minor: entry.sum.minor(),
            entry: Some(Box::new(entry)),
        }
    }

    /// A line on the ledger account of an external party, in one currency. TPPs never see it.
    pub fn external_party(party: &str, minor: i64, currency: Currency) -> Self {
        Self::without_entry(names::external_account(party, currency), minor, currency)
    }

    /// A line without an entry.
    pub const fn without_entry(account: BankAccountId, minor: i64, currency: Currency) -> Self {
        Self { account, currency, minor, entry: None }
    }
}

/// Books a journal and returns its booking time. If its cause was booked before, nothing changes and the result is `None`.
///
/// Entries are booked at the time given, or just after the latest booked entry of their account, so that the order
/// by time is the order in which running balances grew.
///
/// # Errors
/// [`StoreError::Corrupt`] for lines that do not balance, [`StoreError`] otherwise.
pub fn book(
    tx: &mut dyn Tables,
    cause: String,
    at: Timestamp,
    lines: Vec<JournalLine>,
) -> Result<Option<Timestamp>, StoreError> {
    lock_accounts(tx, &lines)?;
    let at = after_the_latest(tx, at, &lines)?;
    open_external_accounts(tx, &lines)?;
    if !post(tx, cause, at, postings(&lines, BalanceLayer::Booked))? {
        return Ok(None);
    }
    let mut entries: Vec<_> = lines.into_iter().filter_map(|line| line.entry).map(|entry| *entry).collect();
    for entry in &mut entries {
        entry.booked_at = at;
        mark_booked(tx, entry)?;
    }
    tx.entries_insert(&entries)?;
    Ok(Some(at))
}

/// Reserves money: posts a journal on the pending layer, and adds the pending entries that customers see. The time of an entry is its
/// expected booking time. A cause reserves only once. The caller must have called [`has_available_funds`], which locks the account.
///
/// # Errors
/// [`StoreError::Corrupt`] for lines that do not balance, [`StoreError`] otherwise.
pub fn reserve(tx: &mut dyn Tables, cause: String, at: Timestamp, lines: Vec<JournalLine>) -> Result<(), StoreError> {
    open_external_accounts(tx, &lines)?;
    if !post(tx, cause, at, postings(&lines, BalanceLayer::Pending))? {
        return Ok(());
    }
    let pending = |entry: Box<Transaction>| Transaction {
        status: EntryStatus::Pending,
        mutability: Mutability::Mutable,
        ..*entry
    };
    let entries: Vec<_> = lines.into_iter().filter_map(|line| line.entry).map(pending).collect();
    tx.entries_insert(&entries)
}

/// Books a pending entry: the reserved money moves, and the entry never changes again (AIS-122, AIS-123).
///
/// The entry is booked at its own time, or just after the latest booked entry of its account. An expected credit may be reserved on
/// another ledger account, so that it is not available before it is booked. It is then booked on the account of its entry.
///
/// # Errors
/// [`StoreError::Corrupt`] if nothing is reserved for it, [`StoreError`] otherwise.
pub fn book_pending_entry(tx: &mut dyn Tables, mut entry: Transaction) -> Result<(), StoreError> {
    tx.account_sums_for_update(&entry.account)?;
    entry.booked_at = after_latest_entry(tx, entry.booked_at, &entry.account)?;
    let reserved = tx.reserved_postings(&entry.id)?;
    let moved = |it: &Posting| {
        let account = if it.entry.as_ref() == Some(&entry.id) { &entry.account } else { &it.account };
        Posting { account: account.clone(), layer: BalanceLayer::Booked, ..it.clone() }
    };
    let postings = reserved.iter().map(release_reservation).chain(reserved.iter().map(moved)).collect();
    if post(tx, format!("settle/{}", entry.id), entry.booked_at, postings)? {
        mark_booked(tx, &mut entry)?;
        tx.entry_settle(&entry)?;
    }
    Ok(())
}

/// Releases the money that is reserved for a pending entry, and rejects the entry.
///
/// # Errors
/// [`StoreError::Corrupt`] if nothing is reserved for it, [`StoreError`] otherwise.
pub fn release_pending_entry(tx: &mut dyn Tables, mut entry: Transaction) -> Result<(), StoreError> {
    tx.account_sums_for_update(&entry.account)?;
    let postings = tx.reserved_postings(&entry.id)?.iter().map(release_reservation).collect();
    if post(tx, format!("release/{}", entry.id), entry.booked_at, postings)? {
        (entry.status, entry.mutability) = (EntryStatus::Rejected, Mutability::Immutable);
        tx.entry_settle(&entry)?;
    }
    Ok(())
}

/// The posting that reverses a reservation.
fn release_reservation(it: &Posting) -> Posting {
    Posting { minor: it.minor.saturating_neg(), entry: None, ..it.clone() }
}

/// Adds a rejected entry; no money is moved.
///
/// # Errors
/// [`StoreError`].
pub fn record_refused_entry(tx: &mut dyn Tables, mut entry: Transaction) -> Result<(), StoreError> {
    (entry.status, entry.mutability) = (EntryStatus::Rejected, Mutability::Immutable);
    tx.entries_insert(&[entry])
}

/// Whether an amount in minor units is available on an account. The available balance is the booked one, less reservations, plus the
/// credit line. The account stays locked until the transaction ends.
///
/// # Errors
/// [`StoreError`].
pub fn has_available_funds(tx: &mut dyn Tables, account: &BankAccountId, minor: i64) -> Result<bool, StoreError> {
    let Some(row) = tx.account_sums_for_update(account)? else { return Ok(false) };
    let free = row.sums.booked.saturating_add(row.sums.pending).saturating_add(row.credit_limit);
    Ok(free >= minor)
}

fn postings(lines: &[JournalLine], layer: BalanceLayer) -> Vec<Posting> {
    let posting = |line: &JournalLine| Posting {
        account: line.account.clone(),
        minor: line.minor,
        currency: line.currency,
        layer,
        entry: line.entry.as_ref().map(|entry| entry.id.clone()),
    };
    lines.iter().map(posting).collect()
}

/// Opens the ledger accounts of external parties.
fn open_external_accounts(tx: &mut dyn Tables, lines: &[JournalLine]) -> Result<(), StoreError> {
    let external = lines.iter().filter(|line| line.entry.is_none());
    let accounts: Vec<_> = external.map(|line| (line.account.clone(), line.currency)).collect();
    tx.ledger_accounts_open(&accounts)
}

fn post(tx: &mut dyn Tables, cause: String, booked_at: Timestamp, postings: Vec<Posting>) -> Result<bool, StoreError> {
    let id = names::derive_id(&format!("journal/{cause}"), booked_at).into();
    let posted = tx.journals_post(&[Journal { id, cause, booked_at, postings }])?;
    Ok(posted == [PostResult::Posted])
}

/// Marks an entry as booked and sets its running balance. This transaction has already updated and locked the sums.
fn mark_booked(tx: &mut dyn Tables, entry: &mut Transaction) -> Result<(), StoreError> {
    let booked = tx.ledger_sums(std::slice::from_ref(&entry.account))?.first().map_or(0, |sums| sums.booked);
    let sum = SignedAmount::from_minor(booked, entry.sum.currency());
    entry.balance = Some(EntryBalance { kind: BalanceType::InterimBooked, sum });
    (entry.status, entry.mutability) = (EntryStatus::Booked, Mutability::Immutable);
    Ok(())
}

/// Locks the accounts that get an entry until the transaction ends. The locks are taken in the order of the ids, so that two
/// transactions do not deadlock.
fn lock_accounts(tx: &mut dyn Tables, lines: &[JournalLine]) -> Result<(), StoreError> {
    let mut accounts: Vec<_> = lines.iter().filter(|line| line.entry.is_some()).map(|line| &line.account).collect();
    accounts.sort_unstable();
    accounts.dedup();
    accounts.into_iter().try_for_each(|account| tx.account_sums_for_update(account).map(drop))
}

fn after_the_latest(tx: &mut dyn Tables, mut at: Timestamp, lines: &[JournalLine]) -> Result<Timestamp, StoreError> {
    for line in lines.iter().filter(|line| line.entry.is_some()) {
        at = after_latest_entry(tx, at, &line.account)?;
    }
    Ok(at)
}

/// The given time, or the instant after the account's latest booked entry if that is later.
fn after_latest_entry(tx: &mut dyn Tables, at: Timestamp, account: &BankAccountId) -> Result<Timestamp, StoreError> {
    let latest = tx.entry_latest_booking(account)?;
    let next = latest.map(|it| it.saturating_add(SignedDuration::from_micros(1)).unwrap_or(it));
    Ok(next.map_or(at, |next| at.max(next)))
}
