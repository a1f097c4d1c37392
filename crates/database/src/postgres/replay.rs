//! Reads without a thread of their own: the closure is run until it needs rows that are not there yet, and again from its start
//! once they are.
//!
//! A closure may run more than once and has no effects outside its transaction, so running it again is allowed; and as its queries
//! depend only on what it has read, it asks the same again. One that does not is run on a blocking thread instead. A read of one
//! query runs its closure twice; what that costs is a fraction of a change of threads.

use super::errors::unanswered;
use super::exchange::{Answer, Bounds, Outgoing, ROLL_BACK, Wanted, exchange};
use super::session::{begin_text, within};
use super::shared::SharedConnection;
use crate::Work;
use crate::driver::{Definition, Query, ReadRow, ReadRowOf, SqlDriver};
use crate::session::{SnapshotScope, SqlTransaction, TransactionAccess, TransactionEnding};
use crate::statement::SqlStatement;
use crate::traffic::TrafficCounters;
use crate::value::{SqlRow, SqlValue};
use deadpool_postgres::{Client, Object};
use lombard_ports::store::StoreError;
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Waker};
use std::time::Duration;

/// The number of round trips after which a closure gets a blocking thread: to run it again costs more each time.
const ROUND_TRIPS_MAX: usize = 12;

/// How a read ended.
pub(super) enum ReplayedRead {
    /// It has run, with this outcome.
    Done(Result<(), StoreError>),
    /// It must run on a blocking thread.
    NeedsThread,
}

/// The connection of a read.
pub(super) enum ReadClient {
    /// Its own, for a transaction.
    Own(Object),
    /// Shared with other reads: one query of its own accord.
    Shared(Arc<SharedConnection>),
}

impl ReadClient {
    fn client(&self) -> Option<&Client> {
        match self {
            Self::Own(client) => Some(client),
            Self::Shared(shared) => shared.client(),
        }
    }

    /// Removes it from the pool: it does not answer.
    fn abandon(self) {
        match self {
            Self::Own(client) => drop(Object::take(client)),
            Self::Shared(shared) => shared.abandon(),
        }
    }
}

/// Runs a read.
pub(super) async fn read(
    client: ReadClient,
    traffic: &Arc<TrafficCounters>,
    limit: Duration,
    scope: SnapshotScope,
    work: &mut Work,
) -> ReplayedRead {
    let access = TransactionAccess::Read(scope);
    let mut connection = ReadConnection { client: Some(client), traffic: Arc::clone(traffic), begun: false };
    let mut known: Vec<AnsweredQueries> = Vec::new();
    loop {
        let (ending, wanted) = {
            let mut replay = Replay { known: &known, next: 0, wanted: Next::Nothing };
            let ending = SqlTransaction::new(&mut replay, access).run(work);
            (ending, replay.wanted)
        };
        let queries = match wanted {
            Next::Nothing => return ReplayedRead::Done(outcome(ending)),
            Next::Queries(queries) if known.len() < ROUND_TRIPS_MAX => queries,
            Next::Queries(_) | Next::Diverged => return ReplayedRead::NeedsThread,
        };
        let asked = connection.ask(begin_text(access), limit, &queries).await;
        match asked {
            Ok(answers) => known.push(AnsweredQueries { queries, answers }),
            Err(error) => return ReplayedRead::Done(Err(error)),
        }
    }
}

fn outcome(ending: TransactionEnding) -> Result<(), StoreError> {
    match ending {
        TransactionEnding::Commit { .. } | TransactionEnding::RollBack => Ok(()),
        TransactionEnding::Again => Err(StoreError::Contended),
        TransactionEnding::Fail(error) => Err(error),
    }
}

/// The connection of a read, and its transaction, if it has begun one. Dropping it ends its transaction without waiting for the server: the connection's next user is
/// served after that. A caller may be dropped at any time.
struct ReadConnection {
    client: Option<ReadClient>,
    traffic: Arc<TrafficCounters>,
    begun: bool,
}

