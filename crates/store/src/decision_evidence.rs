//! The information that customers were shown before they approved payment consents.

use crate::rows::Rows;
use lombard_database::document;
use lombard_database::statement::both;
use lombard_database::statements;
use lombard_database::value::{SqlRow, optional};
use lombard_domain::code::StoredCode;
use lombard_domain::consent::{DecisionEvidence, EvidencedDecision};
use lombard_domain::ids::{ConsentId, GrantId};
use lombard_domain::payment::order::PayeeFinding;
use lombard_ports::store::{DecisionEvidenceStore, StoreError};

statements! { "decision_evidence" =>
    INSERT = both(
        "INSERT INTO decision_evidence (grant_id, consent_id, psu_id, decided_at, payee, warnings) \
         VALUES ($1, $2, $3, $4, $5, $6)");
    OF_CONSENT = both(
        "SELECT psu_id, decided_at, payee, warnings FROM decision_evidence WHERE consent_id = $1 \
         ORDER BY decided_at DESC, grant_id DESC LIMIT $2");
}

impl DecisionEvidenceStore for Rows<'_, '_> {
    fn decision_evidence_insert(
        &mut self,
        consent: &ConsentId,
        grant: &GrantId,
        decision: &EvidencedDecision,
    ) -> Result<(), StoreError> {
        let EvidencedDecision { psu, decided_at, evidence } = decision;
        let parameters = [
            grant.into(),
            consent.into(),
            psu.into(),
            (*decided_at).into(),
            optional(evidence.payee.map(|payee| payee.code())),
            document::write(&evidence.warnings).into(),
        ];
        self.execute_later(&INSERT, &parameters)
    }

    fn decision_evidence(&mut self, consent: &ConsentId, limit: u32) -> Result<Vec<EvidencedDecision>, StoreError> {
        self.all(&OF_CONSENT, &[consent.into(), i64::from(limit).into()], read)
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<EvidencedDecision, StoreError> {
    let (psu, decided_at) = (row.id()?, row.instant()?);
    let payee = row.parsed_or_null(PayeeFinding::decode)?;
    let warnings = row.parsed(document::read)?;
    Ok(EvidencedDecision { psu, decided_at, evidence: DecisionEvidence { payee, warnings } })
}
