//! Hand-written statements that are transactions by themselves: one round trip each, without `BEGIN` and `COMMIT`.

use super::Postgres;
use super::exchange::{Outgoing, Wanted};
use crate::engine::SingleStatements;
use crate::session::TransactionAccess;
use crate::statement::SqlStatement;
use crate::value::SqlValue;
use async_trait::async_trait;
use lombard_ports::store::StoreError;

/// Whether the server refused a statement because of its rows, or in favour of another transaction.
pub(super) const fn is_of_rows(error: &StoreError) -> bool {
    match error {
        StoreError::Contended | StoreError::Duplicate(_) | StoreError::Corrupt { .. } => true,
        StoreError::Unavailable(_) => false,
    }
}

#[async_trait]
impl SingleStatements for Postgres {
    async fn run(&self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        let mut connection = self.connections.begin(TransactionAccess::Write).await?;
        let sent = connection.run_single(Outgoing { statement: *statement, parameters, wanted: Wanted::Rows }).await;
        // A connection that does not answer is not used again.
        drop(connection.again());
        match sent.map_err(|failed| failed.error) {
            Ok(answer) => Ok(answer.count()),
            Err(error) if is_of_rows(&error) => Ok(0),
            Err(error) => Err(error),
        }
    }

    async fn run_in_group(
        &self,
        statement: &'static SqlStatement,
        row: Vec<SqlValue<'static>>,
    ) -> Result<bool, StoreError> {
        self.group_writes.run(statement, row).await
    }
}
