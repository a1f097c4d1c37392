//! The bank's core: what a real core-banking connector implements and the built-in bank implements today.
//!
//! Ids here are the bank's own ([`BankAccountId`]); the ids TPPs see are made above. Calls are safe to repeat.

pub mod contract;

use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::account::{Account, Balance, Transaction};
use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_domain::money::CreditDebit;
use lombard_domain::page::{Page, Window};
use std::fmt;

/// Why the bank did not answer.
#[derive(Debug, thiserror::Error)]
pub enum BankError {
    /// It cannot be reached or is busy; the same call may work later.
    #[error("the bank is unavailable")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It answered nonsense.
    #[error("the bank's answer cannot be used: {0}")]
    Broken(String),
}

/// Which entries are asked for. Bounds are inclusive instants of booking (AIS-091, AIS-124).
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
}

/// The bank's core.
#[async_trait]
pub trait Bank: Send + Sync + fmt::Debug {
    /// The accounts among these that exist and are open to third parties, in the order asked for.
    ///
    /// An account that was closed or barred is left out (AIS-082).
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn accounts(&self, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError>;

    /// The accounts the PSU may share with a TPP, by id.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn eligible_accounts(&self, psu: &PsuId) -> Result<Vec<Account>, BankError>;

    /// The balances of the accounts among these that are open, at least one for each (AIS-110), in the order asked for.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn balances(&self, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError>;

    /// Entries, newest first with the id as tie-break (RW-277).
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn transactions(&self, filter: &EntryFilter, window: &Window) -> Result<Page<Transaction>, BankError>;

    /// The first and last booking instants among the entries of a filter (AIS-096); `None` without entries.
    ///
    /// # Errors
    /// [`BankError`] when the bank cannot say.
    async fn transaction_span(&self, filter: &EntryFilter) -> Result<Option<(Timestamp, Timestamp)>, BankError>;
}
