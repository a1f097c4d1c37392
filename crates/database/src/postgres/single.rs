//! Hand-written statements that are transactions by themselves: one round trip each, without `BEGIN` and `COMMIT`.

use super::Postgres;
use super::errors::is_of_rows;
use super::exchange::{Outgoing, Wanted};
use super::patience::within_request;
use crate::engine::SingleStatements;
use crate::session::TransactionAccess;
use crate::statement::SqlStatement;
use crate::value::SqlValue;
use async_trait::async_trait;
use lombard_ports::store::StoreError;

#[async_trait]
impl SingleStatements for Postgres {
    async fn run(&self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        let sent = within_request(self.connections.patience(), async {
            let mut connection = self.connections.begin(TransactionAccess::Write).await?;
            let sent =
                connection.run_single(Outgoing { statement: *statement, parameters, wanted: Wanted::Rows }).await;
            // A connection that does not answer is not used again.
            drop(connection.again());
            Ok(sent)
        });
        let rows = match sent.await?.map_err(|failed| failed.error) {
            Ok(answer) => answer.count(),
            Err(error) if is_of_rows(&error) => 0,
            Err(error) => return Err(error),
        };
        self.count_retry(rows > 0);
        Ok(rows)
    }

    async fn run_in_group(
        &self,
        statement: &'static SqlStatement,
        row: Vec<SqlValue<'static>>,
    ) -> Result<bool, StoreError> {
        let limit = self.connections.patience();
        let is_carried_out = within_request(limit, self.group_writes.run(statement, row)).await?;
        self.count_retry(is_carried_out);
        Ok(is_carried_out)
    }
}

impl Postgres {
    /// Counts a statement that did not succeed as a retry, because a transaction then makes a second attempt.
    fn count_retry(&self, is_carried_out: bool) {
        if !is_carried_out {
            self.connections.meters.retried();
        }
    }
}
