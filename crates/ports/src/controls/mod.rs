//! The sandbox's controls: actions of a tester at the bank that a customer, or the passing of time, would otherwise cause.
//!
//! The sandbox implements them and the ops listener serves them; production has none. Each control runs the same code as the
//! real action and has the same effects.

#[cfg(any(test, feature = "testing"))]
pub mod contract;
mod orders;

pub use orders::{CountersignDecision, OrderDetails, OrderOutcome, PAYMENTS_SHOWN_MAX};

use crate::bank::BankError;
use crate::store::StoreError;
use async_trait::async_trait;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::account::Account;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, EventId, FapiInteractionId, OrderId, PsuId};
use lombard_domain::money::{Amount, SignedAmount};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Why a control failed. Texts are for testers: they say what to change and repeat nothing.
#[derive(Debug, thiserror::Error)]
pub enum ControlError {
    /// It was asked for wrongly.
    #[error("{0}")]
    Refused(&'static str),
    /// What it is about does not exist.
    #[error("{0}")]
    NotFound(&'static str),
    /// It is not possible as things stand.
    #[error("{0}")]
    Conflict(&'static str),
    /// The file it was given has these faults; nothing of it was taken.
    #[error("the file has faults; nothing of it was stored")]
    Faulty(Vec<DataFileFault>),
    /// A temporary error of the server.
    #[error("the sandbox is busy; the same call may work later")]
    Unavailable(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// An internal error; an operator has to act.
    #[error("the control failed; the server's log says why")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
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
            BankError::Unavailable(_) => Self::Unavailable(error.into()),
            BankError::Broken(_) => Self::Broken(error.into()),
        }
    }
}

/// Where the bank's clock goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClockMove {
    /// So much on, or back with a negative duration.
    By(SignedDuration),
    /// To this time.
    To(Timestamp),
}

/// A customer as a tester needs to know them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CustomerView {
    /// Who.
    pub psu: PsuId,
    /// The user name to log in with; in a sandbox also the password.
    pub login: String,
    /// The name.
    pub name: String,
    /// What the customer is good for, one sentence.
    pub about: String,
    /// What they hold or operate, by id.
    pub accounts: Vec<AccountView>,
}

/// An account as the bank knows it. The ids TPPs know are not here: each TPP has its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountView {
    /// The account.
    pub account: Account,
    /// Whether its customer can share it with a TPP now. Source: AIS-082.
    pub shareable: bool,
    /// What has moved.
    pub booked: SignedAmount,
    /// What is reserved or announced.
    pub pending: SignedAmount,
    /// The arranged overdraft or credit limit.
    pub credit_limit: Amount,
    /// How many of its holders must agree to a payment, at least one. Source: PIS-112.
    pub authorisers: u16,
}

/// What a customer says to a consent, without a browser.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsentDecision {
    /// Who decides.
    pub psu: PsuId,
    /// How.
    pub choice: DecisionChoice,
}

/// How a customer decides.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DecisionChoice {
    /// Agrees, with these accounts of theirs; with all that can be shared if none is named.
    Approve(Option<Vec<BankAccountId>>),
    /// Refuses.
    Reject,
}

/// How an account comes to an end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountClosure {
    /// Its customer closes it.
    Closed,
    /// Its customer moves it to another bank.
    Switched,
    /// The bank bars it.
    Blocked,
}

/// The contents of the bank after a reset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResetContents {
    /// The usual customers, with a history that ends now.
    Seeded,
    /// No customers: it waits for a data file.
    Empty,
}

/// Something wrong with a data file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DataFileFault {
    /// Where: `Transaction[3].Amount.Currency`; empty for the file itself.
    pub path: String,
    /// A sentence that helps. Never repeats a value of the file.
    pub message: String,
}

impl fmt::Display for DataFileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.path.is_empty() { "" } else { ": " };
        write!(f, "{}{colon}{}", self.path, self.message)
    }
}

/// What came in with a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImportSummary {
    /// So many customers.
    pub customers: u64,
    /// So many accounts.
    pub accounts: u64,
    /// So many statements.
    pub statements: u64,
    /// So many entries.
    pub transactions: u64,
}

/// Most events raised by one order.
pub const EVENTS_MAX: u32 = 10_000;

