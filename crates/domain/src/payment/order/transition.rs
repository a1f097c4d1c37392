//! Transitions of an order: their visible changes, the errors of a transition, and the reasons for rejecting or
//! cancelling an order.

use super::{DetailedStatus, SummaryStatus};
use crate::version::Version;

/// Why an order was rejected or cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RejectionReason {
    /// Insufficient funds.
    InsufficientFunds,
    /// The debtor account cannot be used.
    DebtorAccountUnusable,
    /// The creditor account does not exist or cannot be used.
    CreditorAccountUnusable,
    /// The scheme or the payee's bank refused the payment.
    RefusedByScheme,
    /// The bank suspected fraud.
    SuspectedFraud,
    /// A PSU whose approval was required declined.
    RefusedByAuthoriser,
    /// The deadline for approvals passed.
    AuthorisationLapsed,
    /// The PSU cancelled the order.
    CancelledByCustomer,
    /// A reason that the bank does not disclose.
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
    /// The order still awaits approvals; or, for an approval, the order does not await one.
    #[error("the state of the order's approvals does not allow this transition")]
    WrongApprovalState,
    /// The deadline for approvals has passed; or, for `lapse`, the deadline has not passed yet.
    #[error("the approval deadline does not allow this transition")]
    OutsideApprovalPeriod,
}

/// A transition of an order. Source: SET-036.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a visible move raises an event"]
pub struct Transition {
    /// The statuses of v3.1 before and after.
    pub summary_status: (SummaryStatus, SummaryStatus),
    /// The statuses of v4.0 before and after.
    pub detailed_status: (DetailedStatus, DetailedStatus),
    /// Whether the status of the further authorisations changed.
    pub approvals: bool,
}

impl Transition {
    /// Whether the status shown by a version changed; the order's TPP receives an event then. Source: SET-036, PIS-047.
    pub fn is_visible(self, version: Version) -> bool {
        self.approvals
            || match version {
                Version::V3_1 => self.summary_status.0 != self.summary_status.1,
                Version::V4_0 => self.detailed_status.0 != self.detailed_status.1,
            }
    }
}
