//! Connections that reads of one query share. Their queries are sent one behind the other, and none waits for the answers to those
//! before it: under load both sides write and read several at a time, and a read needs no connection for itself.

use deadpool_postgres::{Client, Object, Pool, Timeouts};
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

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

    /// The connection with the fewest reads; `None` if none is shared. Whoever finds reads on all of them connects another one, unless the
    /// pool has none just then.
    ///
    /// # Errors
    ///
    /// None is connected, and the pool has no connection.
    pub(super) async fn borrow(&self, pool: &Pool) -> Result<Option<Arc<SharedConnection>>, StoreError> {
        let (mut vacant, mut fewest) = (None, None);
        for place in self.0.iter() {
            match place.open_connection() {
                Some((reads, open)) if fewest.as_ref().is_none_or(|(least, _)| reads < *least) => {
                    fewest = Some((reads, open));
                }
                Some(_) => {}
                None => vacant = Some(place),
            }
        }
        let open = match (fewest, vacant) {
            (None, None) => return Ok(None),
            (Some((reads, open)), vacant) if reads == 0 || vacant.is_none() => return Ok(Some(open)),
            (fewest, _) => fewest.map(|(_, open)| open),
        };
        let wait = if open.is_some() { Some(Duration::ZERO) } else { pool.timeouts().wait };
        match (pool.timeout_get(&Timeouts { wait, ..pool.timeouts() }).await, open) {
            (Ok(client), _) => {
                let connected = SharedConnection::new(client);
                if let Some(place) = vacant {
                    // If several reads have connected at once, the connection of the last one stays.
                    *place.0.lock() = Some(Arc::clone(&connected));
                }
                Ok(Some(connected))
            }
            (Err(_), Some(open)) => Ok(Some(open)),
            (Err(error), None) => Err(StoreError::Unavailable(error.into())),
        }
    }
}

impl Place {
    /// Its connection, and how many reads that has. One that is closed leaves the place.
    fn open_connection(&self) -> Option<(usize, Arc<SharedConnection>)> {
        let mut place = self.0.lock();
        let reads = |connection| Arc::strong_count(connection).saturating_sub(1);
        match &*place {
            Some(connection) if connection.is_open() => Some((reads(connection), Arc::clone(connection))),
            _ => {
                *place = None;
                None
            }
        }
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
