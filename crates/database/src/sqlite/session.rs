//! One connection as an implementation of [`SqlDriver`].

use super::row_sets;
use crate::driver::{Definition, Query, ReadRow, ReadRowOf, SqlDriver};
use crate::statement::SqlStatement;
use crate::value::{SqlCell, SqlCells, SqlRow, SqlValue};
use lombard_ports::store::{Source, StoreError};
use rusqlite::types::{Null, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, Error, ErrorCode, Statement, ToSql, ffi};
use std::slice::ChunksExact;

impl SqlDriver for &Connection {
    fn define(&mut self, definition: &Definition) -> Result<(), StoreError> {
        let defining = SqlStatement { table: "(definition)", sqlite: "", postgres: "" };
        Connection::execute(self, &definition.sqlite, []).map(drop).map_err(|error| failure(&defining, error))
    }

    fn execute(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        let mut prepared = prepare(self, statement)?;
        run(&mut prepared, parameters).map_err(|error| failure(statement, error))
    }

    fn execute_many(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<Vec<u64>, StoreError> {
        let mut prepared = prepare(self, statement)?;
        sets.iter().map(|set| run(&mut prepared, set).map_err(|error| failure(statement, error))).collect()
    }

    fn insert_set_later(&mut self, statement: &SqlStatement, rows: &[Vec<SqlValue<'_>>]) -> Result<(), StoreError> {
        let (sets, rest) = split_sets(statement, rows);
        if let Some((text, sets)) = sets {
            // The statement is not cached, because the cache has room for the statements of the schemas only.
            let mut prepared = self.prepare(&text).map_err(|error| failure(statement, error))?;
            for set in sets {
                bind_set(&mut prepared, set)
                    .and_then(|()| prepared.raw_execute())
                    .map_err(|error| failure(statement, error))?;
            }
        }
        self.execute_many(statement, rest).map(drop)
    }

    fn query_set(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        let (sets, rest) = split_sets(statement, rows);
        if let Some((text, sets)) = sets {
            let mut prepared = self.prepare(&text).map_err(|error| failure(statement, error))?;
            for set in sets {
                bind_set(&mut prepared, set).map_err(|error| failure(statement, error))?;
                read_all(&mut prepared, statement, read)?;
            }
        }
        rest.iter().try_for_each(|row| self.query(statement, row, read))
    }

    fn query(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        let mut prepared = prepare(self, statement)?;
        bind(&mut prepared, parameters).map_err(|error| failure(statement, error))?;
        read_all(&mut prepared, statement, read)
    }

    fn query_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError> {
        for (number, set) in sets.iter().enumerate() {
            self.query(statement, set, &mut |row| read(number, row))?;
        }
        Ok(())
    }

    fn query_together(&mut self, queries: &[Query<'_>], read: ReadRowOf<'_>) -> Result<(), StoreError> {
        for (number, query) in queries.iter().enumerate() {
            self.query(query.statement, &query.parameters, &mut |row| read(number, row))?;
        }
        Ok(())
    }
}

/// Complete sets of rows, each added by one statement with this text, and the remaining rows, which are added one by one.
type RowSets<'r, 'v> = (Option<(String, ChunksExact<'r, Vec<SqlValue<'v>>>)>, &'r [Vec<SqlValue<'v>>]);

fn split_sets<'r, 'v>(statement: &SqlStatement, rows: &'r [Vec<SqlValue<'v>>]) -> RowSets<'r, 'v> {
    let sets = rows.chunks_exact(row_sets::ROWS);
    if sets.len() == 0 {
        return (None, rows);
    }
    match row_sets::for_many_rows(statement.sqlite) {
        Some(text) => {
            let rest = sets.remainder();
            (Some((text, sets)), rest)
        }
        None => (None, rows),
    }
}

/// Reads the rows of a statement whose parameters are bound.
fn read_all(prepared: &mut Statement<'_>, statement: &SqlStatement, read: ReadRow<'_>) -> Result<(), StoreError> {
    let mut rows = prepared.raw_query();
    while let Some(row) = rows.next().map_err(|error| failure(statement, error))? {
        read(&mut SqlRow::new(statement.table, row))?;
    }
    Ok(())
}

fn prepare<'c>(connection: &'c Connection, statement: &SqlStatement) -> Result<CachedStatement<'c>, StoreError> {
    connection.prepare_cached(statement.sqlite).map_err(|error| failure(statement, error))
}

