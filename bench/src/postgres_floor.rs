//! The PostgreSQL floors: bare servers that make one round trip to the database for each request.
//!
//! A read is one prepared query for a row by its key, or for a page of rows by an index. A token is one durable insert. A payment is one
//! compound statement that writes the rows of an order. Each statement is prepared once, is its own transaction, and uses the next of as
//! many connections as the server keeps. The tables are the floor's own; they have the columns and indexes of the server's tables.

use crate::database::connect;
use crate::load::RecordedResponse;
use crate::result::BenchResult;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_ports::store::IdempotencyKey;
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Row, Statement};

/// The file in a payment floor's folder that lists the orders to be received.
pub(crate) const ORDERS_FILE: &str = "orders.json";
/// The default number of connections of the server (`database.connections_max`).
const CONNECTIONS: usize = 16;
/// The number of rows in the tables that are read.
const ROWS: i64 = 10_000;
/// The number of rows of a page.
const PAGE: usize = 50;

/// The connections of a floor, with its prepared statement on each.
#[derive(Clone)]
pub(crate) struct FloorConnections {
    all: Arc<[(Client, Statement)]>,
    next: Arc<AtomicUsize>,
}

impl std::fmt::Debug for FloorConnections {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("FloorConnections").finish_non_exhaustive()
    }
}

impl FloorConnections {
    /// Creates the tables and prepares the statement.
    async fn open(url: &str, tables: &str, statement: &str) -> BenchResult<Self> {
        connect(url).await?.batch_execute(tables).await?;
        let mut all = Vec::with_capacity(CONNECTIONS);
        for _ in 0..CONNECTIONS {
            let client = connect(url).await?;
            let statement = client.prepare(statement).await?;
            all.push((client, statement));
        }
        Ok(Self { all: all.into(), next: Arc::default() })
    }

    /// Makes one round trip on the next connection.
    async fn run(&self, values: &[&(dyn ToSql + Sync)]) -> BenchResult<Vec<Row>> {
        let number = self.next.fetch_add(1, Ordering::Relaxed) % CONNECTIONS;
        let (client, statement) = self.all.get(number).ok_or("no connection")?;
        Ok(client.query(statement, values).await?)
    }
}

/// The reads from which a response is built.
#[derive(Debug, Clone)]
pub(crate) struct ReadFloor {
    rows: FloorConnections,
    is_page: bool,
}

impl ReadFloor {
    /// Creates rows that together are about as large as the response: one row, or those of a page.
    pub(crate) async fn open(url: &str, answer: &RecordedResponse, is_page: bool) -> BenchResult<Self> {
        let bytes = if is_page { answer.body.len() / PAGE } else { answer.body.len() };
        let tables = format!(
            "CREATE TABLE floor_rows (owner TEXT COLLATE \"C\" NOT NULL, number BIGINT NOT NULL, body TEXT NOT NULL, \
             PRIMARY KEY (owner, number));
             INSERT INTO floor_rows SELECT 'floor', number, repeat('x', {bytes}) FROM generate_series(1, {ROWS}) AS number;
             VACUUM ANALYZE floor_rows"
        );
        let statement = if is_page {
            "SELECT number, body FROM floor_rows WHERE owner = $1 AND number < $2 ORDER BY number DESC LIMIT 50"
        } else {
            "SELECT number, body FROM floor_rows WHERE owner = $1 AND number = $2"
        };
        let (tables, vacuum) = tables.rsplit_once(';').ok_or("no tables")?;
        let rows = FloorConnections::open(url, tables, statement).await?;
        // The command cannot run in a transaction of several statements.
        connect(url).await?.batch_execute(vacuum).await?;
        Ok(Self { rows, is_page })
    }

    /// Makes the round trip and checks the result.
    pub(crate) async fn read(&self) -> BenchResult<()> {
        let rows = self.rows.run(&[&"floor", &(ROWS / 2)]).await?;
        let bytes: usize = rows.iter().map(|row| row.get::<_, &str>(1).len()).sum();
        let wanted = if self.is_page { PAGE } else { 1 };
        if rows.len() == wanted && bytes > 0 { Ok(()) } else { Err("the rows are not there".into()) }
    }
}

/// The durable row of a token, which records that its assertion was used.
#[derive(Debug, Clone)]
pub(crate) struct TokenRows {
    rows: FloorConnections,
}

impl TokenRows {
    /// Creates the table.
    pub(crate) async fn open(url: &str) -> BenchResult<Self> {
        let tables =
            "CREATE TABLE floor_replays (client_id TEXT COLLATE \"C\" NOT NULL, purpose TEXT COLLATE \"C\" NOT NULL, \
             value TEXT COLLATE \"C\" NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (client_id, purpose, value));
             CREATE INDEX floor_replays_by_end ON floor_replays (expires_at)";
        let statement = "INSERT INTO floor_replays VALUES ($1, 'assertion', $2, $3)";
        Ok(Self { rows: FloorConnections::open(url, tables, statement).await? })
    }

