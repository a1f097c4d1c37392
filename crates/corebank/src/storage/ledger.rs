//! The built-in bank's tables. Only the built-in bank asks for this part; a real core has its own.

use jiff::Timestamp;
use lombard_domain::account::{Account, AccountStatus, AccountSubType, Party, Transaction};
use lombard_domain::ids::{BankAccountId, PsuId, TransactionId};
use lombard_domain::ledger::{Journal, LedgerSums};
use lombard_domain::money::Currency;
use lombard_domain::page::{ListWindow, Page};
use lombard_ports::bank::EntryFilter;
use lombard_ports::store::StoreError;

/// A customer of the built-in bank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Customer {
    /// Who; also the login.
    pub psu: PsuId,
    /// The name.
    pub name: String,
    /// What the customer is good for in the sandbox, one sentence.
    pub about: String,
    /// What the bank knows of the customer as a person. Source: AIS-186.
    pub party: Option<Party>,
}

/// An account of the built-in bank and what TPPs do not see of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankAccountRecord {
    /// The account.
    pub account: Account,
    /// Who holds or operates it.
    pub holders: Vec<PsuId>,
    /// Whether it may be shared with TPPs.
    pub eligible: bool,
    /// The arranged overdraft or credit limit, minor units, zero or more.
    pub credit_limit: i64,
    /// How many of its holders must agree to a payment from it: at least one, at most all of them. Source: PIS-112.
    pub authorisers: u16,
}

/// Whether an account can be used and shared, and nothing more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountAvailability {
    /// The account.
    pub id: BankAccountId,
    /// Whether it can be used.
    pub status: AccountStatus,
    /// Whether it may be shared with TPPs.
    pub eligible: bool,
}

/// What the balances of an account are made of, and nothing more: the lean row of a hot path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountSums {
    /// The account.
    pub id: BankAccountId,
    /// Its currency.
    pub currency: Currency,
    /// Whether it can be used.
    pub status: AccountStatus,
    /// What it is.
    pub sub_type: AccountSubType,
    /// Whether it may be shared with TPPs.
    pub eligible: bool,
    /// The arranged overdraft or credit limit, minor units, zero or more.
    pub credit_limit: i64,
    /// The sums over its postings.
    pub sums: LedgerSums,
}

/// The result of posting a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostResult {
    /// It is posted now.
    Posted,
    /// A journal of the same cause was posted before; nothing changed.
    AlreadyPosted,
}

/// The ledger in storage.
pub trait LedgerStore {
    /// Adds customers.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if one exists.
    fn customers_insert(&mut self, customers: &[Customer]) -> Result<(), StoreError>;

    /// All customers, by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customers(&mut self) -> Result<Vec<Customer>, StoreError>;

    /// The customer with this id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer(&mut self, psu: &PsuId) -> Result<Option<Customer>, StoreError>;

    /// Opens ledger accounts with sums of zero: customers' accounts and outside parties alike. Existing ones stay.
    ///
    /// # Errors
    /// [`StoreError`].
    fn ledger_accounts_open(&mut self, accounts: &[(BankAccountId, Currency)]) -> Result<(), StoreError>;

    /// Adds a customer's account (its ledger account is opened with it).
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if it exists.
    fn bank_account_insert(&mut self, account: &BankAccountRecord) -> Result<(), StoreError>;

    /// Stores an account's present state.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_account_update(&mut self, account: &BankAccountRecord) -> Result<(), StoreError>;

    /// The accounts among these that exist, in the order asked for.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts(&mut self, ids: &[BankAccountId]) -> Result<Vec<BankAccountRecord>, StoreError>;

    /// The accounts a customer holds or operates, by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts_of(&mut self, psu: &PsuId) -> Result<Vec<BankAccountRecord>, StoreError>;

    /// Whether these accounts can be used and shared, in the order asked for, without those that do not exist: columns
    /// only, asked before every list.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_availability(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountAvailability>, StoreError>;

    /// What the balances of these accounts are made of, in the order asked for, without those that do not exist: one
    /// query, the hot path of balances, so neither holders nor the account's descriptive part are read.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_sums(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountSums>, StoreError>;

    /// Posts balanced journals: moves the sums of their accounts and keeps the postings for ever. Each at most once per
    /// cause. Returns what happened to each.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] for an unbalanced journal or an account that was not opened in the posting's currency,
    /// [`StoreError`] otherwise; nothing is posted then.
    fn journals_post(&mut self, journals: &[Journal]) -> Result<Vec<PostResult>, StoreError>;

    /// The sums of ledger accounts, in the order asked for.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if one was never opened, [`StoreError`] otherwise.
    fn ledger_sums(&mut self, accounts: &[BankAccountId]) -> Result<Vec<LedgerSums>, StoreError>;

    /// The sums over all postings by currency; all zero in a sound ledger.
    ///
    /// # Errors
    /// [`StoreError`].
    fn ledger_totals(&mut self) -> Result<Vec<(Currency, LedgerSums)>, StoreError>;

    /// Adds entries that customers see. Each gets the next sequence number.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if an id is taken.
    fn entries_insert(&mut self, entries: &[Transaction]) -> Result<(), StoreError>;

    /// Those of these ids that entries have, in no order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries_known(&mut self, ids: &[TransactionId]) -> Result<Vec<TransactionId>, StoreError>;

    /// Entries, newest first with the id as tie-break; pages cost the same wherever they lie.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries(&mut self, filter: &EntryFilter, window: &ListWindow) -> Result<Page<Transaction>, StoreError>;

    /// The first and last booking instants among the entries of a filter.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_span(&mut self, filter: &EntryFilter) -> Result<Option<(Timestamp, Timestamp)>, StoreError>;
}
