//! Group commit: transactions that only insert rows, of several callers, are sent as one statement; and those that assume something
//! too, if they are of one owner.
//!
//! While some are under way, those of the same statements wait, and are sent together then. So a node that is asked for many tokens makes
//! one round trip and one commit for many of them, and a node that is asked for one makes them at once. Nobody's rows depend on
//! another's: a group that the server refuses because of a row is sent again in halves, until those that are refused are alone.
//!
//! What a transaction assumes may be wrong, and may have to wait until another transaction ends that has changed the same row. A client's
//! payments hold up each other by that and no other client's: groups with assumptions are of one owner.

use super::connections::PooledConnections;
use super::errors::{repeated, unanswered};
use super::group_queue::{GroupLimits, GroupQueue, GroupTurn};
use super::lone::{Grouping, LoneStatement, LoneTexts, TransactionShape, shape_of};
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
/// The same of one owner: a smaller group, as each transaction has proofs of its own, and more of them at a time, as one may wait for a lock.
const LIMITS_OF_OWNER: GroupLimits = GroupLimits { turns_max: 6, few: 2, group_max: 8 };

/// The transactions that wait for their group. Clones share them.
#[derive(Clone, Default)]
pub(super) struct GroupCommits(Arc<Commits>);

#[derive(Default)]
struct Commits {
    queues: Mutex<HashMap<GroupKind, GroupQueue<WaitingWrites>>>,
}

/// Which transactions may be in one group: those of the same statements and, if they assume something, of the same owner.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct GroupKind {
    shape: TransactionShape,
    owner: Option<String>,
}

/// What a transaction writes, and who waits for its outcome.
struct WaitingWrites {
    statements: Vec<OwnedStatement>,
    outcome: oneshot::Sender<Result<(), StoreError>>,
}

/// All statements of a transaction that can be sent with others'.
pub(super) struct GroupableWrites {
    kind: GroupKind,
    statements: Vec<OwnedStatement>,
}

impl GroupableWrites {
    /// The statements of a transaction of this owner, if they can be sent with others'.
    pub(super) fn take(
        statements: &mut Vec<OwnedStatement>,
        owner: &mut Option<String>,
        texts: &LoneTexts,
    ) -> Option<Self> {
        let all: Vec<_> = statements.iter().map(OwnedStatement::statement).collect();
        let owner = match texts.grouping(&all) {
            Grouping::Alone => return None,
            Grouping::Alike => None,
            Grouping::OfOneOwner => Some(owner.take()?),
        };
        let kind = GroupKind { shape: shape_of(&all), owner };
        Some(Self { kind, statements: std::mem::take(statements) })
    }

    /// Whether the transaction has assumed something.
    pub(super) const fn has_assumed(&self) -> bool {
        self.kind.owner.is_some()
    }
}

impl GroupKind {
    const fn limits(&self) -> GroupLimits {
        if self.owner.is_some() { LIMITS_OF_OWNER } else { LIMITS }
    }
}

impl GroupCommits {
    /// Commits a transaction, with others if some are under way. Once it is sent, it is carried out also if the caller is dropped.
    pub(super) async fn commit(
        &self,
        connections: &PooledConnections,
        writes: GroupableWrites,
    ) -> Result<(), StoreError> {
        let GroupableWrites { kind, statements } = writes;
        let (outcome, told) = oneshot::channel();
        let turn = self.queue(&kind).wait(WaitingWrites { statements, outcome });
        if let Some(turn) = turn {
            let (groups, connections) = (self.clone(), connections.clone());
            tokio::spawn(async move { groups.send_all(turn, &kind, &connections).await });
        }
        // Once the time is over, the transaction is left out if it still waits.
        match timeout(connections.patience(), told).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(unanswered()),
        }
    }

    fn queue(&self, kind: &GroupKind) -> GroupQueue<WaitingWrites> {
        let mut queues = self.0.queues.lock();
        match queues.get(kind) {
            Some(queue) => queue.clone(),
            None => queues.entry(kind.clone()).or_insert(GroupQueue::new(kind.limits())).clone(),
        }
    }

    /// Sends the groups of a kind, one after the other, until none is waiting.
    async fn send_all(&self, mut turn: GroupTurn<WaitingWrites>, kind: &GroupKind, connections: &PooledConnections) {
        while let Some(group) = turn.next_group(take_group) {
            self.commit_group(connections, group).await;
        }
        drop(turn);
        if kind.owner.is_some() {
            self.forget_unused(kind);
        }
    }

    /// Forgets the queue of an owner unless somebody uses it: there are as many owners as clients.
    fn forget_unused(&self, kind: &GroupKind) {
        let mut queues = self.0.queues.lock();
        if queues.get(kind).is_some_and(GroupQueue::is_unused) {
            queues.remove(kind);
        }
    }

    /// Sends a group and tells each of its callers the outcome.
    async fn commit_group(&self, connections: &PooledConnections, mut group: Vec<WaitingWrites>) {
        match send_group(connections, &group).await {
            Ok(true) => {
                connections.meters.committed_group(group.len());
                group.into_iter().for_each(|it| it.tell(Ok(())));
            }
            // Not by this sender, which others wait for: the row that is refused may wait for a lock again.
            Ok(false) => drop(tokio::spawn(self.commit_parts(connections, group))),
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
    fn commit_parts(&self, connections: &PooledConnections, mut group: Vec<WaitingWrites>) -> BoxFuture<'static, ()> {
        let (groups, connections) = (self.clone(), connections.clone());
        Box::pin(async move {
            let half = group.split_off(group.len().div_ceil(2));
            if half.is_empty() {
                for WaitingWrites { statements, outcome } in group {
                    // Whoever asked for it may be gone.
                    let _ = outcome.send(commit_alone(&connections, statements).await);
                }
            } else {
                for part in [group, half] {
                    groups.commit_group(&connections, part).await;
                }
            }
        })
    }
}

/// The next group, without those whose callers are gone.
fn take_group(waiting: &mut VecDeque<WaitingWrites>, most: usize) -> Vec<WaitingWrites> {
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

impl WaitingWrites {
    fn tell(self, outcome: Result<(), StoreError>) {
        // Whoever asked for it may be gone.
        let _ = self.outcome.send(outcome);
    }
}

/// `false` if the server refused the group because of a row; nothing was written then.
async fn send_group(connections: &PooledConnections, group: &[WaitingWrites]) -> Result<bool, StoreError> {
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
