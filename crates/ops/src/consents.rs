//! The operations of operators on consents, and the evidence of decisions that operators can read.

use super::operations::Ops;
use super::response::render_result;
use super::staff::{Act, ReasonGiven, Staff};
use axum::extract::{Path, State};
use axum::response::Response;
use http::StatusCode;
use lombard_domain::code::StoredCode;
use lombard_domain::consent::{DecisionEvidence, EvidencedDecision};
use lombard_domain::ids::{ConsentId, PsuId};
use lombard_domain::staff::StaffAct;
use serde::Serialize;
use serde_json::json;

/// The approvals of a consent for which evidence was stored, the newest first.
#[derive(Debug, Serialize)]
struct ConsentEvidenceView {
    consent_id: ConsentId,
    decisions: Vec<DecisionView>,
}

/// An approval, with the evidence of what was shown before it.
#[derive(Debug, Serialize)]
struct DecisionView {
    psu: PsuId,
    /// The time of the approval on the bank's clock.
    decided_at: String,
    /// The result of Confirmation of Payee on the page.
    #[serde(skip_serializing_if = "Option::is_none")]
    payee_check: Option<&'static str>,
    /// The headings of the warnings on the page.
    warnings: Vec<String>,
}

impl From<EvidencedDecision> for DecisionView {
    fn from(decision: EvidencedDecision) -> Self {
        let EvidencedDecision { psu, decided_at, evidence: DecisionEvidence { payee, warnings } } = decision;
        let payee_check = payee.map(|payee| payee.code());
        Self { psu, decided_at: decided_at.to_string(), payee_check, warnings }
    }
}

/// Ends the access of a consent in the name of the bank. Source: AIS-070.
pub(super) async fn revoke(State(operations): State<Ops>, Path(id): Path<String>, Act(act): Act) -> Response {
    let ended = operations.consent_revoke(&act, &ConsentId::new(id)).await;
    render_result(StatusCode::OK, ended.map(|()| json!({ "revoked": true })))
}

/// Responds with the evidence of what customers were shown before they approved.
pub(super) async fn evidence(
    State(operations): State<Ops>,
    Path(id): Path<String>,
    Staff(act): Staff,
    ReasonGiven(reason): ReasonGiven,
) -> Response {
    let consent_id = ConsentId::new(id);
    let act = StaffAct { reason: Some(reason), ..act };
    let found = operations.consent_evidence(&act, &consent_id).await;
    let view = found.map(|decisions| ConsentEvidenceView {
        consent_id,
        decisions: decisions.into_iter().map(DecisionView::from).collect(),
    });
    render_result(StatusCode::OK, view)
}
