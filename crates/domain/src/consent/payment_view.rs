//! The view of a payment consent: filled in by the service and rendered by the wire.

use super::{ConsentStatusReason, RevokedBy};
use crate::ids::ConsentId;
use crate::payment::PaymentProduct;
use crate::payment::order::Debtor;
use crate::payment::transfer::PaymentConditions;
use crate::submitted::Submitted;
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
    /// The PSU rejected it, or the bank did so later. Final.
    Rejected,
    /// Its order was created. Final.
    Consumed,
}

impl PaymentConsentStatus {
    /// Every status.
    pub const ALL: [Self; 5] =
        [Self::AwaitingUpload, Self::AwaitingAuthorisation, Self::Authorised, Self::Rejected, Self::Consumed];

    /// Whether consents of a product can have this status. Source: table 1.4.
    pub const fn is_of(self, product: PaymentProduct) -> bool {
        match self {
            Self::AwaitingUpload => product.requires_file(),
            Self::AwaitingAuthorisation | Self::Authorised | Self::Rejected => true,
            Self::Consumed => !product.reuses_consents(),
        }
    }
}

/// Why, and since when, a VRP consent that was not rejected gives no access any more. v3.1 has no status for this. Source: table
/// 1.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccessEnd {
    /// Access was revoked at the bank.
    Revoked(RevokedBy, Timestamp),
    /// The last day for payments has passed.
    Expired(Timestamp),
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
    /// Why the consent has its status, if the status alone does not show it. Source: V4-002.
    pub reason: Option<ConsentStatusReason>,
    /// Why the VRP consent gives no access any more.
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
