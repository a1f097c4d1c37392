//! A statement with its parameters that is sent after the call that requested it has returned.

use super::exchange::{Outgoing, Wanted};
use crate::statement::SqlStatement;
use crate::value::SqlValue;

/// A statement that outlives the call that requested it.
#[derive(Debug, Clone)]
pub(super) struct OwnedStatement {
    statement: SqlStatement,
    parameters: Vec<SqlValue<'static>>,
    wanted: Wanted,
}

impl OwnedStatement {
    pub(super) fn new(statement: &SqlStatement, parameters: &[SqlValue<'_>], wanted: Wanted) -> Self {
        Self { statement: *statement, parameters: parameters.iter().map(SqlValue::to_static).collect(), wanted }
    }

    pub(super) const fn statement(&self) -> &SqlStatement {
        &self.statement
    }

    pub(super) fn parameters(&self) -> &[SqlValue<'static>] {
        &self.parameters
    }

    pub(super) fn outgoing(&self) -> Outgoing<'_> {
        Outgoing { statement: self.statement, parameters: &self.parameters, wanted: self.wanted }
    }

    /// Whether this is the same statement with the same parameters.
    pub(super) fn is_same(&self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> bool {
        std::ptr::eq(self.statement.postgres, statement.postgres)
            && self.parameters.len() == parameters.len()
            && self.parameters.iter().zip(parameters).all(|(mine, theirs)| mine.is_same(theirs))
    }
}
