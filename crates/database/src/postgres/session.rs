//! A connection with a transaction on it: the [`SqlDriver`] of closures, which run on a blocking thread.
//!
//! The transaction begins with its first statement, in the same round trip. Statements whose results are not awaited are kept and
//! sent with the next statement whose result is awaited, or with the commit.

use super::errors::{failure, unanswered};
use super::exchange::{Answer, Bounds, ExchangeError, Outgoing, ROLL_BACK, Wanted, exchange, exchange_set};
use super::owned_statement::OwnedStatement;
use super::shared::discard;
use crate::driver::{Definition, Query, ReadRow, ReadRowOf, SqlDriver};
use crate::session::{SnapshotScope, TransactionAccess, TransactionEnding};
use crate::statement::SqlStatement;
use crate::traffic::TrafficCounters;
use crate::value::{SqlCell, SqlCells, SqlRow, SqlValue};
use bytes::BytesMut;
use deadpool_postgres::Object;
use lombard_domain::ids::ClientId;
use lombard_ports::storage_wait::StorageWait;
use lombard_ports::store::{Source, StoreError};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::time::error::Elapsed;
use tokio::time::timeout;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Client, Row as PgRow};

/// The number of statements that are sent before their answers are awaited.
const PIPELINE: usize = 512;

/// The largest number of rows of one statement.
const SET: usize = 1_000;

/// Removes the server's statement timeout until the transaction ends.
const UNBOUNDED: SqlStatement =
    SqlStatement { table: "(transaction)", sqlite: "", postgres: "SET LOCAL statement_timeout = 0" };

/// The statement that begins a transaction; `None` for a query that needs no transaction.
const fn begin_text(access: TransactionAccess) -> Option<&'static str> {
    match access {
        TransactionAccess::Read(SnapshotScope::Transaction) => Some("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
        TransactionAccess::Read(SnapshotScope::Query) => None,
        TransactionAccess::Write => Some("BEGIN ISOLATION LEVEL READ COMMITTED"),
    }
}

/// Checks once that the server supports both isolation levels. Afterwards `BEGIN` is sent together with the first statement,
/// which would be committed separately if `BEGIN` were refused.
pub(super) async fn require_isolation(client: &Client) -> Result<(), StoreError> {
    let read = TransactionAccess::Read(SnapshotScope::Transaction);
    for begin in [read, TransactionAccess::Write].into_iter().filter_map(begin_text) {
        client.batch_execute(begin).await.map_err(super::errors::unavailable)?;
        client.batch_execute(ROLL_BACK).await.map_err(super::errors::unavailable)?;
    }
    Ok(())
}

/// A connection of the pool with a transaction on it.
#[derive(Debug)]
pub(super) struct PostgresConnection {
    client: Object,
    handle: Handle,
    traffic: Arc<TrafficCounters>,
    access: TransactionAccess,
    /// The longest wait for a round trip; `None` if the time limit is lifted for this transaction.
    answer: Option<Duration>,
    /// The wait of the request, if the transaction belongs to one.
    request: Option<StorageWait>,
    /// Statements to be sent before the next one.
    kept: Vec<OwnedStatement>,
    begun: bool,
    broken: bool,
}

impl PostgresConnection {
    pub(super) fn new(
        client: Object,
        handle: Handle,
        traffic: Arc<TrafficCounters>,
        access: TransactionAccess,
        answer: Duration,
    ) -> Self {
        Self {
            client,
            handle,
            traffic,
            access,
            answer: Some(answer),
            request: StorageWait::of_request(),
            kept: Vec::new(),
            begun: false,
            broken: false,
        }
    }

    /// Ends the transaction.
    pub(super) async fn end(&mut self, ending: TransactionEnding) -> Result<Vec<ClientId>, StoreError> {
        if matches!(self.access, TransactionAccess::Read(_)) {
            self.leave_snapshot();
        }
        match ending {
            TransactionEnding::Commit { queued } => self.commit().await.map(|()| queued),
            TransactionEnding::RollBack => self.roll_back().await.map(|()| Vec::new()),
            TransactionEnding::Again => self.roll_back().await.and(Err(StoreError::Contended)),
            TransactionEnding::Fail(error) => self.roll_back().await.and(Err(error)),
        }
    }

    /// Ends a read-only transaction without waiting for the server, which processes later statements on the connection
    /// afterwards.
    fn leave_snapshot(&mut self) {
        if !std::mem::take(&mut self.begun) || self.broken {
            return;
        }
        self.traffic.count_unanswered(1);
        // The statement is sent when its future is polled first.
        let ending = pin!(self.client.batch_execute(ROLL_BACK));
        let _ = ending.poll(&mut Context::from_waker(Waker::noop()));
    }

