//! The ledger during seeding: journals, entries and the running balance of every account.

use super::habit::HouseholdAccount;
use super::money_event::{JournalLine, MoneyEvent};
use super::random::SeededRandom;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{BalanceType, EntryBalance, EntryStatus, Mutability, Statement, Transaction};
use lombard_domain::ids::{BankAccountId, JournalId, TransactionId};
use lombard_domain::ledger::{BalanceLayer, Journal, Posting};
use lombard_domain::money::{Currency, SignedAmount};
use std::collections::{BTreeMap, BTreeSet};

/// The balances of a customer's account during seeding, in minor units.
#[derive(Debug, Default)]
struct AccountBalance {
    booked: i64,
    reserved: i64,
    last_entry_at: Timestamp,
}

/// A finished history.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct SeededHistory {
    /// The ledger accounts of outside parties.
    pub(super) outside: BTreeSet<(BankAccountId, Currency)>,
    /// The journals in booking order.
    pub(super) journals: Vec<Journal>,
    /// The entries in booking order.
    pub(super) entries: Vec<Transaction>,
    /// The statements of each account, oldest first.
    pub(super) statements: Vec<Statement>,
}

/// The ledger of one household.
#[derive(Debug)]
pub(super) struct SeedLedger {
    life: &'static str,
    ids: SeededRandom,
    accounts: BTreeMap<BankAccountId, AccountBalance>,
    /// The pence to be saved by rounding up, by the account from which they come.
    change: BTreeMap<HouseholdAccount, i64>,
    /// The card spending for which no cashback was paid yet, by account.
    spent: BTreeMap<BankAccountId, i64>,
    history: SeededHistory,
}

impl SeedLedger {
    pub(super) fn new(life: &'static str, ids: SeededRandom) -> Self {
        let accounts = BTreeMap::new();
        let change = BTreeMap::new();
        let spent = BTreeMap::new();
        Self { life, ids, accounts, change, spent, history: SeededHistory::default() }
    }

    /// Posts the balance of an account before its first entry, against the bank's equity.
    pub(super) fn bring_forward(&mut self, account: &BankAccountId, minor: i64, currency: Currency, at: Timestamp) {
        self.accounts.insert(account.clone(), AccountBalance::default());
        if minor != 0 {
            let own = JournalLine { account: account.clone(), currency, minor, entry: None };
            self.post(
                at,
                vec![own, JournalLine::external_party("equity", minor.saturating_neg(), currency)],
                BalanceLayer::Booked,
            );
        }
    }

    /// The booked balance of a customer's account in minor units.
    pub(super) fn booked(&self, account: &BankAccountId) -> i64 {
        self.accounts.get(account).map_or(0, |running| running.booked)
    }

    /// The booked balance less reserved amounts, in minor units.
    pub(super) fn unreserved(&self, account: &BankAccountId) -> i64 {
        self.accounts.get(account).map_or(0, |running| running.booked.saturating_sub(running.reserved))
    }

    /// Adds the pence by which a purchase is rounded up to the next pound.
    pub(super) fn keep_change(&mut self, role: HouseholdAccount, pence: i64) {
        let missing = pence.saturating_neg().rem_euclid(100);
        let kept = self.change.entry(role).or_default();
        *kept = kept.saturating_add(missing);
    }

    /// Returns the booked card spending of an account since the last call and resets it. The amount is in minor units and at least zero.
    pub(super) fn take_spent(&mut self, account: &BankAccountId) -> i64 {
        self.spent.remove(account).unwrap_or(0).max(0)
    }

    /// Returns the pence that were added since the last call, and resets them.
    pub(super) fn take_change(&mut self, role: HouseholdAccount) -> i64 {
        self.change.remove(&role).unwrap_or(0)
    }

    /// Reserves the amount of an event until it is booked, so that nothing is spent twice.
    pub(super) fn reserve(&mut self, event: &MoneyEvent) {
        match event {
            MoneyEvent::Booking { lines, .. } | MoneyEvent::Purchase { lines, .. } => {
                self.change_reserved(lines, |reserved, spent| reserved.saturating_add(spent));
            }
            MoneyEvent::Refusal { .. } => {}
        }
    }

    /// Books a due event.
    pub(super) fn book(&mut self, event: MoneyEvent) {
        match event {
            MoneyEvent::Booking { at, lines } | MoneyEvent::Purchase { at, lines, .. } => {
                self.change_reserved(&lines, |reserved, spent| reserved.saturating_sub(spent));
                self.post(at, lines, BalanceLayer::Booked);
            }
            MoneyEvent::Refusal { mut entry } => {
                entry.booked_at = self.entry_time(entry.booked_at, &[&entry.account]);
                self.history.entries.push(*entry);
            }
        }
    }

