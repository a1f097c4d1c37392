//! The one writer: a thread that runs waiting transactions back to back, each in its savepoint, and makes a whole group
//! durable with one commit.

use super::checkpoint::Checkpointer;
use super::connection::DatabaseFile;
use super::session::run_statement;
use crate::Work;
use crate::metrics::EngineMetrics;
use crate::session::{SqlTransaction, TransactionAccess, TransactionEnding};
use lombard_domain::ids::ClientId;
use lombard_ports::store::StoreError;
use lombard_ports::wake::Wake;
use rusqlite::Connection;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

/// Transactions that may wait; further callers wait for a place.
const QUEUE: usize = 4096;

/// Transactions that may share a commit: bounds how long the first of a group waits for the last.
const GROUP: usize = 256;

struct QueuedWrite {
    work: Work,
    answer: oneshot::Sender<Result<(), StoreError>>,
    /// By when it must have begun: who asked does not wait any longer.
    begun_by: Instant,
}

/// The writer's handle. Dropping it waits until the queue is finished.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Option<mpsc::Sender<QueuedWrite>>,
    /// How long a transaction may wait for its turn.
    patience: Duration,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(
        mut connection: Connection,
        database: Arc<DatabaseFile>,
        meters: EngineMetrics,
        patience: Duration,
        wake: Option<Arc<dyn Wake>>,
    ) -> Result<Self, StoreError> {
        let checkpointer = Checkpointer::start(&mut connection, &database)?;
        let (queue, orders) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name(String::from("store-writer"))
            .spawn(move || serve(&connection, orders, &checkpointer, &CommitObservers { meters, wake }))
            .map_err(|source| StoreError::Unavailable(source.into()))?;
        Ok(Self { queue: Some(queue), patience, thread: Some(thread) })
    }

    /// Queues a transaction and waits until it is durable. One whose turn comes in time runs, whether or not the caller
    /// waits; one whose turn comes too late does not run at all, so that a writer held up by another process answers.
    pub(super) async fn submit(&self, work: Work) -> Result<(), StoreError> {
        let (answer, answered) = oneshot::channel();
        if let Some(queue) = &self.queue {
            let begun_by = Instant::now() + self.patience;
            let place = match queue.try_reserve() {
                Ok(place) => place,
                Err(TrySendError::Closed(())) => return Err(gone()),
                Err(TrySendError::Full(())) => {
                    let waited = tokio::time::timeout(self.patience, queue.reserve()).await;
                    waited.map_err(|_| too_late())?.map_err(|_| gone())?
                }
            };
            place.send(QueuedWrite { work, answer, begun_by });
        }
        answered.await.map_err(|_| gone())?
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        drop(self.queue.take());
        let Some(thread) = self.thread.take() else { return };
        // A transaction may hold the last handle of its own store; the writer cannot wait for itself.
        if thread.thread().id() != std::thread::current().id() {
            let _ = thread.join();
        }
    }
}

fn too_late() -> StoreError {
    StoreError::Unavailable("the writer was busy for too long".into())
}

fn gone() -> StoreError {
    StoreError::Unavailable("the writer has ended".into())
}

/// Who is told of commits.
struct CommitObservers {
    meters: EngineMetrics,
    wake: Option<Arc<dyn Wake>>,
}

impl CommitObservers {
    /// These queues have got longer, durably.
    fn queued(&self, clients: &[ClientId]) {
        self.meters.queued(clients.len());
        if let Some(wake) = &self.wake {
            clients.iter().for_each(|client| wake.wake_client(client));
        }
    }
}

fn serve(
    connection: &Connection,
    mut orders: mpsc::Receiver<QueuedWrite>,
    checkpointer: &Checkpointer,
    heard: &CommitObservers,
) {
    while let Some(first) = orders.blocking_recv() {
        let mut group = vec![first];
        while group.len() < GROUP
            && let Ok(next) = orders.try_recv()
        {
            group.push(next);
        }
        heard.meters.committed_group(group.len());
        write_group(connection, group, heard);
        checkpointer.after_commit(connection);
    }
}

/// Runs a group and answers every caller, after the commit: what a transaction saw, even one that changed nothing, may
/// be another one's work of the same group.
fn write_group(connection: &Connection, group: Vec<QueuedWrite>, heard: &CommitObservers) {
    let begun = run_statement(connection, "BEGIN IMMEDIATE");
    let mut outcomes = Vec::with_capacity(group.len());
    let mut queued = Vec::new();
    for order in group {
        if order.begun_by < Instant::now() {
            outcomes.push((order.answer, Err(too_late())));
            continue;
        }
        // Without a transaction around it a closure must not run: there was none to begin with, or an earlier closure met
        // an error (a full disk, say) that made SQLite roll back everything. The commit fails then, and with it all.
        let outcome = if connection.is_autocommit() { Ok(Vec::new()) } else { write_one(connection, order.work) };
        let outcome = outcome.map(|clients| queued.extend(clients));
        outcomes.push((order.answer, outcome));
    }
    let committed = begun.and_then(|()| run_statement(connection, "COMMIT"));
    if committed.is_err() && !connection.is_autocommit() {
        // Nothing to do about a failure here: the next BEGIN will report it.
        let _ = run_statement(connection, "ROLLBACK");
    }
    if committed.is_ok() && !queued.is_empty() {
        heard.queued(&queued);
    }
    for (answer, outcome) in outcomes {
        let answered = match &committed {
            Ok(()) => outcome,
            Err(error) => Err(same(error)),
        };
        // A caller that went away needs no answer.
        let _ = answer.send(answered);
    }
}

/// Whose queues got longer.
fn write_one(connection: &Connection, mut work: Work) -> Result<Vec<ClientId>, StoreError> {
    run_statement(connection, "SAVEPOINT one")?;
    let mut sql = connection;
    let ending = SqlTransaction::new(&mut sql, TransactionAccess::Write).run(&mut work);
    // A closure may hold the last handle of its store: it goes before anything is answered.
    drop(work);
    let outcome = match ending {
        TransactionEnding::Commit { queued } => return run_statement(connection, "RELEASE one").map(|()| queued),
        TransactionEnding::RollBack => Ok(Vec::new()),
        // Nobody else writes; running it again would give the same.
        TransactionEnding::Again => Err(StoreError::Contended),
        TransactionEnding::Fail(error) => Err(error),
    };
    run_statement(connection, "ROLLBACK TO one")?;
    run_statement(connection, "RELEASE one")?;
    outcome
}

/// One error for each caller of a group.
fn same(error: &StoreError) -> StoreError {
    match error {
        StoreError::Contended => StoreError::Contended,
        StoreError::Unavailable(source) => StoreError::Unavailable(source.to_string().into()),
        StoreError::Duplicate(table) => StoreError::Duplicate(table),
        StoreError::Corrupt { table, id, source } => {
            StoreError::Corrupt { table, id: id.clone(), source: source.to_string().into() }
        }
    }
}
