//! The migration of VRP consents, for operators.

use super::Operator;
use lombard_domain::audit::AuditAction;
use lombard_domain::staff::StaffAct;
use lombard_domain::version::Version;
use lombard_ops::{OperationError, VrpMigration};
use lombard_service::payments::vrp_migration::{MigratedBatch, migrate_vrp_consents};

impl Operator {
    /// Migrates a batch of VRP consents of v3.1 to the form of v4.0. Source: V4-030.
    ///
    /// # Errors
    /// [`OperationError::Refused`] for a client that is not registered; [`OperationError::Failed`].
    pub async fn vrp_migrate(&self, act: &StaffAct, order: VrpMigration) -> Result<MigratedBatch, OperationError> {
        let VrpMigration { client, after, dry_run } = order;
        if let Some(id) = client.clone() {
            let found = self
                .store()
                .read(move |tx| tx.client(&id))
                .await
                .map_err(|error| OperationError::Failed(Box::new(error)))?;
            if found.is_none() {
                return Err(OperationError::Refused("there is no client with this id".to_owned()));
            }
        }
        let convert = lombard_wire::v4_0::upgrade_vrp_consent;
        let stored = (self.store(), &self.consent_reports);
        match migrate_vrp_consents(stored, Version::V3_1, client, after, convert, dry_run).await {
            Ok(batch) => {
                if !dry_run {
                    self.audit().write_act(act, AuditAction::VrpMigrate, "").await?;
                }
                Ok(batch)
            }
            Err(error) => Err(OperationError::Failed(Box::new(error))),
        }
    }
}