    /// Commits. Kept statements are sent in the same round trip: if one of those statements fails, the server rolls back at the
    /// commit, and its failure is returned.
    async fn commit(&mut self) -> Result<(), StoreError> {
        if !self.begun && self.kept.is_empty() {
            return Ok(());
        }
        if self.broken {
            self.begun = false;
            return Err(unanswered());
        }
        if let ([single], false) = (self.kept.as_slice(), self.begun) {
            // A transaction of one statement needs neither `BEGIN` nor `COMMIT`.
            let single = single.clone();
            self.kept.clear();
            return self.run_single(single.outgoing()).await.map(drop).map_err(|failed| failed.error);
        }
        let ended = self.exchange(&[], Some("COMMIT")).await;
        self.begun = false;
        ended.map(drop)
    }

    /// Runs a statement that is a transaction by itself.
    pub(super) async fn run_single(&mut self, single: Outgoing<'_>) -> Result<Answer, ExchangeError> {
        let sent = exchange(&self.client, &self.traffic, Bounds::default(), std::slice::from_ref(&single));
        let outcome = within(self.answer, sent).await;
        self.settled_single(outcome)
            .and_then(|answers| answers.into_iter().next().ok_or_else(|| ExchangeError::lost(unanswered())))
    }

    /// Like [`Self::run_single`], for a statement that takes a set of rows, one array for each column.
    pub(super) async fn run_set(
        &mut self,
        statement: &SqlStatement,
        rows: &[&[SqlValue<'_>]],
    ) -> Result<Answer, ExchangeError> {
        let outcome = within(self.answer, exchange_set(&self.client, &self.traffic, statement, rows)).await;
        self.settled_single(outcome)
    }

    fn settled_single<T>(&mut self, outcome: Result<Result<T, ExchangeError>, Elapsed>) -> Result<T, ExchangeError> {
        let outcome = outcome.unwrap_or_else(|_| Err(ExchangeError::lost(unanswered())));
        // After a commit whose outcome is unknown, the connection is not used again.
        self.broken |= outcome.as_ref().err().is_some_and(|failed| !failed.is_refusal || failed.is_read_only);
        outcome
    }

    async fn roll_back(&mut self) -> Result<(), StoreError> {
        self.kept.clear();
        // On a broken connection, the server rolls back when it closes.
        if !self.begun || self.broken {
            self.begun = false;
            return Ok(());
        }
        let ended = self.exchange(&[], Some(ROLL_BACK)).await;
        self.begun = false;
        // A connection with an open transaction must not return to the pool.
        self.broken |= ended.is_err();
        ended.map(drop)
    }

    /// Returns the connection for another attempt; `None` if it is broken.
    pub(super) fn again(self) -> Option<Self> {
        if self.broken {
            // Removed from the pool and closed.
            discard(self.client);
            return None;
        }
        Some(self)
    }

    /// Sends the kept statements and these, and waits for the answers to these. The first statements of a transaction are sent in
    /// the same round trip as `BEGIN`.
    async fn exchange(&mut self, now: &[Outgoing<'_>], end: Option<&'static str>) -> Result<Vec<Answer>, StoreError> {
        if self.broken {
            return Err(unanswered());
        }
        let kept = std::mem::take(&mut self.kept);
        let begin = begin_text(self.access).filter(|_| !self.begun);
        self.begun |= begin.is_some();
        let all: Vec<_> = kept.iter().map(OwnedStatement::outgoing).chain(now.iter().copied()).collect();
        let driven = exchange(&self.client, &self.traffic, Bounds { begin, end }, &all);
        let outcome = within(self.answer, driven).await;
        let mut answers = self.settled(outcome, end.is_some())?;
        Ok(answers.split_off(kept.len().min(answers.len())))
    }

    /// The result of a round trip that may have ended the transaction.
    fn settled<T>(
        &mut self,
        outcome: Result<Result<T, ExchangeError>, Elapsed>,
        is_end: bool,
    ) -> Result<T, StoreError> {
        match outcome {
            Ok(Ok(answered)) => {
                if let Some(request) = &self.request {
                    request.record_answer();
                }
                Ok(answered)
            }
            Ok(Err(failed)) => {
                // After a commit whose outcome is unknown, the connection is not used again.
                self.broken |= failed.is_read_only || is_end && !failed.is_refusal;
                Err(failed.error)
            }
            Err(_) => {
                self.broken = true;
                Err(unanswered())
            }
        }
    }

    /// Like [`Self::exchange`], for the statements of a closure.
    fn round_trip(&mut self, now: &[Outgoing<'_>]) -> Result<Vec<Answer>, StoreError> {
        let handle = self.handle.clone();
        handle.block_on(self.exchange(now, None))
    }

    fn one(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        wanted: Wanted,
    ) -> Result<Option<Answer>, StoreError> {
        let answers = self.round_trip(&[Outgoing { statement: *statement, parameters, wanted }])?;
        Ok(answers.into_iter().next())
    }

    fn keep(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<(), StoreError> {
        self.kept.push(OwnedStatement::new(statement, parameters, Wanted::Count));
        if self.kept.len() < PIPELINE { Ok(()) } else { self.round_trip(&[]).map(drop) }
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
        if let Some(request) = &self.request {
            request.lift_limit();
        }
        Ok(())
    }

    fn define(&mut self, definition: &Definition) -> Result<(), StoreError> {
        // This also begins the transaction, if it is the first statement.
        self.take_time()?;
        let defining = SqlStatement { table: "(definition)", sqlite: "", postgres: "" };
        let defined = self.handle.block_on(self.client.batch_execute(&definition.postgres));
        defined.map_err(|error| failure(&defining, error))
    }

    fn execute(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        Ok(self.one(statement, parameters, Wanted::Count)?.map_or(0, |answer| answer.count()))
    }

    fn execute_later(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<(), StoreError> {
        self.keep(statement, parameters)
    }

    fn require_one_later(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<bool, StoreError> {
        self.keep(statement, parameters).map(|()| true)
    }

    fn execute_many(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<Vec<u64>, StoreError> {
        let mut changed = Vec::with_capacity(sets.len());
        for some in sets.chunks(PIPELINE) {
            let some: Vec<_> = outgoing(statement, some, Wanted::Count).collect();
            changed.extend(self.round_trip(&some)?.iter().map(Answer::count));
        }
        Ok(changed)
    }

    fn execute_many_later(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<(), StoreError> {
        sets.iter().try_for_each(|set| self.keep(statement, set))
    }

    fn insert_set_later(&mut self, statement: &SqlStatement, rows: &[Vec<SqlValue<'_>>]) -> Result<(), StoreError> {
        rows.chunks(SET).try_for_each(|some| self.keep(statement, &SqlValue::columns(some)))
    }

    fn update_set_later(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
    ) -> Result<Option<usize>, StoreError> {
        self.insert_set_later(statement, rows).map(|()| None)
    }

    fn query_set(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        let columns: Vec<_> = rows.chunks(SET).map(SqlValue::columns).collect();
        let sent: Vec<_> = columns
            .iter()
            .map(|columns| Outgoing { statement: *statement, parameters: columns, wanted: Wanted::Rows })
            .collect();
        for answer in self.round_trip(&sent)? {
            answer.rows().iter().try_for_each(|row| read(&mut SqlRow::new(statement.table, row)))?;
        }
        Ok(())
    }

    fn confirm(&mut self) -> Result<(), StoreError> {
        if self.kept.is_empty() { Ok(()) } else { self.round_trip(&[]).map(drop) }
    }

    fn query(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        let answer = self.one(statement, parameters, Wanted::Rows)?;
        let rows = answer.iter().flat_map(Answer::rows);
        rows.into_iter().try_for_each(|row| read(&mut SqlRow::new(statement.table, row)))
    }

    fn query_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError> {
        for (chunk, some) in sets.chunks(PIPELINE).enumerate() {
            let some: Vec<_> = outgoing(statement, some, Wanted::Rows).collect();
            for (place, answer) in self.round_trip(&some)?.iter().enumerate() {
                for row in answer.rows() {
                    read(chunk * PIPELINE + place, &mut SqlRow::new(statement.table, row))?;
                }
            }
        }
        Ok(())
    }

    fn query_together(&mut self, queries: &[Query<'_>], read: ReadRowOf<'_>) -> Result<(), StoreError> {
        let sent: Vec<_> = queries.iter().map(outgoing_query).collect();
        for (place, (query, answer)) in queries.iter().zip(self.round_trip(&sent)?).enumerate() {
            for row in answer.rows() {
                read(place, &mut SqlRow::new(query.statement.table, row))?;
            }
        }
        Ok(())
    }
}

fn outgoing<'s>(
    statement: &'s SqlStatement,
    sets: &'s [Vec<SqlValue<'s>>],
    wanted: Wanted,
) -> impl ExactSizeIterator<Item = Outgoing<'s>> {
    sets.iter().map(move |set| Outgoing { statement: *statement, parameters: set, wanted })
}

fn outgoing_query<'q>(query: &'q Query<'q>) -> Outgoing<'q> {
    Outgoing { statement: *query.statement, parameters: &query.parameters, wanted: Wanted::Rows }
}

impl ToSql for SqlValue<'_> {
    fn to_sql(&self, ty: &Type, out: &mut BytesMut) -> Result<IsNull, Source> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Integer(value) => value.to_sql_checked(ty, out),
            Self::Text(text) => text.to_sql_checked(ty, out),
            Self::Owned(text) => text.to_sql_checked(ty, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(ty, out),
            Self::OwnedBytes(bytes) => bytes.as_slice().to_sql_checked(ty, out),
            Self::Digest(bytes) => bytes.as_slice().to_sql_checked(ty, out),
            Self::List(texts) => texts.to_sql_checked(ty, out),
            Self::OwnedList(texts) => texts.to_sql_checked(ty, out),
            Self::Integers(values) => values.to_sql_checked(ty, out),
            Self::Texts(texts) if *ty == Type::INT8_ARRAY && texts.iter().all(Option::is_none) => {
                vec![None::<i64>; texts.len()].to_sql_checked(ty, out)
            }
            Self::Texts(texts) => texts.to_sql_checked(ty, out),
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
