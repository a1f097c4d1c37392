//! The interface of a database engine within this crate.

use crate::Work;
use crate::session::SnapshotScope;
use async_trait::async_trait;
use lombard_ports::store::StoreError;
use std::fmt;

/// An open database of one engine.
#[async_trait]
pub(crate) trait Engine: Send + Sync + fmt::Debug {
    async fn write(&self, work: Work) -> Result<(), StoreError>;

    async fn read(&self, scope: SnapshotScope, work: Work) -> Result<(), StoreError>;
}
