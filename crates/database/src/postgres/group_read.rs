//! Group reads: the same query of several callers, each with its own parameters, is sent as one statement.
//!
//! While some are under way, others wait, and are sent together then: those of one query as one statement, and those of several in one
//! round trip. So a node that answers many requests at once makes one round trip for many of them, and a node that answers one sends
//! its query as it is. Each caller gets its own rows, by their number in the group; the queries of a group that the server refuses are
//! sent again, each by itself.

use super::connections::PooledConnections;
use super::errors::{repeated, unanswered, unavailable};
use super::exchange::{Answer, Bounds, ExchangeError, exchange};
use super::group_queue::{GroupLimits, GroupQueue, GroupTurn};
use super::lone::push_with_parameters;
use super::round_trip::{RoundTrip, SentStatements};
use super::shared::{SharedConnection, SharedConnections};
use crate::statement::SqlStatement;
use crate::value::SqlValue;
use futures_util::future::join_all;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Instant;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio_postgres::Row as PgRow;
use tokio_postgres::types::ToSql;

/// While fewer queries are under way, another one is sent at once.
const FEW: usize = 8;
/// Most queries that are sent together.
const GROUP_MAX: usize = 128;

/// The reads of one query, and the connections that they use. Clones share them.
#[derive(Clone)]
pub(super) struct GroupReads(Arc<Reads>);

struct Reads {
    connections: PooledConnections,
    shared: SharedConnections,
    queue: GroupQueue<WaitingRead>,
    /// The text of a group, by its query.
    texts: Mutex<HashMap<QueryShape, Arc<str>>>,
}

/// Which query it is, by the address of its text.
type QueryShape = usize;

/// A query, and who waits for its rows.
struct WaitingRead {
    query: SentStatements,
    since: Instant,
    outcome: oneshot::Sender<Result<RoundTrip, StoreError>>,
}

impl GroupReads {
    pub(super) fn new(connections: PooledConnections, shared: SharedConnections) -> Self {
        let limits = GroupLimits { turns_max: shared.count().max(1), few: FEW, group_max: GROUP_MAX };
        Self(Arc::new(Reads { connections, shared, queue: GroupQueue::new(limits), texts: Mutex::default() }))
    }

    /// Sends a query, with others' if some are under way, and returns it with its rows.
    pub(super) async fn ask(&self, query: SentStatements) -> Result<RoundTrip, StoreError> {
        if !is_groupable(&query) {
            return Box::pin(self.ask_alone(query)).await;
        }
        let (mut query, mut told) = (Some(query), None);
        let turn = self.0.queue.begin_or_wait(|| {
            let (outcome, receiver) = oneshot::channel();
            told = Some(receiver);
            WaitingRead { query: query.take().unwrap_or_default(), since: Instant::now(), outcome }
        });
        match (turn, query, told) {
            (Some(turn), Some(query), _) => {
                let _turn = LoneRead { turn: Some(turn), reads: self };
                self.0.connections.meters.asked_group(1);
                // Boxed: a caller who waits needs no room for it.
                Box::pin(self.ask_alone(query)).await
            }
            // Its sender leaves it out once it has waited for too long.
            (_, _, Some(told)) => told.await.unwrap_or_else(|_| Err(unanswered())),
            _ => Err(unanswered()),
        }
    }

    /// The connection of a read: a shared one, or its own if none is shared.
    async fn connection(&self) -> Result<Arc<SharedConnection>, StoreError> {
        let Reads { connections, shared, .. } = &*self.0;
        match shared.borrow(&connections.pool).await? {
            Some(shared) => Ok(shared),
            None => connections.connect().await.map(SharedConnection::new),
        }
    }

    async fn ask_alone(&self, query: SentStatements) -> Result<RoundTrip, StoreError> {
        let connection = self.connection().await?;
        let answers = self.ask_on(&connection, &query).await.map_err(|failed| failed.error)?;
        Ok(query.answered(Ok(answers)))
    }

