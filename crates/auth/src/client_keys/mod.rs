//! The public keys of clients and directories. They are parsed once, and fetched if they are published elsewhere. Source: AS-009.
//!
//! A fetched key set is kept in memory for an hour, and fetched again when a signature names a key that it lacks. No address is fetched
//! more than once a minute. While an address does not respond, the last good key set is used for a day, also after a restart, because it is
//! stored. Clients with the same address share a key set. A worker also fetches key sets that nobody uses ([`refresh`]). The key sets of
//! clients are never evicted from memory, so that revoked keys stay known.

mod published;
mod refresh;
mod work;

use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::{Client, Jwks, KeySetAddress};
use lombard_domain::ids::ClientId;
use lombard_jose::{BadKeySet, CompactJws, KeySet, VerifyError};
use lombard_ports::clock::Clocks;
use lombard_ports::key_source::{KeySource, KeySourceError};
use lombard_ports::store::{FetchedKeySet, Store, StoreError};
use parking_lot::{Mutex, RwLock};
use published::{CACHE_LIFETIME, PublishedKeySet};
use quick_cache::sync::Cache;
use std::collections::HashMap;
use std::error::Error;
use std::sync::Arc;
use work::KeyThreads;

/// The most key sets in memory, not counting those that registered clients publish; the least used are evicted first.
const KEY_SETS_MAX: usize = 4_096;

/// The cache of the public keys of clients and directories. Clones share the cache.
#[derive(Clone)]
pub struct ClientKeys(Arc<Inner>);

struct Inner {
    source: Arc<dyn KeySource>,
    store: Store,
    clocks: Clocks,
    /// Key sets that are stored with their clients.
    local: Cache<ClientId, Arc<LocalKeySet>>,
    /// The published key sets of clients. They are never evicted: without its list of revoked keys, a revoked certificate would be accepted
    /// again (TLS-006).
    of_clients: RwLock<HashMap<KeySetAddress, Arc<PublishedKeySet>>>,
    /// The published key sets of directories and of software that is not registered.
    published: Cache<KeySetAddress, Arc<PublishedKeySet>>,
    threads: KeyThreads,
    /// When key sets were last checked for being due.
    looked_at: Mutex<Option<Timestamp>>,
}

impl std::fmt::Debug for ClientKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientKeys")
            .field("local", &self.0.local.len())
            .field("of_clients", &self.0.of_clients.read().len())
            .field("published", &self.0.published.len())
            .finish_non_exhaustive()
    }
}

/// A key set that is stored with its client.
struct LocalKeySet {
    document: String,
    keys: Option<Arc<KeySet>>,
}

impl ClientKeys {
    /// A cache of key sets that are fetched from this source and stored in this store.
    pub fn new(source: Arc<dyn KeySource>, store: Store, clocks: Clocks) -> Self {
        let (local, published) = (Cache::new(KEY_SETS_MAX), Cache::new(KEY_SETS_MAX));
        Self(Arc::new(Inner {
            source,
            store,
            clocks,
            local,
            of_clients: RwLock::default(),
            published,
            threads: KeyThreads::default(),
            looked_at: Mutex::default(),
        }))
    }

