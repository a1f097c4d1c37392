//! PostgreSQL: pooled connections. A closure runs without a thread of its own, again each time more of its answers have arrived
//! (`replay`); one that makes many round trips or writes many rows goes on on a blocking thread, which drives its connection (`session`).
//! Reads of one query share connections (`shared`).
//!
//! Only plain PostgreSQL SQL is used, so that distributed databases with that dialect can replace it. Write transactions run at
//! READ COMMITTED and lock the rows that the port says are locked; reads run on a snapshot (REPEATABLE READ).

mod connect;
mod connections;
mod errors;
mod exchange;
mod group_commit;
mod group_queue;
mod group_read;
mod group_write;
mod lone;
mod migrate;
mod replay;
mod round_trip;
mod session;
mod shared;
mod single;
mod snapshot;
mod wakes;

#[cfg(feature = "testing")]
pub(crate) use group_read::group_text;
pub(crate) use migrate::{migrate, pending_migrations};

use crate::engine::{Engine, SingleStatements};
use crate::metrics::EngineMetrics;
use crate::retry::RetryPauses;
use crate::session::{SnapshotScope, SqlTransaction, TransactionAccess, TransactionEnding};
use crate::{DatabaseTraffic, Schema, StoreTimeouts, Work};
use async_trait::async_trait;
use connect::{ConnectionManager, config};
use connections::PooledConnections;
use deadpool_postgres::{Manager, ManagerConfig, Pool, QueueMode, RecyclingMethod, Runtime};
use group_commit::{GroupCommits, GroupableWrites};
use group_read::GroupReads;
use group_write::GroupWrites;
use lombard_domain::ids::ClientId;
use lombard_ports::draws::Draws;
use lombard_ports::store::StoreError;
use lombard_ports::wake::Wake;
use replay::{BegunWrite, ReadConnection, ReplayedRead, ReplayedWrite};
use session::PostgresConnection;
use shared::SharedConnections;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use wakes::WakeNotifier;

/// How much longer a node waits for a statement than the server's statement timeout, so that the server's error arrives first.
const GRACE: Duration = Duration::from_secs(1);

/// The engine.
#[derive(Clone)]
struct Postgres {
    connections: PooledConnections,
    commits: GroupCommits,
    /// Reads of one query.
    reads: GroupReads,
    group_writes: GroupWrites,
    retry: Arc<RetryPauses>,
    wakes: Option<Arc<WakeNotifier>>,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The pool's `Debug` would print the address and the user.
        f.debug_struct("Postgres").finish_non_exhaustive()
    }
}

/// Connects to a migrated database.
pub(crate) async fn open(
    url: &str,
    pool_size: usize,
    schemas: &[&Schema],
    waits: &StoreTimeouts,
    wake: Option<Arc<dyn Wake>>,
) -> Result<Arc<dyn Engine>, StoreError> {
    let manager_config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
    let pool = Pool::builder(Manager::from_connect(config(url, waits)?, ConnectionManager::new(waits), manager_config))
        .max_size(pool_size.max(1))
        // The connection that was used last has its statements prepared, on the server too.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(waits.connection))
        .create_timeout(Some(waits.connection))
        .recycle_timeout(Some(waits.connection))
        .build()
        .map_err(|error| StoreError::Unavailable(error.into()))?;
    let client = pool.get().await.map_err(|error| StoreError::Unavailable(error.into()))?;
    for schema in schemas {
        migrate::require_all(&client, schema).await?;
    }
    session::require_isolation(&client).await?;
    drop(client);
    let wakes = wake.map(|wake| WakeNotifier::start(url, waits, wake)).transpose()?.map(Arc::new);
    let answer = waits.statement.saturating_add(GRACE);
    let meters = EngineMetrics::new("postgres");
    let connections = PooledConnections {
        pool,
        traffic: Arc::default(),
        meters,
        texts: Arc::default(),
        answer,
        wait: waits.connection,
    };
    let engine = Postgres {
        commits: GroupCommits::default(),
        group_writes: GroupWrites::new(connections.clone()),
        reads: GroupReads::new(connections.clone(), SharedConnections::new(pool_size)),
        connections,
        retry: Arc::default(),
        wakes,
    };
    Ok(Arc::new(engine))
}

#[async_trait]
impl Engine for Postgres {
    async fn write(&self, mut work: Work) -> Result<(), StoreError> {
        let since = Instant::now();
        let mut begun = replay::begin(&mut work);
        let outcome = match begun.take_groupable(&self.connections.texts) {
            Some(writes) => self.write_in_group(writes, work).await,
            None => self.write_alone(work, begun).await,
        };
        self.connections.meters.wrote(since);
        outcome
    }

    async fn read(&self, scope: SnapshotScope, mut work: Work) -> Result<(), StoreError> {
        let since = Instant::now();
        let read = match scope {
            SnapshotScope::Query => replay::read(ReadConnection::Shared(&self.reads), &mut work).await,
            // Boxed: a read of one query needs no room for it.
            SnapshotScope::Transaction => Box::pin(self.read_snapshot(&mut work)).await?,
        };
        let outcome = match read {
            ReplayedRead::Done(outcome) => outcome,
            ReplayedRead::NeedsThread => {
                Box::pin(self.run_on_thread(TransactionAccess::Read(scope), work, None, Draws::default())).await
            }
        };
        self.connections.meters.read(since);
        outcome
    }

    fn waits_for_server(&self) -> bool {
        true
    }

    fn single_statements(&self) -> Option<&dyn SingleStatements> {
        Some(self)
    }

