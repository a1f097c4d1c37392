//! The interface of a database engine within this crate.

use crate::session::SnapshotScope;
use crate::statement::SqlStatement;
use crate::value::SqlValue;
use crate::{DatabaseTraffic, Work};
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_ports::store::StoreError;
use std::fmt;

/// An open database of one engine.
#[async_trait]
pub(crate) trait Engine: Send + Sync + fmt::Debug {
    async fn write(&self, work: Work) -> Result<(), StoreError>;

    async fn read(&self, scope: SnapshotScope, work: Work) -> Result<(), StoreError>;

    /// Asks the database for an answer, without a lock on any table and without a connection that requests use. Returns the time of the
    /// database's server, if it has one.
    async fn ping(&self) -> Result<Option<Timestamp>, StoreError>;

    /// Whether a read waits for a database server.
    fn waits_for_server(&self) -> bool {
        false
    }

    /// Runs statements that are transactions by themselves, on an engine with a server.
    fn single_statements(&self) -> Option<&dyn SingleStatements> {
        None
    }

    /// The use of the pool of connections, if there is one.
    fn pool_use(&self) -> Option<PoolUse> {
        None
    }

    /// The round trips and statements to a server so far; zero on an engine without a server.
    fn traffic(&self) -> DatabaseTraffic {
        DatabaseTraffic::default()
    }
}

/// The use of a pool of connections at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PoolUse {
    /// The connections that transactions have, and those that reads of one query share.
    pub in_use: usize,
    /// The open connections that nobody has.
    pub idle: usize,
    /// The most connections.
    pub connections_max: usize,
    /// The transactions that wait for a connection.
    pub waiting: usize,
}

/// Runs hand-written statements that are transactions by themselves, which saves the round trips of a transaction. A statement
/// that the server refuses because of its rows, or in favour of another transaction, writes nothing and returns no rows.
#[async_trait]
pub trait SingleStatements: Send + Sync {
    /// Runs a statement and returns how many rows it returned.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn run(&self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError>;

    /// Runs a statement that takes a set of rows, one array for each column. The set consists of this row and those of other
    /// waiting callers. The statement must return the numbers, from 1, of the rows that it has processed. Returns whether this
    /// row is among them.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    async fn run_in_group(
        &self,
        statement: &'static SqlStatement,
        row: Vec<SqlValue<'static>>,
    ) -> Result<bool, StoreError>;
}
