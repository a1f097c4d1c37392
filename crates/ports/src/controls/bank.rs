//! The bank's side of the sandbox's controls: their effects on the tables of the built-in bank, which may run in another process.

use super::customers::{AccountView, ClosedAccount, CustomerChange, CustomerView, SandboxCustomer};
use super::{
    AccountClosure, AccountEdit, AddedEntry, ClockMove, ControlError, ImportSummary, NewEntry, OrderOutcome, OrderPlan,
    ResetContents, SnapshotAction, SnapshotName,
};
use async_trait::async_trait;
use lombard_domain::ids::{BankAccountId, ConsentId, FapiInteractionId, OrderId, PsuId};
use std::fmt;

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

/// The part of the sandbox's controls that acts on the built-in bank. The bank may run in the server's process or in its own.
/// Effects on the server (consents, events, decisions of customers) are not part of this trait.
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

    /// Runs a batch of the bank's due work, as the bank's scheduler does. Returns the number of items done; zero means that
    /// nothing is due.
    ///
    /// # Errors
    /// [`ControlError`]; the batch is rolled back then.
    async fn due_work_run(&self) -> Result<u32, ControlError>;

    /// Whether work of the bank is due.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn due_work_exists(&self) -> Result<bool, ControlError>;

    /// All customers with their accounts, by id.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn customer_views(&self) -> Result<Vec<CustomerView>, ControlError>;

    /// Changes a customer's own record, and the party that the customer is on the accounts they hold. Returns the changed
    /// customer. The holder names of accounts are unchanged; [`Self::account_change`] changes those.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the customer; [`ControlError::Refused`] for an e-mail address of a customer without personal
    /// data. Nothing is changed then.
    async fn customer_change(&self, psu: &PsuId, change: &CustomerChange) -> Result<CustomerView, ControlError>;

    /// Closes an account at the bank. The change is fetched like those of a real core
    /// ([`Bank::fetch_account_changes`](crate::bank::Bank::fetch_account_changes)) and names this cause.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the account; [`ControlError::Conflict`] if it is not open.
    async fn account_end(
        &self,
        account: &BankAccountId,
        end: AccountClosure,
        interaction_id: Option<&FapiInteractionId>,
    ) -> Result<ClosedAccount, ControlError>;

    /// Changes the holder's name or the credit limit of an account, and returns the changed account.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the account; [`ControlError::Refused`] for another currency than the account's;
    /// [`ControlError::Conflict`] if the account is not open. Nothing is changed then.
    async fn account_change(&self, account: &BankAccountId, change: &AccountEdit) -> Result<AccountView, ControlError>;

    /// Adds an entry to an account, balanced by an entry on an external account.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the account; [`ControlError::Refused`] for another currency than the account's;
    /// [`ControlError::Conflict`] if the account is not open or does not hold enough. Nothing is changed then.
    async fn entry_add(&self, account: &BankAccountId, entry: &NewEntry) -> Result<AddedEntry, ControlError>;

    /// Applies an outcome to an order, or to one payment of a file, that was submitted to the bank. The status updates that
    /// follow from it are fetched like all others. Source: PIS-048, SCH-008, SO-016.
    ///
    /// # Errors
    /// [`ControlError::Conflict`] when the status does not allow the outcome, or the bank does not know the order.
    async fn order_outcome(&self, order: &OrderId, outcome: OrderOutcome) -> Result<(), ControlError>;

    /// Sets the planned outcome of the orders that are submitted on a consent from now on.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn order_plan(&self, consent: &ConsentId, plan: OrderPlan) -> Result<(), ControlError>;

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

    /// Saves, loads or removes the bank's part of a snapshot, its clock included; see
    /// [`SandboxControls::snapshot`](super::SandboxControls::snapshot).
    ///
    /// # Errors
    /// The same errors as for that method.
    async fn snapshot(&self, action: SnapshotAction, name: &SnapshotName) -> Result<(), ControlError>;
}
