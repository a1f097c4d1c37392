//! Whether there is enough money in an account: the question, and its answer, which is yes or no. Source: CBP-030 to CBP-041.

use crate::ids::{ConsentId, FundsConfirmationId};
use crate::money::Amount;
use jiff::Timestamp;

/// A question of a TPP. Source: CBP-030, `OBFundsConfirmation1/Data`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundsQuestion {
    /// Under which consent.
    pub consent: ConsentId,
    /// What the TPP calls the question; once under a consent. Source: CBP-036.
    pub reference: String,
    /// Whether there is so much.
    pub amount: Amount,
}

/// What it was answered with. The answer discloses neither the balance nor the reason. Source: CBP-032 to CBP-034.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FundsAnswer {
    /// Its id.
    pub id: FundsConfirmationId,
    /// What was asked.
    pub question: FundsQuestion,
    /// When it was answered (bank clock).
    pub created_at: Timestamp,
    /// Whether there was enough then.
    pub available: bool,
}
