//! The bank's side of the controls: what they do in the tables of the built-in bank, wherever its process runs.

use super::{AccountClosure, ClockMove, ControlError, ImportSummary, OrderOutcome, ResetContents};
use async_trait::async_trait;
use lombard_domain::account::{AccountIdentification, AccountStatus, AccountSubType, AccountType};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::{Amount, Currency, SignedAmount};
use std::fmt;

/// A customer of the built-in bank, as the sandbox's logins know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SandboxCustomer {
    /// The customer's id, which is also the user name and the password.
    pub psu: PsuId,
    /// The customer's name.
    pub name: String,
    /// What the customer is useful for in tests, in one sentence.
    pub about: String,
}

/// A customer, as shown to a tester.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerView {
    /// The customer's id.
    pub psu: PsuId,
    /// The user name to log in with; in a sandbox also the password.
    pub login: String,
    /// The customer's name.
    pub name: String,
    /// What the customer is useful for in tests, in one sentence.
    pub about: String,
    /// The accounts that they hold or operate, by id.
    pub accounts: Vec<AccountView>,
}

/// An account as the bank knows it. It contains no `AccountId`, which is different for each TPP.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountView {
    /// The bank's id.
    pub id: BankAccountId,
    /// Its status.
    pub status: AccountStatus,
    /// Whether it is personal.
    pub account_type: AccountType,
    /// Its product type.
    pub sub_type: AccountSubType,
    /// The product's description.
    pub description: Option<String>,
    /// The customer's name for the account.
    pub nickname: Option<String>,
    /// Its identifications.
    pub identifications: Vec<AccountIdentification>,
    /// Its currency, which is also that of the sums.
    pub currency: Currency,
    /// Whether its customer can share it with a TPP now. Source: AIS-082.
    pub shareable: bool,
    /// The booked balance.
    pub booked: SignedAmount,
    /// The pending balance: reserved or announced sums.
    pub pending: SignedAmount,
    /// The arranged overdraft or credit limit.
    pub credit_limit: Amount,
    /// The number of holders who must authorise a payment, at least one. Source: PIS-112.
    pub authorisers: u16,
}

/// An account that was ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedAccount {
    /// The bank's id.
    pub id: BankAccountId,
    /// Its status now.
    pub status: AccountStatus,
}

/// The customers of the built-in bank, for the sandbox's logins.
#[async_trait]
pub trait CustomerSource: Send + Sync + fmt::Debug {
    /// The customer with this id.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn find_customer(&self, psu: &PsuId) -> Result<Option<SandboxCustomer>, ControlError>;

    /// All customers, by id.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn list_customers(&self) -> Result<Vec<SandboxCustomer>, ControlError>;
}

/// What the sandbox's controls do at the built-in bank. The bank may run in the server's process or in one of its own; what a
/// control does at the server (consents, events, decisions of customers) is not here.
#[async_trait]
pub trait BankControls: CustomerSource {
    /// The offset of the bank's clock from the wall clock, in microseconds, as the bank has stored it.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn clock_offset(&self) -> Result<i64, ControlError>;

    /// Moves the bank's clock, and returns its new offset in microseconds. Due work runs either before the move with the old
    /// time or after it with the new time.
    ///
    /// # Errors
    /// [`ControlError::Refused`] for an instant out of range; the clock is unchanged then.
    async fn clock_move(&self, to: ClockMove) -> Result<i64, ControlError>;

    /// All customers with their accounts, by id.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn customer_views(&self) -> Result<Vec<CustomerView>, ControlError>;

    /// Ends an account at the bank.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the account; [`ControlError::Conflict`] if it is not open.
    async fn account_end(&self, account: &BankAccountId, end: AccountClosure) -> Result<EndedAccount, ControlError>;

    /// Applies an outcome to an order, or to one payment of a file, that was submitted to the bank. The status updates that
    /// follow from it are fetched like all others. Source: PIS-048, SCH-008, SO-016.
    ///
    /// # Errors
    /// [`ControlError::Conflict`] when the status does not allow the outcome, or the bank does not know the order.
    async fn order_outcome(&self, order: &OrderId, outcome: OrderOutcome) -> Result<(), ControlError>;

    /// Exports all customers, accounts and histories as a data file.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn data_export(&self) -> Result<Vec<u8>, ControlError>;

    /// Imports the customers and accounts of a data file, all or none; see
    /// [`SandboxControls::data_import`](super::SandboxControls::data_import).
    ///
    /// # Errors
    /// [`ControlError::Faulty`] with every fault of the file. Nothing is changed then.
    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ControlError>;

    /// Deletes all customers with everything that happened at the bank, sets its clock to the real time, and stores these
    /// contents.
    ///
    /// # Errors
    /// [`ControlError`]; nothing has changed then.
    async fn reset(&self, to: ResetContents) -> Result<(), ControlError>;
}
