//! A cache of registrations that were read before.

use lombard_domain::client::Client;
use lombard_domain::ids::ClientId;
use quick_cache::sync::Cache;
use std::fmt;
use std::sync::Arc;

/// How many are kept; the least used are evicted first.
const KNOWN_CLIENTS_MAX: usize = 1_024;

/// The registrations of clients that have proven themselves, as they were read before. Clones share them.
///
/// One may have been changed since, also on another node: whoever uses it has storage compare the epoch, in the transaction that it
/// makes anyway.
#[derive(Clone)]
pub(crate) struct KnownClients(Arc<Cache<ClientId, Arc<Client>>>);

impl fmt::Debug for KnownClients {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KnownClients").field(&self.0.len()).finish()
    }
}

impl Default for KnownClients {
    fn default() -> Self {
        Self(Arc::new(Cache::new(KNOWN_CLIENTS_MAX)))
    }
}

impl KnownClients {
    /// The registration of a client as it was read before, if it was.
    pub(crate) fn find(&self, client: &ClientId) -> Option<Arc<Client>> {
        self.0.get(client)
    }

    /// Keeps a registration, unless a newer one is kept. If the same is kept already, that one is returned: all that hold it share it.
    pub(crate) fn keep(&self, read: Arc<Client>) -> Arc<Client> {
        match self.0.get(&read.id) {
            Some(kept) if kept == read => kept,
            Some(kept) if kept.epoch > read.epoch => read,
            _ => self.replace(read),
        }
    }

    /// Keeps a registration that was read because the one that is kept is not that of storage.
    pub(crate) fn replace(&self, read: Arc<Client>) -> Arc<Client> {
        self.0.insert(read.id.clone(), Arc::clone(&read));
        read
    }
}
