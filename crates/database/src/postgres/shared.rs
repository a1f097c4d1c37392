//! Connections that reads of one query share. Their queries are sent one behind the other, and none waits for the answers to those
//! before it: under load both sides write and read several at a time, and a read needs no connection for itself.

use deadpool_postgres::{Client, Object, Pool};
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// One of so many connections of a pool is shared.
const POOL_SHARE: usize = 4;

/// The shared connections of a pool.
#[derive(Clone)]
pub(super) struct SharedConnections(Arc<[Place]>);

/// The place of a shared connection: it is connected with the first read, and again after it was closed.
#[derive(Default)]
struct Place(Mutex<Option<Arc<SharedConnection>>>);

/// A connection of the pool that several reads use. It goes back there when the last of them is over and its place has another one.
pub(super) struct SharedConnection {
    /// `None` only while it is dropped.
    client: Option<Object>,
    /// Whether no read may begin on it any more: it does not answer.
    is_abandoned: AtomicBool,
}

impl SharedConnections {
    /// For a pool of so many connections. Of a small one none is shared: transactions need them.
    pub(super) fn new(pool_size: usize) -> Self {
        Self((0..pool_size / POOL_SHARE).map(|_| Place::default()).collect())
    }

    /// The connection with the fewest reads; `None` if none is shared.
    ///
    /// # Errors
    ///
    /// The pool has no connection for a place without one.
    pub(super) async fn borrow(&self, pool: &Pool) -> Result<Option<Arc<SharedConnection>>, StoreError> {
        let Some(place) = self.0.iter().min_by_key(|place| place.reads()) else { return Ok(None) };
        if let Some(open) = place.open_connection() {
            return Ok(Some(open));
        }
        let client = pool.get().await.map_err(|error| StoreError::Unavailable(error.into()))?;
        let connected = SharedConnection::new(client);
        // If several reads have connected at once, the connection of the last one stays.
        *place.0.lock() = Some(Arc::clone(&connected));
        Ok(Some(connected))
    }
}

impl Place {
    fn open_connection(&self) -> Option<Arc<SharedConnection>> {
        self.0.lock().as_ref().filter(|connection| connection.is_open()).map(Arc::clone)
    }

    /// How many reads its connection has.
    fn reads(&self) -> usize {
        self.0.lock().as_ref().map_or(0, |connection| Arc::strong_count(connection).saturating_sub(1))
    }
}

impl SharedConnection {
    /// One that nobody shares yet.
    pub(super) fn new(client: Object) -> Arc<Self> {
        Arc::new(Self { client: Some(client), is_abandoned: AtomicBool::new(false) })
    }

    fn is_open(&self) -> bool {
        !self.is_abandoned.load(Ordering::Relaxed) && self.client().is_some_and(|client| !client.is_closed())
    }

    pub(super) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// Lets no further read begin on it, and closes it when the last one is over.
    pub(super) fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }
}

impl Drop for SharedConnection {
    fn drop(&mut self) {
        if *self.is_abandoned.get_mut() {
            // Removed from the pool and closed.
            drop(self.client.take().map(Object::take));
        }
    }
}
