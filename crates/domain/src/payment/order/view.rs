//! The views of orders: filled in by the service and rendered by the wire.

use super::{Approvals, PaymentDetailsEntry, RejectionReason, StatusHistory};
use crate::account::AccountIdentification;
use crate::ids::{ConsentId, OrderId};
use crate::payment::PaymentProduct;
use crate::payment::transfer::{NamedAccount, PaymentConditions};
use crate::submitted::Submitted;
use jiff::Timestamp;

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
    /// Whether at least one payment of its file was not executed.
    pub has_unexecuted_payments: bool,
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