    async fn ask_on(
        &self,
        connection: &SharedConnection,
        query: &SentStatements,
    ) -> Result<Vec<Answer>, ExchangeError> {
        let PooledConnections { traffic, answer, .. } = &self.0.connections;
        let client = connection.client().ok_or_else(|| ExchangeError::lost(unanswered()))?;
        let sent: Vec<_> = query.outgoing().collect();
        connection.within(*answer, exchange(client, traffic, Bounds::default(), &sent)).await
    }

    /// Sends what waits, until nothing does.
    async fn send_all(self, mut turn: GroupTurn<WaitingRead>) {
        let patience = self.0.connections.patience();
        while let Some(waiting) = turn.next_group(take_group) {
            let (in_time, late): (Vec<_>, _) = waiting.into_iter().partition(|it| it.since.elapsed() < patience);
            tell_all(late, &unanswered());
            if !in_time.is_empty() {
                self.send(in_time).await;
            }
        }
    }

    /// Sends these queries in one round trip, and tells their callers.
    async fn send(&self, waiting: Vec<WaitingRead>) {
        let connection = match self.connection().await {
            Ok(connection) => connection,
            Err(error) => return tell_all(waiting, &error),
        };
        let groups = by_query(waiting);
        let answers = join_all(groups.iter().map(|group| self.ask_group(&connection, group))).await;
        for (group, answer) in groups.into_iter().zip(answers) {
            match answer {
                Ok(answers) => group.into_iter().zip(answers).for_each(|(it, rows)| it.answer(rows)),
                // Not by this sender, which others wait for.
                Err(failed) if failed.is_refusal => drop(tokio::spawn(self.clone().ask_each(group))),
                Err(failed) => tell_all(group, &failed.error),
            }
        }
    }

    /// Sends each query of a group by itself.
    async fn ask_each(self, group: Vec<WaitingRead>) {
        let ask = async |WaitingRead { query, outcome, .. }| {
            // Whoever asked for it may be gone.
            let _ = outcome.send(self.ask_alone(query).await);
        };
        join_all(group.into_iter().map(ask)).await;
    }

    /// The rows of each query of a group.
    async fn ask_group(
        &self,
        connection: &SharedConnection,
        group: &[WaitingRead],
    ) -> Result<Vec<Vec<PgRow>>, ExchangeError> {
        let PooledConnections { traffic, meters, answer, .. } = &self.0.connections;
        meters.asked_group(group.len());
        if let [only] = group {
            let answers = self.ask_on(connection, &only.query).await?;
            return Ok(answers.into_iter().map(Answer::into_rows).collect());
        }
        let client = connection.client().ok_or_else(|| ExchangeError::lost(unanswered()))?;
        let queries: Vec<_> = group.iter().filter_map(|it| it.query.single()).collect();
        let Some((statement, first)) = queries.first() else { return Ok(Vec::new()) };
        let text = self.text(statement, first);
        let column = |place| -> Vec<&SqlValue<'static>> {
            queries.iter().filter_map(move |(_, parameters)| parameters.get(place)).collect()
        };
        let columns: Vec<_> = (0..first.len()).map(column).collect();
        let bound: Vec<_> = columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
        let failed = |error| ExchangeError::of(error, unavailable);
        let asked = async {
            let prepared = client.prepare_cached(&text).await.map_err(failed)?;
            traffic.count_round_trip(1);
            client.query(&prepared, &bound).await.map_err(failed)
        };
        let rows = connection.within(*answer, asked).await?;
        let mut found: Vec<Vec<PgRow>> = queries.iter().map(|_| Vec::new()).collect();
        for row in rows {
            let number = row.len().checked_sub(1).and_then(|last| row.try_get::<_, i64>(last).ok());
            let place = number.and_then(|number| usize::try_from(number.checked_sub(1)?).ok());
            let of_query = place.and_then(|place| found.get_mut(place));
            let of_none = || ExchangeError::lost(StoreError::Unavailable("a row of no query".into()));
            of_query.ok_or_else(of_none)?.push(row);
        }
        Ok(found)
    }

    fn text(&self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Arc<str> {
        let mut texts = self.0.texts.lock();
        let text = texts.entry(statement.postgres.as_ptr().addr());
        Arc::clone(text.or_insert_with(|| group_text(statement.postgres, parameters).into()))
    }
}