    fn traffic(&self) -> DatabaseTraffic {
        self.connections.traffic.so_far()
    }
}

impl Postgres {
    /// Runs a read on a connection of its own.
    async fn read_snapshot(&self, work: &mut Work) -> Result<ReplayedRead, StoreError> {
        let mut snapshot = self.connections.snapshot().await?;
        Ok(replay::read(ReadConnection::Own(&mut snapshot), work).await)
    }

    /// Commits a transaction together with others, if some are under way.
    async fn write_in_group(&self, writes: GroupableWrites, mut work: Work) -> Result<(), StoreError> {
        let has_assumed = writes.has_assumed();
        match self.commits.commit(&self.connections, writes).await {
            Err(StoreError::Contended | StoreError::Duplicate(_) | StoreError::Corrupt { .. }) if has_assumed => {
                self.connections.meters.retried();
                let begun = replay::begin_without_assumptions(&mut work);
                self.write_alone(work, begun).await
            }
            Err(StoreError::Contended) => {
                self.connections.meters.retried();
                tokio::time::sleep(self.retry.first_pause(&work)).await;
                Box::pin(self.run_on_thread(TransactionAccess::Write, work, None, Draws::default())).await
            }
            outcome => outcome,
        }
    }

    /// Runs a closure that writes on a connection of its own.
    async fn write_alone(&self, work: Work, begun: BegunWrite) -> Result<(), StoreError> {
        let (engine, connection) = (self.clone(), self.connections.begin(TransactionAccess::Write).await?);
        // A task of its own: once started it runs to its end, also if the caller is dropped.
        let written = tokio::spawn(async move { engine.write_on(connection, work, begun).await });
        written.await.map_err(|error| StoreError::Unavailable(error.into()))?
    }

    /// Runs a closure that writes, if need be from some point on on a blocking thread. One that was misled by what it assumed is run
    /// again at once, without assumptions.
    async fn write_on(
        &self,
        mut connection: PostgresConnection,
        mut work: Work,
        mut begun: BegunWrite,
    ) -> Result<(), StoreError> {
        let access = TransactionAccess::Write;
        loop {
            let connected = match replay::write(&mut connection, &mut work, begun).await {
                ReplayedWrite::Ended { ending, has_assumed } => match connection.end(ending).await {
                    Ok(queued) => {
                        self.queued(&queued);
                        return Ok(());
                    }
                    // Not after a commit whose outcome is not known.
                    Err(StoreError::Contended | StoreError::Duplicate(_) | StoreError::Corrupt { .. })
                        if has_assumed =>
                    {
                        connection.again()
                    }
                    Err(StoreError::Contended) => {
                        self.connections.meters.retried();
                        tokio::time::sleep(self.retry.first_pause(&work)).await;
                        return self.run_on_thread(access, work, connection.again(), Draws::default()).await;
                    }
                    Err(error) => {
                        drop(connection.again());
                        return Err(error);
                    }
                },
                ReplayedWrite::Misled => {
                    let _ = connection.end(TransactionEnding::RollBack).await;
                    connection.again()
                }
                ReplayedWrite::NeedsThread(round_trips, draws) => {
                    connection.replay_first(round_trips);
                    return self.run_on_thread(access, work, Some(connection), draws).await;
                }
                ReplayedWrite::Diverged => {
                    let _ = connection.end(TransactionEnding::RollBack).await;
                    return self.run_on_thread(access, work, connection.again(), Draws::default()).await;
                }
            };
            self.connections.meters.retried();
            connection = match connected {
                Some(connection) => connection,
                None => self.connections.begin(access).await?,
            };
            begun = replay::begin_without_assumptions(&mut work);
        }
    }

    /// Runs a closure on a blocking thread. Once started it runs to its end, also if the caller is dropped.
    async fn run_on_thread(
        &self,
        access: TransactionAccess,
        mut work: Work,
        connection: Option<PostgresConnection>,
        draws: Draws,
    ) -> Result<(), StoreError> {
        let connection = match connection {
            Some(connection) => connection,
            None => self.connections.begin(access).await?,
        };
        let (engine, handle) = (self.clone(), Handle::current());
        let transaction = move || engine.settle(access, &mut work, connection, draws, &handle);
        let settled = tokio::task::spawn_blocking(transaction).await;
        settled.map_err(|error| StoreError::Unavailable(error.into()))?
    }

    fn settle(
        &self,
        access: TransactionAccess,
        work: &mut Work,
        connection: PostgresConnection,
        draws: Draws,
        handle: &Handle,
    ) -> Result<(), StoreError> {
        let pause = |pause| handle.block_on(tokio::time::sleep(pause));
        let (mut connected, mut draws) = (Some(connection), Some(draws));
        self.retry.run(&self.connections.meters, pause, || {
            let Some(mut sql) = connected.take() else {
                return Err(StoreError::Unavailable("the connection was lost".into()));
            };
            let run = || SqlTransaction::new(&mut sql, access).run(work);
            // Another attempt is made at another time.
            let ending = draws.take().unwrap_or_default().repeat(run);
            let outcome = handle.block_on(sql.end(ending)).map(|queued| self.queued(&queued));
            connected = sql.again();
            outcome
        })
    }

    /// Notifies that events were committed to the queues of these clients, one entry per event.
    fn queued(&self, clients: &[ClientId]) {
        if clients.is_empty() {
            return;
        }
        self.connections.meters.queued(clients.len());
        if let Some(wakes) = &self.wakes {
            wakes.queued(clients);
        }
    }
}
