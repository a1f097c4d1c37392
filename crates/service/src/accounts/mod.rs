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

/// A resource of accounts. A new resource needs this impl, a method of the bank, and its rendering.
pub trait AccountResource: Send + Sync + 'static {
    /// A record as the bank returns it.
    type Item: Send;
    /// A record as a TPP may see it. The type is the same if every hidden part is optional anyway.
    type Seen: Send;
    /// The resource's name, as in its path.
    const NAME: &'static str;
    /// Groups of permissions. The consent must hold at least one permission of each group. Source: T6.
    const READ: &'static [&'static [Permission]];
    /// The filters by which a caller may narrow the list.
    const FILTER: DateFilter;

    /// Fetches a page of records from the bank.
    fn fetch(
        bank: &dyn Bank,
        call: &CallContext,
        scope: &AccountScope<'_>,
        query: &ResourceQuery,
        window: &ListWindow,
    ) -> impl Future<Output = Result<ListAnswer<Self::Item>, BankError>> + Send;

    /// Fetches the version of the list from the bank. While the version is the same, every answer under the consent is the same.
    /// `None` if the bank keeps no versions.
    fn version(
        _bank: &dyn Bank,
        _call: &CallContext,
        _scope: &AccountScope<'_>,
    ) -> impl Future<Output = Result<Option<ListVersion>, BankError>> + Send {
        std::future::ready(Ok(None))
    }

    /// The account to which a record belongs.
    fn account(item: &Self::Item) -> &BankAccountId;

    /// Removes the parts that these permissions do not disclose. Source: T7, AIS-050 to AIS-054.
    fn redact(item: Self::Item, granted: Permissions) -> Self::Seen;
}

/// The part of a consent that a request reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReadTarget {
    /// All accounts of the consent. Source: AIS-081.
    Consent,
    /// One account of the consent.
    Account(AccountId),
    /// One statement of one account. Source: AIS-145 to AIS-147.
    Statement(AccountId, StatementId),
}

impl ReadTarget {
    /// The filters that apply to this target. A statement cannot be filtered by date, because it is itself a period. Source:
    /// AIS-147.
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

/// The filters by which a caller may narrow a list. Source: RW-270.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DateFilter {
    /// The list cannot be narrowed; filters are ignored.
    None,
    /// By booking time. Source: AIS-124.
    Booking,
    /// By the period of a statement, which must lie wholly inside. Source: AIS-143.
    Statement,
}

/// A caller's query of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourceQuery {
    /// Records at or after this time.
    pub from: Option<Timestamp>,
    /// Records at or before this time.
    pub to: Option<Timestamp>,
    /// The cursor of the requested page, from an earlier [`ResourcePage`].
    pub page: Option<String>,
    /// The largest number of records on a page.
    pub page_size: usize,
}

impl ResourceQuery {
    /// The query for the first page of the whole list.
    pub const fn first_page(page_size: usize) -> Self {
        Self { from: None, to: None, page: None, page_size }
    }

    /// The requested period.
    pub const fn period(&self) -> TimeRange {
        TimeRange { from: self.from, to: self.to }
    }
}

/// A page of a resource, as its TPP may see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResourcePage<T> {
    /// The records.
    pub items: Vec<Aliased<T>>,
    /// The cursor of the previous page, if there is one. Opaque. Source: RW-275.
    pub prev: Option<String>,
    /// The cursor of the next page, if there is one. Opaque.
    pub next: Option<String>,
    /// First and last time available under the consent. Source: AIS-096.
    pub available: Option<(Timestamp, Timestamp)>,
    /// The version of the list from which the page was read, if the bank returns it with the page.
    pub version: Option<ListVersion>,
}

impl<T> ResourcePage<T> {
    const EMPTY: Self = Self { items: Vec::new(), prev: None, next: None, available: None, version: None };
}
