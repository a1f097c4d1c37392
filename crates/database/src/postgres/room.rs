//! The number of connections that the server admits.

use super::connect::{ConnectionGuard, first_column};
use super::errors::{unanswered, unavailable};
use super::pooler::{self, FirstConnection, Pooling};
use super::server::PostgresServers;
use crate::StoreTimeouts;
use lombard_ports::store::StoreError;
use tokio::time::timeout;

/// The least of what the server, the database and the role admit. Source: PostgreSQL 18 documentation, sections 19.3.1 and 22.2.
const ADMITTED: &str = "SELECT least(current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int \
    - coalesce(current_setting('reserved_connections', true)::int, 0), \
    (SELECT nullif(rolconnlimit, -1) FROM pg_roles WHERE rolname = current_user), \
    (SELECT nullif(datconnlimit, -1) FROM pg_database WHERE datname = current_database()))";

/// How many connections all nodes together may have. `None` behind a pooler that shares its connections, whose limits cannot be asked for.
pub(crate) async fn admitted_connections(url: &str, waits: &StoreTimeouts) -> Result<Option<u32>, StoreError> {
    let servers = PostgresServers::from_url(url, waits)?;
    let FirstConnection { client, driver, pooling } = pooler::connect(&servers, waits).await?;
    let _closed_afterwards = ConnectionGuard::new(&driver);
    if pooling == Pooling::Transactions {
        return Ok(None);
    }
    let answered = timeout(waits.statement, client.simple_query(ADMITTED)).await.map_err(|_| unanswered())?;
    let messages = answered.map_err(unavailable)?;
    Ok(messages.iter().find_map(first_column).and_then(|text| text.parse().ok()))
}
