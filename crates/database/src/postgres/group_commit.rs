//! Group commit: transactions that do nothing but insert rows, of several callers, are sent as one statement.
//!
//! While some are under way, those of the same statements wait, and are sent together then. So a node that is asked for many tokens makes
//! one round trip and one commit for many of them, and a node that is asked for one makes them at once. Nobody's rows depend on
//! another's: a group that the server refuses because of a row is sent again in halves, until those that are refused are alone.

use super::connections::PooledConnections;
use super::errors::{repeated, unanswered};
use super::lone::{INSERTS_MAX, LoneStatement};
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

/// Groups of the same statements under way at a time: one is executed while the other one is made durable.
const UNDER_WAY_MAX: usize = 2;
/// Most transactions of a group. Groups have a power of two of them, so that a connection prepares few statements.
const GROUP_MAX: usize = 32;

/// The transactions that wait for their group. Clones share them.
#[derive(Clone, Default)]
pub(super) struct GroupCommits(Arc<Mutex<HashMap<GroupShape, GroupQueue>>>);

/// Which statements a transaction consists of, by the addresses of their texts; zero behind the last one.
type GroupShape = [usize; INSERTS_MAX];

/// The transactions of one shape.
#[derive(Default)]
struct GroupQueue {
    waiting: VecDeque<WaitingInserts>,
    under_way: usize,
    /// The text of a group, by its size.
    texts: HashMap<usize, Arc<str>>,
}

/// The inserts of a transaction, and who waits for its outcome.
struct WaitingInserts {
    statements: Vec<OwnedStatement>,
    outcome: oneshot::Sender<Result<(), StoreError>>,
}

/// All statements of a transaction: inserts of one row each.
pub(super) struct GroupableInserts {
    shape: GroupShape,
    statements: Vec<OwnedStatement>,
}

impl GroupableInserts {
    /// The statements of a transaction, given back if they cannot be sent with others'.
    pub(super) fn new(statements: Vec<OwnedStatement>) -> Result<Self, Vec<OwnedStatement>> {
        if !LoneStatement::is_groupable(&statements) {
            return Err(statements);
        }
        let mut shape = GroupShape::default();
        for (place, it) in shape.iter_mut().zip(&statements) {
            *place = it.statement().postgres.as_ptr().addr();
        }
        Ok(Self { shape, statements })
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
        if self.wait_in_queue(shape, WaitingInserts { statements, outcome }) {
            let sender = GroupSender { groups: self.clone(), shape, is_done: false };
            let connections = connections.clone();
            tokio::spawn(async move { sender.send_all(&connections).await });
        }
        // Once the time is over, the transaction is left out if it still waits.
        match timeout(connections.patience(), told).await {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(_)) | Err(_) => Err(unanswered()),
        }
    }

    /// Adds a transaction to its queue. Whether somebody must send it: another group may be under way.
    fn wait_in_queue(&self, shape: GroupShape, waiting: WaitingInserts) -> bool {
        let mut queues = self.0.lock();
        let queue = queues.entry(shape).or_default();
        queue.waiting.push_back(waiting);
        let may_begin = queue.under_way < UNDER_WAY_MAX;
        queue.under_way = queue.under_way.saturating_add(usize::from(may_begin));
        may_begin
    }

    /// The text of a group of this size.
    fn text(&self, shape: GroupShape, group: &[WaitingInserts]) -> Arc<str> {
        let mut queues = self.0.lock();
        let texts = &mut queues.entry(shape).or_default().texts;
        let text = texts.entry(group.len()).or_insert_with(|| {
            let first = group.first().map_or(&[][..], |first| &first.statements);
            let statements: Vec<_> = first.iter().map(OwnedStatement::statement).collect();
            LoneStatement::text(&statements, group.len()).into()
        });
        Arc::clone(text)
    }

    /// Sends a group and tells each of its callers the outcome.
    async fn commit_group(&self, shape: GroupShape, connections: &PooledConnections, mut group: Vec<WaitingInserts>) {
        let text = self.text(shape, &group);
        match send_group(connections, &text, &group).await {
            Ok(true) => group.into_iter().for_each(|it| it.tell(Ok(()))),
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
        shape: GroupShape,
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

/// Sends the groups of a shape, one after the other, until none is waiting.
struct GroupSender {
    groups: GroupCommits,
    shape: GroupShape,
    is_done: bool,
}

impl GroupSender {
    async fn send_all(mut self, connections: &PooledConnections) {
        while let Some(group) = self.next_group() {
            self.groups.commit_group(self.shape, connections, group).await;
        }
    }

    /// The next group, without those whose callers are gone. Without one this sender counts no more as under way.
    fn next_group(&mut self) -> Option<Vec<WaitingInserts>> {
        let mut queues = self.groups.0.lock();
        let queue = queues.entry(self.shape).or_default();
        queue.waiting.retain(|it| !it.outcome.is_closed());
        let count = queue.waiting.len().min(GROUP_MAX);
        let Some(power) = count.checked_ilog2() else {
            self.is_done = true;
            queue.under_way = queue.under_way.saturating_sub(1);
            return None;
        };
        let mut group: Vec<_> = queue.waiting.drain(..1 << power).collect();
        // In one order in every group: two that insert the same keys into the first table wait for each other at most in one direction.
        group.sort_by(|one, other| compare(&one.statements, &other.statements));
        Some(group)
    }
}

impl Drop for GroupSender {
    fn drop(&mut self) {
        if !self.is_done {
            let mut queues = self.groups.0.lock();
            let queue = queues.entry(self.shape).or_default();
            queue.under_way = queue.under_way.saturating_sub(1);
        }
    }
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
async fn send_group(connections: &PooledConnections, text: &str, group: &[WaitingInserts]) -> Result<bool, StoreError> {
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
