//! A cache of client registrations.

use lombard_domain::client::Client;
use lombard_domain::ids::ClientId;
use quick_cache::sync::Cache;
use std::fmt;
use std::sync::Arc;

/// The most cached registrations; the least used are evicted first.
const KNOWN_CLIENTS_MAX: usize = 1_024;

/// The cached registrations of clients that have authenticated. Clones share the cache.
///
/// A cached registration may be outdated, because another node may have changed it. Whoever uses one must compare its epoch in the
/// transaction that follows.
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
    /// The cached registration of a client.
    pub(crate) fn find(&self, client: &ClientId) -> Option<Arc<Client>> {
        self.0.get(client)
    }

    /// Caches a registration, unless a newer one is cached. If an equal one is cached, that one is returned, so that all callers share it.
    pub(crate) fn keep(&self, read: Arc<Client>) -> Arc<Client> {
        match self.0.get(&read.id) {
            Some(kept) if kept == read => kept,
            Some(kept) if kept.epoch > read.epoch => read,
            _ => self.replace(read),
        }
    }

    /// Caches a registration in place of one that differs from storage.
    pub(crate) fn replace(&self, read: Arc<Client>) -> Arc<Client> {
        self.0.insert(read.id.clone(), Arc::clone(&read));
        read
    }
}
