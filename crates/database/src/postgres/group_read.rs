//! Group reads: the same query of several callers, each with its own parameters, is sent as one statement.
//!
//! While many reads are in progress, further reads wait and are then sent together: reads of the same query as one statement, and
//! different queries in one round trip. Thus a busy node needs one round trip for many requests, and an idle node sends each
//! query at once. Each caller gets its own rows, by the number of its parameters in the group. If the server refuses a group, its
//! queries are sent again one by one.

use super::connections::PooledConnections;
use super::errors::{is_of_row, repeated, unanswered, unavailable};
use super::exchange::{Answer, Bounds, ExchangeError, exchange};
use super::group_queue::{GroupLimits, GroupQueue, GroupTurn};
use super::owned_statement::OwnedStatement;
use super::shared::{SharedConnection, SharedConnections};
use crate::statement::SqlStatement;
use crate::value::SqlValue;
use futures_util::future::join_all;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::fmt::Write as _;
use std::sync::Arc;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::timeout;
use tokio_postgres::Row as PgRow;
use tokio_postgres::types::ToSql;

/// While fewer than eight queries are in progress, and recent groups were smaller, a new query is sent at once.
const LIMITS: GroupLimits = GroupLimits { turns_max: 8, few: 8, group_max: 128 };

/// The reads of one query, and the connections that they use. Clones share them.
#[derive(Clone)]
pub(super) struct GroupReads(Arc<Reads>);

struct Reads {
    connections: PooledConnections,
    shared: SharedConnections,
    queue: GroupQueue<WaitingRead>,
    /// The SQL text of a group, by its query.
    texts: Mutex<HashMap<QueryShape, Arc<str>>>,
}

/// The identity of a query: the address of its text.
type QueryShape = usize;

/// A query, and the caller that waits for its rows.
struct WaitingRead {
    query: OwnedStatement,
    outcome: oneshot::Sender<Result<Vec<PgRow>, StoreError>>,
}

impl GroupReads {
    pub(super) fn new(connections: PooledConnections, shared: SharedConnections) -> Self {
        Self(Arc::new(Reads { connections, shared, queue: GroupQueue::new(LIMITS), texts: Mutex::default() }))
    }

