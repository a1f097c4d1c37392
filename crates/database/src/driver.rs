//! The operations of an engine on a transaction in progress.

use crate::statement::SqlStatement;
use crate::value::{SqlRow, SqlValue};
use lombard_ports::store::StoreError;

/// The driver of an engine. Row functions are called with every row in order.
pub(crate) trait SqlDriver {
    /// Removes the statement timeout for this transaction, on an engine that has one.
    fn take_time(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Runs a statement that is composed at run time and has no parameters. Such statements are for rare work on whole tables and
    /// have no time limit.
    fn define(&mut self, definition: &Definition) -> Result<(), StoreError>;

    /// Runs a statement and returns how many rows it changed.
    fn execute(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError>;

    /// Runs a statement whose number of changed rows is not needed. An engine may send it together with the next statement whose
    /// result is awaited, or with the commit, and reports a failure there.
    fn execute_later(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<(), StoreError> {
        self.execute(statement, parameters).map(drop)
    }

    /// Like [`Self::execute_later`], for a statement that must change exactly one row. Returns `false` if the statement is
    /// already known to have changed none.
    fn require_one_later(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<bool, StoreError> {
        Ok(self.execute(statement, parameters)? == 1)
    }

    /// Runs a statement once for each set of parameters, in as few round trips as the engine can.
    fn execute_many(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<Vec<u64>, StoreError>;

    /// Like [`Self::execute_later`], once for each set of parameters.
    fn execute_many_later(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<(), StoreError> {
        self.execute_many(statement, sets).map(drop)
    }

    /// Runs a statement that adds a set of rows. On PostgreSQL its parameters are the columns of the set; SQLite, which has no
    /// arrays, adds several rows at once or one by one. A failure may be reported later, as for [`Self::execute_later`].
    fn insert_set_later(&mut self, statement: &SqlStatement, rows: &[Vec<SqlValue<'_>>]) -> Result<(), StoreError> {
        self.execute_many(statement, rows).map(drop)
    }

    /// Like [`Self::insert_set_later`], for a statement that must change exactly one row for each row of the set. Returns the
    /// index of a row for which the statement is already known to have changed none.
    fn update_set_later(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
    ) -> Result<Option<usize>, StoreError> {
        Ok(self.execute_many(statement, rows)?.iter().position(|changed| *changed != 1))
    }

    /// Like [`Self::insert_set_later`], for a statement that returns rows, which are awaited.
    fn query_set(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        rows.iter().try_for_each(|row| self.query(statement, row, read))
    }

    /// Waits for the answers to all statements so far.
    fn confirm(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Runs a query.
    fn query(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError>;

    /// Runs a query once for each set of parameters, in as few round trips as the engine can. The row function gets the number of
    /// the set; the sets are processed in order.
    fn query_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError>;

    /// Runs several queries, in their order, in as few round trips as the engine can. The row function gets the number of the
    /// query; the queries are processed in order.
    fn query_together(&mut self, queries: &[Query<'_>], read: ReadRowOf<'_>) -> Result<(), StoreError>;
}

/// A statement that is composed at run time.
#[derive(Debug)]
pub(crate) struct Definition {
    /// The text for SQLite.
    pub(crate) sqlite: String,
    /// The text for PostgreSQL.
    pub(crate) postgres: String,
}

/// One of several queries that are sent together.
#[derive(Debug)]
pub struct Query<'q> {
    /// The query.
    pub statement: &'q SqlStatement,
    /// Its parameters.
    pub parameters: Vec<SqlValue<'q>>,
}

impl<'q> Query<'q> {
    /// A query with its parameters.
    pub fn new(statement: &'q SqlStatement, parameters: impl Into<Vec<SqlValue<'q>>>) -> Self {
        Self { statement, parameters: parameters.into() }
    }
}

/// The function called with each row of a query.
pub(crate) type ReadRow<'f> = &'f mut dyn FnMut(&mut SqlRow<'_>) -> Result<(), StoreError>;

/// The function called with each row of several queries and the number of the query.
pub(crate) type ReadRowOf<'f> = &'f mut dyn FnMut(usize, &mut SqlRow<'_>) -> Result<(), StoreError>;
