//! Storage of the built-in bank's customers, accounts and ledger. Only the built-in bank uses it; another core has its own.

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
    /// The customer's id, which is also the login.
    pub psu: PsuId,
    /// The name.
    pub name: String,
    /// The customer's purpose in the sandbox, in one sentence.
    pub about: String,
    /// The customer's personal data. Source: AIS-186.
    pub party: Option<Party>,
}

/// An account of the built-in bank, with data that TPPs do not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BankAccountRecord {
    /// The account.
    pub account: Account,
    /// The customers who hold or operate it.
    pub holders: Vec<PsuId>,
    /// Whether it may be shared with TPPs.
    pub eligible: bool,
    /// The arranged overdraft or credit limit, minor units, zero or more.
    pub credit_limit: i64,
    /// How many of its holders must authorise a payment from it: at least one, at most all of them. Source: PIS-112.
    pub authorisers: u16,
}

/// The status and eligibility of an account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountAvailability {
    /// The account.
    pub id: BankAccountId,
    /// Whether it can be used.
    pub status: AccountStatus,
    /// Whether it may be shared with TPPs.
    pub eligible: bool,
}

/// The columns from which balances are computed. The row is small because balances are read often.
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

/// What a list of entries consists of, all of one snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryList {
    /// Those of the accounts that exist and the versions of their entries, in the requested order.
    pub accounts: Vec<(AccountAvailability, i64)>,
    /// The page; empty if no entries were asked for.
    pub page: Page<Transaction>,
    /// The first and last booking instants among all entries of the list.
    pub span: Option<(Timestamp, Timestamp)>,
}

/// How many records of a kind the bank has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BankSize {
    /// Customers.
    pub customers: u64,
    /// Customers' accounts, whatever their status.
    pub accounts: u64,
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

    /// The customer, locked until the transaction ends: whoever changes one reads it by this, so that no change of another is lost.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_for_update(&mut self, psu: &PsuId) -> Result<Option<Customer>, StoreError>;

    /// Updates a customer that exists: [`customer_for_update`](Self::customer_for_update) with changes.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_update(&mut self, customer: &Customer) -> Result<(), StoreError>;

    /// Opens ledger accounts with sums of zero, for customers' accounts and external parties. Existing ones are unchanged.
    ///
    /// # Errors
    /// [`StoreError`].
    fn ledger_accounts_open(&mut self, accounts: &[(BankAccountId, Currency)]) -> Result<(), StoreError>;

    /// Adds a customer's account (its ledger account is opened with it).
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if it exists.
    fn bank_account_insert(&mut self, account: &BankAccountRecord) -> Result<(), StoreError>;

    /// The account, locked until the transaction ends: whoever changes one reads it by this, so that no change of another is lost.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_account_for_update(&mut self, id: &BankAccountId) -> Result<Option<BankAccountRecord>, StoreError>;

    /// Stores an account's present state, which is [`bank_account_for_update`](Self::bank_account_for_update) with changes.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_account_update(&mut self, account: &BankAccountRecord) -> Result<(), StoreError>;

    /// Those of these accounts that exist, in the requested order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts(&mut self, ids: &[BankAccountId]) -> Result<Vec<BankAccountRecord>, StoreError>;

    /// The accounts a customer holds or operates, by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts_of(&mut self, psu: &PsuId) -> Result<Vec<BankAccountRecord>, StoreError>;

    /// The accounts that any of these customers holds or operates, each once, by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts_held(&mut self, psus: &[PsuId]) -> Result<Vec<BankAccountRecord>, StoreError>;

    /// How many customers and accounts the bank has.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_size(&mut self) -> Result<BankSize, StoreError>;

    /// Whether an account has so many entries or more. The cost grows with `count`, not with the number of entries.
    ///
    /// # Errors
    /// [`StoreError`].
    fn has_entries(&mut self, account: &BankAccountId, count: u32) -> Result<bool, StoreError>;

    /// The status and eligibility of those of these accounts that exist, in the requested order. Only columns are read, because
    /// it precedes every list.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_availability(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountAvailability>, StoreError>;

    /// The availability of those of these accounts that exist and the versions of their entries, in the requested order. Every
    /// statement that adds or changes an entry of an account replaces its version, in the same transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_versions(&mut self, ids: &[BankAccountId]) -> Result<Vec<(AccountAvailability, i64)>, StoreError>;

    /// The sums of those of these accounts that exist, in the requested order. It is one query without holders and descriptive
    /// data, because balances are read often.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_sums(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountSums>, StoreError>;

    /// Posts balanced journals: updates the sums of their accounts and stores the postings permanently. A cause is posted at
    /// most once. Returns the result for each journal.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] for an unbalanced journal or an account that was not opened in the posting's currency,
    /// [`StoreError`] otherwise; nothing is posted then.
    fn journals_post(&mut self, journals: &[Journal]) -> Result<Vec<PostResult>, StoreError>;

    /// The sums of ledger accounts, in the requested order.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] if one was never opened, [`StoreError`] otherwise.
    fn ledger_sums(&mut self, accounts: &[BankAccountId]) -> Result<Vec<LedgerSums>, StoreError>;

    /// The sums over all postings by currency; all are zero in a consistent ledger.
    ///
    /// # Errors
    /// [`StoreError`].
    fn ledger_totals(&mut self) -> Result<Vec<(Currency, LedgerSums)>, StoreError>;

    /// Adds entries that customers see. Each gets the next sequence number.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if an id is taken.
    fn entries_insert(&mut self, entries: &[Transaction]) -> Result<(), StoreError>;

    /// Those of these ids that exist as entries, in no defined order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries_known(&mut self, ids: &[TransactionId]) -> Result<Vec<TransactionId>, StoreError>;

    /// A page of entries, newest first, then by id. The cost of a page does not depend on its position.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries(&mut self, filter: &EntryFilter, window: &ListWindow) -> Result<Page<Transaction>, StoreError>;

    /// A page of a list of entries and what is told beside it, in one round trip: as [`entry_versions`](Self::entry_versions) and,
    /// of those accounts that are open to third parties, [`entries`](Self::entries) of the filter `asked` and
    /// [`entry_span`](Self::entry_span) of `covered`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_list(
        &mut self,
        covered: &EntryFilter,
        asked: Option<&EntryFilter>,
        window: &ListWindow,
    ) -> Result<EntryList, StoreError>;

    /// The first and last booking instants among the entries of a filter.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_span(&mut self, filter: &EntryFilter) -> Result<Option<(Timestamp, Timestamp)>, StoreError>;
}
