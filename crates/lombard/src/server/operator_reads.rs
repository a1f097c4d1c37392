//! Reads records of customers for operators; each read is in the audit log.

use super::acts::log_record;
use lombard_domain::audit::AuditRecord;
use lombard_domain::consent::EvidencedDecision;
use lombard_domain::ids::ConsentId;
use lombard_ports::store::{ServerTransaction, Store, StoreError};

/// The maximum number of decisions on a consent that are shown.
const DECISIONS_SHOWN_MAX: u32 = 100;

/// Reads what the customers were shown before they approved a consent, and stores the record of the read.
///
/// # Errors
/// [`StoreError`].
pub(super) async fn read_evidence(
    store: &Store,
    record: AuditRecord,
    id: &ConsentId,
) -> Result<Vec<EvidencedDecision>, StoreError> {
    let (wanted, stored) = (id.clone(), record.clone());
    let read = move |tx: &mut dyn ServerTransaction| {
        tx.audit_append(&stored)?;
        tx.decision_evidence(&wanted, DECISIONS_SHOWN_MAX)
    };
    let decisions = store.write::<_, StoreError, _>(read).await?;
    log_record(&record);
    Ok(decisions)
}
