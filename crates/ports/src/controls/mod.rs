//! The sandbox's controls: actions of a tester at the bank that a customer, or the passing of time, would otherwise cause.
//!
//! The sandbox implements the controls and the ops listener serves them; a production server has none. Each control runs the same
//! code as the real action and has the same effects.

mod accounts;
mod bank;
#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod customers;
mod entries;
mod orders;
mod snapshots;

pub use accounts::{AccountEdit, HOLDER_CHARS_MAX, NewCreditLimit};
pub use bank::{BankControls, CustomerSource};
pub use customers::{
    ABOUT_CHARS_MAX, AccountView, CUSTOMER_NAME_CHARS_MAX, ClosedAccount, CustomerChange, CustomerView,
    EMAIL_CHARS_MAX, SandboxCustomer,
};
pub use entries::{AddedEntry, COUNTERPARTY_CHARS_MAX, NewEntry, REFERENCE_CHARS_MAX};
pub use orders::{
    CountersignDecision, OrderDetails, OrderOutcome, OrderPlan, PAYMENTS_SHOWN_MAX, PLAN_WAIT_SECS_MAX, PlannedOutcome,
};
pub use snapshots::{SNAPSHOTS_MAX, Snapshot, SnapshotAction, SnapshotName};

use crate::bank::BankError;
use crate::store::StoreError;
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::consent::Consent;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, EventId, FapiInteractionId, OrderId, PsuId};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// Why a control failed. The texts are for testers: they state what to change and never repeat values of the request.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// The request is invalid.
    #[error("{0}")]
    Refused(Cow<'static, str>),
    /// The resource does not exist.
    #[error("{0}")]
    NotFound(Cow<'static, str>),
    /// The present state of the resource does not allow the action.
    #[error("{0}")]
    Conflict(Cow<'static, str>),
    /// The data file has these faults; nothing was imported.
    #[error("the file has faults; nothing of it was stored")]
    Faulty(Vec<DataFileFault>),
    /// A temporary error of the server.
    #[error("the sandbox is busy; the same call may work later")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An internal error; an operator has to act.
    #[error("the control failed; the server's log says why")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl ControlError {
    /// A [`ControlError::Refused`] with this text.
    pub const fn refused(text: &'static str) -> Self {
        Self::Refused(Cow::Borrowed(text))
    }

    /// A [`ControlError::NotFound`] with this text.
    pub const fn not_found(text: &'static str) -> Self {
        Self::NotFound(Cow::Borrowed(text))
    }

    /// A [`ControlError::Conflict`] with this text.
    pub const fn conflict(text: &'static str) -> Self {
        Self::Conflict(Cow::Borrowed(text))
    }
}

impl From<StoreError> for ControlError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Contended | StoreError::Unavailable(_) => Self::Unavailable(error.into()),
            StoreError::Duplicate(_) | StoreError::Corrupt { .. } => Self::Broken(error.into()),
        }
    }
}

impl From<BankError> for ControlError {
    fn from(error: BankError) -> Self {
        match error {
            BankError::Unavailable(_) | BankError::Busy { .. } => Self::Unavailable(error.into()),
            BankError::Broken(_) | BankError::UnknownMethod(_) => Self::Broken(error.into()),
        }
    }
}

/// A change of the bank's clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockMove {
    /// By a duration, negative for back.
    By(SignedDuration),
    /// To this time.
    To(Timestamp),
}

/// A customer's decision on a consent, without a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentDecision {
    /// The customer.
    pub psu: PsuId,
    /// The decision.
    pub choice: DecisionChoice,
}

/// The kind of a customer's decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionChoice {
    /// The customer authorises with these accounts, or with all shareable accounts if none are named.
    Approve(Option<Vec<BankAccountId>>),
    /// The customer rejects the consent.
    Reject,
}

/// How an account is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccountClosure {
    /// The customer closes it.
    Closed,
    /// The customer switches to another bank.
    Switched,
    /// The bank blocks it.
    Blocked,
}

