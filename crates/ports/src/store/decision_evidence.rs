//! The information that customers were shown before they approved payment consents.

use super::StoreError;
use lombard_domain::consent::EvidencedDecision;
use lombard_domain::ids::{ConsentId, GrantId};

/// The evidence of decisions in storage. It is written once, with the approval, and read by operators alone.
pub trait DecisionEvidenceStore {
    /// Stores the information that was shown before the approval that created this grant.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if it was stored before.
    fn decision_evidence_insert(
        &mut self,
        consent: &ConsentId,
        grant: &GrantId,
        decision: &EvidencedDecision,
    ) -> Result<(), StoreError>;

    /// The latest approvals of a consent for which evidence is stored, newest first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn decision_evidence(&mut self, consent: &ConsentId, limit: u32) -> Result<Vec<EvidencedDecision>, StoreError>;
}
