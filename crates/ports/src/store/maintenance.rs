//! Notices of maintenance and of changes.

use super::StoreError;
use jiff::Timestamp;
use lombard_domain::ids::NoticeId;
use lombard_domain::maintenance::MaintenanceNotice;

/// Notices in storage. They are never removed: reports need past windows, and there are few.
pub trait MaintenanceStore {
    /// The notices that are not over, or were over after this time (wall clock), newest period first; at most `limit`.
    ///
    /// # Errors
    /// [`StoreError`].
    fn notices_over_after(&mut self, over_after: Timestamp, limit: u32) -> Result<Vec<MaintenanceNotice>, StoreError>;

    /// As [`Self::notices_over_after`], for a transaction that changes notices: such transactions wait for each other.
    ///
    /// # Errors
    /// [`StoreError`].
    fn notices_for_change(&mut self, over_after: Timestamp, limit: u32) -> Result<Vec<MaintenanceNotice>, StoreError>;

    /// The notice with this id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn notice(&mut self, id: &NoticeId) -> Result<Option<MaintenanceNotice>, StoreError>;

    /// Stores a notice, and replaces the stored one with its id.
    ///
    /// # Errors
    /// [`StoreError`].
    fn notice_put(&mut self, notice: &MaintenanceNotice) -> Result<(), StoreError>;

    /// The notices of maintenance that stops the service and was, is or will be in force between these times (wall clock), oldest period
    /// first. [`MaintenanceNotice::downtime`] says which part of each is planned. Source: MI-042, MI-044.
    ///
    /// # Errors
    /// [`StoreError`].
    fn maintenance_windows_between(
        &mut self,
        from: Timestamp,
        until: Timestamp,
    ) -> Result<Vec<MaintenanceNotice>, StoreError>;
}