/// The contents of the bank after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetContents {
    /// The seeded customers, with a history up to now.
    Seeded,
    /// No customers, for the import of a data file.
    Empty,
}

/// A fault of a data file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFileFault {
    /// The location, such as `Transaction[3].Amount.Currency`; empty for the file itself.
    pub path: String,
    /// The message. It never repeats a value of the file.
    pub message: String,
}

impl fmt::Display for DataFileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{}{colon}{}", self.path, self.message)
    }
}

/// The numbers of imported records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportSummary {
    /// Customers.
    pub customers: u64,
    /// Accounts.
    pub accounts: u64,
    /// Statements.
    pub statements: u64,
    /// Entries.
    pub transactions: u64,
}

/// The largest number of events raised by one call.
pub const EVENTS_MAX: u32 = 10_000;

/// The controls.
#[async_trait]
pub trait SandboxControls: Send + Sync + fmt::Debug {
    /// The same controls for one request: the request's interaction id becomes the cause of the events that its actions raise.
    /// Source: SET-016.
    fn caused_by(self: Arc<Self>, call: &FapiInteractionId) -> Arc<dyn SandboxControls>;

    /// The bank's clock.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn clock(&self) -> Result<Timestamp, ControlError>;

    /// Moves the bank's clock on all nodes, forward or back, and returns the new time. The wall clock is unchanged, so tokens and
    /// sessions stay valid. Moving the clock back does not undo anything.
    ///
    /// # Errors
    /// [`ControlError::Refused`] for an instant out of range; the clock is unchanged then.
    async fn clock_move(&self, to: ClockMove) -> Result<Timestamp, ControlError>;

    /// Runs the work that is due at the bank and at the server, and the work that follows from it, for at most this duration.
    /// Returns the names of the remaining kinds of work, which are none if everything was done. Failed work that is deferred to a
    /// later retry is not awaited and counts as remaining; quarantined work does not count.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn due_work_run_all(&self, within: Duration) -> Result<Vec<&'static str>, ControlError>;

    /// The names of the kinds of due work that are not done yet.
    async fn due_work_list(&self) -> Result<Vec<&'static str>, ControlError>;

    /// All customers with their accounts, by id.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn customer_views(&self) -> Result<Vec<CustomerView>, ControlError>;

    /// Removes the failed logins of a customer, so that the customer can log in again.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the customer.
    async fn customer_unlock(&self, psu: &PsuId) -> Result<(), ControlError>;

    /// Changes a customer's own record.
    ///
    /// # Errors
    /// As [`BankControls::customer_change`].
    async fn customer_change(&self, psu: &PsuId, change: &CustomerChange) -> Result<CustomerView, ControlError>;

    /// Decides on a consent as its customer would on the bank's pages, and returns the updated consent. Open journeys
    /// of the consent are finished. No authorisation code is issued; only the authorisation endpoint does that.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the consent; [`ControlError::Refused`] for an unknown customer, or an account
    /// that they may not share; [`ControlError::Conflict`] when the consent's state does not allow the decision.
    /// Nothing is changed then.
    async fn consent_authorise(&self, consent: &ConsentId, decision: &ConsentDecision)
    -> Result<Consent, ControlError>;

    /// Sets the planned outcome of the orders of a payment consent that are submitted to the bank from now on. A plan replaces
    /// the one before it.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the consent; [`ControlError::Conflict`] if it is not a payment consent.
    async fn order_plan(&self, consent: &ConsentId, plan: OrderPlan) -> Result<(), ControlError>;

    /// Revokes a consent at the bank, as the customer who authorised it would. Source: AIS-071.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the consent; [`ControlError::Conflict`] when it is not authorised.
    async fn consent_revoke(&self, consent: &ConsentId) -> Result<Consent, ControlError>;

    /// Closes an account and returns its new status. TPPs with access to it receive an event and lose the access. Source: AIS-082,
    /// SET-032.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the account; [`ControlError::Conflict`] if it is not open.
    async fn account_close(&self, account: &BankAccountId, end: AccountClosure) -> Result<ClosedAccount, ControlError>;

