//! Reads records of customers for operators; each read writes an audit line.

use super::acts::reason_of;
use lombard_domain::consent::EvidencedDecision;
use lombard_domain::ids::{ClientId, ConsentId};
use lombard_domain::staff::StaffAct;
use lombard_edge::request_log::{RequestPage, RequestQuery};
use lombard_ports::store::{Store, StoreError};

/// The maximum number of decisions on a consent that are shown.
const DECISIONS_SHOWN_MAX: u32 = 100;

/// Reads what the customers were shown before they approved a consent.
///
/// # Errors
/// [`StoreError`].
pub(super) async fn read_evidence(
    store: &Store,
    act: &StaffAct,
    id: &ConsentId,
) -> Result<Vec<EvidencedDecision>, StoreError> {
    let wanted = id.clone();
    let decisions =
        store.read::<_, StoreError, _>(move |tx| tx.decision_evidence(&wanted, DECISIONS_SHOWN_MAX)).await?;
    tracing::info!(
        audit.action = "consent.evidence",
        audit.actor = act.member.name.as_str(),
        audit.role = act.member.role.name(),
        audit.from = act.from.as_str(),
        audit.reason = reason_of(act),
        consent.id = id.as_str(),
        "an operator read what was shown before a payment was approved"
    );
    Ok(decisions)
}

/// Writes the audit line for a page of the request log. A wait that returned no requests writes none.
pub(super) fn audit_requests(act: &StaffAct, query: &RequestQuery, page: &RequestPage) {
    if query.after.is_none() || !page.requests.is_empty() {
        tracing::info!(
            audit.action = "requests.read",
            audit.actor = act.member.name.as_str(),
            audit.role = act.member.role.name(),
            audit.from = act.from.as_str(),
            audit.reason = reason_of(act),
            audit.count = page.requests.len(),
            client.id = query.client_id.as_ref().map(ClientId::as_str),
            "an operator read the log of requests"
        );
    }
}
