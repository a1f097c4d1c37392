//! What the promises of a bank are checked with.

use crate::bank::{Bank, BankError, EntryFilter, TimeRange};
use lombard_domain::account::Transaction;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::page::{Direction, ListWindow, Page};
use std::fmt;

/// What is true of the bank under test.
#[derive(Debug, Clone)]
pub struct BankFacts {
    /// A customer who may share two accounts or more, each with entries and a running balance on its booked ones.
    pub psu: PsuId,
    /// A customer none of whose accounts may be shared.
    pub nobody: PsuId,
    /// Accounts that are closed, barred or not eligible, and some that do not exist.
    pub withheld: Vec<BankAccountId>,
}

/// A promise that was not kept.
#[derive(Debug)]
pub struct BankContractViolation {
    /// Which.
    pub promise: &'static str,
    /// What was seen.
    pub seen: String,
}

impl fmt::Display for BankContractViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise, self.seen)
    }
}

impl std::error::Error for BankContractViolation {}

impl From<BankError> for BankContractViolation {
    fn from(error: BankError) -> Self {
        Self { promise: "a bank that is up answers", seen: error.to_string() }
    }
}

pub(super) fn ensure(kept: bool, promise: &'static str, seen: impl fmt::Debug) -> Result<(), BankContractViolation> {
    if kept { Ok(()) } else { Err(BankContractViolation { promise, seen: format!("{seen:?}") }) }
}

/// Ids of the accounts the customer may share; at least two.
pub(super) async fn shared(bank: &dyn Bank, facts: &BankFacts) -> Result<Vec<BankAccountId>, BankContractViolation> {
    let ids: Vec<_> = bank.eligible_accounts(&facts.psu).await?.into_iter().map(|account| account.id).collect();
    ensure(ids.len() >= 2, "the facts name a customer with two accounts", &ids)?;
    Ok(ids)
}

pub(super) async fn page(
    bank: &dyn Bank,
    filter: &EntryFilter,
    window: &ListWindow,
) -> Result<Page<Transaction>, BankContractViolation> {
    Ok(bank.transactions(filter, TimeRange::ALWAYS, window).await?.page)
}

/// Every entry of a filter, page by page.
pub(super) async fn walk(
    bank: &dyn Bank,
    filter: &EntryFilter,
    size: usize,
) -> Result<Vec<Transaction>, BankContractViolation> {
    let mut page = page(bank, filter, &ListWindow::first_page(size)).await?;
    let mut entries = Vec::new();
    loop {
        let following = window_after(&page, size);
        ensure(page.items.len() <= size, "a page has at most the entries asked for", page.items.len())?;
        entries.append(&mut page.items);
        match following {
            Some(window) => page = self::page(bank, filter, &window).await?,
            None => return Ok(entries),
        }
    }
}

pub(super) fn window_after<T>(page: &Page<T>, size: usize) -> Option<ListWindow> {
    let next = page.next.clone()?;
    Some(ListWindow { from: Some((Direction::Next, next)), as_of: Some(page.as_of), size })
}
