//! Connections that reads of one query share. Their queries are pipelined: a query is sent without waiting for the answers to
//! earlier ones. Under load both sides write and read several queries at a time, and a read needs no connection of its own.

use super::errors::unanswered;
use super::exchange::ExchangeError;
use deadpool_postgres::{Client, Object, Pool, Timeouts};
use lombard_ports::store::StoreError;
use parking_lot::Mutex;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::timeout;

/// The denominator of the share of a pool's connections that are shared.
const POOL_SHARE: usize = 4;

/// The shared connections of a pool.
#[derive(Clone)]
pub(super) struct SharedConnections(Arc<[Place]>);

/// A slot for a shared connection. It is connected at the first read, and again after its connection was closed.
#[derive(Default)]
struct Place {
    connection: Mutex<Option<Arc<SharedConnection>>>,
    is_taken: AtomicBool,
}

/// A slot without a connection that one read is about to fill.
struct VacantPlace<'p>(&'p Place);

/// A connection of the pool that several reads use. It returns to the pool when its last read is over and its slot has another
/// connection.
pub(super) struct SharedConnection {
    /// `None` only during drop.
    client: Option<Object>,
    /// Whether no further read may use the connection, because it does not answer.
    is_abandoned: AtomicBool,
}

impl SharedConnections {
    /// The slots for a pool of this many connections. A small pool has none, because transactions need its connections.
    pub(super) fn new(pool_size: usize) -> Self {
        Self((0..pool_size / POOL_SHARE).map(|_| Place::default()).collect())
    }

    /// The shared connection with the fewest reads; `None` if no connection can be shared. If all of them are in use, the caller
    /// fills another slot, unless the pool has no free connection or another read is filling the last slot.
    ///
    /// # Errors
    ///
    /// The error of the pool, if no shared connection is open and the pool has no connection.
    pub(super) async fn borrow(&self, pool: &Pool) -> Result<Option<Arc<SharedConnection>>, StoreError> {
        let (mut vacant, mut fewest) = (None, None);
        for place in self.0.iter() {
            match place.open_connection() {
                Some((reads, open)) if fewest.as_ref().is_none_or(|(least, _)| reads < *least) => {
                    fewest = Some((reads, open));
                }
                Some(_) => {}
                None => vacant = vacant.or_else(|| place.take()),
            }
        }
        let open = match fewest {
            None if vacant.is_none() => return Ok(None),
            Some((reads, open)) if reads == 0 || vacant.is_none() => return Ok(Some(open)),
            fewest => fewest.map(|(_, open)| open),
        };
        let wait = if open.is_some() { Some(Duration::ZERO) } else { pool.timeouts().wait };
        let limit = pool.timeouts().wait.unwrap_or(Duration::MAX);
        match (timeout(limit, pool.timeout_get(&Timeouts { wait, ..pool.timeouts() })).await, open) {
            (Ok(Ok(client)), _) => {
                let connected = SharedConnection::new(client);
                if let Some(VacantPlace(place)) = &vacant {
                    *place.connection.lock() = Some(Arc::clone(&connected));
                }
                Ok(Some(connected))
            }
            (_, Some(open)) => Ok(Some(open)),
            (Err(_), None) => Err(unanswered()),
            (Ok(Err(error)), None) => Err(StoreError::Unavailable(error.into())),
        }
    }
}

impl Place {
    /// The connection of the slot, with the number of its reads. A closed connection is removed from the slot.
    fn open_connection(&self) -> Option<(usize, Arc<SharedConnection>)> {
        let mut place = self.connection.lock();
        let reads = |connection| Arc::strong_count(connection).saturating_sub(1);
        match &*place {
            Some(connection) if connection.is_open() => Some((reads(connection), Arc::clone(connection))),
            _ => {
                *place = None;
                None
            }
        }
    }

    /// Reserves this vacant slot, unless another read is about to fill it.
    fn take(&self) -> Option<VacantPlace<'_>> {
        let was_taken = self.is_taken.swap(true, Ordering::Relaxed);
        // The value is created only if the slot is reserved, because dropping it releases the slot.
        (!was_taken).then(|| VacantPlace(self))
    }
}

impl Drop for VacantPlace<'_> {
    fn drop(&mut self) {
        self.0.is_taken.store(false, Ordering::Relaxed);
    }
}

impl SharedConnection {
    /// A connection that no read uses yet.
    pub(super) fn new(client: Object) -> Arc<Self> {
        Arc::new(Self { client: Some(client), is_abandoned: AtomicBool::new(false) })
    }

    fn is_open(&self) -> bool {
        !self.is_abandoned.load(Ordering::Relaxed) && self.client().is_some_and(|client| !client.is_closed())
    }

    pub(super) fn client(&self) -> Option<&Client> {
        self.client.as_ref()
    }

    /// Waits for a round trip on the connection up to this limit. No further read begins on a connection that does not answer.
    pub(super) async fn within<T>(
        &self,
        limit: Duration,
        asked: impl Future<Output = Result<T, ExchangeError>>,
    ) -> Result<T, ExchangeError> {
        match timeout(limit, asked).await {
            Ok(answered) => answered,
            Err(_) => {
                self.abandon();
                Err(ExchangeError::lost(unanswered()))
            }
        }
    }

    /// Prevents further reads on the connection, and closes it when its last read is over.
    fn abandon(&self) {
        self.is_abandoned.store(true, Ordering::Relaxed);
    }
}

/// Closes a connection whose server does not answer, and the idle ones of its pool: they are to the same server.
pub(super) fn discard(client: Object) {
    if let Some(pool) = Object::pool(&client) {
        pool.retain(|_, _| false);
    }
    drop(Object::take(client));
}

impl Drop for SharedConnection {
    fn drop(&mut self) {
        if *self.is_abandoned.get_mut() {
            // Removed from the pool and closed.
            if let Some(client) = self.client.take() {
                discard(client);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vacant_place_is_filled_by_one_read_however_many_ask_for_it() {
        let place = Place::default();
        let taken = place.take().unwrap();
        assert!((0..3).all(|_| place.take().is_none()));
        drop(taken);
        assert!(place.take().is_some(), "whoever was about to fill it gave up");
    }
}
