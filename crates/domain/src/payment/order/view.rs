//! The views of payment consents and orders: filled in by the service and rendered by the wire.

use super::{
    Approvals, NamedAccount, PaymentConditions, PaymentDetailsEntry, PaymentProduct, RejectionReason, StatusHistory,
};
use crate::account::AccountIdentification;
use crate::consent::{ConsentStatusReason, RevokedBy, Submitted};
use crate::ids::{ConsentId, OrderId};
use jiff::Timestamp;

/// The status of a payment consent. Source: table 1.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentConsentStatus {
    /// Its file has not been uploaded.
    AwaitingUpload,
    /// The PSU has not decided yet.
    AwaitingAuthorisation,
    /// The PSU authorised it.
    Authorised,
    /// The PSU rejected it, or the bank did later. Final.
    Rejected,
    /// Its order was created. Final.
    Consumed,
}

impl PaymentConsentStatus {
    /// Every status.
    pub const ALL: [Self; 5] =
        [Self::AwaitingUpload, Self::AwaitingAuthorisation, Self::Authorised, Self::Rejected, Self::Consumed];

    /// Whether the consents of a product can have the status. Source: table 1.4.
    pub const fn is_of(self, product: PaymentProduct) -> bool {
        match self {
            Self::AwaitingUpload => product.requires_file(),
            Self::AwaitingAuthorisation | Self::Authorised | Self::Rejected => true,
            Self::Consumed => !product.reuses_consents(),
        }
    }
}

/// Why a VRP consent that was not rejected gives no access any more, and since when. v3.1 has no status for it. Source:
/// table 1.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessEnd {
    /// Access was revoked at the bank.
    Revoked(RevokedBy, Timestamp),
    /// The last day for payments has passed.
    Expired(Timestamp),
}

/// The debtor, once it is known. Source: PIS-099.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debtor {
    /// The holder's name.
    pub name: String,
    /// The account, if the TPP named it or the product always shows it (VRP-019).
    pub account: Option<AccountIdentification>,
}

/// The account for refunds. Source: PIS-097, PIS-098.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// The debtor account.
    pub account: NamedAccount,
    /// The BIC of the servicing bank.
    pub bic: Option<String>,
}

/// A payment consent as it is rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentConsentView {
    /// Its id.
    pub id: ConsentId,
    /// Its product.
    pub product: PaymentProduct,
    /// Its status.
    pub status: PaymentConsentStatus,
    /// When the status began.
    pub status_since: Timestamp,
    /// Why it has its status, where the status alone does not say it. Source: V4-002.
    pub reason: Option<ConsentStatusReason>,
    /// Why it gives no access any more.
    pub ended: Option<AccessEnd>,
    /// When it was created.
    pub created_at: Timestamp,
    /// The submitted request.
    pub submitted: Submitted,
    /// The bank's conditions.
    pub conditions: PaymentConditions,
    /// The debtor; `None` before the authorisation.
    pub debtor: Option<Debtor>,
}

/// An order as it is rendered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderView {
    /// Its id.
    pub id: OrderId,
    /// The consent under which it was created.
    pub consent: ConsentId,
    /// Its product.
    pub product: PaymentProduct,
    /// Its status history.
    pub status_history: StatusHistory,
    /// Why it was rejected or cancelled.
    pub reason: Option<RejectionReason>,
    /// Whether a payment of its file was not made.
    pub lost_payments: bool,
    /// When it was created.
    pub created_at: Timestamp,
    /// The submitted request of the consent, or of the order if it differs. Source: PIS-042, VRP-059.
    pub submitted: Submitted,
    /// The bank's conditions, as they are now.
    pub conditions: PaymentConditions,
    /// Its multi-authorisation, if any.
    pub approvals: Option<Approvals>,
    /// The account for refunds, if requested. Source: PIS-096, PIS-098.
    pub refund: Option<Refund>,
    /// The debtor.
    pub debtor: Option<Debtor>,
}

/// The result of a funds confirmation. Source: PIS-082.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FundsView {
    /// Whether the funds are available.
    pub available: bool,
    /// When they were checked (bank clock).
    pub at: Timestamp,
}

/// The payment details of an order, oldest payment first. Source: PIS-090.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailsView {
    /// One entry for each payment.
    pub payments: Vec<PaymentDetailsEntry>,
}
