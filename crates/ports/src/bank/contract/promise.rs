//! The facts and errors with which the bank's contract is checked.

use crate::bank::{Bank, BankError, CallContext, EntryFilter, TimeRange};
use lombard_domain::account::Transaction;
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::page::{Direction, ListWindow, Page};
use std::fmt;

/// The facts about the bank under test.
#[derive(Debug, Clone)]
pub struct BankFacts {
    /// A customer with at least two shareable accounts, each with entries and running balances on the booked ones.
    pub psu: PsuId,
    /// A customer without shareable accounts.
    pub nobody: PsuId,
    /// Accounts that are closed, blocked or not eligible, some of them unknown.
    pub withheld: Vec<BankAccountId>,
}

/// A violation of the contract.
#[derive(Debug)]
pub struct BankContractViolation {
    /// The promise violated.
    pub promise: &'static str,
    /// What was observed.
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

/// The ids of the accounts that the customer may share; at least two.
pub(super) async fn shared(bank: &dyn Bank, facts: &BankFacts) -> Result<Vec<BankAccountId>, BankContractViolation> {
    let ids: Vec<_> = bank
        .eligible_accounts(&CallContext::default(), &facts.psu)
        .await?
        .into_iter()
        .map(|account| account.id)
        .collect();
    ensure(ids.len() >= 2, "the facts name a customer with two accounts", &ids)?;
    Ok(ids)
}

pub(super) async fn page(
    bank: &dyn Bank,
    filter: &EntryFilter,
    window: &ListWindow,
) -> Result<Page<Transaction>, BankContractViolation> {
    Ok(bank.transactions(&CallContext::default(), filter, TimeRange::ALWAYS, window).await?.page)
}

/// Every entry that matches a filter, read page by page.
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
