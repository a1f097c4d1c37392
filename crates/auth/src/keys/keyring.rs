//! The keyring: a snapshot of the stored keys, opened.

use super::timeline::{self, KeyTransition};
use jiff::SignedDuration;
use lombard_domain::ids::KeyId;
use lombard_jose::{KeyError, KeySet, Sealer, SigningKey};
use lombard_ports::clock::Clocks;
use lombard_ports::store::{ServerTransaction, Store, StoreError, StoredKey};
use parking_lot::RwLock;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// Why the server's keys cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum KeysError {
    /// A stored key is sealed under another key-encryption key than ours.
    #[error(
        "the signing key {kid} cannot be opened: signing.key_encryption_key_file names another key than the one it was \
         sealed with"
    )]
    Sealed {
        /// The key's id.
        kid: KeyId,
    },
    /// A key cannot be read or sealed.
    #[error("the signing key {kid} cannot be used")]
    Key {
        /// The key's id.
        kid: KeyId,
        /// What is wrong with it.
        #[source]
        source: Source,
    },
    /// No key may sign now.
    #[error("there is no active signing key: run `lombard keys rotate`")]
    NoneActive,
    /// There is no key of this id.
    #[error("there is no signing key {0}")]
    Unknown(KeyId),
    /// Storage failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

type Source = Box<dyn std::error::Error + Send + Sync>;

/// A key of the server, ready to sign.
#[derive(Debug)]
pub struct ServerKey {
    /// The key.
    pub key: Arc<SigningKey>,
    /// Its certificates, leaf first, DER.
    pub chain: Vec<Vec<u8>>,
}

/// The server's signing keys. Cloning shares the snapshot.
#[derive(Clone)]
pub struct Keyring(Arc<Inner>);

struct Inner {
    store: Store,
    sealer: Arc<Sealer>,
    clocks: Clocks,
    snapshot: RwLock<Arc<KeySnapshot>>,
    /// One refresh at a time, so that a slow one never puts back what a later one has replaced.
    refreshing: tokio::sync::Mutex<()>,
}

struct KeySnapshot {
    /// Those that can be opened, oldest first.
    stored: Vec<StoredKey>,
    /// In step with `stored`.
    opened: Vec<Arc<ServerKey>>,
    jwks: Arc<str>,
    verification: Arc<KeySet>,
    /// Those that cannot be opened. Time makes nothing of them, and they succeed no other key.
    unreadable: Arc<BTreeSet<KeyId>>,
}

impl fmt::Debug for Keyring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Keyring").field(&self.snapshot().stored).finish()
    }
}

impl Keyring {
    /// Loads the keys. If the store has no keys, the keyring cannot sign until one is added.
    ///
    /// # Errors
    /// [`KeysError::Sealed`], [`KeysError::Key`], [`KeysError::Store`].
    pub async fn load_keys(store: &Store, sealer: Arc<Sealer>, clocks: &Clocks) -> Result<Self, KeysError> {
        let empty = Arc::new(KeySnapshot::new(Vec::new(), Vec::new(), BTreeSet::new()));
        let ring = Self(Arc::new(Inner {
            store: store.clone(),
            sealer,
            clocks: clocks.clone(),
            snapshot: RwLock::new(empty),
            refreshing: tokio::sync::Mutex::new(()),
        }));
        ring.refresh_keys().await?;
        Ok(ring)
    }

    /// Reads the keys again, after recording what time has made of them. To be called every minute.
    ///
    /// A key that cannot be opened is left out and logged once, as long as another one can.
    ///
    /// # Errors
    /// As [`load_keys`](Self::load_keys); the last good snapshot stays in use.
    pub async fn refresh_keys(&self) -> Result<(), KeysError> {
        let _one_at_a_time = self.0.refreshing.lock().await;
        let now = self.0.clocks.wall_now();
        let stored = self.0.store.read(|tx| tx.keys()).await?;
        let mut next = self.open_all(stored)?;
        if !timeline::due(&next.stored, now).is_empty() {
            let shut = Arc::clone(&next.unreadable);
            let recorded = self.0.store.write(move |tx| {
                record(tx, &shut, now)?;
                tx.keys()
            });
            next = self.open_all(recorded.await?)?;
        }
        *self.0.snapshot.write() = Arc::new(next);
        Ok(())
    }

