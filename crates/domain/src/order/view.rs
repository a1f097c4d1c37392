//! What is shown of payment consents and orders: plain facts that the service fills in and the wire writes down.

use super::{Approvals, NamedAccount, PaymentConditions, PaymentEntry, PaymentProduct, StatusHistory};
use crate::account::AccountIdentification;
use crate::consent::Submitted;
use crate::ids::{ConsentId, OrderId};
use jiff::Timestamp;

/// How a payment consent stands. Source: table 1.4.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentConsentStatus {
    /// Its file has not come.
    AwaitingUpload,
    /// The customer has not decided.
    AwaitingAuthorisation,
    /// The customer agreed.
    Authorised,
    /// The customer refused, or the bank did later. Final.
    Rejected,
    /// Its order was made. Final.
    Consumed,
}

/// Who pays, once that is known. Source: PIS-099.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Debtor {
    /// The holder's name.
    pub name: String,
    /// The account, only where the TPP named it itself, or the product shows it always (VRP-019).
    pub account: Option<AccountIdentification>,
}

/// Where a payment can be sent back to. Source: PIS-097, PIS-098.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refund {
    /// The account it was made from.
    pub account: NamedAccount,
    /// The BIC of the bank that keeps it.
    pub bic: Option<String>,
}

/// A payment consent as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentConsentView {
    /// Its id.
    pub id: ConsentId,
    /// Its product.
    pub product: PaymentProduct,
    /// How it stands.
    pub status: PaymentConsentStatus,
    /// Since when.
    pub status_since: Timestamp,
    /// When it was made.
    pub created_at: Timestamp,
    /// What the TPP submitted.
    pub submitted: Submitted,
    /// What the bank says to it.
    pub conditions: PaymentConditions,
    /// Who pays, after the authorisation.
    pub debtor: Option<Debtor>,
}

/// An order as it is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderView {
    /// Its id.
    pub id: OrderId,
    /// The consent it was made under.
    pub consent: ConsentId,
    /// Its product.
    pub product: PaymentProduct,
    /// Where it stands and stood.
    pub course: StatusHistory,
    /// When it was made.
    pub created_at: Timestamp,
    /// What the TPP submitted: for the consent, or for itself where that is more. Source: PIS-042, VRP-059.
    pub submitted: Submitted,
    /// What the bank says to it, as it is now.
    pub conditions: PaymentConditions,
    /// Who else must agree, if anybody.
    pub approvals: Option<Approvals>,
    /// The account to refund to, where it was asked for. Source: PIS-096, PIS-098.
    pub refund: Option<Refund>,
    /// Who pays.
    pub debtor: Option<Debtor>,
}

/// Whether there is money for a payment. Source: PIS-082.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FundsView {
    /// Whether there is.
    pub available: bool,
    /// When that was found (bank clock).
    pub at: Timestamp,
}

/// What became of each payment of an order; the oldest first. Source: PIS-090.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetailsView {
    /// One entry for each payment.
    pub payments: Vec<PaymentEntry>,
}