impl ReadConnection {
    async fn ask(
        &mut self,
        begin: Option<&'static str>,
        limit: Duration,
        queries: &[OwnedQuery],
    ) -> Result<Vec<Answer>, StoreError> {
        let Some(client) = self.client.as_ref().and_then(ReadClient::client) else { return Err(unanswered()) };
        let sent: Vec<_> = queries.iter().map(OwnedQuery::outgoing).collect();
        let bounds = Bounds { begin: begin.filter(|_| !self.begun), end: None };
        self.begun |= bounds.begin.is_some();
        match within(Some(limit), exchange(client, &self.traffic, bounds, &sent)).await {
            Ok(answered) => answered.map_err(|failed| failed.error),
            Err(_) => {
                if let Some(client) = self.client.take() {
                    client.abandon();
                }
                Err(unanswered())
            }
        }
    }
}

impl Drop for ReadConnection {
    fn drop(&mut self) {
        let Some(client) = self.client.as_ref().filter(|_| self.begun).and_then(ReadClient::client) else { return };
        self.traffic.count_unanswered(1);
        // The statement is sent when its future is polled first.
        let ending = pin!(client.batch_execute(ROLL_BACK));
        let _ = ending.poll(&mut Context::from_waker(Waker::noop()));
    }
}

/// A query that outlives the closure's run.
#[derive(Debug)]
struct OwnedQuery {
    statement: SqlStatement,
    parameters: Vec<SqlValue<'static>>,
}

impl OwnedQuery {
    fn new(statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Self {
        Self { statement: *statement, parameters: parameters.iter().map(SqlValue::to_static).collect() }
    }

    fn outgoing(&self) -> Outgoing<'_> {
        Outgoing { statement: self.statement, parameters: &self.parameters, wanted: Wanted::Rows }
    }

    fn is_same(&self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> bool {
        std::ptr::eq(self.statement.postgres, statement.postgres)
            && self.parameters.len() == parameters.len()
            && self.parameters.iter().zip(parameters).all(|(mine, theirs)| mine.is_same(theirs))
    }
}

/// Queries of one round trip, and their rows.
struct AnsweredQueries {
    queries: Vec<OwnedQuery>,
    answers: Vec<Answer>,
}

/// What a run of the closure ended at.
enum Next {
    /// Its own end.
    Nothing,
    /// These queries.
    Queries(Vec<OwnedQuery>),
    /// A query that differs from what it asked at the same place before.
    Diverged,
}

/// One run of a closure.
struct Replay<'k> {
    known: &'k [AnsweredQueries],
    next: usize,
    wanted: Next,
}

impl Replay<'_> {
    fn ask<'s>(
        &mut self,
        asked: impl ExactSizeIterator<Item = (&'s SqlStatement, &'s [SqlValue<'s>])> + Clone,
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError> {
        let Some(known) = self.known.get(self.next) else {
            self.wanted =
                Next::Queries(asked.map(|(statement, parameters)| OwnedQuery::new(statement, parameters)).collect());
            return Err(suspended());
        };
        let mut pairs = known.queries.iter().zip(asked.clone());
        if known.queries.len() != asked.len() || !pairs.all(|(known, (text, values))| known.is_same(text, values)) {
            self.wanted = Next::Diverged;
            return Err(suspended());
        }
        self.next += 1;
        for (number, (query, answer)) in known.queries.iter().zip(&known.answers).enumerate() {
            answer.rows().iter().try_for_each(|row| read(number, &mut SqlRow::new(query.statement.table, row)))?;
        }
        Ok(())
    }
}

/// Ends a run; nobody sees it.
fn suspended() -> StoreError {
    StoreError::Unavailable("the rows have not arrived".into())
}

fn read_only<T>() -> Result<T, StoreError> {
    Err(StoreError::Unavailable("the transaction is read-only".into()))
}

impl SqlDriver for Replay<'_> {
    fn define(&mut self, _: &Definition) -> Result<(), StoreError> {
        read_only()
    }

    fn execute(&mut self, _: &SqlStatement, _: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        read_only()
    }

    fn execute_many(&mut self, _: &SqlStatement, _: &[Vec<SqlValue<'_>>]) -> Result<Vec<u64>, StoreError> {
        read_only()
    }

    fn query(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError> {
        self.ask(std::iter::once((statement, parameters)), &mut |_, row| read(row))
    }

    fn query_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError> {
        if sets.is_empty() {
            return Ok(());
        }
        self.ask(sets.iter().map(|set| (statement, set.as_slice())), read)
    }

    fn query_together(&mut self, queries: &[Query<'_>], read: ReadRowOf<'_>) -> Result<(), StoreError> {
        self.ask(queries.iter().map(|query| (query.statement, query.parameters.as_slice())), read)
    }
}