    /// Adds a purchase as a pending entry. Its amount is reserved, and the entry may still change.
    pub(super) fn book_pending(&mut self, event: MoneyEvent) {
        if let MoneyEvent::Purchase { at, lines, .. } = event {
            self.post(at, lines, BalanceLayer::Pending);
        }
    }

    /// Adds a future entry: a payment that is announced already and booked on a later day. Its amount is reserved until then. Source:
    /// AIS-121.
    pub(super) fn book_future(&mut self, event: MoneyEvent) {
        if let MoneyEvent::Booking { at, lines } = event {
            self.post(at, lines, BalanceLayer::Pending);
            if let Some(entry) = self.history.entries.last_mut() {
                entry.status = EntryStatus::Future;
                entry.value_at = Some(entry.booked_at);
            }
        }
    }

    /// Ends seeding and returns the history.
    pub(super) fn close(self) -> SeededHistory {
        self.history
    }

    fn change_reserved(&mut self, lines: &[JournalLine], change: impl Fn(i64, i64) -> i64) {
        for line in lines {
            if let Some(running) = self.accounts.get_mut(&line.account) {
                running.reserved = change(running.reserved, line.minor.min(0).saturating_neg());
            }
        }
    }

    fn post(&mut self, at: Timestamp, lines: Vec<JournalLine>, layer: BalanceLayer) {
        let seen: Vec<_> = lines.iter().filter(|line| line.entry.is_some()).map(|line| &line.account).collect();
        let booked_at = self.entry_time(at, &seen);
        let postings = lines.into_iter().map(|line| self.posting(line, booked_at, layer)).collect();
        let cause = format!("seed/{}/{}", self.life, self.history.journals.len());
        let id = JournalId::new(self.ids.id_at(booked_at));
        self.history.journals.push(Journal { id, cause, booked_at, postings });
    }

    /// The booking time, moved forward by whole seconds until it is after the last entry of each account. The order by time is thus the
    /// order in which the running balance changed.
    fn entry_time(&mut self, at: Timestamp, accounts: &[&BankAccountId]) -> Timestamp {
        let after = |last: Timestamp| last.saturating_add(SignedDuration::from_secs(1)).unwrap_or(last);
        let lasts =
            accounts.iter().filter_map(|account| self.accounts.get(*account)).map(|running| running.last_entry_at);
        let booked_at = lasts.map(after).chain([at]).max().unwrap_or(at);
        for account in accounts {
            if let Some(running) = self.accounts.get_mut(*account) {
                running.last_entry_at = booked_at;
            }
        }
        booked_at
    }

    fn posting(&mut self, line: JournalLine, booked_at: Timestamp, layer: BalanceLayer) -> Posting {
        let JournalLine { account, currency, minor, entry } = line;
        if layer == BalanceLayer::Booked && entry.as_ref().is_some_and(|entry| entry.merchant.is_some()) {
            let spent = self.spent.entry(account.clone()).or_default();
            *spent = spent.saturating_sub(minor);
        }
        let balance = match (self.accounts.get_mut(&account), layer) {
            (Some(running), BalanceLayer::Booked) => {
                running.booked = running.booked.saturating_add(minor);
                Some(running.booked)
            }
            (Some(_), BalanceLayer::Pending) => None,
            (None, BalanceLayer::Booked | BalanceLayer::Pending) => {
                self.history.outside.insert((account.clone(), currency));
                None
            }
        };
        let entry = entry.map(|entry| self.enter(*entry, booked_at, balance));
        Posting { account, minor, currency, layer, entry }
    }

    fn enter(&mut self, mut entry: Transaction, booked_at: Timestamp, balance: Option<i64>) -> TransactionId {
        entry.booked_at = booked_at;
        entry.balance = balance.map(|minor| EntryBalance {
            kind: BalanceType::InterimBooked,
            sum: SignedAmount::from_minor(minor, entry.sum.currency()),
        });
        (entry.status, entry.mutability) = match balance {
            Some(_) => (EntryStatus::Booked, Mutability::Immutable),
            None => (EntryStatus::Pending, Mutability::Mutable),
        };
        let id = entry.id.clone();
        self.history.entries.push(entry);
        id
    }
}
