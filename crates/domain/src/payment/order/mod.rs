//! Payment consents' content and payment orders; all eight products share this code.
//!
//! The products have two axes, destination and timing; VRP consents are reusable as well. [`PaymentProduct`] is a table
//! of facts. An [`Order`] has one state machine with the statuses of v4.0; v3.1 is shown its [`SummaryStatus`].

mod approvals;
mod charges;
mod codes;
mod consent_request;
mod credit;
mod details;
mod draft;
mod instruction;
mod instrument;
mod limits;
mod payee_confirmation;
mod payment_order;
mod payment_risk;
mod product;
mod rail;
mod remittance;
mod routing;
mod schedule;
mod state;
mod status;
mod status_history;
#[cfg(test)]
mod tests;
mod transfer;
mod transfer_details;
mod transition;
mod validation;
mod view;

pub use approvals::{ApprovalStatus, Approvals, ApproverAuthentication};
pub use charges::{AfterCutOffPolicy, Charge, ChargeBearer, ChargeType, CutOff, PaymentConditions};
pub use consent_request::{
    AppliedAuthenticationApproach, PaymentConsentRequest, RequestedAuthorisation, RequestedAuthorisationType,
    ScaExemption, ScaSupport,
};
pub use credit::{CreditorDetails, NamedAccount, References};
pub use details::{DetailReason, PaymentDetailsEntry, PaymentExecution, RailDetail};
pub use draft::{OrderDraft, PaymentDraft, RequestForm};
pub use instruction::Instruction;
pub use instrument::Instrument;
pub use limits::{PaymentLimits, ProductLimits};
pub use payee_confirmation::{PayeeConfirmation, PayeeFinding, UnconfirmedReason};
pub use payment_order::{NewOrder, Order};
pub use payment_risk::PaymentRisk;
pub use product::{OrderFamily, PaymentProduct, PaymentTerritory};
pub use rail::{FieldLengths, RailTexts};
pub use remittance::{CreditorReference, ReferredDocument, RemittanceInformation, StructuredRemittance};
pub use schedule::{Occurrence, Schedule, ScheduleEnd, Timing};
pub use status::PaymentStatus;
pub use status_history::{DetailedStatus, StatusChange, StatusHistory, SummaryStatus};
pub use transfer::{Route, Transfer};
pub use transfer_details::{RegulatoryDetail, RegulatoryReport, TransferDetails};
pub use transition::{RejectionReason, Transition, TransitionError};
pub(crate) use validation::{AccountFields, identification_faults};
pub use view::{Debtor, DetailsView, FundsView, OrderView, Refund};