    /// Runs work with other parties' keys outside the threads that serve requests; `None` if the server is shutting down. Source: AS-183.
    pub async fn run_key_work<T: Send + 'static>(&self, work: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        self.0.threads.run(work).await
    }

    /// Verifies a signature with other parties' keys, outside the threads that serve requests. Source: AS-183.
    ///
    /// # Errors
    /// As [`CompactJws::verify`].
    pub async fn verify_compact(&self, jws: Arc<CompactJws>, keys: Arc<KeySet>) -> Result<(), VerifyError> {
        self.run_key_work(move || jws.verify(&keys)).await.unwrap_or(Err(VerifyError::Signature))
    }

    /// The keys that verify a client's signatures; `kid` is the key id that the signature names. A published key set is fetched again if it
    /// lacks that key. `None` if there are no keys, which is logged with its cause.
    pub async fn keys_of_client(&self, client: &Client, kid: Option<&str>) -> Option<Arc<KeySet>> {
        match &client.jwks {
            Jwks::Local(document) => self.local(client, document).await,
            Jwks::Remote(address) => {
                self.retain(address);
                self.published_keys(address, kid).await
            }
        }
    }

    async fn local(&self, client: &Client, document: &str) -> Option<Arc<KeySet>> {
        if let Some(known) = self.0.local.get(&client.id).filter(|known| known.document == document) {
            return known.keys.clone();
        }
        let text = document.to_owned();
        let keys = self.run_key_work(move || KeySet::parse(&text)).await?;
        if let Err(error) = &keys {
            let error = error as &dyn Error;
            tracing::warn!(client.id = client.id.as_str(), error, "a client's key set cannot be read");
        }
        let keys = keys.ok().map(Arc::new);
        let known = LocalKeySet { document: document.to_owned(), keys: keys.clone() };
        self.0.local.insert(client.id.clone(), Arc::new(known));
        keys
    }

    /// The keys that are published at this address, without revoked ones. They are fetched again if they lack the key of this `kid`. `None`
    /// if there are no keys, which is logged with its cause. Source: AS-009.
    pub async fn published_keys(&self, address: &KeySetAddress, kid: Option<&str>) -> Option<Arc<KeySet>> {
        self.keys_at(address, kid, CACHE_LIFETIME).await
    }

    /// As [`published_keys`](Self::published_keys), but also fetched again if they are older than the given age.
    async fn keys_at(
        &self,
        address: &KeySetAddress,
        kid: Option<&str>,
        age_max: SignedDuration,
    ) -> Option<Arc<KeySet>> {
        let entry = self.entry(address);
        if let Some(answer) = entry.answer(kid, age_max, self.0.clocks.wall_now()) {
            return answer;
        }
        let _one_at_a_time = entry.fetching.lock().await;
        self.load(address, &entry).await;
        let now = self.0.clocks.wall_now();
        if let Some(answer) = entry.answer(kid, age_max, now) {
            return answer;
        }
        let fetched = self.fetch(address).await;
        let outcome = if fetched.is_ok() { "fetched" } else { "failed" };
        metrics::counter!("lombard_client_key_fetches_total", "outcome" => outcome).increment(1);
        let stored = {
            let mut state = entry.state.lock();
            state.tried_at = Some(now);
            state.is_gone = matches!(fetched, Err(FetchError::Source(KeySourceError::Absent)));
            fetched.ok().map(|(document, keys)| FetchedKeySet { document, fetched_at: state.take(keys, now) })
        };
        if let Some(stored) = stored {
            self.store(address, stored).await;
        }
        let state = entry.state.lock();
        state.usable(now)
    }

    /// Keeps the key set of a client in memory until no client has its address.
    pub(crate) fn retain(&self, address: &KeySetAddress) {
        if self.0.of_clients.read().contains_key(address) {
            return;
        }
        let known = self.0.published.get(address).unwrap_or_default();
        self.0.of_clients.write().entry(address.clone()).or_insert(known);
    }

    /// The cached entry of a published key set.
    fn known(&self, address: &KeySetAddress) -> Option<Arc<PublishedKeySet>> {
        let of_client = self.0.of_clients.read().get(address).cloned();
        of_client.or_else(|| self.0.published.get(address))
    }

    fn entry(&self, address: &KeySetAddress) -> Arc<PublishedKeySet> {
        if let Some(known) = self.known(address) {
            return known;
        }
        let made = self.0.published.get_or_insert_with(address, || Ok::<_, std::convert::Infallible>(Arc::default()));
        made.unwrap_or_else(|never| match never {})
    }

    /// Reads the stored key set once.
    async fn load(&self, address: &KeySetAddress, entry: &PublishedKeySet) {
        if entry.state.lock().is_loaded {
            return;
        }
        let stored = {
            let address = address.clone();
            self.0.store.read::<_, StoreError, _>(move |tx| tx.key_set(&address)).await
        };
        match stored {
            Ok(stored) => {
                let parse = |FetchedKeySet { document, fetched_at }| Some((KeySet::parse(&document).ok()?, fetched_at));
                let parsed = self.run_key_work(move || stored.and_then(parse)).await.flatten();
                let mut state = entry.state.lock();
                state.is_loaded = true;
                if let Some((keys, fetched_at)) = parsed {
                    state.keys = Some(Arc::new(keys));
                    state.fetched_at = Some(fetched_at);
                }
            }
            Err(error) => {
                let error = &error as &dyn Error;
                tracing::warn!(key_set.url = address.url, error, "a stored key set cannot be read");
            }
        }
    }

    async fn store(&self, address: &KeySetAddress, fetched: FetchedKeySet) {
        let (to, url) = (address.clone(), &address.url);
        let put = self.0.store.write::<_, StoreError, _>(move |tx| tx.key_set_put(&to, &fetched)).await;
        if let Err(error) = put {
            // The fetched key set works until this node stops.
            tracing::warn!(key_set.url = url, error = &error as &dyn Error, "a key set was not stored");
        }
    }

    /// Fetches the key set without the revoked keys. If the list of revoked keys cannot be fetched, the whole fetch fails.
    async fn fetch(&self, address: &KeySetAddress) -> Result<(String, KeySet), FetchError> {
        let KeySetAddress { url, revoked_url } = address;
        let fetched = self.fetch_documents(url, revoked_url.as_deref()).await;
        fetched.inspect_err(|error| {
            tracing::warn!(key_set.url = url, error = error as &dyn Error, "a key set could not be fetched");
        })
    }

    async fn fetch_documents(&self, url: &str, revoked_url: Option<&str>) -> Result<(String, KeySet), FetchError> {
        let document = self.0.source.fetch_key_set(url).await?;
        let revoked = match revoked_url {
            None => None,
            Some(url) => Some(self.0.source.fetch_key_set(url).await.map_err(FetchError::Revoked)?),
        };
        let parse = move || -> Result<(String, KeySet), BadKeySet> {
            let document = match revoked {
                None => document,
                Some(revoked) => KeySet::without_revoked(&document, &revoked)?,
            };
            let keys = KeySet::parse(&document)?;
            Ok((document, keys))
        };
        let (document, keys) = self.run_key_work(parse).await.ok_or(FetchError::Stopped)??;
        let ambiguous = keys.ambiguous_ids();
        if !ambiguous.is_empty() {
            tracing::warn!(key_set.url = url, keys = ?ambiguous, "a key set has several keys of one id, which are not used");
        }
        Ok((document, keys))
    }
}

/// Why a key set was not fetched.
#[derive(Debug, thiserror::Error)]
enum FetchError {
    #[error("the keys were not fetched")]
    Source(#[from] KeySourceError),
    #[error("the revoked keys were not fetched")]
    Revoked(#[source] KeySourceError),
    #[error("what was fetched is no set of public keys")]
    Document(#[from] BadKeySet),
    #[error("the server ends")]
    Stopped,
}

#[cfg(test)]
mod tests;
