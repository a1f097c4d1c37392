//! Group writes: rows of several callers for the same statement, which takes a set of rows, are sent together.
//!
//! While two groups are in progress, further rows wait and are then sent together. Thus a node that issues many tokens at once
//! needs one round trip and one commit for many of them, and a single token is issued at once. The statement returns the numbers
//! of the rows that it has processed. If the server refuses a group, its rows are sent again one by one, so that no caller fails
//! because of another caller's row.

use super::connections::PooledConnections;
use super::errors::is_of_rows;
use super::errors::{repeated, unanswered};
use super::exchange::{Answer, ExchangeError};
use super::group_queue::{GroupLimits, GroupQueue, GroupTurn};
use crate::session::TransactionAccess;
use crate::statement::SqlStatement;
use crate::value::SqlValue;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// At most two groups of a statement are in progress: one is executed while the other is made durable.
const LIMITS: GroupLimits = GroupLimits { turns_max: 2, few: usize::MAX, group_max: 32 };

/// The rows that wait to be sent in a group. Clones share them.
#[derive(Clone)]
pub(super) struct GroupWrites(Arc<Writes>);

struct Writes {
    connections: PooledConnections,
    /// A queue for each statement, by the address of its text.
    queues: Mutex<HashMap<usize, GroupQueue<WaitingRow>>>,
}

/// The parameters of a row, and the caller that waits for its result.
struct WaitingRow {
    row: Vec<SqlValue<'static>>,
    outcome: oneshot::Sender<Result<bool, StoreError>>,
}

impl GroupWrites {
    pub(super) fn new(connections: PooledConnections) -> Self {
        Self(Arc::new(Writes { connections, queues: Mutex::default() }))
    }

    /// Sends a row, in a group if others are in progress. Once the row is sent, it is stored even if the caller is dropped.
    pub(super) async fn run(
        &self,
        statement: &'static SqlStatement,
        row: Vec<SqlValue<'static>>,
    ) -> Result<bool, StoreError> {
        let (outcome, told) = oneshot::channel();
        if let Some(turn) = self.queue(statement).wait(WaitingRow { row, outcome }) {
            tokio::spawn(self.clone().send_all(turn, statement));
        }
        // After the time limit a row that still waits is dropped.
        match timeout(self.0.connections.patience(), told).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(unanswered()),
        }
    }

    fn queue(&self, statement: &'static SqlStatement) -> GroupQueue<WaitingRow> {
        let mut queues = self.0.queues.lock();
        queues.entry(statement.postgres.as_ptr().addr()).or_insert_with(|| GroupQueue::new(LIMITS)).clone()
    }

    /// Sends the rows of a statement, one group after the other, until no row waits.
    async fn send_all(self, mut turn: GroupTurn<WaitingRow>, statement: &'static SqlStatement) {
        while let Some(group) = turn.next_group(take_group) {
            match self.send(statement, &group).await {
                Ok(carried_out) => {
                    self.0.connections.meters.committed_group(group.len());
                    group.into_iter().zip(carried_out).for_each(|(row, is_done)| row.tell(Ok(is_done)));
                }
                // Another task does this, because other rows wait for this sender.
                Err(failed) if failed.is_refusal && group.len() > 1 => {
                    tokio::spawn(self.clone().send_each(statement, group));
                }
                Err(failed) => group.into_iter().for_each(|row| row.tell(not_carried_out(&failed.error))),
            }
        }
    }

    /// Sends the rows of a group one by one.
    async fn send_each(self, statement: &'static SqlStatement, group: Vec<WaitingRow>) {
        for row in group {
            let row = [row];
            let outcome = match self.send(statement, &row).await {
                Ok(carried_out) => Ok(carried_out.first() == Some(&true)),
                Err(failed) => not_carried_out(&failed.error),
            };
            let [row] = row;
            row.tell(outcome);
        }
    }

    /// Sends rows as one statement, and returns for each row whether it was processed.
    async fn send(&self, statement: &SqlStatement, group: &[WaitingRow]) -> Result<Vec<bool>, ExchangeError> {
        let connection = self.0.connections.begin(TransactionAccess::Write).await;
        let mut connection = connection.map_err(ExchangeError::lost)?;
        let rows: Vec<_> = group.iter().map(|it| it.row.as_slice()).collect();
        let sent = connection.run_set(statement, &rows).await;
        // A connection that does not answer is not used again.
        drop(connection.again());
        let mut carried_out = vec![false; group.len()];
        for row in sent.as_ref().map(Answer::rows).unwrap_or_default() {
            let number = row.try_get::<_, i64>(0).ok().and_then(|number| usize::try_from(number.checked_sub(1)?).ok());
            if let Some(is_done) = number.and_then(|place| carried_out.get_mut(place)) {
                *is_done = true;
            }
        }
        sent.map(|_| carried_out)
    }
}

impl WaitingRow {
    fn tell(self, outcome: Result<bool, StoreError>) {
        // The caller may have been dropped.
        let _ = self.outcome.send(outcome);
    }
}

/// The result for the caller of a row whose statement failed.
fn not_carried_out(error: &StoreError) -> Result<bool, StoreError> {
    if is_of_rows(error) { Ok(false) } else { Err(repeated(error)) }
}

/// Takes the next rows, without those whose callers were dropped.
fn take_group(waiting: &mut VecDeque<WaitingRow>, most: usize) -> Vec<WaitingRow> {
    waiting.retain(|it| !it.outcome.is_closed());
    let count = waiting.len().min(most);
    waiting.drain(..count).collect()
}
