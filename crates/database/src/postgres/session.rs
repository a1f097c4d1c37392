//! One connection as [`SqlDriver`].
//!
//! The transaction begins with its first statement, in the same round trip.

use super::errors::{failure, unanswered, unavailable};
use crate::session::{ReadRow, ReadRowOf, SnapshotScope, SqlDriver, TransactionAccess};
use crate::statement::SqlStatement;
use crate::value::{SqlCell, SqlCells, SqlRow, SqlValue};
use bytes::BytesMut;
use deadpool_postgres::{Client, Object};
use futures_util::future::{join, try_join_all};
use lombard_ports::store::{Source, StoreError};
use std::future::Future;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::error::Elapsed;
use tokio::time::timeout;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Error, Row as PgRow};

/// Statements sent before their answers are awaited.
const PIPELINE: usize = 512;

/// Removes the server's statement timeout until the transaction ends.
const UNBOUNDED: SqlStatement =
    SqlStatement { table: "(transaction)", sqlite: "", postgres: "SET LOCAL statement_timeout = 0" };

/// What begins a transaction; `None` for a query that needs none around it.
const fn begin_text(access: TransactionAccess) -> Option<&'static str> {
    match access {
        TransactionAccess::Read(SnapshotScope::Transaction) => Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        TransactionAccess::Read(SnapshotScope::Query) => None,
        TransactionAccess::Write => Some("BEGIN ISOLATION LEVEL READ COMMITTED"),
    }
}

/// Checks once that the server supports both isolation levels. Later `BEGIN` is sent together with the first statement, which
/// would be committed on its own if `BEGIN` were refused.
pub(super) async fn require_isolation(client: &Client) -> Result<(), StoreError> {
    let read = TransactionAccess::Read(SnapshotScope::Transaction);
    for begin in [read, TransactionAccess::Write].into_iter().filter_map(begin_text) {
        client.batch_execute(begin).await.map_err(unavailable)?;
        client.batch_execute("ROLLBACK").await.map_err(unavailable)?;
    }
    Ok(())
}

/// A connection of the pool with a transaction on it.
#[derive(Debug)]
pub(super) struct PostgresConnection {
    client: Object,
    handle: Handle,
    access: TransactionAccess,
    /// The longest wait for a round trip; `None` after the time limit was lifted for this transaction.
    answer: Option<Duration>,
    begun: bool,
    broken: bool,
}

impl PostgresConnection {
    pub(super) const fn new(client: Object, handle: Handle, access: TransactionAccess, answer: Duration) -> Self {
        Self { client, handle, access, answer: Some(answer), begun: false, broken: false }
    }

    pub(super) fn commit(&mut self) -> Result<(), StoreError> {
        self.end("COMMIT")
    }

    pub(super) fn roll_back(&mut self) -> Result<(), StoreError> {
        self.end("ROLLBACK")
    }

    fn end(&mut self, how: &str) -> Result<(), StoreError> {
        if !std::mem::take(&mut self.begun) {
            return Ok(());
        }
        if self.broken {
            // The server rolls back when the connection closes.
            return if how == "ROLLBACK" { Ok(()) } else { Err(unanswered()) };
        }
        let Ok(ended) = self.handle.block_on(within(self.answer, self.client.batch_execute(how))) else {
            self.broken = true;
            return Err(unanswered());
        };
        // A connection with an open transaction must not return to the pool. A transaction that the server refused to commit
        // has ended.
        self.broken = ended.as_ref().is_err_and(|error| error.as_db_error().is_none() || how == "ROLLBACK");
        ended.map_err(unavailable)
    }

    /// Returns the connection for another attempt; `None` if it is broken.
    pub(super) fn again(self) -> Option<Self> {
        if self.broken {
            // Removed from the pool and closed.
            drop(Object::take(self.client));
            return None;
        }
        Some(self)
    }

