//! The writer: one thread, which runs queued transactions one after the other, each in a savepoint, and commits a whole group at
//! once. A group of one transaction needs no savepoint.

use super::checkpoint::Checkpointer;
use super::connection::DatabaseFile;
use super::read_mark::ReadMark;
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

/// The capacity of the queue; further callers wait for space.
const QUEUE: usize = 4096;

/// The largest number of transactions in one commit, which limits how long the first of a group waits for the last.
const GROUP: usize = 256;

struct QueuedWrite {
    work: Work,
    answer: oneshot::Sender<Result<(), StoreError>>,
    /// The deadline for the start of the transaction, up to which its caller waits.
    begun_by: Instant,
}

/// The writer's handle. Dropping it waits until the queue is finished.
#[derive(Debug)]
pub(super) struct Writer {
    queue: Option<mpsc::Sender<QueuedWrite>>,
    /// The time for which a transaction may wait for its turn.
    patience: Duration,
    thread: Option<JoinHandle<()>>,
}

impl Writer {
    /// Starts the writer thread.
    pub(super) fn start(
        mut connection: Connection,
        database: Arc<DatabaseFile>,
        meters: EngineMetrics,
        patience: Duration,
        wake: Option<Arc<dyn Wake>>,
    ) -> Result<Self, StoreError> {
        let read_mark = Arc::new(ReadMark::open(&database)?);
        let checkpointer = Checkpointer::start(&mut connection, &database, Arc::clone(&read_mark))?;
        let (queue, orders) = mpsc::channel(QUEUE);
        let thread = std::thread::Builder::new()
            .name(String::from("store-writer"))
            .spawn(move || serve(&connection, orders, &read_mark, &checkpointer, &CommitObservers { meters, wake }))
            .map_err(|source| StoreError::Unavailable(source.into()))?;
        Ok(Self { queue: Some(queue), patience, thread: Some(thread) })
    }

    /// Queues a transaction and waits until it is durable. A transaction that starts before its deadline runs to its end, even if
    /// the caller is dropped. After the deadline a transaction is not started, so that callers get an answer while another
    /// process blocks the writer.
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
        // A transaction may hold the last handle of its store. The store is then dropped on the writer thread, which cannot join
        // itself.
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

/// The observers of commits.
struct CommitObservers {
    meters: EngineMetrics,
    wake: Option<Arc<dyn Wake>>,
}

impl CommitObservers {
    /// Notifies that events were committed to the queues of these clients.
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
    read_mark: &ReadMark,
    checkpointer: &Checkpointer,
    observers: &CommitObservers,
) {
    while let Some(first) = orders.blocking_recv() {
        let mut group = vec![first];
        while group.len() < GROUP
            && let Ok(next) = orders.try_recv()
        {
            group.push(next);
        }
        observers.meters.committed_group(group.len());
        read_mark.release();
        write_group(connection, group, observers);
        checkpointer.after_commit(connection);
        if orders.is_empty() {
            read_mark.hold();
        }
    }
}

/// Runs a group and answers every caller after the commit. Even a transaction without changes waits for the commit, because it
/// may have read changes of another transaction in the group.
fn write_group(connection: &Connection, group: Vec<QueuedWrite>, observers: &CommitObservers) {
    let begun = run_statement(connection, "BEGIN IMMEDIATE");
    let is_alone = group.len() == 1;
    let mut is_undone = false;
    let mut outcomes = Vec::with_capacity(group.len());
    let mut queued = Vec::new();
    for order in group {
        if order.begun_by < Instant::now() {
            outcomes.push((order.answer, Err(too_late())));
            continue;
        }
        // A closure must not run outside of a transaction. There is no transaction if `BEGIN` failed, or if an earlier closure
        // met an error (such as a full disk) that made SQLite roll back everything. The commit and so the whole group fail then.
        let outcome = if begun.is_err() || connection.is_autocommit() {
            Ok(Vec::new())
        } else if is_alone {
            run_work(connection, order.work).or_else(|outcome| {
                is_undone = true;
                roll_back(connection).and(outcome).map(|()| Vec::new())
            })
        } else {
            write_one(connection, order.work)
        };
        let outcome = outcome.map(|clients| queued.extend(clients));
        outcomes.push((order.answer, outcome));
    }
    let committed = begun.and_then(|()| if is_undone { Ok(()) } else { run_statement(connection, "COMMIT") });
    if committed.is_err() || is_undone {
        // A failure here is ignored: the next `BEGIN` reports it.
        let _ = roll_back(connection);
    }
    if committed.is_ok() && !queued.is_empty() {
        observers.queued(&queued);
    }
    for (answer, outcome) in outcomes {
        let answered = match &committed {
            Ok(()) => outcome,
            Err(error) => Err(same(error)),
        };
        // A dropped caller needs no answer.
        let _ = answer.send(answered);
    }
}

/// Rolls everything back, unless SQLite has already done so.
fn roll_back(connection: &Connection) -> Result<(), StoreError> {
    if connection.is_autocommit() { Ok(()) } else { run_statement(connection, "ROLLBACK") }
}

/// Runs one transaction in a savepoint and returns the clients for whom events were queued.
fn write_one(connection: &Connection, work: Work) -> Result<Vec<ClientId>, StoreError> {
    run_statement(connection, "SAVEPOINT one")?;
    match run_work(connection, work) {
        Ok(queued) => run_statement(connection, "RELEASE one").map(|()| queued),
        Err(outcome) => {
            run_statement(connection, "ROLLBACK TO one")?;
            run_statement(connection, "RELEASE one")?;
            outcome.map(|()| Vec::new())
        }
    }
}

/// Runs the work of one transaction and returns the clients for whom events were queued.
///
/// # Errors
/// If the work must be rolled back, the outcome for its caller.
fn run_work(connection: &Connection, mut work: Work) -> Result<Vec<ClientId>, Result<(), StoreError>> {
    let mut sql = connection;
    let ending = SqlTransaction::new(&mut sql, TransactionAccess::Write).run(&mut work);
    // A closure may hold the last handle of its store, so it is dropped before the caller is answered.
    drop(work);
    match ending {
        TransactionEnding::Commit { queued } => Ok(queued),
        TransactionEnding::RollBack => Err(Ok(())),
        // There is only one writer, so another run would have the same result.
        TransactionEnding::Again => Err(Err(StoreError::Contended)),
        TransactionEnding::Fail(error) => Err(Err(error)),
    }
}

/// A copy of the error for each caller of a group.
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
