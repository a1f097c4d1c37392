//! The quarantine of a store, as a port for operators and workers.

use super::quarantine::{QuarantineStore, QuarantinedWork};
use super::{Store, StoreError, Tables};
use crate::failed_work::WorkKind;
use async_trait::async_trait;
use std::fmt;

/// The quarantine as shown to operators.
#[async_trait]
pub trait Quarantine: Send + Sync + fmt::Debug {
    /// The oldest quarantined work, and the total by kind.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn contents(&self, limit: u32) -> Result<(Vec<QuarantinedWork>, Vec<(WorkKind, u64)>), StoreError>;

    /// The total by kind.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn counts(&self) -> Result<Vec<(WorkKind, u64)>, StoreError>;

    /// Releases work, as [`QuarantineStore::quarantine_release`].
    ///
    /// # Errors
    /// [`StoreError`].
    async fn release(&self, number: Option<i64>) -> Result<u64, StoreError>;
}

#[async_trait]
impl<T: Tables> Quarantine for Store<T>
where
    for<'t> T::Transaction<'t>: QuarantineStore,
{
    async fn contents(&self, limit: u32) -> Result<(Vec<QuarantinedWork>, Vec<(WorkKind, u64)>), StoreError> {
        self.read(move |tx| Ok((tx.quarantined(0, limit)?, tx.quarantined_counts()?))).await
    }

    async fn counts(&self) -> Result<Vec<(WorkKind, u64)>, StoreError> {
        self.read(|tx| tx.quarantined_counts()).await
    }

    async fn release(&self, number: Option<i64>) -> Result<u64, StoreError> {
        self.write(move |tx| tx.quarantine_release(number)).await
    }
}
