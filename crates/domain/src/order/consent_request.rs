//! What a TPP asks for with a payment consent: what is to be paid, from where, who authorises it, and what it says of risk.

use super::{Instruction, PaymentProduct};
use crate::account::AccountIdentification;
use crate::ids::OrderId;
use jiff::Timestamp;
use serde::Serialize;

/// What a payment consent is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PaymentConsentRequest {
    /// What is to be paid.
    pub instruction: Instruction,
    /// The account to pay from, where the TPP names it: then the customer may use no other. Source: PIS-032.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub debtor: Option<AccountIdentification>,
    /// Whether orders tell the account to refund to. Source: PIS-096.
    pub refund: bool,
    /// Who is to authorise it, and until when.
    #[serde(flatten)]
    pub authorisation: RequestedAuthorisation,
    /// What the TPP says about strong authentication. Advice, no more. Source: PIS-151.
    #[serde(flatten)]
    pub sca: ScaSupport,
    /// The kind of purchase, for the scoring of risk. Source: PIS-144.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub context: Option<PaymentContext>,
}

impl PaymentConsentRequest {
    /// Which product they are of.
    pub const fn product(&self) -> PaymentProduct {
        self.instruction.product()
    }
}

/// Who is to authorise a payment. Source: PIS-110, `OBAuthorisation1`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct RequestedAuthorisation {
    /// One customer, or as many as the account needs.
    #[serde(rename = "authorisers")]
    pub kind: RequestedAuthorisationType,
    /// Until when everybody must have agreed.
    #[serde(default, with = "crate::stored", skip_serializing_if = "Option::is_none")]
    pub complete_by: Option<Timestamp>,
}

impl RequestedAuthorisation {
    /// Whether an account will do that needs so many customers to agree. Source: PIS-111.
    pub const fn allows_authorisers(self, authorisers: u16) -> bool {
        match self.kind {
            RequestedAuthorisationType::Any => true,
            RequestedAuthorisationType::Single => authorisers <= 1,
        }
    }
}

/// How many customers may be asked. Source: PIS-110.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum RequestedAuthorisationType {
    /// As many as the account needs.
    #[default]
    Any,
    /// One, so only accounts that need no more will do. Source: PIS-111.
    Single,
}

/// What the TPP says about strong authentication. Source: PIS-150, `OBSCASupportData1`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ScaSupport {
    /// The exemption it thinks applies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exemption: Option<Exemption>,
    /// What it did itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applied: Option<AppliedApproach>,
    /// An earlier order with the same payee and amount; it may name nothing we know (PIS-151).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub earlier_order: Option<OrderId>,
}

/// A reason to do without strong authentication. Source: PIS-150.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Exemption {
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
pub enum AppliedApproach {
    /// By one factor.
    Customer,
    /// By two.
    Strong,
}

/// What a payment is for. Source: PIS-144, `OBRisk1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentContext {
    /// Billed before delivery.
    BilledInAdvance,
    /// Billed after delivery.
    BilledInArrears,
    /// The TPP itself is paid.
    PispPayee,
    /// A merchant starts it.
    MerchantInitiated,
    /// At a till.
    FaceToFace,
    /// To an account of the same holder.
    TransferToSelf,
    /// To somebody else.
    TransferToThirdParty,
    /// A bill (discouraged).
    BillPayment,
    /// Goods bought online (discouraged).
    EcommerceGoods,
    /// Services bought online (discouraged).
    EcommerceServices,
    /// Anything else (discouraged).
    Other,
    /// From one person to another (discouraged).
    PartyToParty,
}