/// Runs a transaction control statement.
pub(super) fn run_statement(connection: &Connection, sql: &str) -> Result<(), StoreError> {
    connection.prepare_cached(sql).and_then(|mut it| it.execute([])).map_err(unavailable).map(drop)
}

fn run(prepared: &mut CachedStatement<'_>, parameters: &[SqlValue<'_>]) -> rusqlite::Result<u64> {
    bind(prepared, parameters)?;
    let rows = prepared.raw_execute()?;
    Ok(u64::try_from(rows).unwrap_or(u64::MAX))
}

/// Binds the parameters of a set of rows. Every row must have the same number of values, because otherwise the values of later
/// rows would shift into other columns.
fn bind_set(prepared: &mut Statement<'_>, rows: &[Vec<SqlValue<'_>>]) -> rusqlite::Result<()> {
    let expected = prepared.parameter_count();
    match rows.iter().find(|row| row.len().saturating_mul(rows.len()) != expected) {
        Some(row) => Err(Error::InvalidParameterCount(row.len(), expected)),
        None => bind(prepared, rows.iter().flatten()),
    }
}

/// Binds parameters by position: statements number their parameters in the order in which they first appear.
fn bind<'p, 'v: 'p>(
    prepared: &mut Statement<'_>,
    parameters: impl IntoIterator<Item = &'p SqlValue<'v>>,
) -> rusqlite::Result<()> {
    for (position, parameter) in (1_usize..).zip(parameters) {
        prepared.raw_bind_parameter(position, parameter)?;
    }
    Ok(())
}

impl ToSql for SqlValue<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => Null.into(),
            Self::Integer(value) => (*value).into(),
            Self::Text(text) => (*text).into(),
            Self::Owned(text) => text.as_str().into(),
            Self::Bytes(bytes) => (*bytes).into(),
            Self::OwnedBytes(bytes) => bytes.as_slice().into(),
            Self::Digest(bytes) => bytes.as_slice().into(),
            Self::List(texts) => json_array(texts)?.into(),
            Self::OwnedList(texts) => json_array(texts)?.into(),
            Self::Integers(_) | Self::Texts(_) => {
                return Err(rusqlite::Error::ToSqlConversionFailure("SQLite takes rows one by one".into()));
            }
        })
    }
}

fn json_array<T: serde::Serialize>(texts: &[T]) -> rusqlite::Result<String> {
    serde_json::to_string(texts).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))
}

impl SqlCells for rusqlite::Row<'_> {
    fn cell(&self, column: usize) -> Result<SqlCell<'_>, Source> {
        Ok(match self.get_ref(column)? {
            ValueRef::Null => SqlCell::Null,
            ValueRef::Integer(value) => SqlCell::Integer(value),
            ValueRef::Text(text) => SqlCell::Text(std::str::from_utf8(text)?),
            ValueRef::Blob(bytes) => SqlCell::Bytes(bytes),
            ValueRef::Real(_) => return Err("a floating-point number is in the row".into()),
        })
    }
}

/// The error of a failed statement.
pub(super) fn failure(statement: &SqlStatement, error: rusqlite::Error) -> StoreError {
    let rusqlite::Error::SqliteFailure(cause, _) = &error else {
        return unavailable(error);
    };
    match (cause.code, cause.extended_code) {
        (_, ffi::SQLITE_CONSTRAINT_UNIQUE | ffi::SQLITE_CONSTRAINT_PRIMARYKEY | ffi::SQLITE_CONSTRAINT_ROWID) => {
            StoreError::Duplicate(statement.table)
        }
        // Another constraint failed, so a retry cannot succeed.
        (ErrorCode::ConstraintViolation, _) => {
            StoreError::Corrupt { table: statement.table, id: String::from("?"), source: error.into() }
        }
        _ => unavailable(error),
    }
}

/// The error of a failed connection, pragma or commit.
pub(super) fn unavailable(error: rusqlite::Error) -> StoreError {
    match error.sqlite_error_code() {
        Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => StoreError::Contended,
        _ => StoreError::Unavailable(error.into()),
    }
}
