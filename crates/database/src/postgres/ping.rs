//! The connection on which the health check asks whether the server answers. It is opened by the first check and kept, and it is
//! opened anew after a check that failed or was given up.

use super::connect::{ConnectionGuard, first_column};
use super::errors::unavailable;
use super::server::PostgresServers;
use jiff::Timestamp;
use lombard_ports::store::StoreError;
use tokio::sync::Mutex;
use tokio_postgres::Client;

/// The server's time in microseconds since 1970.
const TIME: &str = "SELECT CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT)";

/// The connection of the health check. Checks use it one after the other.
pub(super) struct PingConnection {
    servers: PostgresServers,
    open: Mutex<Option<OpenConnection>>,
}

/// A connection whose task ends when it is dropped.
struct OpenConnection {
    client: Client,
    _driver: ConnectionGuard,
}

impl PingConnection {
    /// A connection to the one of these servers that serves; it is not open yet.
    pub(super) fn new(servers: PostgresServers) -> Self {
        Self { servers, open: Mutex::new(None) }
    }

    /// Waits for an answer of the server, and returns the server's time. The statement reads no table.
    pub(super) async fn ping(&self) -> Result<Timestamp, StoreError> {
        let mut slot = self.open.lock().await;
        // The slot is empty during the check, so a connection whose check fails or is dropped is not used again.
        let connection = match slot.take() {
            Some(connection) => connection,
            None => {
                let (client, driver) = self.servers.open().await.map_err(unavailable)?;
                OpenConnection { client, _driver: ConnectionGuard::new(&driver) }
            }
        };
        let answer = connection.client.simple_query(TIME).await.map_err(unavailable)?;
        *slot = Some(connection);
        let micros = answer.iter().find_map(first_column).and_then(|text| text.parse().ok());
        let time = micros.and_then(|micros| Timestamp::from_microsecond(micros).ok());
        time.ok_or_else(|| StoreError::Unavailable("the database server has no time".into()))
    }
}
