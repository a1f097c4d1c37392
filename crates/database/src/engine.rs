//! The interface of a database engine within this crate.

use crate::session::SnapshotScope;
use crate::{DatabaseTraffic, Work};
use async_trait::async_trait;
use lombard_ports::store::StoreError;
use std::fmt;

/// An open database of one engine.
#[async_trait]
pub(crate) trait Engine: Send + Sync + fmt::Debug {
    async fn write(&self, work: Work) -> Result<(), StoreError>;

    async fn read(&self, scope: SnapshotScope, work: Work) -> Result<(), StoreError>;

    /// Whether a read waits for a server.
    fn waits_for_server(&self) -> bool {
        false
    }

    /// What was exchanged with a server so far; nothing on an engine without one.
    fn traffic(&self) -> DatabaseTraffic {
        DatabaseTraffic::default()
    }
}
