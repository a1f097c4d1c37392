//! Moving money: one balanced journal, the entries its customers see, and their running balances, in the caller's transaction.
//! Each cause is booked once, however often it is requested.

use super::names;
use crate::storage::{BankTransaction as Tables, PostResult};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{BalanceType, EntryBalance, EntryStatus, Mutability, Transaction};
use lombard_domain::ids::BankAccountId;
use lombard_domain::ledger::{BalanceLayer, Journal, Posting};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_ports::store::StoreError;

/// One side of a movement: so much in or out of one ledger account, and the entry its holder sees.
#[derive(Debug)]
pub struct JournalLine {
    /// The ledger account.
    pub account: BankAccountId,
    /// The currency.
    pub currency: Currency,
    /// Minor units, positive in the account's favour.
    pub minor: i64,
    /// What its holder sees; nothing if it is nobody's.
    pub entry: Option<Box<Transaction>>,
}

impl JournalLine {
    /// A side that a customer sees.
    pub fn seen(entry: Transaction) -> Self {
        Self {
            account: entry.account.clone(),
            currency: entry.sum.currency(),
            minor: entry.sum.minor(),
            entry: Some(Box::new(entry)),
        }
    }

    /// The side of somebody outside, in one currency. Never visible to TPPs.
    pub fn outside(party: &str, minor: i64, currency: Currency) -> Self {
        Self::unseen(names::outside_account(party, currency), minor, currency)
    }

    /// A side that nobody sees.
    pub const fn unseen(account: BankAccountId, minor: i64, currency: Currency) -> Self {
        Self { account, currency, minor, entry: None }
    }
}

/// Books a movement and says when; `None` if its cause was booked before, and then nothing happens.
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
    lock(tx, &lines)?;
    let at = after_the_latest(tx, at, &lines)?;
    open_outside(tx, &lines)?;
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

/// Reserves money: a journal on the pending layer, and the pending entries that customers see. Their times say when they are
/// expected to be booked. A cause is kept aside for once. The caller has asked [`has_available_funds`], and so holds the account.
///
/// # Errors
/// [`StoreError::Corrupt`] for lines that do not balance, [`StoreError`] otherwise.
pub fn reserve(tx: &mut dyn Tables, cause: String, at: Timestamp, lines: Vec<JournalLine>) -> Result<(), StoreError> {
    open_outside(tx, &lines)?;
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

/// Books a pending entry: the money kept aside for it moves, and the entry never changes again (AIS-122, AIS-123).
///
/// It is booked at its time, or just after the latest booked entry of its account.
///
/// # Errors
/// [`StoreError::Corrupt`] if nothing is kept aside for it, [`StoreError`] otherwise.
pub fn settle(tx: &mut dyn Tables, mut entry: Transaction) -> Result<(), StoreError> {
    tx.account_sums_for_update(&entry.account)?;
    entry.booked_at = no_earlier_than_the_latest(tx, entry.booked_at, &entry.account)?;
    let aside = tx.reserved_postings(&entry.id)?;
    let moved = |it: &Posting| Posting { layer: BalanceLayer::Booked, ..it.clone() };
    let postings = aside.iter().map(release_reservation).chain(aside.iter().map(moved)).collect();
    if post(tx, format!("settle/{}", entry.id), entry.booked_at, postings)? {
        mark_booked(tx, &mut entry)?;
        tx.entry_settle(&entry)?;
    }
    Ok(())
}

/// Releases the money reserved for a pending entry, whose status becomes rejected.
///
/// # Errors
/// [`StoreError::Corrupt`] if nothing is kept aside for it, [`StoreError`] otherwise.
pub fn release(tx: &mut dyn Tables, mut entry: Transaction) -> Result<(), StoreError> {
    tx.account_sums_for_update(&entry.account)?;
    let postings = tx.reserved_postings(&entry.id)?.iter().map(release_reservation).collect();
    if post(tx, format!("release/{}", entry.id), entry.booked_at, postings)? {
        (entry.status, entry.mutability) = (EntryStatus::Rejected, Mutability::Immutable);
        tx.entry_settle(&entry)?;
    }
    Ok(())
}

/// The opposite of a reservation.
fn release_reservation(it: &Posting) -> Posting {
    Posting { minor: it.minor.saturating_neg(), entry: None, ..it.clone() }
}

/// Enters that something did not happen: no money moves.
///
/// # Errors
/// [`StoreError`].
pub fn refuse(tx: &mut dyn Tables, mut entry: Transaction) -> Result<(), StoreError> {
    (entry.status, entry.mutability) = (EntryStatus::Rejected, Mutability::Immutable);
    tx.entries_insert(&[entry])
}

/// Whether so many minor units may leave an account, reservations taken off and its credit line counted in. Nobody else
/// debits the account until the transaction ends.
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

/// Opens the ledger accounts of those outside.
fn open_outside(tx: &mut dyn Tables, lines: &[JournalLine]) -> Result<(), StoreError> {
    let unseen = lines.iter().filter(|line| line.entry.is_none());
    let outside: Vec<_> = unseen.map(|line| (line.account.clone(), line.currency)).collect();
    tx.ledger_accounts_open(&outside)
}

fn post(tx: &mut dyn Tables, cause: String, booked_at: Timestamp, postings: Vec<Posting>) -> Result<bool, StoreError> {
    let id = names::derive_id(&format!("journal/{cause}"), booked_at).into();
    let posted = tx.journals_post(&[Journal { id, cause, booked_at, postings }])?;
    Ok(posted == [PostResult::Posted])
}

/// The sums have moved already, and they are this transaction's until it ends.
fn mark_booked(tx: &mut dyn Tables, entry: &mut Transaction) -> Result<(), StoreError> {
    let booked = tx.ledger_sums(std::slice::from_ref(&entry.account))?.first().map_or(0, |sums| sums.booked);
    let sum = SignedAmount::from_minor(booked, entry.sum.currency());
    entry.balance = Some(EntryBalance { kind: BalanceType::InterimBooked, sum });
    (entry.status, entry.mutability) = (EntryStatus::Booked, Mutability::Immutable);
    Ok(())
}

/// Keeps the accounts whose holders see something from being booked on by anybody else until the transaction ends, one
/// after the other by id, so that two transactions do not wait for each other.
fn lock(tx: &mut dyn Tables, lines: &[JournalLine]) -> Result<(), StoreError> {
    let mut seen: Vec<_> = lines.iter().filter(|line| line.entry.is_some()).map(|line| &line.account).collect();
    seen.sort_unstable();
    seen.dedup();
    seen.into_iter().try_for_each(|account| tx.account_sums_for_update(account).map(drop))
}

fn after_the_latest(tx: &mut dyn Tables, mut at: Timestamp, lines: &[JournalLine]) -> Result<Timestamp, StoreError> {
    for line in lines.iter().filter(|line| line.entry.is_some()) {
        at = no_earlier_than_the_latest(tx, at, &line.account)?;
    }
    Ok(at)
}

/// The time, or the next instant after the latest booked entry of the account.
fn no_earlier_than_the_latest(
    tx: &mut dyn Tables,
    at: Timestamp,
    account: &BankAccountId,
) -> Result<Timestamp, StoreError> {
    let latest = tx.entry_latest_booking(account)?;
    let next = latest.map(|it| it.saturating_add(SignedDuration::from_micros(1)).unwrap_or(it));
    Ok(next.map_or(at, |next| at.max(next)))
}
