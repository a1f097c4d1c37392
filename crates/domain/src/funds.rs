//! Confirmation of funds: the request and its yes-or-no result. Source: CBP-030 to CBP-041.

use crate::ids::{ConsentId, FundsConfirmationId};
use crate::money::Amount;
use jiff::Timestamp;

/// A funds confirmation request. Source: CBP-030, `OBFundsConfirmation1/Data`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundsConfirmationRequest {
    /// The consent.
    pub consent: ConsentId,
    /// The TPP's reference, unique under the consent. Source: CBP-036.
    pub reference: String,
    /// The amount to confirm.
    pub amount: Amount,
}

/// The result. It discloses neither the balance nor the reason. Source: CBP-032 to CBP-034.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundsConfirmationResult {
    /// Its id.
    pub id: FundsConfirmationId,
    /// The request.
    pub question: FundsConfirmationRequest,
    /// When it was answered (bank clock).
    pub created_at: Timestamp,
    /// Whether the funds were available then.
    pub available: bool,
}
