//! The public keys of clients and directories: parsed once, and fetched if they are published elsewhere. Source: AS-009.
//!
//! A fetched key set is kept in memory for an hour, and fetched again when a signature names a key that it lacks; in all of this an
//! address is asked at most once a minute, whoever sends requests in a client's name. While an address does not answer, the last
//! good key set works for a day, also after a restart: it is stored. Clients with the same address share it. A worker fetches key sets
//! also when nobody uses them ([`refresh`]).

mod published;
mod refresh;

use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::{Client, Jwks, KeySetAddress};
use lombard_domain::ids::ClientId;
use lombard_jose::{BadKeySet, KeySet};
use lombard_ports::clock::Clocks;
use lombard_ports::key_source::{KeySource, KeySourceError};
use lombard_ports::store::{FetchedKeySet, Store, StoreError};
use parking_lot::Mutex;
use published::{CACHE_LIFETIME, PublishedKeySet};
use quick_cache::sync::Cache;
use std::error::Error;
use std::sync::Arc;

/// Key sets of each kind that are kept in memory at most; the least used are evicted first.
const KEY_SETS_MAX: usize = 4_096;

/// The public keys of clients and directories. Clones share them.
#[derive(Clone)]
pub struct ClientKeys(Arc<Inner>);

struct Inner {
    source: Arc<dyn KeySource>,
    store: Store,
    clocks: Clocks,
    /// Key sets that are stored with their clients.
    local: Cache<ClientId, Arc<LocalKeySet>>,
    published: Cache<KeySetAddress, Arc<PublishedKeySet>>,
    /// When it was last looked which key sets are due.
    looked_at: Mutex<Option<Timestamp>>,
}

impl std::fmt::Debug for ClientKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientKeys")
            .field("local", &self.0.local.len())
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
    /// Key sets that are fetched from this source and stored here.
    pub fn new(source: Arc<dyn KeySource>, store: Store, clocks: Clocks) -> Self {
        let (local, published) = (Cache::new(KEY_SETS_MAX), Cache::new(KEY_SETS_MAX));
        Self(Arc::new(Inner { source, store, clocks, local, published, looked_at: Mutex::default() }))
    }

    /// The keys that a client's signatures are verified with; `kid` is the one that the signature names. A published key set is
    /// fetched again if it lacks that key. `None` if there are no keys, which is logged with its cause.
    pub async fn keys_of_client(&self, client: &Client, kid: Option<&str>) -> Option<Arc<KeySet>> {
        match &client.jwks {
            Jwks::Local(document) => self.local(client, document),
            Jwks::Remote(address) => self.published_keys(address, kid).await,
        }
    }

    fn local(&self, client: &Client, document: &str) -> Option<Arc<KeySet>> {
        if let Some(known) = self.0.local.get(&client.id).filter(|known| known.document == document) {
            return known.keys.clone();
        }
        let keys = KeySet::parse(document);
        if let Err(error) = &keys {
            let error = error as &dyn Error;
            tracing::warn!(client.id = client.id.as_str(), error, "a client's key set cannot be read");
        }
        let keys = keys.ok().map(Arc::new);
        let known = LocalKeySet { document: document.to_owned(), keys: keys.clone() };
        self.0.local.insert(client.id.clone(), Arc::new(known));
        keys
    }

    /// The keys that are published at these addresses, without those that were revoked; fetched again if they lack the key of this
    /// `kid`. `None` if there are none, which is logged with its cause. Source: AS-009.
    pub async fn published_keys(&self, address: &KeySetAddress, kid: Option<&str>) -> Option<Arc<KeySet>> {
        self.keys_at(address, kid, CACHE_LIFETIME).await
    }

    /// The same, fetched again also if they are older than this.
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

    fn entry(&self, address: &KeySetAddress) -> Arc<PublishedKeySet> {
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
                let mut state = entry.state.lock();
                state.is_loaded = true;
                if let Some(FetchedKeySet { document, fetched_at }) = stored
                    && let Ok(keys) = KeySet::parse(&document)
                {
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
            // It works until this node ends.
            tracing::warn!(key_set.url = url, error = &error as &dyn Error, "a key set was not stored");
        }
    }

    /// Fetches the key set without the revoked keys. If it is not known which keys were revoked, no key is taken over.
    async fn fetch(&self, address: &KeySetAddress) -> Result<(String, KeySet), FetchError> {
        let KeySetAddress { url, revoked_url } = address;
        let fetched = self.fetch_documents(url, revoked_url.as_deref()).await;
        fetched.inspect_err(|error| {
            tracing::warn!(key_set.url = url, error = error as &dyn Error, "a key set could not be fetched");
        })
    }

    async fn fetch_documents(&self, url: &str, revoked_url: Option<&str>) -> Result<(String, KeySet), FetchError> {
        let mut document = self.0.source.fetch_key_set(url).await?;
        if let Some(revoked_url) = revoked_url {
            let revoked = self.0.source.fetch_key_set(revoked_url).await.map_err(FetchError::Revoked)?;
            document = KeySet::without_revoked(&document, &revoked)?;
        }
        let keys = KeySet::parse(&document)?;
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
}

#[cfg(test)]
mod tests;
