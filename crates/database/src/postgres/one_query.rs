//! Reads of one query, without a transaction and without a thread: the closure is run once to learn its query, and again with the rows.
//!
//! This is possible because such a closure reads nothing before its query. Its other effects happen twice.

use super::exchange::Wanted;
use super::group_read::GroupReads;
use super::owned_statement::OwnedStatement;
use crate::Work;
use crate::driver::{Definition, Query, ReadRow, ReadRowOf, SqlDriver};
use crate::session::{SnapshotScope, SqlTransaction, TransactionAccess, TransactionEnding};
use crate::statement::SqlStatement;
use crate::value::{SqlRow, SqlValue};
use lombard_ports::store::StoreError;
use tokio_postgres::Row as PgRow;

const ACCESS: TransactionAccess = TransactionAccess::Read(SnapshotScope::Query);

/// Runs a read of one query.
pub(super) async fn read(reads: &GroupReads, work: &mut Work) -> Result<(), StoreError> {
    let mut first = OneQuery { query: None, rows: None };
    let ending = SqlTransaction::new(&mut first, ACCESS).run(work);
    let Some(query) = first.query else { return outcome(ending) };
    let rows = reads.ask(query.clone()).await?;
    let mut second = OneQuery { query: Some(query), rows: Some(rows) };
    outcome(SqlTransaction::new(&mut second, ACCESS).run(work))
}

fn outcome(ending: TransactionEnding) -> Result<(), StoreError> {
    match ending {
        TransactionEnding::Commit { .. } | TransactionEnding::RollBack => Ok(()),
        TransactionEnding::Again => Err(StoreError::Contended),
        TransactionEnding::Fail(error) => Err(error),
    }
}

/// One run of the closure.
struct OneQuery {
    /// The query, once the first run has made it.
    query: Option<OwnedStatement>,
    /// Its rows, in the second run, until they are read.
    rows: Option<Vec<PgRow>>,
}

impl OneQuery {
    /// The rows of the query. In the first run the closure gets an error that is discarded.
    fn ask(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<Vec<PgRow>, StoreError> {
        let Some(known) = &self.query else {
            self.query = Some(OwnedStatement::new(statement, parameters, Wanted::Rows));
            return Err(StoreError::Unavailable("the rows have not arrived".into()));
        };
        if !known.is_same(statement, parameters) {
            return Err(StoreError::Unavailable("a read of one query asked for another one in its second run".into()));
        }
        self.rows.take().ok_or_else(|| StoreError::Unavailable("a second query in a read of one query".into()))
    }
}

/// The error of an operation that is not allowed in a read.
fn read_only() -> StoreError {
    StoreError::Unavailable("the transaction is read-only".into())
}

impl SqlDriver for OneQuery {
    fn define(&mut self, _: &Definition) -> Result<(), StoreError> {
        Err(read_only())
    }

    fn execute(&mut self, _: &SqlStatement, _: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        Err(read_only())
    }

    fn execute_many(&mut self, _: &SqlStatement, _: &[Vec<SqlValue<'_>>]) -> Result<Vec<u64>, StoreError> {
        Err(read_only())
    }

    fn query(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        let rows = self.ask(statement, parameters)?;
        rows.iter().try_for_each(|row| read(&mut SqlRow::new(statement.table, row)))
    }

    fn query_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError> {
        sets.iter().enumerate().try_for_each(|(place, set)| self.query(statement, set, &mut |row| read(place, row)))
    }

    fn query_together(&mut self, queries: &[Query<'_>], read: ReadRowOf<'_>) -> Result<(), StoreError> {
        let each = queries.iter().enumerate();
        each.into_iter()
            .try_for_each(|(place, it)| self.query(it.statement, &it.parameters, &mut |row| read(place, row)))
    }
}
