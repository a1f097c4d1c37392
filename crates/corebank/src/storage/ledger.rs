//! Storage of the built-in bank's customers, accounts and ledger. Only the built-in bank uses it; another core has its own storage.

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
    /// The customer's name.
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
    /// The customers who hold or operate the account.
    pub holders: Vec<PsuId>,
    /// Whether the account may be shared with TPPs.
    pub eligible: bool,
    /// The arranged overdraft or credit limit in minor units, at least zero.
    pub credit_limit: i64,
    /// The number of holders who must authorise a payment from the account: at least one, at most all of them. Source: PIS-112.
    pub authorisers: u16,
}

/// Whether an account is enabled, and whether it may be shared with TPPs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountAvailability {
    /// The account.
    pub id: BankAccountId,
    /// The account's status; only an enabled account can be used.
    pub status: AccountStatus,
    /// Whether the account may be shared with TPPs.
    pub eligible: bool,
}

/// The columns from which balances are computed. The row is small because the bank reads balances often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountSums {
    /// The account.
    pub id: BankAccountId,
    /// The account's currency.
    pub currency: Currency,
    /// The account's status; only an enabled account can be used.
    pub status: AccountStatus,
    /// The account's type.
    pub sub_type: AccountSubType,
    /// Whether the account may be shared with TPPs.
    pub eligible: bool,
    /// The arranged overdraft or credit limit in minor units, at least zero.
    pub credit_limit: i64,
    /// The booked and pending sums of the account's postings.
    pub sums: LedgerSums,
}

/// The result of posting a journal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PostResult {
    /// The journal was posted by this call.
    Posted,
    /// A journal of the same cause was posted before; nothing changed.
    AlreadyPosted,
}

/// A page of entries, and the data of the list to which it belongs. All of it is read from one snapshot.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryList {
    /// The availability of each existing account and the version of its entries, in the requested order.
    pub accounts: Vec<(AccountAvailability, i64)>,
    /// The page of entries; empty if no entries were requested.
    pub page: Page<Transaction>,
    /// The first and last booking instants among all entries of the list.
    pub span: Option<(Timestamp, Timestamp)>,
}

/// The number of customers and accounts of the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BankSize {
    /// The number of customers.
    pub customers: u64,
    /// The number of customers' accounts, of any status.
    pub accounts: u64,
}

/// Storage of customers, accounts, journals and entries.
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

    /// The customer, locked until the transaction ends. A transaction reads a customer with this method before it changes the customer, so
    /// that no concurrent change is lost.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_for_update(&mut self, psu: &PsuId) -> Result<Option<Customer>, StoreError>;

    /// Stores a changed customer, which [`customer_for_update`](Self::customer_for_update) has returned before.
    ///
    /// # Errors
    /// [`StoreError`].
    fn customer_update(&mut self, customer: &Customer) -> Result<(), StoreError>;

    /// Opens ledger accounts with sums of zero, for customers' accounts and external parties. Existing ones are unchanged.
    ///
    /// # Errors
    /// [`StoreError`].
    fn ledger_accounts_open(&mut self, accounts: &[(BankAccountId, Currency)]) -> Result<(), StoreError>;

    /// Adds a customer's account and opens its ledger account.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if it exists.
    fn bank_account_insert(&mut self, account: &BankAccountRecord) -> Result<(), StoreError>;

    /// The account, locked until the transaction ends. A transaction reads an account with this method before it changes the account, so
    /// that no concurrent change is lost.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_account_for_update(&mut self, id: &BankAccountId) -> Result<Option<BankAccountRecord>, StoreError>;

    /// Stores a changed account, which [`bank_account_for_update`](Self::bank_account_for_update) has returned before.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_account_update(&mut self, account: &BankAccountRecord) -> Result<(), StoreError>;

    /// The existing ones of these accounts, in the requested order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts(&mut self, ids: &[BankAccountId]) -> Result<Vec<BankAccountRecord>, StoreError>;

    /// The accounts that a customer holds or operates, ordered by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts_of(&mut self, psu: &PsuId) -> Result<Vec<BankAccountRecord>, StoreError>;

    /// The accounts that any of these customers holds or operates, each once, ordered by id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_accounts_of_any(&mut self, psus: &[PsuId]) -> Result<Vec<BankAccountRecord>, StoreError>;

    /// The number of customers and accounts of the bank.
    ///
    /// # Errors
    /// [`StoreError`].
    fn bank_size(&mut self) -> Result<BankSize, StoreError>;

    /// Whether an account has at least `count` entries. The cost grows with `count`, not with the number of entries.
    ///
    /// # Errors
    /// [`StoreError`].
    fn has_entries(&mut self, account: &BankAccountId, count: u32) -> Result<bool, StoreError>;

    /// The status and eligibility of the existing ones of these accounts, in the requested order. The query reads only columns, because
    /// every list needs it first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn account_availability(&mut self, ids: &[BankAccountId]) -> Result<Vec<AccountAvailability>, StoreError>;

    /// The availability of the existing ones of these accounts and the versions of their entries, in the requested order. Every SQL
    /// statement that adds or changes an entry of an account replaces the account's version in the same transaction.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_versions(&mut self, ids: &[BankAccountId]) -> Result<Vec<(AccountAvailability, i64)>, StoreError>;

    /// The sums of the existing ones of these accounts, in the requested order. The query is single and reads neither holders nor
    /// descriptive data, because the bank reads balances often.
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
    /// [`StoreError::Corrupt`] if one of the accounts was never opened, [`StoreError`] otherwise.
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

    /// Returns those of these ids for which an entry exists, in no defined order.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries_known(&mut self, ids: &[TransactionId]) -> Result<Vec<TransactionId>, StoreError>;

    /// A page of entries, newest first, then by id. The cost of a page does not depend on its position.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entries(&mut self, filter: &EntryFilter, window: &ListWindow) -> Result<Page<Transaction>, StoreError>;

    /// A page of a list of entries and the data of the list, in one round trip. The result combines
    /// [`entry_versions`](Self::entry_versions) with two more queries for the accounts that are open to third parties:
    /// [`entries`](Self::entries) for the filter `asked`, and [`entry_span`](Self::entry_span) for the filter `covered`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_list(
        &mut self,
        covered: &EntryFilter,
        asked: Option<&EntryFilter>,
        window: &ListWindow,
    ) -> Result<EntryList, StoreError>;

    /// The first and last booking instants among the entries that satisfy a filter.
    ///
    /// # Errors
    /// [`StoreError`].
    fn entry_span(&mut self, filter: &EntryFilter) -> Result<Option<(Timestamp, Timestamp)>, StoreError>;
}
