//! The information that a customer was shown before a decision on a payment, kept for disputes. No TPP can read it.

use crate::ids::PsuId;
use crate::payment::order::PayeeFinding;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// What the page of a payment showed beside its consent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct DecisionEvidence {
    /// What it said of the payee's name; `None` where there is no payee whose name can be checked.
    pub payee: Option<PayeeFinding>,
    /// The headings of the warnings on it, in their order.
    pub warnings: Vec<String>,
}

impl DecisionEvidence {
    /// Whether the page showed nothing of the kind.
    pub const fn is_empty(&self) -> bool {
        self.payee.is_none() && self.warnings.is_empty()
    }
}

/// An approval of a payment consent with what was shown before it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvidencedDecision {
    /// Who approved.
    pub psu: PsuId,
    /// When (bank clock).
    pub decided_at: Timestamp,
    /// What was shown.
    pub evidence: DecisionEvidence,
}