    /// The keys that can be opened.
    ///
    /// # Errors
    /// Why the first one cannot, if none of them can.
    fn open_all(&self, stored: Vec<StoredKey>) -> Result<KeySnapshot, KeysError> {
        let last = self.snapshot();
        let (mut usable, mut opened, mut shut, mut why) = (Vec::new(), Vec::new(), BTreeSet::new(), None);
        for key in stored {
            match self.open(&key, &last) {
                Ok(open) => {
                    usable.push(key);
                    opened.push(open);
                }
                Err(error) => {
                    if !last.unreadable.contains(&key.id) {
                        tracing::error!(error = &error as &dyn std::error::Error, "a signing key is left out");
                    }
                    shut.insert(key.id);
                    why.get_or_insert(error);
                }
            }
        }
        match why.filter(|_| usable.is_empty()) {
            Some(error) => Err(error),
            None => Ok(KeySnapshot::new(usable, opened, shut)),
        }
    }

    /// Whether there is no key at all.
    pub fn is_empty(&self) -> bool {
        self.snapshot().stored.is_empty()
    }

    /// The key that signs now. Source: AS-008.
    ///
    /// # Errors
    /// [`KeysError::NoneActive`].
    pub fn active_key(&self) -> Result<Arc<ServerKey>, KeysError> {
        let snapshot = self.snapshot();
        let signing = timeline::signing(&snapshot.stored, self.0.clocks.wall_now()).ok_or(KeysError::NoneActive)?;
        let opened = snapshot.opened.iter().find(|opened| opened.key.id() == &signing.id);
        opened.cloned().ok_or(KeysError::NoneActive)
    }

    /// The published keys as a JWK set document, with their certificates. Source: AS-007.
    pub fn jwks(&self) -> Arc<str> {
        Arc::clone(&self.snapshot().jwks)
    }

    /// The keys our own signatures are verified with: every published one.
    pub fn verification_keys(&self) -> Arc<KeySet> {
        Arc::clone(&self.snapshot().verification)
    }

    /// Adds a key: published now, signing after `activate_after` (usually
    /// [`PUBLISHED_BEFORE_USE`](super::PUBLISHED_BEFORE_USE)), when it retires the one before it. If no key can sign, it
    /// signs at once. Source: AS-008.
    ///
    /// # Errors
    /// [`KeysError::Key`] if it cannot be sealed; [`KeysError::Store`].
    pub async fn add_key(
        &self,
        key: SigningKey,
        chain: Vec<Vec<u8>>,
        activate_after: SignedDuration,
    ) -> Result<KeyId, KeysError> {
        let id = key.id().clone();
        let now = self.0.clocks.wall_now();
        let new = self.sealed(&key, chain)?;
        let later = now.saturating_add(activate_after.max(SignedDuration::ZERO)).unwrap_or(now);
        let shut = Arc::clone(&self.snapshot().unreadable);
        self.0
            .store
            .write(move |tx| {
                record(tx, &shut, now)?;
                let keys = usable(tx, &shut)?;
                let can_sign = timeline::signing(&keys, now).is_some();
                let active_from = if can_sign { later } else { now };
                let published_at = timeline::published_after(&keys, now);
                tx.key_insert(&StoredKey { published_at, active_from, ..new.clone() })
            })
            .await?;
        tracing::info!(key.id = %id, "signing key published");
        self.refresh_keys().await?;
        Ok(id)
    }

    /// Adds a key only if there is none yet: of several nodes that start together on a new store, one wins.
    ///
    /// # Errors
    /// As [`add_key`](Self::add_key).
    pub async fn add_first_key(&self, key: SigningKey, chain: Vec<Vec<u8>>) -> Result<(), KeysError> {
        let now = self.0.clocks.wall_now();
        let new = StoredKey { published_at: now, active_from: now, ..self.sealed(&key, chain)? };
        self.0.store.write(move |tx| if tx.keys()?.is_empty() { tx.key_insert(&new) } else { Ok(()) }).await?;
        self.refresh_keys().await
    }