/// The turn of a caller who sends its query itself. Whoever waits when it is over, or when the caller is dropped, gets a sender.
struct LoneRead<'r> {
    turn: Option<GroupTurn<WaitingRead>>,
    reads: &'r GroupReads,
}

impl Drop for LoneRead<'_> {
    fn drop(&mut self) {
        // Without a runtime nobody can wait any more.
        if let (Some(turn), Ok(runtime)) = (self.turn.take().and_then(GroupTurn::if_any_waits), Handle::try_current()) {
            runtime.spawn(self.reads.clone().send_all(turn));
        }
    }
}

impl WaitingRead {
    fn answer(self, rows: Vec<PgRow>) {
        let Self { query, outcome, .. } = self;
        // Whoever asked for it may be gone.
        let _ = outcome.send(Ok(query.answered(Ok(vec![Answer::Rows(rows)]))));
    }
}

fn tell_all(waiting: Vec<WaitingRead>, failure: &StoreError) {
    for it in waiting {
        // Whoever asked for it may be gone.
        let _ = it.outcome.send(Err(repeated(failure)));
    }
}

/// The next queries, without those whose callers are gone.
fn take_group(waiting: &mut VecDeque<WaitingRead>, most: usize) -> Vec<WaitingRead> {
    waiting.retain(|it| !it.outcome.is_closed());
    let count = waiting.len().min(most);
    waiting.drain(..count).collect()
}

/// Those of the same query together.
fn by_query(waiting: Vec<WaitingRead>) -> Vec<Vec<WaitingRead>> {
    let mut groups: Vec<(Option<QueryShape>, Vec<WaitingRead>)> = Vec::new();
    for it in waiting {
        let shape = it.query.single().map(|(statement, _)| statement.postgres.as_ptr().addr());
        match groups.iter_mut().find(|(of, _)| *of == shape) {
            Some((_, group)) => group.push(it),
            None => groups.push((shape, vec![it])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Whether it can be sent with others: a query whose parameters are single values, which PostgreSQL can compare.
fn is_groupable(query: &SentStatements) -> bool {
    query.single().is_some_and(|(statement, parameters)| {
        let has_nul = |it: &SqlValue<'_>| it.as_text().is_some_and(|text| text.contains('\0'));
        statement.postgres.starts_with("SELECT")
            && !parameters.is_empty()
            && parameters.iter().all(|it| array_type(it).is_some() && !has_nul(it))
    })
}

/// The type of the array of such parameters.
const fn array_type(parameter: &SqlValue<'_>) -> Option<&'static str> {
    match parameter {
        SqlValue::Integer(_) => Some("int8[]"),
        SqlValue::Text(_) | SqlValue::Owned(_) => Some("text[]"),
        SqlValue::Bytes(_) | SqlValue::OwnedBytes(_) | SqlValue::Digest(_) => Some("bytea[]"),
        SqlValue::Null | SqlValue::List(_) | SqlValue::OwnedList(_) | SqlValue::Integers(_) | SqlValue::Texts(_) => {
            None
        }
    }
}

/// The text of a query for a set of parameters. Each parameter is an array; behind the columns of the query is the number of the set,
/// from 1. `OFFSET 0` has PostgreSQL plan the query by itself, as it would for one set.
fn group_text(query: &str, parameters: &[SqlValue<'_>]) -> String {
    let mut text = String::from("SELECT rows_of_one.*, sets.number FROM unnest(");
    for (place, parameter) in parameters.iter().enumerate() {
        let separator = if place == 0 { "" } else { ", " };
        let _ = write!(text, "{separator}${}::{}", place.saturating_add(1), array_type(parameter).unwrap_or("text[]"));
    }
    text.push_str(") WITH ORDINALITY AS sets(");
    for place in 1..=parameters.len() {
        let _ = write!(text, "value_{place}, ");
    }
    text.push_str("number) CROSS JOIN LATERAL (SELECT * FROM (");
    push_with_parameters(&mut text, query, |text, number| {
        let _ = write!(text, "sets.value_{number}");
    });
    text.push_str(") AS query OFFSET 0) AS rows_of_one");
    text
}