/// The controls.
#[async_trait]
pub trait SandboxControls: Send + Sync + fmt::Debug {
    /// The same controls for one request: its interaction id is the cause of the events that its actions raise.
    /// Source: SET-016.
    fn caused_by(self: Arc<Self>, call: &FapiInteractionId) -> Arc<dyn SandboxControls>;

    /// The time at the bank.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn clock(&self) -> Result<Timestamp, ControlError>;

    /// Moves the bank's clock on all nodes, forward or back, and gives the new time. The wall clock stays: tokens and
    /// sessions live on. Going back undoes nothing that happened.
    ///
    /// # Errors
    /// [`ControlError::Refused`] for a time the sandbox does not know; the clock stays then.
    async fn clock_move(&self, to: ClockMove) -> Result<Timestamp, ControlError>;

    /// All customers with their accounts, by id.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn psus(&self) -> Result<Vec<CustomerView>, ControlError>;

    /// Decides on a consent as its customer would on the bank's pages, and gives the consent as it stands then. Journeys
    /// on it in browsers are over. No code is issued: that is the authorisation endpoint's to do.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the consent; [`ControlError::Refused`] for an unknown customer or an account that
    /// is not theirs to share; [`ControlError::Conflict`] when the consent's state forbids the decision. Nothing has
    /// changed then.
    async fn consent_authorise(&self, consent: &ConsentId, decision: &ConsentDecision)
    -> Result<Consent, ControlError>;

    /// Ends access at the bank, as the customer who gave it would. Source: AIS-071.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the consent; [`ControlError::Conflict`] when there is no access to end.
    async fn consent_revoke(&self, consent: &ConsentId) -> Result<Consent, ControlError>;

    /// Ends an account, and gives it as it stands then. Whoever it is shared with is told, and sees it no more. Source:
    /// AIS-082, SET-032.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the account; [`ControlError::Conflict`] if it is not open.
    async fn account_end(&self, account: &BankAccountId, end: AccountClosure) -> Result<Account, ControlError>;

    /// An order of any TPP.
    ///
    /// # Errors
    /// [`ControlError::NotFound`].
    async fn order(&self, order: &OrderId) -> Result<OrderDetails, ControlError>;

    /// Lets an order come to an outcome now, and gives it as it stands then: the payment of it that is under way, or the
    /// order itself while it is held or kept. Money moves and its TPP is told as ever. Source: PIS-048, SCH-008, SO-016.
    ///
    /// # Errors
    /// [`ControlError::NotFound`]; [`ControlError::Conflict`] when the outcome does not follow from where the order stands,
    /// and nothing has changed then.
    async fn order_outcome(&self, order: &OrderId, outcome: OrderOutcome) -> Result<OrderDetails, ControlError>;

    /// Has a further customer decide on an order that several must agree to, as they would on the bank's pages, and gives
    /// it as it stands then. Source: PIS-112.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the order; [`ControlError::Refused`] for a customer who does not sign for the
    /// account; [`ControlError::Conflict`] when the order does not wait for them. Nothing has changed then.
    async fn order_countersign(
        &self,
        order: &OrderId,
        psu: &PsuId,
        says: CountersignDecision,
    ) -> Result<OrderDetails, ControlError>;

    /// All customers, accounts and their histories as a data file: what `data_import` reads.
    ///
    /// # Errors
    /// [`ControlError`].
    async fn data_export(&self) -> Result<Vec<u8>, ControlError>;

    /// Adds the customers and accounts of a data file, all or none. With `rebase`, its times are moved by whole days so
    /// that it ends today.
    ///
    /// # Errors
    /// [`ControlError::Faulty`] with every fault of the file, what the bank has already among them. Nothing has changed
    /// then.
    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ControlError>;

    /// Begins anew: whatever customers and TPPs had and did is gone, the customers included, and tokens with it; the bank's
    /// clock shows the real time, which is given. TPPs, keys and certificates stay. All or nothing, on all nodes.
    ///
    /// # Errors
    /// [`ControlError`]; nothing has changed then.
    async fn reset(&self, to: ResetContents) -> Result<Timestamp, ControlError>;

    /// Raises so many events, 1 to [`EVENTS_MAX`], that the client's newest consent has changed, or a made-up one if it
    /// has none, and gives their ids. The consent itself stays as it is. Source: EVT-090.
    ///
    /// # Errors
    /// [`ControlError::NotFound`] for the client; [`ControlError::Refused`] for the number.
    async fn events_raise(&self, client: &ClientId, count: u32) -> Result<Vec<EventId>, ControlError>;
}