    /// Takes a key back at once, because it is no longer trusted: it neither signs nor verifies any more here, and on
    /// other nodes after their next refresh. If none is left that signs, the newest that remains signs again. Source:
    /// AS-008.
    ///
    /// # Errors
    /// [`KeysError::Unknown`]; [`KeysError::Store`].
    pub async fn withdraw_key(&self, kid: &KeyId) -> Result<(), KeysError> {
        let now = self.0.clocks.wall_now();
        let (removed, shut) = (kid.clone(), Arc::clone(&self.snapshot().unreadable));
        self.0
            .store
            .write(move |tx| {
                record(tx, &shut, now)?;
                if !tx.keys()?.iter().any(|key| key.id == removed) {
                    return Err(KeysError::Unknown(removed.clone()));
                }
                tx.key_remove(&removed)?;
                let left = usable(tx, &shut)?;
                if timeline::signing(&left, now).is_none()
                    && let Some(newest) = left.into_iter().rfind(|key| key.active_from <= now)
                {
                    tx.key_update(&StoredKey { retired_at: None, ..newest })?;
                }
                Ok(())
            })
            .await?;
        tracing::warn!(key.id = %kid, "signing key withdrawn");
        self.refresh_keys().await
    }

    fn snapshot(&self) -> Arc<KeySnapshot> {
        Arc::clone(&self.0.snapshot.read())
    }

    /// The key sealed for storage, its times yet to be given.
    fn sealed(&self, key: &SigningKey, chain: Vec<Vec<u8>>) -> Result<StoredKey, KeysError> {
        let broken = |source: Source| KeysError::Key { kid: key.id().clone(), source };
        let der = key.pkcs8_der().map_err(|error| broken(error.into()))?;
        let sealed = self.0.sealer.seal_secret(&der, &context(key.id())).map_err(|error| broken(error.into()))?;
        let now = self.0.clocks.wall_now();
        Ok(StoredKey { id: key.id().clone(), sealed, chain, published_at: now, active_from: now, retired_at: None })
    }

    /// The stored key ready to sign; parsed only once in the life of the process.
    fn open(&self, stored: &StoredKey, last: &KeySnapshot) -> Result<Arc<ServerKey>, KeysError> {
        if let Some(known) = last.opened.iter().find(|known| known.key.id() == &stored.id) {
            return Ok(Arc::clone(known));
        }
        let kid = || stored.id.clone();
        let der = self.0.sealer.open_secret(&stored.sealed, &context(&stored.id));
        let der = der.map_err(|_| KeysError::Sealed { kid: kid() })?;
        let key = SigningKey::from_pkcs8_der(&der);
        let key = key.map_err(|error: KeyError| KeysError::Key { kid: kid(), source: error.into() })?;
        Ok(Arc::new(ServerKey { key: Arc::new(key.with_id(kid())), chain: stored.chain.clone() }))
    }
}

impl KeySnapshot {
    fn new(stored: Vec<StoredKey>, opened: Vec<Arc<ServerKey>>, shut: BTreeSet<KeyId>) -> Self {
        let jwks: Vec<_> = opened.iter().map(|opened| opened.key.public().to_jwk(&opened.chain)).collect();
        let verification = opened.iter().map(|opened| opened.key.public().clone()).collect();
        let jwks = json!({ "keys": jwks }).to_string().into();
        Self { stored, opened, jwks, verification: Arc::new(verification), unreadable: Arc::new(shut) }
    }
}

/// The stored keys but for those that cannot be opened.
fn usable(tx: &mut dyn ServerTransaction, shut: &BTreeSet<KeyId>) -> Result<Vec<StoredKey>, StoreError> {
    Ok(tx.keys()?.into_iter().filter(|key| !shut.contains(&key.id)).collect())
}

/// Writes down which keys have been retired, and removes those nobody needs any more.
fn record(tx: &mut dyn ServerTransaction, shut: &BTreeSet<KeyId>, now: jiff::Timestamp) -> Result<(), StoreError> {
    for due in timeline::due(&usable(tx, shut)?, now) {
        match due {
            KeyTransition::Retire(key) => tx.key_update(&key)?,
            KeyTransition::Remove(key) => tx.key_remove(&key.id)?,
        }
    }
    Ok(())
}

/// What a private key is sealed for: one row of one table.
fn context(kid: &KeyId) -> Vec<u8> {
    format!("signing key {kid}").into_bytes()
}
