//! Account information: one generic use-case for every account resource.
//!
//! A resource implements [`AccountResource`]; permission checks, account selection and paging are written once, in
//! [`read_resource()`]. The order of checks is that of RW-025: query, permission, id.

mod arrangements;
mod cursor;
mod people;
mod read;
mod redaction;
mod resources;
mod scope;
mod slice;
mod statements;
#[cfg(test)]
pub(crate) mod tests;

pub use arrangements::{Beneficiaries, DirectDebits, Offers, Products, ScheduledPayments, StandingOrders};
pub use people::{AccountOwner, AccountParties, PSU_PARTY_READ, read_psu_party};
pub use read::{ResourceRead, begin_read, read_resource};
pub use resources::{Accounts, Balances, Transactions};
pub use scope::AccountScope;
pub use statements::{STATEMENT_FILE_READ, StatementFile, Statements, read_statement_file};

use jiff::Timestamp;
use lombard_domain::account::Aliased;
use lombard_domain::consent::{Permission, Permissions};
use lombard_domain::ids::{AccountId, BankAccountId, StatementId};
use lombard_domain::page::ListWindow;
use lombard_ports::bank::{Bank, BankError, CallContext, ListAnswer, ListVersion, TimeRange};
use std::future::Future;

/// A resource of accounts. A new one is this impl, a way for the bank to be asked, and a way to write it.
pub trait AccountResource: Send + Sync + 'static {
    /// One record, as the bank keeps it.
    type Item: Send;
    /// One record, as far as a TPP may see it; the same type where every part may be absent anyway.
    type Seen: Send;
    /// The resource's name, as in its path.
    const NAME: &'static str;
    /// Of each of these groups the consent must hold at least one permission. Source: T6.
    const READ: &'static [&'static [Permission]];
    /// How a caller may narrow the list.
    const FILTER: DateFilter;

    /// Asks the bank.
    fn fetch(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
        query: &ResourceQuery,
        window: &ListWindow,
    ) -> impl Future<Output = Result<ListAnswer<Self::Item>, BankError>> + Send;

    /// Asks the bank for the version of the list: while it is the same, so is every answer under the consent. `None` if there is
    /// none.
    fn version(
        _bank: &dyn Bank,
        _call: &CallContext,
        _scope: &AccountScope<'_>,
    ) -> impl Future<Output = Result<Option<ListVersion>, BankError>> + Send {
        std::future::ready(Ok(None))
    }

    /// Whose record it is.
    fn account(item: &Self::Item) -> &BankAccountId;

    /// Takes out what these permissions do not open. Source: T7, AIS-050 to AIS-054.
    fn redact(item: Self::Item, granted: Permissions) -> Self::Seen;
}

/// The part of a consent that a request reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadTarget {
    /// All its accounts. Source: AIS-081.
    Consent,
    /// One of them.
    Account(AccountId),
    /// One statement of one of them. Source: AIS-145 to AIS-147.
    Statement(AccountId, StatementId),
}

impl ReadTarget {
    /// How a list may be narrowed here: never by date within a statement, which is a period itself. Source: AIS-147.
    pub const fn filter<R: AccountResource>(&self) -> DateFilter {
        match self {
            Self::Consent | Self::Account(_) => R::FILTER,
            Self::Statement(..) => DateFilter::None,
        }
    }

    const fn account(&self) -> Option<&AccountId> {
        match self {
            Self::Consent => None,
            Self::Account(account) | Self::Statement(account, _) => Some(account),
        }
    }

    const fn statement(&self) -> Option<&StatementId> {
        match self {
            Self::Consent | Self::Account(_) => None,
            Self::Statement(_, statement) => Some(statement),
        }
    }
}

/// How a caller may narrow a list. Source: RW-270.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateFilter {
    /// Not at all; filters are ignored.
    None,
    /// By the time of booking. Source: AIS-124.
    Booking,
    /// By the period of a statement, wholly inside. Source: AIS-143.
    Statement,
}

/// What a caller asks of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceQuery {
    /// Records at or after this time.
    pub from: Option<Timestamp>,
    /// Records at or before this time.
    pub to: Option<Timestamp>,
    /// Which page, in the words of an earlier answer's [`ResourcePage`].
    pub page: Option<String>,
    /// Most records on a page.
    pub page_size: usize,
}

impl ResourceQuery {
    /// The whole list, from its first page.
    pub const fn first_page(page_size: usize) -> Self {
        Self { from: None, to: None, page: None, page_size }
    }

    /// The time asked for.
    pub const fn period(&self) -> TimeRange {
        TimeRange { from: self.from, to: self.to }
    }
}

/// A page of a resource, as its TPP may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourcePage<T> {
    /// The records.
    pub items: Vec<Aliased<T>>,
    /// What to ask for to get the page before, if there is one. Opaque. Source: RW-275.
    pub prev: Option<String>,
    /// What to ask for to get the page after, if there is one. Opaque.
    pub next: Option<String>,
    /// First and last time available under the consent. Source: AIS-096.
    pub available: Option<(Timestamp, Timestamp)>,
    /// The version of the list that it was read of, if the bank gives it with the page.
    pub version: Option<ListVersion>,
}

impl<T> ResourcePage<T> {
    const EMPTY: Self = Self { items: Vec::new(), prev: None, next: None, available: None, version: None };
}
