//! Payment consents' content and payment orders; all eight products share this code.
//!
//! An [`Order`] has one state machine with the statuses of v4.0; v3.1 is shown its [`SummaryStatus`].

mod approvals;
mod codes;
mod consent_request;
mod details;
mod draft;
mod instruction;
mod payee_confirmation;
mod payment_order;
mod state;
mod status;
mod status_history;
#[cfg(test)]
mod tests;
mod transition;
mod unsettled;
mod validation;
mod view;

pub use approvals::{ApprovalStatus, Approvals, ApproverAuthentication};
pub use consent_request::{
    AppliedAuthenticationApproach, PaymentConsentRequest, RequestedAuthorisation, RequestedAuthorisationType,
    ScaExemption, ScaSupport,
};
pub use details::{DetailReason, PaymentDetailsEntry, PaymentExecution, RailDetail};
pub use draft::{OrderDraft, PaymentDraft, RequestForm};
pub use instruction::Instruction;
pub use payee_confirmation::{PayeeConfirmation, PayeeFinding, UnconfirmedReason};
pub use payment_order::{NewOrder, Order};
pub use status::PaymentStatus;
pub use status_history::{DetailedStatus, StatusChange, StatusHistory, SummaryStatus};
pub use transition::{RejectionReason, Transition, TransitionError};
pub use unsettled::{Unsettled, UnsettledStage};
pub use view::{Debtor, DetailsView, FundsView, OrderView, Refund};
