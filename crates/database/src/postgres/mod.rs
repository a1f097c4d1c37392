//! PostgreSQL: pooled connections.
//!
//! - A transaction (`session`): its closure runs on a blocking thread that drives one connection. A statement whose result is not
//!   awaited is sent with the next awaited statement, or with the commit.
//! - A read of one query (`one_query`, `group_read`, `shared`): its closure runs twice, and needs neither a thread nor a connection
//!   of its own.
//! - A hand-written statement that is a transaction by itself (`single`, `group_write`): it is sent alone, or with the rows of other
//!   callers.
//!
//! Only plain PostgreSQL SQL is used, so that distributed databases with that dialect can replace it. Write transactions run at
//! READ COMMITTED and lock the rows that the port requires to be locked; reads run on a snapshot (REPEATABLE READ).

mod connect;
mod connections;
mod errors;
mod exchange;
mod group_queue;
mod group_read;
mod group_write;
mod history;
mod migrate;
mod migration_locks;
mod one_query;
mod owned_statement;
mod patience;
mod ping;
mod pooler;
mod room;
mod server;
mod session;
mod shared;
mod single;
mod tls;
mod url;
mod version;
mod wakes;

#[cfg(feature = "testing")]
pub(crate) use group_read::group_text;
pub(crate) use migrate::{migrate, pending_migrations, plan};
pub(crate) use migration_locks::LockPatience;
pub(crate) use room::admitted_connections;
pub use url::{PostgresUrl, UrlFault};

use crate::engine::{Engine, PoolUse, SingleStatements};
use crate::metrics::EngineMetrics;
use crate::retry::RetryPauses;
use crate::session::{SnapshotScope, SqlTransaction, TransactionAccess};
use crate::{DatabaseTraffic, Schema, StoreTimeouts, Work};
use async_trait::async_trait;
use connect::{ConnectionGuard, ConnectionManager};
use connections::PooledConnections;
use deadpool_postgres::{Manager, ManagerConfig, Pool, QueueMode, RecyclingMethod, Runtime};
use errors::unanswered;
use group_read::GroupReads;
use group_write::GroupWrites;
use jiff::Timestamp;
use lombard_domain::ids::ClientId;
use lombard_ports::store::StoreError;
use lombard_ports::wake::Wake;
use patience::within_request;
use ping::PingConnection;
use pooler::{FirstConnection, Pooling};
use server::PostgresServers;
use session::PostgresConnection;
use shared::SharedConnections;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_postgres::Client;
use wakes::WakeNotifier;

/// How much longer a node waits for a statement than the server's statement timeout, so that the server's error arrives first.
const GRACE: Duration = Duration::from_millis(500);

/// The engine.
#[derive(Clone)]
struct Postgres {
    connections: PooledConnections,
    /// The reads that consist of one query.
    reads: GroupReads,
    group_writes: GroupWrites,
    retry: Arc<RetryPauses>,
    wakes: Option<Arc<WakeNotifier>>,
    ping: Arc<PingConnection>,
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
    let servers = PostgresServers::from_url(url, waits)?;
    let FirstConnection { client, driver, pooling } = pooler::connect(&servers, waits).await?;
    let _closed_afterwards = ConnectionGuard::new(&driver);
    timeout(waits.statement, require_usable(&client, schemas, pooling)).await.map_err(|_| unanswered())??;
    let connections = match pooling {
        Pooling::None => ConnectionManager::new(servers.clone(), waits),
        Pooling::Transactions => ConnectionManager::of_shared_connections(servers.clone()),
    };
    let pool = Pool::builder(Manager::from_connect(servers.config(), connections, manager_config))
        .max_size(pool_size.max(1))
        // The connection that was used last is preferred, because its statements are prepared, also on the server.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(waits.connection))
        .create_timeout(Some(waits.connection))
        .recycle_timeout(Some(waits.connection))
        .build()
        .map_err(|error| StoreError::Unavailable(error.into()))?;
    let wakes = wake.map(|wake| match pooling {
        Pooling::None => WakeNotifier::start(servers.clone(), waits, wake),
        Pooling::Transactions => WakeNotifier::of_this_node(wake),
    });
    let wakes = wakes.map(Arc::new);
    let answer = waits.statement.saturating_add(GRACE);
    let meters = EngineMetrics::new("postgres");
    let connections = PooledConnections { pool, traffic: Arc::default(), meters, answer, wait: waits.connection };
    let engine = Postgres {
        group_writes: GroupWrites::new(connections.clone()),
        reads: GroupReads::new(connections.clone(), SharedConnections::new(pool_size)),
        connections,
        retry: Arc::default(),
        wakes,
        ping: Arc::new(PingConnection::new(servers.clone())),
    };
    Ok(Arc::new(engine))
}

