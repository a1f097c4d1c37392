//! The content of a payment consent request: instruction, debtor account, authorisation and risk data.

use super::Instruction;
use crate::account::AccountIdentification;
use crate::ids::OrderId;
use crate::payment::{PaymentContext, PaymentProduct};
use jiff::Timestamp;
use serde::Serialize;

/// The content of a payment consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PaymentConsentRequest {
    /// The payment instruction.
    pub instruction: Instruction,
    /// The debtor account, if the TPP names it; the PSU may select no other. Source: PIS-032.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor: Option<AccountIdentification>,
    /// Whether the orders show the debtor account for refunds (`ReadRefundAccount`). Source: PIS-096.
    pub refund: bool,
    /// The number of authorising PSUs, and the deadline.
    #[serde(flatten)]
    pub authorisation: RequestedAuthorisation,
    /// The TPP's `SCASupportData`; informative only. Source: PIS-151.
    #[serde(flatten)]
    pub sca: ScaSupport,
    /// The `PaymentContextCode`, for risk scoring. Source: PIS-144.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<PaymentContext>,
}

impl PaymentConsentRequest {
    /// A request without anything that the standard leaves optional.
    pub fn new(instruction: impl Into<Instruction>) -> Self {
        Self {
            instruction: instruction.into(),
            debtor: None,
            refund: false,
            authorisation: RequestedAuthorisation::default(),
            sca: ScaSupport::default(),
            context: None,
        }
    }

    /// The product of orders with this instruction.
    pub const fn product(&self) -> PaymentProduct {
        self.instruction.product()
    }
}

/// The authorisation that the TPP requests. Source: PIS-110, `OBAuthorisation1`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RequestedAuthorisation {
    /// One authorising PSU, or as many as the account requires.
    #[serde(rename = "authorisers")]
    pub kind: RequestedAuthorisationType,
    /// The `CompletionDateTime`: the deadline for all approvals.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub complete_by: Option<Timestamp>,
}

impl RequestedAuthorisation {
    /// Whether the debtor account may require this number of authorising PSUs. Source: PIS-111.
    pub const fn allows_authorisers(self, authorisers: u16) -> bool {
        match self.kind {
            RequestedAuthorisationType::Any => true,
            RequestedAuthorisationType::Single => authorisers <= 1,
        }
    }
}

/// The number of PSUs who may have to authorise. Source: PIS-110.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RequestedAuthorisationType {
    /// As many as the account requires.
    #[default]
    Any,
    /// One PSU, which excludes accounts that require more. Source: PIS-111.
    Single,
}

/// The TPP's statement on strong customer authentication. Source: PIS-150, `OBSCASupportData1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ScaSupport {
    /// The exemption that the TPP claims.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exemption: Option<ScaExemption>,
    /// The authentication that the TPP applied.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<AppliedAuthenticationApproach>,
    /// An earlier order with the same payee and amount; it may be unknown to the bank (PIS-151).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier_order: Option<OrderId>,
}

/// An exemption from strong customer authentication. Source: PIS-150.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ScaExemption {
    /// A bill.
    BillPayment,
    /// Travel by contactless card.
    ContactlessTravel,
    /// Goods bought online.
    EcommerceGoods,
    /// Services bought online.
    EcommerceServices,
    /// An unattended terminal.
    Kiosk,
    /// Parking.
    Parking,
    /// From one person to another.
    PartyToParty,
}

/// How a TPP authenticated its user. Source: PIS-150.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AppliedAuthenticationApproach {
    /// One factor.
    Customer,
    /// Two factors: strong customer authentication.
    Strong,
}
