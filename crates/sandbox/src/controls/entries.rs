//! Adds entries to accounts for testers: money from and to other banks.

use super::accounts::locked_account;
use jiff::{SignedDuration, Timestamp};
use lombard_corebank::booking::{self, JournalLine};
use lombard_corebank::channel::Channel;
use lombard_corebank::storage::{BankAccountRecord, BankTransaction};
use lombard_corebank::{entry, names};
use lombard_domain::account::{AccountStatus, EntryStatus, Transaction};
use lombard_domain::ids::BankAccountId;
use lombard_domain::money::{Amount, Currency};
use lombard_ports::clock::Clocks;
use lombard_ports::controls::{AddedEntry, ControlError, NewEntry};

/// The time after which a pending entry is booked (bank clock).
const PENDING_FOR: SignedDuration = SignedDuration::from_hours(24);

/// A tester can add an entry only to an account with fewer entries than this.
const ENTRIES_MAX: u32 = 100_000;

/// The name of the counterparty's ledger accounts.
const OTHERS: &str = "tester";
/// The name of the ledger accounts of credits that are not booked yet.
const EXPECTED: &str = "tester-expected";

/// The largest balance and the largest amount, in whole units of the currency. The standard allows no more digits.
const UNITS_MAX: &str = "9999999999999";

/// Adds an entry in the bank's tables, balanced by an external ledger account.
pub(super) fn add_entry_in(
    bank: &mut dyn BankTransaction,
    clocks: &Clocks,
    account: &BankAccountId,
    new: &NewEntry,
) -> Result<AddedEntry, ControlError> {
    let now = clocks.read_bank_time(bank)?;
    let record = locked_account(bank, account)?;
    require_fit(bank, &record, new)?;
    let seen = new_entry(account, new, now);
    let cause = format!("control/entry/{}", new.id);
    if new.is_pending {
        return reserve(bank, cause, seen);
    }
    let other = JournalLine::external_party(OTHERS, new.minor.saturating_neg(), new.currency);
    let lines = vec![JournalLine::with_entry(seen.clone()), other];
    let Some(booked_at) = booking::book(bank, cause, now, lines)? else {
        return Err(ControlError::conflict("an entry with this id was added before"));
    };
    let booked = bank.ledger_sums(std::slice::from_ref(account))?.first().map(|sums| sums.booked);
    Ok(AddedEntry { booked_at_micros: booked_at.as_microsecond(), balance_minor: booked, ..added(&seen) })
}

/// Requires that the entry can be added to the account, which stays locked until the transaction ends.
fn require_fit(bank: &mut dyn BankTransaction, record: &BankAccountRecord, new: &NewEntry) -> Result<(), ControlError> {
    if record.account.status != AccountStatus::Enabled {
        return Err(ControlError::conflict("the account is not open"));
    }
    if bank.has_entries(&record.account.id, ENTRIES_MAX)? {
        return Err(ControlError::conflict("the account has 100,000 entries or more; no further one can be added"));
    }
    if record.account.currency != new.currency {
        let code = record.account.currency.code();
        return Err(ControlError::Refused(format!("currency: the account is kept in {code}").into()));
    }
    if new.minor < 0 {
        let has_funds = booking::has_available_funds(bank, &record.account.id, new.minor.saturating_neg())?;
        return has_funds.then_some(()).ok_or(ControlError::conflict("the account does not hold enough"));
    }
    let sums = bank.account_sums_for_update(&record.account.id)?.map(|row| row.sums).unwrap_or_default();
    let balance = sums.booked.saturating_add(sums.pending).saturating_add(new.minor);
    let fits = balance <= balance_max(new.currency);
    fits.then_some(()).ok_or(ControlError::conflict("the balance would have more digits than the standard writes"))
}

/// The largest balance in minor units.
fn balance_max(currency: Currency) -> i64 {
    let most = Amount::parse(UNITS_MAX, currency).map_or(0, Amount::minor);
    i64::try_from(most).unwrap_or(i64::MAX)
}

fn new_entry(account: &BankAccountId, new: &NewEntry, now: Timestamp) -> Transaction {
    let channel = if new.currency == Currency::GBP { Channel::FasterPayment } else { Channel::CrossBorder };
    let mut seen = entry::new(account, new.id.clone(), now, new.sum(), channel);
    seen.reference.clone_from(&new.reference);
    let texts = [new.counterparty.as_deref(), new.reference.as_deref()];
    let text = texts.into_iter().flatten().collect::<Vec<_>>().join(" ");
    seen.information = Some(text).filter(|text| !text.is_empty());
    seen
}

/// Reserves a pending entry: a debit reduces the available balance now, a credit increases it only when it is booked (CBP-040).
fn reserve(bank: &mut dyn BankTransaction, cause: String, mut seen: Transaction) -> Result<AddedEntry, ControlError> {
    let now = seen.booked_at;
    seen.booked_at = now.saturating_add(PENDING_FOR).unwrap_or(now);
    seen.value_at = Some(seen.booked_at);
    let minor = seen.sum.minor();
    let currency = seen.sum.currency();
    let mut own = JournalLine::with_entry(seen.clone());
    if minor > 0 {
        own.account = names::external_account(EXPECTED, currency);
        bank.ledger_accounts_open(&[(own.account.clone(), currency)])?;
    }
    let other = JournalLine::external_party(OTHERS, minor.saturating_neg(), currency);
    booking::reserve(bank, cause, now, vec![own, other])?;
    Ok(AddedEntry { status: EntryStatus::Pending, ..added(&seen) })
}

fn added(entry: &Transaction) -> AddedEntry {
    AddedEntry {
        id: entry.id.clone(),
        account: entry.account.clone(),
        minor: entry.sum.minor(),
        currency: entry.sum.currency(),
        status: entry.status,
        booked_at_micros: entry.booked_at.as_microsecond(),
        reference: entry.reference.clone(),
        information: entry.information.clone(),
        balance_minor: None,
    }
}