    /// Sends a query, in a group if others are in progress, and returns its rows.
    pub(super) async fn ask(&self, query: OwnedStatement) -> Result<Vec<PgRow>, StoreError> {
        if !is_groupable(&query) {
            return Box::pin(self.ask_alone(query)).await;
        }
        let mut told = None;
        let turn = self.0.queue.begin_or_wait(|| {
            let (outcome, receiver) = oneshot::channel();
            told = Some(receiver);
            WaitingRead { query: query.clone(), outcome }
        });
        match (turn, &told) {
            (Some(turn), None) => {
                let _turn = LoneRead { turn: Some(turn), reads: self };
                // The future is boxed, because a waiting caller does not need its memory.
                return Box::pin(self.ask_alone(query)).await;
            }
            (Some(turn), Some(_)) => drop(tokio::spawn(self.clone().send_all(turn))),
            (None, _) => {}
        }
        // After the time limit a query that still waits is dropped.
        let Some(told) = told else { return Err(unanswered()) };
        match timeout(self.0.connections.patience(), told).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(unanswered()),
        }
    }

    /// The connection of a read: a shared connection, or one of its own if none can be shared.
    async fn connection(&self) -> Result<Arc<SharedConnection>, StoreError> {
        let Reads { connections, shared, .. } = &*self.0;
        match shared.borrow(&connections.pool).await? {
            Some(shared) => Ok(shared),
            None => connections.connect().await.map(SharedConnection::new),
        }
    }

    async fn ask_alone(&self, query: OwnedStatement) -> Result<Vec<PgRow>, StoreError> {
        let connection = self.connection().await?;
        self.ask_on(&connection, &query).await
    }

    async fn ask_on(&self, connection: &SharedConnection, query: &OwnedStatement) -> Result<Vec<PgRow>, StoreError> {
        let PooledConnections { traffic, meters, answer, .. } = &self.0.connections;
        meters.asked_group(1);
        let client = connection.client().ok_or_else(unanswered)?;
        let sent = [query.outgoing()];
        let asked = connection.within(*answer, exchange(client, traffic, Bounds::default(), &sent)).await;
        let answers = asked.map_err(|failed| failed.error)?;
        Ok(answers.into_iter().flat_map(Answer::into_rows).collect())
    }

    /// Sends waiting queries until none waits.
    async fn send_all(self, mut turn: GroupTurn<WaitingRead>) {
        while let Some(waiting) = turn.next_group(take_group) {
            match self.connection().await {
                Ok(connection) => {
                    let groups = by_query(waiting).into_iter();
                    join_all(groups.map(|group| self.answer_group(&connection, group))).await;
                }
                Err(error) => tell_all(waiting, &error),
            }
        }
    }

    /// Sends the queries of a group, and passes the results to their callers.
    async fn answer_group(&self, connection: &SharedConnection, mut group: Vec<WaitingRead>) {
        if group.len() == 1
            && let Some(WaitingRead { query, outcome }) = group.pop()
        {
            // The caller may have been dropped.
            let _ = outcome.send(self.ask_on(connection, &query).await);
            return;
        }
        match self.ask_group(connection, &group).await {
            Ok(Some(answers)) => group.into_iter().zip(answers).for_each(|(it, rows)| it.answer(rows)),
            // Another task does this, because other queries wait for this sender.
            Ok(None) => drop(tokio::spawn(self.clone().ask_each(group))),
            Err(error) => tell_all(group, &error),
        }
    }

    /// Sends the queries of a group one by one.
    async fn ask_each(self, group: Vec<WaitingRead>) {
        let ask = async |WaitingRead { query, outcome }| {
            // The caller may have been dropped.
            let _ = outcome.send(self.ask_alone(query).await);
        };
        join_all(group.into_iter().map(ask)).await;
    }

    /// The rows of each query of a group; `None` if the server refused the statement, or one of the queries because of its values.
    async fn ask_group(
        &self,
        connection: &SharedConnection,
        group: &[WaitingRead],
    ) -> Result<Option<Vec<Vec<PgRow>>>, StoreError> {
        let PooledConnections { traffic, meters, answer, .. } = &self.0.connections;
        let client = connection.client().ok_or_else(unanswered)?;
        let Some(WaitingRead { query: first, .. }) = group.first() else { return Ok(None) };
        let text = self.text(first.statement(), first.parameters());
        let column = |place| -> Vec<&SqlValue<'static>> {
            group.iter().filter_map(move |it| it.query.parameters().get(place)).collect()
        };
        let columns: Vec<_> = (0..first.parameters().len()).map(column).collect();
        let bound: Vec<_> = columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
        let asked = async {
            let prepared = match client.prepare_cached(&text).await {
                Ok(prepared) => prepared,
                Err(error) if error.as_db_error().is_some() => return Ok(None),
                Err(error) => return Err(ExchangeError::of(error, unavailable)),
            };
            traffic.count_round_trip(1);
            match client.query(&prepared, &bound).await {
                Ok(rows) => Ok(Some(rows)),
                Err(error) if is_of_row(&error) => Ok(None),
                Err(error) => Err(ExchangeError::of(error, unavailable)),
            }
        };
        let asked = connection.within(*answer, asked).await.map_err(|failed| failed.error)?;
        let Some(rows) = asked else { return Ok(None) };
        meters.asked_group(group.len());
        let mut found: Vec<Vec<PgRow>> = group.iter().map(|_| Vec::new()).collect();
        for row in rows {
            let number = row.len().checked_sub(1).and_then(|last| row.try_get::<_, i64>(last).ok());
            let place = number.and_then(|number| usize::try_from(number.checked_sub(1)?).ok());
            let of_query = place.and_then(|place| found.get_mut(place));
            of_query.ok_or_else(|| StoreError::Unavailable("a row of no query".into()))?.push(row);
        }
        Ok(Some(found))
    }

    fn text(&self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Arc<str> {
        let mut texts = self.0.texts.lock();
        let text = texts.entry(statement.postgres.as_ptr().addr());
        let types = parameters.iter().filter_map(array_type);
        Arc::clone(text.or_insert_with(|| group_text(statement.postgres, types).into()))
    }
}

