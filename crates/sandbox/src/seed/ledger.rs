//! The books while a history is written: journals, entries and the running balance of every account.

use super::habit::AccountRoleInLife;
use super::money_event::{JournalLine, MoneyEvent};
use super::random::SeededRandom;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::{BalanceType, EntryBalance, EntryStatus, Mutability, Statement, Transaction};
use lombard_domain::ids::{BankAccountId, JournalId, TransactionId};
use lombard_domain::ledger::{BalanceLayer, Journal, Posting};
use lombard_domain::money::{Currency, SignedAmount};
use std::collections::{BTreeMap, BTreeSet};

/// What is known of a customer's account while its history is written. Minor units.
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
    /// In the order they were booked.
    pub(super) journals: Vec<Journal>,
    /// In the order they were booked.
    pub(super) entries: Vec<Transaction>,
    /// Of each account oldest first.
    pub(super) statements: Vec<Statement>,
}

/// The books of one life.
#[derive(Debug)]
pub(super) struct SeedLedger {
    life: &'static str,
    ids: SeededRandom,
    accounts: BTreeMap<BankAccountId, AccountBalance>,
    /// Pence that wait to be rounded up, by the account they come from.
    change: BTreeMap<AccountRoleInLife, i64>,
    /// What was spent with the card of an account and waits for its cashback.
    spent: BTreeMap<BankAccountId, i64>,
    history: SeededHistory,
}

impl SeedLedger {
    pub(super) fn new(life: &'static str, ids: SeededRandom) -> Self {
        let (accounts, change, spent) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        Self { life, ids, accounts, change, spent, history: SeededHistory::default() }
    }

    /// Puts an account's balance from before the first entry on the books, against the bank's equity.
    pub(super) fn bring_forward(&mut self, account: &BankAccountId, minor: i64, currency: Currency, at: Timestamp) {
        self.accounts.insert(account.clone(), AccountBalance::default());
        if minor != 0 {
            let own = JournalLine { account: account.clone(), currency, minor, entry: None };
            self.post(
                at,
                vec![own, JournalLine::outside("equity", minor.saturating_neg(), currency)],
                BalanceLayer::Booked,
            );
        }
    }

    /// Booked minor units of a customer's account.
    pub(super) fn booked(&self, account: &BankAccountId) -> i64 {
        self.accounts.get(account).map_or(0, |running| running.booked)
    }

    /// Booked minor units less those that deeds under way will take.
    pub(super) fn unreserved(&self, account: &BankAccountId) -> i64 {
        self.accounts.get(account).map_or(0, |running| running.booked.saturating_sub(running.reserved))
    }

    /// Keeps the pence that are missing to the next pound of a purchase.
    pub(super) fn keep_change(&mut self, role: AccountRoleInLife, pence: i64) {
        let missing = pence.saturating_neg().rem_euclid(100);
        let kept = self.change.entry(role).or_default();
        *kept = kept.saturating_add(missing);
    }

    /// Takes what was spent with an account's card, and booked, since the last time. Minor units, zero or more.
    pub(super) fn take_spent(&mut self, account: &BankAccountId) -> i64 {
        self.spent.remove(account).unwrap_or(0).max(0)
    }

    /// Takes the pence kept since the last time.
    pub(super) fn take_change(&mut self, role: AccountRoleInLife) -> i64 {
        self.change.remove(&role).unwrap_or(0)
    }

    /// Reserves what a deed will take until it is entered, so that nothing is spent twice.
    pub(super) fn reserve(&mut self, deed: &MoneyEvent) {
        match deed {
            MoneyEvent::Booking { lines, .. } | MoneyEvent::Purchase { lines, .. } => {
                self.change_reserved(lines, |reserved, spent| reserved.saturating_add(spent));
            }
            MoneyEvent::Refusal { .. } => {}
        }
    }

    /// Enters a deed whose time has come.
    pub(super) fn book(&mut self, deed: MoneyEvent) {
        match deed {
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

    /// Enters a purchase whose time has not come: its money is reserved, its entry may still change.
    pub(super) fn book_pending(&mut self, deed: MoneyEvent) {
        if let MoneyEvent::Purchase { at, lines, .. } = deed {
            self.post(at, lines, BalanceLayer::Pending);
        }
    }

    /// The finished history.
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

    /// The booking time, moved on by whole seconds until it is after the last entry of each account, so that the order
    /// by time is the order in which the running balance grew.
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
