//! The information that customers were shown before they approved payment consents.

use super::StoreError;
use lombard_domain::consent::EvidencedDecision;
use lombard_domain::ids::{ConsentId, GrantId};

/// The evidence of decisions in storage. It is written once, with the approval, and read by operators alone.
pub trait DecisionEvidenceStore {
    /// Stores what was shown before the approval that this grant stands on.
    ///
    /// # Errors
    /// [`StoreError::Duplicate`] if it was stored before.
    fn decision_evidence_insert(
        &mut self,
        consent: &ConsentId,
        grant: &GrantId,
        decision: &EvidencedDecision,
    ) -> Result<(), StoreError>;

    /// The latest decisions on a consent for which something was shown, at most `limit`, the newest first.
    ///
    /// # Errors
    /// [`StoreError`].
    fn decision_evidence(&mut self, consent: &ConsentId, limit: u32) -> Result<Vec<EvidencedDecision>, StoreError>;
}
