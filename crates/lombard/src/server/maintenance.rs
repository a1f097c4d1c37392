//! Operators' acts on notices of maintenance, on a running server or on the database if no server runs.

use super::acts::log_record;
use super::operation_errors::{failed, refused};
use super::operations::Operator;
use lombard_domain::audit::AuditRecord;
use lombard_domain::maintenance::MaintenanceNotice;
use lombard_domain::staff::StaffAct;
use lombard_ops::{MaintenanceCommand, NoticeListView, NoticeView, OperationError};
use lombard_service::maintenance::{
    MaintenanceError, PublishedNotice, PublishedNotices, change_maintenance, list_notices,
};

impl Operator {
    /// Carries out an act on notices, of which the audit log tells.
    ///
    /// # Errors
    /// [`OperationError::Refused`] with a sentence; nothing is changed then.
    pub async fn maintenance_change(
        &self,
        act: &StaffAct,
        command: MaintenanceCommand,
    ) -> Result<NoticeView, OperationError> {
        let change = command.into_change().map_err(refused)?;
        let action = change.action();
        let (store, ids, now) = self.stored();
        let id = ids.random_id().hyphenated().to_string();
        // The first part of the id is enough among at most some hundred notices, and can be typed.
        let id = id.split('-').next().unwrap_or_default().to_owned();
        let record = self.audit().record_of(act, action, "");
        let changed = change_maintenance(store, id.into(), now, change, record.clone()).await;
        let notice = changed.map_err(|error| match error {
            MaintenanceError::Store(error) => failed(error),
            refusal => refused(refusal.to_string()),
        })?;
        log_record(&AuditRecord { target: notice.id.as_str().to_owned(), ..record });
        Ok(NoticeView::new(&notice, notice.status(now)))
    }

    /// Lists the notices that are not over, and those of the last 90 days.
    ///
    /// # Errors
    /// [`OperationError::Failed`].
    pub async fn maintenance_notices(&self) -> Result<NoticeListView, OperationError> {
        let (store, _, now) = self.stored();
        let notices = list_notices(store, now).await.map_err(failed)?;
        let with_status = |notice: MaintenanceNotice| PublishedNotice { status: notice.status(now), notice };
        let published = PublishedNotices { notices: notices.into_iter().map(with_status).collect(), revision: 0 };
        Ok(NoticeListView::of(&published))
    }
}
