//! Group commit: transactions that do nothing but insert rows, of several callers, are sent as one statement.
//!
//! While some are under way, those of the same statements wait, and are sent together then. So a node that is asked for many tokens makes
//! one round trip and one commit for many of them, and a node that is asked for one makes them at once. Nobody's rows depend on
//! another's: if the server refuses a group, each of its transactions is sent by itself.

use super::connections::PooledConnections;
use super::errors::unanswered;
use super::lone::{INSERTS_MAX, LoneStatement};
use super::round_trip::OwnedStatement;
use crate::session::{TransactionAccess, TransactionEnding};
use crate::value::SqlValue;
use futures_util::future::join_all;
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::cmp::Ordering;
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use tokio::sync::oneshot;

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
    /// Commits a transaction, with others if some are under way. It is carried out also if the caller is dropped.
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
        told.await.unwrap_or_else(|_| Err(unanswered()))
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
}

/// Sends the groups of a shape, one after the other, until none is waiting.
struct GroupSender {
    groups: GroupCommits,
    shape: GroupShape,
    is_done: bool,
}

impl GroupSender {
    async fn send_all(mut self, connections: &PooledConnections) {
        while let Some((text, group)) = self.next_group() {
            commit_group(connections, &text, group).await;
        }
    }

    /// The next group and its text. Without one this sender counts no more as under way.
    fn next_group(&mut self) -> Option<(Arc<str>, Vec<WaitingInserts>)> {
        let mut queues = self.groups.0.lock();
        let queue = queues.entry(self.shape).or_default();
        let count = queue.waiting.len().min(GROUP_MAX);
        let Some(power) = count.checked_ilog2() else {
            self.is_done = true;
            queue.under_way = queue.under_way.saturating_sub(1);
            return None;
        };
        let mut group: Vec<_> = queue.waiting.drain(..1 << power).collect();
        // In one order in every group: two that insert the same keys wait for each other at most in one direction.
        group.sort_by(|one, other| compare(&one.statements, &other.statements));
        let parts = group.first().map_or(&[][..], |first| &first.statements);
        let text = queue.texts.entry(group.len()).or_insert_with(|| {
            let statements: Vec<_> = parts.iter().map(OwnedStatement::statement).collect();
            LoneStatement::text(&statements, group.len()).into()
        });
        Some((Arc::clone(text), group))
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

/// Sends a group and tells each of its callers the outcome.
async fn commit_group(connections: &PooledConnections, text: &str, group: Vec<WaitingInserts>) {
    let sent = send_group(connections, text, &group).await;
    match sent {
        Ok(true) => group.into_iter().for_each(|it| it.tell(Ok(()))),
        Ok(false) => {
            join_all(group.into_iter().map(async |WaitingInserts { statements, outcome }| {
                let committed = commit_alone(connections, statements).await;
                // Whoever asked for it may be gone.
                let _ = outcome.send(committed);
            }))
            .await;
        }
        Err(failure) => {
            let mut failure = Some(failure);
            group.into_iter().for_each(|it| it.tell(Err(failure.take().unwrap_or_else(unanswered))));
        }
    }
}

impl WaitingInserts {
    fn tell(self, outcome: Result<(), StoreError>) {
        // Whoever asked for it may be gone.
        let _ = self.outcome.send(outcome);
    }
}

/// `false` if the server refused the group; nothing was written then.
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
