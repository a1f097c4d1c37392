//! Transitions of an order: what can be seen of one, why one is rejected, and why an order was refused or cancelled.

use super::{DetailedStatus, SummaryStatus};
use crate::version::Version;

/// Why an order was refused or taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RejectionReason {
    /// There was not enough money.
    InsufficientFunds,
    /// The payer's account cannot be used.
    DebtorAccountUnusable,
    /// The payee's account does not exist or cannot be used.
    CreditorAccountUnusable,
    /// The scheme or the payee's bank refused it.
    RefusedByScheme,
    /// The bank took it for fraud.
    SuspectedFraud,
    /// A customer who had to agree refused.
    RefusedByAuthoriser,
    /// Not everybody who had to agree did in time.
    AuthorisationLapsed,
    /// The customer took it back.
    CancelledByCustomer,
    /// Anything else the bank does not tell.
    NotGiven,
}

/// Why a transition was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TransitionError {
    /// The order already has this status: a repeated transition, or a concurrent one was faster.
    #[error("the order already has this status")]
    AlreadyInState,
    /// The order can no longer change.
    #[error("the order can no longer change")]
    Final,
    /// The order's status does not allow the transition.
    #[error("the order's status does not allow this transition")]
    NotAllowed,
    /// Further approvals are awaited first; or, for an approval, none is awaited.
    #[error("the state of the order's approvals does not allow this transition")]
    NotAwaitingApproval,
    /// The approval deadline has passed; or, for `lapse`, it has not passed yet.
    #[error("the approval deadline does not allow this transition")]
    BeforeLastChange,
}

/// A move of an order, and what of it can be seen. Source: SET-036.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a visible move raises an event"]
pub struct Transition {
    /// The coarse statuses before and after.
    pub phase: (SummaryStatus, SummaryStatus),
    /// The fine statuses before and after.
    pub stage: (DetailedStatus, DetailedStatus),
    /// Whether the status of the further authorisations changed.
    pub approvals: bool,
}

impl Transition {
    /// Whether a version shows a difference: then the order's TPP is told. Source: SET-036, PIS-047.
    pub fn is_visible(self, version: Version) -> bool {
        self.approvals
            || match version {
                Version::V3_1 => self.phase.0 != self.phase.1,
                Version::V4_0 => self.stage.0 != self.stage.1,
            }
    }
}
