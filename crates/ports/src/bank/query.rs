//! The filters and results of the bank port's list methods.

use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, StatementId};
use lombard_domain::money::CreditDebit;
use lombard_domain::page::Page;

/// A period with inclusive bounds; an absent bound leaves that side open. Source: AIS-090, AIS-091.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TimeRange {
    /// The first instant.
    pub from: Option<Timestamp>,
    /// The last instant.
    pub to: Option<Timestamp>,
}

impl TimeRange {
    /// The period without bounds.
    pub const ALWAYS: Self = Self { from: None, to: None };

    /// The intersection of two periods; `None` if it is empty. Source: AIS-095.
    pub fn intersect(self, other: Self) -> Option<Self> {
        let from = self.from.max(other.from);
        let to = match (self.to, other.to) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        let nothing = matches!((from, to), (Some(from), Some(to)) if from > to);
        (!nothing).then_some(Self { from, to })
    }

    /// Whether the instant is in the period.
    pub fn contains(self, at: Timestamp) -> bool {
        self.from.is_none_or(|from| from <= at) && self.to.is_none_or(|to| at <= to)
    }
}

/// The entries that a consent covers. Bounds are inclusive booking times (AIS-091, AIS-124).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryFilter {
    /// The accounts.
    pub accounts: Vec<BankAccountId>,
    /// The earliest booking time.
    pub from: Option<Timestamp>,
    /// The latest booking time.
    pub to: Option<Timestamp>,
    /// Only entries in this direction; absent means both. Source: AIS-041.
    pub direction: Option<CreditDebit>,
    /// Only the entries of this statement. Source: AIS-147.
    pub statement: Option<StatementId>,
}

impl EntryFilter {
    /// All entries on these accounts.
    pub const fn for_accounts(accounts: Vec<BankAccountId>) -> Self {
        Self { accounts, from: None, to: None, direction: None, statement: None }
    }

    /// The period of the filter.
    pub const fn period(&self) -> TimeRange {
        TimeRange { from: self.from, to: self.to }
    }

    /// The filter restricted to a period; `None` if the two periods do not overlap. Source: AIS-095.
    pub fn restricted_to(&self, asked: TimeRange) -> Option<Self> {
        let TimeRange { from, to } = self.period().intersect(asked)?;
        Some(Self { from, to, ..self.clone() })
    }

    /// The same filter for other accounts.
    pub fn with_accounts(self, accounts: Vec<BankAccountId>) -> Self {
        Self { accounts, ..self }
    }
}

/// The version of a list for some accounts: each open account with a random number that is replaced whenever the account's list
/// changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListVersion(Vec<(BankAccountId, i64)>);

impl ListVersion {
    /// The version made of these open accounts and their numbers, in the order in which the accounts were requested.
    pub const fn of_accounts(open: Vec<(BankAccountId, i64)>) -> Self {
        Self(open)
    }

    /// The open accounts with their numbers.
    pub fn accounts(&self) -> &[(BankAccountId, i64)] {
        &self.0
    }
}

/// The statements that a consent covers: those wholly within the bounds (AIS-092).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatementFilter {
    /// The accounts.
    pub accounts: Vec<BankAccountId>,
    /// The earliest start.
    pub from: Option<Timestamp>,
    /// The latest end.
    pub to: Option<Timestamp>,
}

impl StatementFilter {
    /// All statements of these accounts.
    pub const fn for_accounts(accounts: Vec<BankAccountId>) -> Self {
        Self { accounts, from: None, to: None }
    }

    /// The period of the filter.
    pub const fn period(&self) -> TimeRange {
        TimeRange { from: self.from, to: self.to }
    }

    /// The filter restricted to a period; `None` if the two periods do not overlap. Source: AIS-095, AIS-143.
    pub fn restricted_to(&self, asked: TimeRange) -> Option<Self> {
        let TimeRange { from, to } = self.period().intersect(asked)?;
        Some(Self { from, to, ..self.clone() })
    }

    /// The same filter for other accounts.
    pub fn with_accounts(self, accounts: Vec<BankAccountId>) -> Self {
        Self { accounts, ..self }
    }
}

/// The file format of a statement. Source: AIS-156.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StatementFormat {
    /// A PDF document.
    Pdf,
    /// A CSV table.
    Csv,
}

/// The result of a list method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListAnswer<T> {
    /// The records of the requested accounts that are accessible to third parties.
    pub page: Page<T>,
    /// The first and the last available time, before the requested period and paging are applied; only in lists of
    /// entries and statements. Source: AIS-096.
    pub available: Option<(Timestamp, Timestamp)>,
    /// Whether at least one requested account is accessible to third parties. Source: AIS-082.
    pub has_open_account: bool,
    /// The version of the list from which these records were read, as [`Bank::entries_version`](super::Bank::entries_version)
    /// returns it. Only a bank whose pages carry versions sets it.
    pub version: Option<ListVersion>,
}

impl<T> ListAnswer<T> {
    /// A result without records; `open` says whether one of the accounts is accessible.
    pub const fn empty(open: bool) -> Self {
        Self { page: Page::single_page(Vec::new()), available: None, has_open_account: open, version: None }
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
