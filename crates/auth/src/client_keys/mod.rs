//! Clients' public keys: parsed once, and fetched where they are not kept here. Source: AS-009.
//!
//! Fetched keys are kept in memory for an hour, asked for again when a signature names a key nobody has seen, and in
//! all of this at most once a minute for each client, whatever strangers send in its name. While its address does not
//! answer, a client's last good keys work for a day.

use jiff::{SignedDuration, Timestamp};
use lombard_domain::client::{Client, Jwks};
use lombard_domain::ids::ClientId;
use lombard_jose::KeySet;
use lombard_ports::clock::Clocks;
use lombard_ports::key_source::KeySource;
use parking_lot::Mutex;
use quick_cache::sync::Cache;
use std::sync::Arc;

/// How long fetched keys are used without asking again. Source: AS-009.
const CACHE_LIFETIME: SignedDuration = SignedDuration::from_hours(1);
/// How long they are used when asking again fails. Source: AS-009.
const STALE_LIFETIME: SignedDuration = SignedDuration::from_hours(24);
/// The least time between two fetches for one client. Source: AS-009.
const FETCH_INTERVAL_MIN: SignedDuration = SignedDuration::from_secs(60);
/// Clients whose keys are kept at most; the least used go first.
const CLIENTS_MAX: usize = 4_096;

/// The keys of clients. Cloning shares them.
#[derive(Clone)]
pub struct ClientKeys(Arc<Inner>);

struct Inner {
    source: Arc<dyn KeySource>,
    clocks: Clocks,
    known: Cache<ClientId, Arc<CachedKeySet>>,
}

impl std::fmt::Debug for ClientKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ClientKeys").field("clients", &self.0.known.len()).finish_non_exhaustive()
    }
}

/// What is known of one registration's keys.
struct CachedKeySet {
    /// Which registration: another one starts over.
    of: Jwks,
    state: Mutex<KeySetState>,
    /// Held while the address is asked, so that it is asked once.
    fetching: tokio::sync::Mutex<()>,
}

#[derive(Clone, Default)]
struct KeySetState {
    keys: Option<Arc<KeySet>>,
    /// When they were had.
    had_at: Option<Timestamp>,
    /// When they were last asked for, with or without success.
    tried_at: Option<Timestamp>,
}

impl ClientKeys {
    /// Keys that are fetched from this source.
    pub fn new(source: Arc<dyn KeySource>, clocks: Clocks) -> Self {
        Self(Arc::new(Inner { source, clocks, known: Cache::new(CLIENTS_MAX) }))
    }

    /// The keys a client's signatures verify with, fetched again if it seems to have a new one: `kid` is the one the
    /// signature names. `None` if there are none, which is logged where it has a cause.
    pub async fn keys_of_client(&self, client: &Client, kid: Option<&str>) -> Option<Arc<KeySet>> {
        let entry = self.entry(client);
        match &client.jwks {
            Jwks::Local(document) => {
                let mut state = entry.state.lock();
                if state.keys.is_none() {
                    state.keys = read(client, document).map(Arc::new);
                }
                state.keys.clone()
            }
            Jwks::Remote { url } => self.remote(client, &entry, url, kid).await,
        }
    }

    /// What is known of this registration; of another of the same client nothing is.
    fn entry(&self, client: &Client) -> Arc<CachedKeySet> {
        if let Some(entry) = self.0.known.get(&client.id).filter(|entry| entry.of == client.jwks) {
            return entry;
        }
        let of = client.jwks.clone();
        let fresh = Arc::new(CachedKeySet { of, state: Mutex::default(), fetching: tokio::sync::Mutex::default() });
        self.0.known.insert(client.id.clone(), Arc::clone(&fresh));
        fresh
    }

    async fn remote(&self, client: &Client, entry: &CachedKeySet, url: &str, kid: Option<&str>) -> Option<Arc<KeySet>> {
        if let Some(answer) = entry.answer(kid, self.0.clocks.wall_now()) {
            return answer;
        }
        let _one_at_a_time = entry.fetching.lock().await;
        let now = self.0.clocks.wall_now();
        if let Some(answer) = entry.answer(kid, now) {
            return answer;
        }
        let fetched = match self.0.source.fetch_key_set(url).await {
            Ok(document) => read(client, &document),
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(client.id = client.id.as_str(), error, "a client's keys could not be fetched");
                None
            }
        };
        let outcome = if fetched.is_some() { "fetched" } else { "failed" };
        metrics::counter!("lombard_client_key_fetches_total", "outcome" => outcome).increment(1);
        let mut state = entry.state.lock();
        state.tried_at = Some(now);
        if let Some(keys) = fetched {
            state.keys = Some(Arc::new(keys));
            state.had_at = Some(now);
        }
        state.usable(now)
    }
}

impl CachedKeySet {
    /// What can be said without asking the address; `None` if it is to be asked.
    #[allow(clippy::option_option, reason = "no answer yet differs from the answer that there are no keys")]
    fn answer(&self, kid: Option<&str>, now: Timestamp) -> Option<Option<Arc<KeySet>>> {
        let state = self.state.lock().clone();
        let within = |then: Option<Timestamp>, span| then.is_some_and(|then| now.duration_since(then) < span);
        let named = |keys: &Arc<KeySet>| kid.is_none_or(|kid| keys.candidates(Some(kid)).next().is_some());
        let suffices = within(state.had_at, CACHE_LIFETIME) && state.keys.as_ref().is_some_and(named);
        (suffices || within(state.tried_at, FETCH_INTERVAL_MIN)).then(|| state.usable(now))
    }
}

impl KeySetState {
    /// The last good keys, if they are not too old.
    fn usable(&self, now: Timestamp) -> Option<Arc<KeySet>> {
        let good = self.had_at.is_some_and(|then| now.duration_since(then) < STALE_LIFETIME);
        self.keys.clone().filter(|_| good)
    }
}

fn read(client: &Client, document: &str) -> Option<KeySet> {
    let keys = KeySet::parse(document);
    if let Err(error) = &keys {
        let error = error as &dyn std::error::Error;
        tracing::warn!(client.id = client.id.as_str(), error, "a client's key set cannot be read");
    }
    keys.ok()
}

#[cfg(test)]
mod tests;
