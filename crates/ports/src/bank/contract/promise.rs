//! Promises, the functions that check them, and the error of a broken promise.

use super::facts::{BankFacts, ExchangeFacts, PaymentFacts};
use crate::bank::{Bank, BankError, CallContext, EntryFilter, ListAnswer, TimeRange};
use async_trait::async_trait;
use lombard_domain::account::Transaction;
use lombard_domain::ids::BankAccountId;
use lombard_domain::page::{Direction, ListWindow, Page};
use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;
use std::pin::Pin;

/// The future of a check.
pub type Checking<'a> = Pin<Box<dyn Future<Output = Result<(), BankContractViolation>> + 'a>>;

/// Gives the bank time to work: in a test, until every order is final; over the wire, a pause.
#[async_trait(?Send)]
pub trait Proceed {
    /// Returns when the bank has had time to work.
    async fn proceed(&self);
}

#[async_trait(?Send)]
impl<F: AsyncFn()> Proceed for F {
    async fn proceed(&self) {
        self().await;
    }
}

/// Whether a check changes something at the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromiseEffect {
    /// The check only reads.
    Reads,
    /// The check submits orders and acknowledges their status updates.
    Writes,
}

/// A promise of the port.
#[derive(Debug, Clone, Copy)]
pub struct Promise {
    /// Its name.
    pub name: &'static str,
    /// The promise as a sentence.
    pub about: &'static str,
    /// Whether the check changes something.
    pub effect: PromiseEffect,
    pub(super) check: PromiseCheck,
}

/// The check of a promise, by the facts that the check needs.
#[derive(Debug, Clone, Copy)]
pub(super) enum PromiseCheck {
    Accounts(for<'a> fn(&'a dyn Bank, &'a BankFacts) -> Checking<'a>),
    Exchange(for<'a> fn(&'a dyn Bank, &'a ExchangeFacts) -> Checking<'a>),
    Payments(for<'a> fn(&'a dyn Bank, (&'a PaymentFacts, &'a dyn Proceed)) -> Checking<'a>),
}

/// The subject of a promise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PromiseSubject {
    /// Accounts and their records.
    Accounts,
    /// Foreign exchange.
    Exchange,
    /// Payments.
    Payments,
}

/// The known facts about a bank. Promises without facts are not checked.
#[derive(Clone, Copy, Default)]
pub struct ContractFacts<'a> {
    /// The facts about accounts.
    pub accounts: Option<&'a BankFacts>,
    /// The facts about foreign exchange.
    pub exchange: Option<&'a ExchangeFacts>,
    /// The facts about payments, and the means to give the bank time to execute them.
    pub payments: Option<(&'a PaymentFacts, &'a dyn Proceed)>,
}

impl fmt::Debug for ContractFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let payments = self.payments.map(|(facts, _)| facts);
        f.debug_struct("ContractFacts")
            .field("accounts", &self.accounts)
            .field("exchange", &self.exchange)
            .field("payments", &payments)
            .finish()
    }
}

impl Promise {
    /// The subject of the promise, which determines the facts that its check needs.
    pub const fn subject(&self) -> PromiseSubject {
        match self.check {
            PromiseCheck::Accounts(_) => PromiseSubject::Accounts,
            PromiseCheck::Exchange(_) => PromiseSubject::Exchange,
            PromiseCheck::Payments(_) => PromiseSubject::Payments,
        }
    }

    /// Checks a bank; `None` if the facts that the check needs are not known.
    pub fn check<'a>(&self, bank: &'a dyn Bank, facts: &ContractFacts<'a>) -> Option<Checking<'a>> {
        match self.check {
            PromiseCheck::Accounts(check) => facts.accounts.map(|facts| check(bank, facts)),
            PromiseCheck::Exchange(check) => facts.exchange.map(|facts| check(bank, facts)),
            PromiseCheck::Payments(check) => facts.payments.map(|facts| check(bank, facts)),
        }
    }
}

/// Declares promises: the facts that they need, whether they write, then name, sentence and function of each.
macro_rules! promises {
    ($facts:ident, $effect:ident: $($name:literal, $about:literal => $check:expr;)+) => {
        &[$($crate::bank::contract::Promise {
            name: $name,
            about: $about,
            effect: $crate::bank::contract::PromiseEffect::$effect,
            check: $crate::bank::contract::promise::PromiseCheck::$facts(|bank, facts| Box::pin($check(bank, facts))),
        }),+]
    };
}
pub(super) use promises;

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
    Ok(bank.list_transactions(&CallContext::default(), filter, TimeRange::ALWAYS, window).await?.page)
}

/// Every entry that matches a filter, read page by page.
pub(super) async fn walk(
    bank: &dyn Bank,
    filter: &EntryFilter,
    size: usize,
) -> Result<Vec<Transaction>, BankContractViolation> {
    let mut page = page(bank, filter, &ListWindow::first_page(size)).await?;
    let (mut entries, mut progress) = (Vec::new(), PageProgress::default());
    loop {
        let following = window_after(&page, size);
        ensure(page.items.len() <= size, "a page has at most the entries asked for", page.items.len())?;
        progress.note(&page, |entry| entry.id.as_str().to_owned())?;
        entries.append(&mut page.items);
        match following {
            Some(window) => page = self::page(bank, filter, &window).await?,
            None => return Ok(entries),
        }
    }
}

/// The largest number of pages that are read of a list.
const PAGES_MAX: usize = 100_000;

/// Ensures that the pages of a list come to an end, so that a bank that always names a next page cannot block a check.
#[derive(Debug, Default)]
pub(super) struct PageProgress {
    pages: usize,
    known: BTreeSet<String>,
}

impl PageProgress {
    /// Records the next page. A page that is followed by another must have a record that no earlier page had.
    pub(super) fn note<T>(&mut self, page: &Page<T>, id: impl Fn(&T) -> String) -> Result<(), BankContractViolation> {
        self.pages = self.pages.saturating_add(1);
        let before = self.known.len();
        self.known.extend(page.items.iter().map(id));
        let goes_on = self.known.len() > before && self.pages < PAGES_MAX;
        ensure(goes_on || page.next.is_none(), "pages come to an end", (self.pages, before, &page.next))
    }
}

pub(super) fn window_after<T>(page: &Page<T>, size: usize) -> Option<ListWindow> {
    let next = page.next.clone()?;
    Some(ListWindow { from: Some((Direction::Next, next)), as_of: Some(page.as_of), size })
}

/// Whether a list states that none of its accounts is open. The sequence number of such a list has no meaning.
pub(super) fn is_of_no_open_account<T>(answer: &ListAnswer<T>) -> bool {
    let Page { items, prev, next, .. } = &answer.page;
    items.is_empty() && prev.is_none() && next.is_none() && answer.available.is_none() && !answer.has_open_account
}