    /// Inserts the row.
    pub(crate) async fn insert(&self, client: &str, value: &str, expires_at: i64) -> BenchResult<()> {
        self.rows.run(&[&client, &value, &expires_at]).await.map(drop)
    }
}

/// The rows of an order, which one statement writes.
#[derive(Debug, Clone)]
pub(crate) struct OrderRows {
    rows: FloorConnections,
}

const ORDER_TABLES: &str = r#"
    CREATE TABLE floor_keys (client_id TEXT COLLATE "C" NOT NULL, operation TEXT COLLATE "C" NOT NULL, key TEXT COLLATE "C" NOT NULL,
        body BYTEA NOT NULL, first_used_at BIGINT NOT NULL, resource TEXT, PRIMARY KEY (client_id, operation, key));
    CREATE INDEX floor_keys_by_use ON floor_keys (first_used_at);
    CREATE TABLE floor_consents (id TEXT COLLATE "C" PRIMARY KEY, client_id TEXT COLLATE "C" NOT NULL, terms TEXT NOT NULL,
        submitted TEXT NOT NULL, created_at BIGINT NOT NULL, state TEXT NOT NULL, state_changed_at BIGINT NOT NULL,
        psu_id TEXT COLLATE "C", epoch BIGINT NOT NULL);
    CREATE INDEX floor_consents_by_client ON floor_consents (client_id, created_at);
    CREATE INDEX floor_consents_by_psu ON floor_consents (psu_id, created_at) WHERE psu_id IS NOT NULL;
    CREATE TABLE floor_orders (id TEXT COLLATE "C" PRIMARY KEY, client_id TEXT COLLATE "C" NOT NULL,
        consent_id TEXT COLLATE "C" NOT NULL REFERENCES floor_consents (id), used_up TEXT COLLATE "C" UNIQUE,
        created_at BIGINT NOT NULL, instruction TEXT NOT NULL, steps TEXT NOT NULL, conditions TEXT NOT NULL, submitted TEXT);
    CREATE TABLE floor_jobs (id TEXT COLLATE "C" PRIMARY KEY, kind TEXT COLLATE "C" NOT NULL, subject TEXT NOT NULL,
        due_at BIGINT NOT NULL, lease_until BIGINT NOT NULL, attempts BIGINT NOT NULL);
    CREATE INDEX floor_jobs_by_due ON floor_jobs (kind, due_at, id)"#;

const ORDER: &str = "
    WITH key AS (INSERT INTO floor_keys VALUES ($1, $2, $3, $4, $5, $6)),
    consent AS (UPDATE floor_consents SET state = 'Consumed', state_changed_at = $5, epoch = epoch + 1
        WHERE id = $7 AND client_id = $1 AND state = 'Authorised' RETURNING id, client_id, terms),
    new_order AS (INSERT INTO floor_orders
        SELECT $6, client_id, id, id, $5, terms, '[]', '{}', $8 FROM consent RETURNING id),
    job AS (INSERT INTO floor_jobs SELECT $9, 'order', id, $5, 0, 0 FROM new_order)
    SELECT id FROM new_order";

impl OrderRows {
    /// Creates the tables, with an authorised consent for each of these orders of a client.
    pub(crate) async fn open(url: &str, client: &str, orders: &Path) -> BenchResult<Self> {
        let rows = FloorConnections::open(url, ORDER_TABLES, ORDER).await?;
        let consents = connect(url).await?;
        let orders: Vec<String> = serde_json::from_slice(&std::fs::read(orders)?)?;
        for some in orders.chunks(1_000) {
            let ids = some.iter().map(|order| consent_of(order)).collect::<BenchResult<Vec<_>>>()?;
            let insert = "INSERT INTO floor_consents SELECT id, $1, body, body, 0, 'Authorised', 0, 'amelia', 0 \
                 FROM unnest($2::text[], $3::text[]) AS it (id, body)";
            consents.execute(insert, &[&client, &ids, &some]).await?;
        }
        consents.batch_execute("VACUUM ANALYZE").await?;
        Ok(Self { rows })
    }

    /// Writes the idempotency key, the consent, the order and the submission job.
    pub(crate) async fn insert(
        &self,
        key: &IdempotencyKey,
        consent: &ConsentId,
        order: &OrderId,
        job: &str,
        now: i64,
        body: &[u8],
    ) -> BenchResult<()> {
        let digest = lombard_jose::sha256(body);
        let client = key.client.as_str();
        let digest = digest.0.as_slice();
        let body = std::str::from_utf8(body)?;
        let order = order.as_str();
        let consent = consent.as_str();
        let values: [&(dyn ToSql + Sync); 9] =
            [&client, &key.operation, &key.key, &digest, &now, &order, &consent, &body, &job];
        let made = self.rows.run(&values).await?;
        if made.len() == 1 { Ok(()) } else { Err("the consent cannot be used".into()) }
    }
}

fn consent_of(order: &str) -> BenchResult<String> {
    let order: Value = serde_json::from_str(order)?;
    Ok(order.pointer("/Data/ConsentId").and_then(Value::as_str).ok_or("no consent")?.to_owned())
}
