//! What a bank is asked for, and the shape of its answers to list questions.

use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, StatementId};
use lombard_domain::money::CreditDebit;
use lombard_domain::page::Page;

/// A stretch of time; both bounds belong to it, an absent one leaves that side open. Source: AIS-090, AIS-091.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// Not before.
    pub from: Option<Timestamp>,
    /// Not after.
    pub to: Option<Timestamp>,
}

impl TimeRange {
    /// Always.
    pub const ALWAYS: Self = Self { from: None, to: None };

    /// What lies in both; `None` if that is nothing. Source: AIS-095.
    pub fn intersect(self, other: Self) -> Option<Self> {
        let from = self.from.max(other.from);
        let to = match (self.to, other.to) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let nothing = matches!((from, to), (Some(from), Some(to)) if from > to);
        (!nothing).then_some(Self { from, to })
    }

    /// Whether an instant lies in it.
    pub fn contains(self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= at) && self.to.is_none_or(|to| at <= to)
    }
}

/// Which entries a consent covers. Bounds are inclusive instants of booking (AIS-091, AIS-124).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFilter {
    /// On these accounts.
    pub accounts: Vec<BankAccountId>,
    /// Booked at or after.
    pub from: Option<Timestamp>,
    /// Booked at or before.
    pub to: Option<Timestamp>,
    /// Only this direction; absent means both. Source: AIS-041.
    pub direction: Option<CreditDebit>,
    /// Only those that appear on this statement. Source: AIS-147.
    pub statement: Option<StatementId>,
}

impl EntryFilter {
    /// Every entry on these accounts.
    pub const fn for_accounts(accounts: Vec<BankAccountId>) -> Self {
        Self { accounts, from: None, to: None, direction: None, statement: None }
    }

    /// The time it covers.
    pub const fn period(&self) -> TimeRange {
        TimeRange { from: self.from, to: self.to }
    }

    /// The part of it inside a period; `None` if that is nothing. Source: AIS-095.
    pub fn restricted_to(&self, asked: TimeRange) -> Option<Self> {
        let TimeRange { from, to } = self.period().intersect(asked)?;
        Some(Self { from, to, ..self.clone() })
    }

    /// The same, of other accounts.
    pub fn with_accounts(self, accounts: Vec<BankAccountId>) -> Self {
        Self { accounts, ..self }
    }
}

/// Which statements a consent covers: those that lie wholly inside the bounds (AIS-092).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementFilter {
    /// Of these accounts.
    pub accounts: Vec<BankAccountId>,
    /// Starting at or after.
    pub from: Option<Timestamp>,
    /// Ending at or before.
    pub to: Option<Timestamp>,
}

impl StatementFilter {
    /// Every statement of these accounts.
    pub const fn for_accounts(accounts: Vec<BankAccountId>) -> Self {
        Self { accounts, from: None, to: None }
    }

    /// The time it covers.
    pub const fn period(&self) -> TimeRange {
        TimeRange { from: self.from, to: self.to }
    }

    /// The part of it inside a period; `None` if that is nothing. Source: AIS-095, AIS-143.
    pub fn restricted_to(&self, asked: TimeRange) -> Option<Self> {
        let TimeRange { from, to } = self.period().intersect(asked)?;
        Some(Self { from, to, ..self.clone() })
    }

    /// The same, of other accounts.
    pub fn with_accounts(self, accounts: Vec<BankAccountId>) -> Self {
        Self { accounts, ..self }
    }
}

/// How a statement is written down as a file. Source: AIS-156.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatementFormat {
    /// A page to print.
    Pdf,
    /// A table.
    Csv,
}

/// What the bank answers to a list question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAnswer<T> {
    /// The records, of those accounts among the ones asked for that are open to third parties.
    pub page: Page<T>,
    /// First and last time available, before the caller's own period and paging; only lists of entries and statements
    /// have it. Source: AIS-096.
    pub available: Option<(Timestamp, Timestamp)>,
    /// Whether any of the accounts asked for is open to third parties. Source: AIS-082.
    pub open: bool,
}

impl<T> ListAnswer<T> {
    /// An answer without records, about accounts some of which are open, or none.
    pub const fn empty(open: bool) -> Self {
        Self { page: Page::single_page(Vec::new()), available: None, open }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn period(from: Option<i64>, to: Option<i64>) -> TimeRange {
        let at = |second: Option<i64>| second.map(|second| Timestamp::from_second(second).unwrap());
        TimeRange { from: at(from), to: at(to) }
    }

    #[test]
    fn ais_095_periods_intersect_and_both_bounds_belong_to_them() {
        for (a, b, both) in [
            (period(None, None), period(None, None), Some(period(None, None))),
            (period(Some(1), None), period(None, Some(3)), Some(period(Some(1), Some(3)))),
            (period(Some(1), Some(5)), period(Some(2), Some(9)), Some(period(Some(2), Some(5)))),
            (period(Some(1), Some(2)), period(Some(2), Some(3)), Some(period(Some(2), Some(2)))),
            (period(Some(1), Some(2)), period(Some(3), None), None),
            (period(Some(3), Some(2)), TimeRange::ALWAYS, None),
        ] {
            assert_eq!((a.intersect(b), b.intersect(a)), (both, both));
        }
        let at = |second| Timestamp::from_second(second).unwrap();
        let closed = period(Some(1), Some(2));
        assert!(closed.contains(at(1)) && closed.contains(at(2)) && !closed.contains(at(0)) && !closed.contains(at(3)));
    }
}