    /// Runs statements. The first ones are sent in the same round trip as `BEGIN`.
    fn drive<'s, T, F>(
        &'s mut self,
        statement: &SqlStatement,
        work: impl FnOnce(&'s Client, tokio_postgres::Statement) -> F,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, Error>> + 's,
    {
        if self.broken {
            return Err(unanswered());
        }
        let begin = begin_text(self.access).filter(|_| !self.begun);
        self.begun |= begin.is_some();
        let client = &self.client;
        let driven = async move {
            let prepared = client.prepare_cached(statement.postgres).await;
            match (prepared, begin) {
                (Ok(prepared), Some(begin)) => {
                    let (begun, done) = join(client.batch_execute(begin), work(client, prepared)).await;
                    begun.and(done)
                }
                (Ok(prepared), None) => work(client, prepared).await,
                (Err(error), _) => Err(error),
            }
        };
        match self.handle.block_on(within(self.answer, driven)) {
            Ok(driven) => driven.map_err(|error| failure(statement, error)),
            Err(_) => {
                self.broken = true;
                Err(unanswered())
            }
        }
    }
}

/// Waits for the server up to this limit.
async fn within<W: Future>(limit: Option<Duration>, work: W) -> Result<W::Output, Elapsed> {
    match limit {
        Some(limit) => timeout(limit, work).await,
        None => Ok(work.await),
    }
}

impl SqlDriver for PostgresConnection {
    fn take_time(&mut self) -> Result<(), StoreError> {
        self.execute(&UNBOUNDED, &[])?;
        self.answer = None;
        Ok(())
    }

    fn execute(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        self.drive(statement, |client, prepared| async move { client.execute(&prepared, &bound(parameters)).await })
    }

    fn execute_many(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<Vec<u64>, StoreError> {
        let mut changed = Vec::with_capacity(sets.len());
        for some in sets.chunks(PIPELINE) {
            changed.extend(self.drive(statement, |client, prepared| async move {
                let prepared = &prepared;
                let each = some.iter().map(|set| async move { client.execute(prepared, &bound(set)).await });
                try_join_all(each).await
            })?);
        }
        Ok(changed)
    }

    fn query(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        if finds_nothing(statement, parameters) {
            return Ok(());
        }
        let rows =
            self.drive(statement, |client, prepared| async move { client.query(&prepared, &bound(parameters)).await })?;
        rows.iter().try_for_each(|row| read(&mut SqlRow::new(statement.table, row)))
    }

    fn query_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError> {
        for (chunk, some) in sets.chunks(PIPELINE).enumerate() {
            let answers = self.drive(statement, |client, prepared| async move {
                let prepared = &prepared;
                let each = some.iter().map(|set| async move {
                    if finds_nothing(statement, set) {
                        return Ok(Vec::new());
                    }
                    client.query(prepared, &bound(set)).await
                });
                try_join_all(each).await
            })?;
            for (place, rows) in answers.iter().enumerate() {
                for row in rows {
                    read(chunk * PIPELINE + place, &mut SqlRow::new(statement.table, row))?;
                }
            }
        }
        Ok(())
    }
}

/// Whether a query has a text parameter with a NUL, which no row of PostgreSQL can contain (SQLite stores it). Callers choose
/// the ids they query, so PostgreSQL's refusal must not become an internal error (RW-102). A statement that writes such a text
/// does fail.
fn finds_nothing(statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> bool {
    let holds_nul = |parameter: &SqlValue<'_>| match parameter {
        SqlValue::Text(text) => text.contains('\0'),
        SqlValue::Owned(text) => text.contains('\0'),
        SqlValue::Null | SqlValue::Integer(_) | SqlValue::Bytes(_) | SqlValue::Digest(_) | SqlValue::List(_) => false,
    };
    statement.postgres.starts_with("SELECT") && parameters.iter().any(holds_nul)
}

fn bound<'p>(parameters: &'p [SqlValue<'_>]) -> Vec<&'p (dyn ToSql + Sync)> {
    parameters.iter().map(|parameter| parameter as &(dyn ToSql + Sync)).collect()
}

impl ToSql for SqlValue<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Source> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(value) => value.to_sql_checked(ty, out),
            Self::Text(text) => text.to_sql_checked(ty, out),
            Self::Owned(text) => text.to_sql_checked(ty, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(ty, out),
            Self::Digest(bytes) => bytes.as_slice().to_sql_checked(ty, out),
            Self::List(texts) => texts.to_sql_checked(ty, out),
        }
    }

    fn accepts(_: &Type) -> bool {
        // The type of each value was checked above.
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for SqlCell<'a> {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Source> {
        match *ty {
            Type::INT8 => i64::from_sql(ty, raw).map(SqlCell::Integer),
            Type::BYTEA => <&[u8]>::from_sql(ty, raw).map(SqlCell::Bytes),
            _ => <&str>::from_sql(ty, raw).map(SqlCell::Text),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, Source> {
        Ok(SqlCell::Null)
    }

    fn accepts(ty: &Type) -> bool {
        matches!(*ty, Type::INT8 | Type::BYTEA | Type::TEXT | Type::VARCHAR)
    }
}

impl SqlCells for PgRow {
    fn cell(&self, column: usize) -> Result<SqlCell<'_>, Source> {
        Ok(self.try_get(column)?)
    }
}