/// The turn of a caller that sends its own query. When the turn is over, or the caller is dropped, a task is started to send the
/// waiting queries.
struct LoneRead<'r> {
    turn: Option<GroupTurn<WaitingRead>>,
    reads: &'r GroupReads,
}

impl Drop for LoneRead<'_> {
    fn drop(&mut self) {
        // Without a runtime, the callers of the waiting queries get an error.
        if let (Some(turn), Ok(runtime)) = (self.turn.take().and_then(GroupTurn::if_any_waits), Handle::try_current()) {
            runtime.spawn(self.reads.clone().send_all(turn));
        }
    }
}

impl WaitingRead {
    fn answer(self, rows: Vec<PgRow>) {
        // The caller may have been dropped.
        let _ = self.outcome.send(Ok(rows));
    }
}

fn tell_all(waiting: Vec<WaitingRead>, failure: &StoreError) {
    for it in waiting {
        // The caller may have been dropped.
        let _ = it.outcome.send(Err(repeated(failure)));
    }
}

/// Takes the next queries, without those whose callers were dropped.
fn take_group(waiting: &mut VecDeque<WaitingRead>, most: usize) -> Vec<WaitingRead> {
    waiting.retain(|it| !it.outcome.is_closed());
    let count = waiting.len().min(most);
    waiting.drain(..count).collect()
}

/// Groups the waiting reads by query.
fn by_query(waiting: Vec<WaitingRead>) -> Vec<Vec<WaitingRead>> {
    let mut groups: Vec<(QueryShape, Vec<WaitingRead>)> = Vec::new();
    for it in waiting {
        let shape = it.query.statement().postgres.as_ptr().addr();
        match groups.iter_mut().find(|(of, _)| *of == shape) {
            Some((_, group)) => group.push(it),
            None => groups.push((shape, vec![it])),
        }
    }
    groups.into_iter().map(|(_, group)| group).collect()
}

/// Whether the query can be sent in a group: all its parameters must be single values.
fn is_groupable(query: &OwnedStatement) -> bool {
    let has_nul = |it: &SqlValue<'_>| it.as_text().is_some_and(|text| text.contains('\0'));
    let parameters = query.parameters();
    query.statement().postgres.starts_with("SELECT")
        && !parameters.is_empty()
        && parameters.iter().all(|it| array_type(it).is_some() && !has_nul(it))
}

/// The type of the array that holds such parameters.
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

/// The text of a query for several sets of parameters. Each parameter is an array of the given type. The last column is the
/// number of the set, from 1. `OFFSET 0` makes PostgreSQL plan the query separately, as it would for one set.
pub(crate) fn group_text<'t>(query: &str, array_types: impl Iterator<Item = &'t str>) -> String {
    let mut text = String::from("SELECT rows_of_one.*, sets.number FROM unnest(");
    let mut names = String::new();
    for (number, array) in (1..).zip(array_types) {
        let separator = if number == 1 { "" } else { ", " };
        let _ = write!(text, "{separator}${number}::{array}");
        let _ = write!(names, "value_{number}, ");
    }
    let _ = write!(text, ") WITH ORDINALITY AS sets({names}number) CROSS JOIN LATERAL (SELECT * FROM (");
    push_with_parameters(&mut text, query, |text, number| {
        let _ = write!(text, "sets.value_{number}");
    });
    text.push_str(") AS query OFFSET 0) AS rows_of_one");
    text
}

/// Appends the text of a statement, in which each parameter is replaced by the output of `push` for its number.
fn push_with_parameters(text: &mut String, statement: &str, mut push: impl FnMut(&mut String, usize)) {
    let mut pieces = statement.split('$');
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (number, rest) = piece.split_at(piece.find(|it: char| !it.is_ascii_digit()).unwrap_or(piece.len()));
        match number.parse::<usize>() {
            Ok(number) => push(text, number),
            Err(_) => text.push('$'),
        }
        text.push_str(rest);
    }
}
