//! The information that a customer was shown before a decision on a payment, kept for disputes. No TPP can read it.

use crate::ids::PsuId;
use crate::payment::order::PayeeFinding;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The information that the page of a payment showed in addition to the consent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionEvidence {
    /// The result of the check of the payee's name that the page showed; `None` if there is no payee whose name can be checked.
    pub payee: Option<PayeeFinding>,
    /// The headings of the warnings that the page showed, in their order.
    pub warnings: Vec<String>,
}

impl DecisionEvidence {
    /// Whether the page showed neither a result of that check nor a warning.
    pub const fn is_empty(&self) -> bool {
        self.payee.is_none() && self.warnings.is_empty()
    }
}

/// An approval of a payment consent with what was shown before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidencedDecision {
    /// The PSU who approved.
    pub psu: PsuId,
    /// When the PSU approved (bank clock).
    pub decided_at: Timestamp,
    /// The information that the PSU was shown.
    pub evidence: DecisionEvidence,
}
