//! The interface of a database engine within this crate.

use crate::session::SnapshotScope;
use crate::statement::SqlStatement;
use crate::value::SqlValue;
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

    /// Runs statements that are transactions by themselves, on an engine with a server.
    fn single_statements(&self) -> Option<&dyn SingleStatements> {
        None
    }

    /// What was exchanged with a server so far; nothing on an engine without one.
    fn traffic(&self) -> DatabaseTraffic {
        DatabaseTraffic::default()
    }
}

/// Runs hand-written statements that are transactions by themselves: each saves the round trips of a transaction. A statement that the
/// server refuses because of its rows, or in favour of another transaction, has written nothing and returns nothing.
#[async_trait]
pub trait SingleStatements: Send + Sync {
    /// Runs a statement and returns how many rows it returned.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn run(&self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError>;

    /// Runs a statement that takes a set of rows, one array for each column, for this row and those of other callers that wait. It
    /// returns the numbers of the rows that it carried out, from 1. Returns whether this row is among them.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn run_in_group(
        &self,
        statement: &'static SqlStatement,
        row: Vec<SqlValue<'static>>,
    ) -> Result<bool, StoreError>;
}
