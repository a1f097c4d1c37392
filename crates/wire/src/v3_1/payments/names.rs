//! The enumerations of payments that only v3.1 has in this form, one table each. The other interfaces of this program use the
//! same names.

pub use crate::payments::names::{charge_bearer, charge_type, detail_reason, instrument, payment_context};

use crate::parse::schema::one_of;
use crate::parse::{FaultCollector, FromJson, JsonPath};
use crate::payments::names::names;
use crate::payments::values::read_codes;
use crate::vrp::names::{read_vrp_type, vrp_type};
use lombard_domain::consent::PaymentConsentStatus;
use lombard_domain::payment::order::{ApprovalStatus, PaymentStatus, SummaryStatus};
use lombard_domain::payment::vrp::VrpType;
use lombard_domain::refusal::FaultCode;
use serde_json::Value;

names! {
    /// Source: table 1.4, `OBWriteDomesticConsentResponse5/Data/Status`.
    consent_status(PaymentConsentStatus) {
        AwaitingUpload => "AwaitingUpload",
        AwaitingAuthorisation => "AwaitingAuthorisation",
        Authorised => "Authorised",
        Rejected => "Rejected",
        Consumed => "Consumed",
    }
    /// Source: tables 1.4 and 1.5.
    order_status(SummaryStatus) {
        Pending => "Pending",
        InProcess => "AcceptedSettlementInProcess",
        Settled => "AcceptedSettlementCompleted",
        WithoutPosting => "AcceptedWithoutPosting",
        Credited => "AcceptedCreditSettlementCompleted",
        Rejected => "Rejected",
        InitiationPending => "InitiationPending",
        InitiationCompleted => "InitiationCompleted",
        InitiationFailed => "InitiationFailed",
        Cancelled => "Cancelled",
    }
    /// A suspended payment has no status of its own in v3.1. Source: PIS-092, table 1.5.
    payment_status(PaymentStatus) {
        Received => "Received",
        PartiallyAuthorised => "PartiallyAcceptedTechnicalCorrect",
        TechnicallyValid => "AcceptedTechnicalValidation",
        Pending => "Pending",
        CustomerAccepted => "AcceptedCustomerProfile",
        FundsChecked => "AcceptedFundsChecked",
        InProcess => "AcceptedSettlementInProcess",
        AcceptedWithChange => "AcceptedWithChange",
        Settled => "AcceptedSettlementCompleted",
        WithoutPosting => "AcceptedWithoutPosting",
        Blocked => "AcceptedWithoutPosting",
        Credited => "AcceptedCreditSettlementCompleted",
        Rejected => "Rejected",
        Cancelled => "Cancelled",
    }
    /// Source: PIS-112, `OBMultiAuthorisation1`.
    approval_status(ApprovalStatus) {
        Awaiting => "AwaitingFurtherAuthorisation",
        Authorised => "Authorised",
        Rejected => "Rejected",
    }
}

/// A VRP type of v3.1, which has no commercial types. Source: VRP-007.
#[derive(Debug)]
pub(crate) struct VrpKind(VrpType);

impl From<VrpKind> for VrpType {
    fn from(kind: VrpKind) -> Self {
        kind.0
    }
}

fn read_vrp_kind(name: &str) -> Option<VrpKind> {
    read_vrp_type(name).filter(|kind| !kind.is_commercial()).map(VrpKind)
}

fn vrp_kinds() -> Value {
    one_of(VrpType::ALL.into_iter().filter(|kind| !kind.is_commercial()).map(vrp_type))
}

read_codes! {
    VrpKind: read_vrp_kind, FieldInvalid, "Must be a VRP type of the standard.", vrp_kinds();
}
