//! Migrates VRP consents in the name of the bank. Source: V4-030.

use super::operations::{OperationError, Ops, VrpMigration};
use super::response::render_result;
use super::staff::Staff;
use axum::Json;
use axum::extract::State;
use axum::response::Response;
use http::StatusCode;
use lombard_domain::ids::ConsentId;
use lombard_domain::version::Version;
use lombard_service::payments::vrp_migration::{FailedMigration, MigratedBatch, MigrationFailure};
use lombard_wire::errors::ErrorEntry;
use serde::{Deserialize, Serialize};

/// The result of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct VrpMigrationView {
    /// The number of consents that were migrated, or would be in a dry run.
    pub migrated: usize,
    /// The number of consents that their TPP migrated or deleted meanwhile, or that kept changing.
    pub skipped: usize,
    /// The number of consents to migrate before the batch.
    pub total: u64,
    /// The consents that cannot be migrated.
    pub failed: Vec<FailedMigrationView>,
    /// The last consent of the batch; absent if no consent was left.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last: Option<ConsentId>,
}

/// A consent that cannot be migrated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FailedMigrationView {
    /// The id of the consent.
    pub consent: ConsentId,
    /// The reasons in words, without values of the consent.
    pub causes: Vec<String>,
}

impl From<MigratedBatch> for VrpMigrationView {
    fn from(MigratedBatch { migrated, skipped, failed, total, last }: MigratedBatch) -> Self {
        Self { migrated, skipped, failed: failed.into_iter().map(FailedMigrationView::from).collect(), total, last }
    }
}

impl From<FailedMigration> for FailedMigrationView {
    fn from(FailedMigration { consent, cause }: FailedMigration) -> Self {
        let causes = match cause {
            MigrationFailure::Unreadable => vec!["the stored consent cannot be read".to_owned()],
            MigrationFailure::Refused(faults) => faults
                .into_iter()
                .map(|fault| {
                    let ErrorEntry { error_code, message, path, .. } = ErrorEntry::from_fault(fault, Version::V4_0);
                    let at = path.map(|path| format!(" at {path}")).unwrap_or_default();
                    format!("{error_code}{at}: {message}")
                })
                .collect(),
        };
        Self { consent, causes }
    }
}

/// `POST /operations/vrp/migrate`.
pub(super) async fn migrate(
    State(operations): State<Ops>,
    Staff(act): Staff,
    Json(order): Json<VrpMigration>,
) -> Response {
    let migrated: Result<_, OperationError> = operations.vrp_migrate(&act, order).await;
    render_result(StatusCode::OK, migrated.map(VrpMigrationView::from))
}
