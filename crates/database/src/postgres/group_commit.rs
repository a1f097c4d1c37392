//! Group commit: transactions that do nothing but insert rows, of several callers, are sent as one statement.
//!
//! While some are under way, those of the same statements wait, and are sent together then. So a node that is asked for many tokens makes
//! one round trip and one commit for many of them, and a node that is asked for one makes them at once. Nobody's rows depend on
//! another's: a group that the server refuses because of a row is sent again in halves, until those that are refused are alone.

use super::connections::PooledConnections;
use super::errors::{repeated, unanswered};
use super::group_queue::{GroupLimits, GroupQueue, GroupTurn};
use super::lone::{LoneStatement, TransactionShape, shape_of};
use super::round_trip::OwnedStatement;
use crate::session::{TransactionAccess, TransactionEnding};
use crate::value::SqlValue;
use futures_util::future::BoxFuture;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio::time::timeout;

/// Two groups of the same statements are under way at a time: one is executed while the other one is made durable. Groups have a power
/// of two of transactions, so that a connection prepares few statements.
const LIMITS: GroupLimits = GroupLimits { turns_max: 2, few: usize::MAX, group_max: 32 };

/// The transactions that wait for their group. Clones share them.
#[derive(Clone, Default)]
pub(super) struct GroupCommits(Arc<Commits>);

#[derive(Default)]
struct Commits {
    queues: Mutex<HashMap<TransactionShape, GroupQueue<WaitingInserts>>>,
}

/// The inserts of a transaction, and who waits for its outcome.
struct WaitingInserts {
    statements: Vec<OwnedStatement>,
    outcome: oneshot::Sender<Result<(), StoreError>>,
}

/// All statements of a transaction: inserts of one row each.
pub(super) struct GroupableInserts {
    shape: TransactionShape,
    statements: Vec<OwnedStatement>,
}

impl GroupableInserts {
    /// The statements of a transaction, if they can be sent with others'.
    pub(super) fn take(statements: &mut Vec<OwnedStatement>) -> Option<Self> {
        LoneStatement::is_groupable(statements).then(|| {
            let shape = shape_of(statements.iter().map(OwnedStatement::statement));
            Self { shape, statements: std::mem::take(statements) }
        })
    }
}

impl GroupCommits {
    /// Commits a transaction, with others if some are under way. Once it is sent, it is carried out also if the caller is dropped.
    pub(super) async fn commit(
        &self,
        connections: &PooledConnections,
        inserts: GroupableInserts,
    ) -> Result<(), StoreError> {
        let GroupableInserts { shape, statements } = inserts;
        let (outcome, told) = oneshot::channel();
        let queue = self.0.queues.lock().entry(shape).or_insert_with(|| GroupQueue::new(LIMITS)).clone();
        if let Some(turn) = queue.wait(WaitingInserts { statements, outcome }) {
            let (groups, connections) = (self.clone(), connections.clone());
            tokio::spawn(async move { groups.send_all(turn, shape, &connections).await });
        }
        // Once the time is over, the transaction is left out if it still waits.
        match timeout(connections.patience(), told).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(unanswered()),
        }
    }

    /// Sends the groups of a shape, one after the other, until none is waiting.
    async fn send_all(
        &self,
        mut turn: GroupTurn<WaitingInserts>,
        shape: TransactionShape,
        connections: &PooledConnections,
    ) {
        while let Some(group) = turn.next_group(take_group) {
            self.commit_group(shape, connections, group).await;
        }
    }

    /// Sends a group and tells each of its callers the outcome.
    async fn commit_group(
        &self,
        shape: TransactionShape,
        connections: &PooledConnections,
        mut group: Vec<WaitingInserts>,
    ) {
        match send_group(connections, &group).await {
            Ok(true) => {
                connections.meters.committed_group(group.len());
                group.into_iter().for_each(|it| it.tell(Ok(())));
            }
            // Not by this sender, which others wait for: the row that is refused may wait for a lock again.
            Ok(false) => drop(tokio::spawn(self.commit_parts(shape, connections, group))),
            Err(failure) => {
                let last = group.pop();
                group.into_iter().for_each(|it| it.tell(Err(repeated(&failure))));
                if let Some(last) = last {
                    last.tell(Err(failure));
                }
            }
        }
    }

    /// Sends the halves of a group that was refused, or its only transaction by itself.
    fn commit_parts(
        &self,
        shape: TransactionShape,
        connections: &PooledConnections,
        mut group: Vec<WaitingInserts>,
    ) -> BoxFuture<'static, ()> {
        let (groups, connections) = (self.clone(), connections.clone());
        Box::pin(async move {
            let half = group.split_off(group.len().div_ceil(2));
            if half.is_empty() {
                for WaitingInserts { statements, outcome } in group {
                    // Whoever asked for it may be gone.
                    let _ = outcome.send(commit_alone(&connections, statements).await);
                }
            } else {
                for part in [group, half] {
                    groups.commit_group(shape, &connections, part).await;
                }
            }
        })
    }
}

/// The next group, without those whose callers are gone.
fn take_group(waiting: &mut VecDeque<WaitingInserts>, most: usize) -> Vec<WaitingInserts> {
    waiting.retain(|it| !it.outcome.is_closed());
    let Some(power) = waiting.len().min(most).checked_ilog2() else { return Vec::new() };
    let mut group: Vec<_> = waiting.drain(..1 << power).collect();
    // In one order in every group: two that insert the same keys into the first table wait for each other at most in one direction.
    group.sort_by(|one, other| compare(&one.statements, &other.statements));
    group
}

/// The order of two transactions of the same statements, by their parameters.
fn compare(one: &[OwnedStatement], other: &[OwnedStatement]) -> Ordering {
    let parameters = |statements| <[OwnedStatement]>::iter(statements).flat_map(OwnedStatement::parameters);
    parameters(one).map(SqlValue::key).cmp(parameters(other).map(SqlValue::key))
}

impl WaitingInserts {
    fn tell(self, outcome: Result<(), StoreError>) {
        // Whoever asked for it may be gone.
        let _ = self.outcome.send(outcome);
    }
}

/// `false` if the server refused the group because of a row; nothing was written then.
async fn send_group(connections: &PooledConnections, group: &[WaitingInserts]) -> Result<bool, StoreError> {
    let first = group.first().map_or(&[][..], |first| &first.statements);
    let statements: Vec<_> = first.iter().map(OwnedStatement::statement).collect();
    let Some(text) = connections.texts.text(&statements, group.len()) else { return Ok(false) };
    let mut connection = connections.begin(TransactionAccess::Write).await?;
    let parts: Vec<_> = group.iter().map(|it| it.statements.as_slice()).collect();
    let sent = connection.commit_lone(&LoneStatement::of_group(text, &parts)).await;
    // A connection that does not answer is not used again.
    drop(connection.again());
    sent
}

async fn commit_alone(connections: &PooledConnections, statements: Vec<OwnedStatement>) -> Result<(), StoreError> {
    let mut connection = connections.begin(TransactionAccess::Write).await?;
    connection.keep_all(statements);
    let ended = connection.end(TransactionEnding::Commit { queued: Vec::new() }).await;
    drop(connection.again());
    ended.map(drop)
}