/// Checks that the database can be used.
async fn require_usable(client: &Client, schemas: &[&Schema], pooling: Pooling) -> Result<(), StoreError> {
    for schema in schemas {
        history::require_all(client, schema).await?;
    }
    session::require_isolation(client).await?;
    match pooling {
        Pooling::None => Ok(()),
        Pooling::Transactions => pooler::report_pooler(client).await,
    }
}

#[async_trait]
impl Engine for Postgres {
    async fn write(&self, work: Work) -> Result<(), StoreError> {
        let since = Instant::now();
        let limit = self.connections.patience();
        let outcome = within_request(limit, self.run_transaction(TransactionAccess::Write, work)).await;
        self.connections.meters.wrote(since);
        outcome
    }

    async fn read(&self, scope: SnapshotScope, mut work: Work) -> Result<(), StoreError> {
        let since = Instant::now();
        let limit = self.connections.patience();
        let outcome = within_request(limit, async {
            match scope {
                SnapshotScope::Query => one_query::read(&self.reads, &mut work).await,
                // The future is boxed, because a read of one query does not need its memory.
                SnapshotScope::Transaction => {
                    Box::pin(self.run_transaction(TransactionAccess::Read(scope), work)).await
                }
            }
        })
        .await;
        self.connections.meters.read(since);
        outcome
    }

    async fn ping(&self) -> Result<Option<Timestamp>, StoreError> {
        self.ping.ping().await.map(Some)
    }

    fn waits_for_server(&self) -> bool {
        true
    }

    fn single_statements(&self) -> Option<&dyn SingleStatements> {
        Some(self)
    }

    fn pool_use(&self) -> Option<PoolUse> {
        let status = self.connections.pool.status();
        Some(PoolUse {
            in_use: status.size.saturating_sub(status.available),
            idle: status.available,
            connections_max: status.max_size,
            waiting: status.waiting,
        })
    }

    fn traffic(&self) -> DatabaseTraffic {
        self.connections.traffic.so_far()
    }
}

impl Postgres {
    /// Runs a closure on a blocking thread. A started closure runs to its end, even if the caller is dropped.
    async fn run_transaction(&self, access: TransactionAccess, mut work: Work) -> Result<(), StoreError> {
        let connection = self.connections.begin(access).await?;
        let (engine, handle) = (self.clone(), Handle::current());
        let transaction = move || engine.settle(access, &mut work, connection, &handle);
        let settled = tokio::task::spawn_blocking(transaction).await;
        settled.map_err(|error| StoreError::Unavailable(error.into()))?
    }

    /// Runs a closure again until it is no longer contended.
    fn settle(
        &self,
        access: TransactionAccess,
        work: &mut Work,
        connection: PostgresConnection,
        handle: &Handle,
    ) -> Result<(), StoreError> {
        let pause = |pause| handle.block_on(tokio::time::sleep(pause));
        let mut connected = Some(connection);
        self.retry.run(&self.connections.meters, pause, || {
            let Some(mut sql) = connected.take() else {
                return Err(StoreError::Unavailable("the connection was lost".into()));
            };
            let ending = SqlTransaction::new(&mut sql, access).run(work);
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