    /// Changes the holder's name or the credit limit of an open account, and returns the changed account. A limit may be lower
    /// than the amount drawn; then nothing can be paid from the account until the excess is paid back.
    ///
    /// # Errors
    /// As [`BankControls::account_change`].
    async fn account_change(&self, account: &BankAccountId, change: &AccountEdit) -> Result<AccountView, ControlError>;

    /// Adds an entry to an account: money from or to another bank. The entry is booked at once, or is pending until the bank's
    /// scheduler books it. The given id is ignored; the entry gets a new id.
    ///
    /// # Errors
    /// As [`BankControls::entry_add`].
    async fn entry_add(&self, account: &BankAccountId, entry: NewEntry) -> Result<AddedEntry, ControlError>;

    /// The details of an order, of any TPP.
    ///
    /// # Errors
    /// [`ControlError::NotFound`].
    async fn order(&self, order: &OrderId) -> Result<OrderDetails, ControlError>;

    /// Applies an outcome to an order now and returns the order. The outcome applies to the payment in execution, or to the order
    /// itself while it is warehoused or awaits execution. Money is posted and events are raised as usual. Source: PIS-048,
    /// SCH-008, SO-016.
    ///
    /// # Errors
    /// [`ControlError::NotFound`]; [`ControlError::Conflict`] when the status does not allow the outcome. Nothing is
    /// changed then.
    async fn order_outcome(&self, order: &OrderId, outcome: OrderOutcome) -> Result<OrderDetails, ControlError>;

    /// Records the decision of a further signatory on an order of multi-authorisation, as on the bank's pages, and
    /// returns the updated order. Source: PIS-112.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the order; [`ControlError::Refused`] for a customer who may not sign for the
    /// account; [`ControlError::Conflict`] when the order does not await their decision. Nothing is changed then.
    async fn order_countersign(
        &self,
        order: &OrderId,
        psu: &PsuId,
        says: CountersignDecision,
    ) -> Result<OrderDetails, ControlError>;

    /// Exports all customers, accounts and histories as a data file, the input of `data_import`.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn data_export(&self) -> Result<Vec<u8>, ControlError>;

    /// Imports the customers and accounts of a data file, all or none. With `rebase` all times are moved by whole days
    /// so that the file ends today.
    ///
    /// # Errors
    /// [`ControlError::Faulty`] with every fault of the file, including records that exist already. Nothing is changed
    /// then.
    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ControlError>;

    /// Resets the sandbox: deletes all customers and everything that customers and TPPs did, tokens included, and sets the bank's
    /// clock to the real time, which is returned. Clients, keys and certificates stay. The reset is atomic and takes effect on
    /// all nodes.
    ///
    /// # Errors
    /// [`ControlError`]; nothing has changed then.
    async fn reset(&self, to: ResetContents) -> Result<Timestamp, ControlError>;

    /// Saves the sandbox as a snapshot, restores the sandbox from a snapshot, or removes a snapshot; returns the snapshot. A
    /// restore replaces everything that a reset deletes, and the bank's time; clients, keys, settings and one-time values stay as
    /// they are. The action is atomic and takes effect on all nodes.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for a snapshot that is loaded or removed; [`ControlError::Conflict`] for one of another
    /// release, or if there are already [`SNAPSHOTS_MAX`] snapshots. Nothing has changed then.
    async fn snapshot(&self, action: SnapshotAction, name: &SnapshotName) -> Result<Snapshot, ControlError>;

    /// The snapshots, in the order in which they were saved.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn snapshots(&self) -> Result<Vec<Snapshot>, ControlError>;

    /// Raises this number of events, 1 to [`EVENTS_MAX`], which report a change of the client's newest consent, or of
    /// an invented one if it has none. Returns their ids. The consent is not changed. Source: EVT-090.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the client; [`ControlError::Refused`] for a number out of range.
    async fn events_raise(&self, client: &ClientId, count: u32) -> Result<Vec<EventId>, ControlError>;
}
