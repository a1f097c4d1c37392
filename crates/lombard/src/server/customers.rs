//! Operators' acts on the records of one customer, on a running server or on the database if no server runs.

use super::operation_errors::{failed, refused};
use super::operations::Operator;
use lombard_domain::audit::AuditAction;
use lombard_domain::ids::PsuId;
use lombard_domain::operator_changes::ChangeReason;
use lombard_domain::retention::CustomerHold;
use lombard_domain::staff::StaffAct;
use lombard_ops::{CustomerChange, CustomerChangeView, CustomerExportView, OperationError};
use lombard_sandbox::controls::snapshot_names;
use lombard_service::customers::{CustomerError, erase_customer, export_customer, hold_customer, release_customer};
use lombard_service::{Context, Failure};

/// The error of a program that embeds no core.
const NO_CORE: &str =
    "this program embeds no core, which holds data of the customer: run the program of bank.kind = \"embedded\"";

/// The error of an act without a reason.
const NO_REASON: &str = "say why you act on records of a customer: --reason TEXT";

impl Operator {
    /// Exports everything that is held about a customer, and records the act in the audit log.
    ///
    /// # Errors
    /// [`OperationError::Refused`] without a reason or a core, or if the core does not answer; [`OperationError::Failed`].
    pub async fn customer_export(&self, act: &StaffAct, psu: &PsuId) -> Result<CustomerExportView, OperationError> {
        require_reason(act)?;
        let exported = export_customer(self.context()?, psu).await.map_err(not_done)?;
        self.audit().write_act(act, AuditAction::CustomerExport, psu.as_str()).await?;
        Ok(CustomerExportView::new(psu, exported))
    }

    /// Holds, releases or erases the records of a customer, and records the act in the audit log. The entry of an erasure names the pseudonym, not the
    /// customer.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence; [`OperationError::Failed`].
    pub async fn customer_change(
        &self,
        act: &StaffAct,
        psu: &PsuId,
        change: CustomerChange,
    ) -> Result<CustomerChangeView, OperationError> {
        let reason = require_reason(act)?;
        let mut view = CustomerChangeView { customer: psu.as_str().to_owned(), erasure: None };
        match change {
            CustomerChange::Hold => {
                let (store, _, held_at) = self.stored();
                let hold = CustomerHold { psu: psu.clone(), held_at, held_by: act.member.name.clone(), reason };
                hold_customer(store, hold).await.map_err(not_done)?;
                self.audit().write_act(act, AuditAction::CustomerHold, psu.as_str()).await?;
            }
            CustomerChange::Release => {
                release_customer(self.store(), psu).await.map_err(not_done)?;
                self.audit().write_act(act, AuditAction::CustomerRelease, psu.as_str()).await?;
            }
            CustomerChange::Erase => {
                self.require_no_snapshots().await?;
                let erasure = erase_customer(self.context()?, act, psu).await.map_err(not_done)?;
                self.audit().write_act(act, AuditAction::CustomerErase, erasure.pseudonym.as_str()).await?;
                view.erasure = Some(erasure.into());
            }
        }
        Ok(view)
    }

    /// The context of use-cases that need the core.
    fn context(&self) -> Result<&Context, OperationError> {
        self.context.as_ref().ok_or_else(|| refused(NO_CORE))
    }

    /// Refuses an erasure while a sandbox has snapshots, which are copies of the tables.
    async fn require_no_snapshots(&self) -> Result<(), OperationError> {
        let names = self.store().read(|tx| snapshot_names(tx)).await.map_err(failed)?;
        if names.is_empty() {
            return Ok(());
        }
        let names = names.join(", ");
        Err(refused(format!("the snapshots {names} have copies of the records; remove them first: lombard sandbox")))
    }
}

fn require_reason(act: &StaffAct) -> Result<ChangeReason, OperationError> {
    act.reason.clone().ok_or_else(|| refused(NO_REASON))
}

fn not_done(error: CustomerError) -> OperationError {
    match error {
        CustomerError::Failed(Failure::Unavailable(cause)) => refused(format!(
            "the core or the database does not answer ({cause}). Start it again; what was done stays done."
        )),
        CustomerError::Failed(failure) => failed(failure),
        refusal => refused(refusal.to_string()),
    }
}
