//! The keyring: a snapshot of the stored keys, decrypted.

use super::error::KeysError;
use super::timeline::{self, KeyTransition};
use super::vault::KeyVault;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::audit::AuditRecord;
use lombard_domain::ids::KeyId;
use lombard_jose::{KeySet, Sealer, SecurityModule, SigningKey};
use lombard_ports::clock::Clocks;
use lombard_ports::store::{KeyOrigin, ServerTransaction, Store, StoreError, StoredKey};
use parking_lot::RwLock;
use serde_json::json;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

/// A key of the server, ready to sign.
#[derive(Debug)]
pub struct ServerKey {
    /// The private key.
    pub key: Arc<SigningKey>,
    /// The certificates of the key, leaf first, DER.
    pub chain: Vec<Vec<u8>>,
}

/// The server's signing keys. Cloning shares the snapshot.
#[derive(Clone)]
pub struct Keyring(pub(super) Arc<Inner>, Option<AuditRecord>);

pub(super) struct Inner {
    pub(super) store: Store,
    pub(super) vault: KeyVault,
    pub(super) clocks: Clocks,
    snapshot: RwLock<Arc<KeySnapshot>>,
    /// Held during a refresh, so that a slow refresh cannot overwrite the result of a later one.
    refreshing: tokio::sync::Mutex<()>,
}

pub(super) struct KeySnapshot {
    /// The stored keys that can be decrypted, oldest first.
    pub(super) stored: Vec<StoredKey>,
    /// The decrypted keys, in the order of `stored`.
    pub(super) opened: Vec<Arc<ServerKey>>,
    jwks: Arc<str>,
    verification: Arc<KeySet>,
    /// The keys that cannot be decrypted. They are neither retired nor removed, and they do not succeed another key.
    pub(super) unreadable: Arc<BTreeSet<KeyId>>,
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
        Self::load_keys_with_module(store, sealer, None, clocks).await
    }

    /// Loads the keys, some of which this security module may hold. The module is called only to sign, not to load.
    ///
    /// # Errors
    /// As [`load_keys`](Self::load_keys), and [`KeysError::NoModule`].
    pub async fn load_keys_with_module(
        store: &Store,
        sealer: Arc<Sealer>,
        module: Option<Arc<dyn SecurityModule>>,
        clocks: &Clocks,
    ) -> Result<Self, KeysError> {
        let empty = Arc::new(KeySnapshot::new(Vec::new(), Vec::new(), BTreeSet::new()));
        let inner = Arc::new(Inner {
            store: store.clone(),
            vault: KeyVault { sealer, module },
            clocks: clocks.clone(),
            snapshot: RwLock::new(empty),
            refreshing: tokio::sync::Mutex::new(()),
        });
        let ring = Self(inner, None);
        ring.refresh_keys().await?;
        Ok(ring)
    }

    /// The same keys for an act of staff: what adds, imports, retires or withdraws a key by this keyring stores the record in the same
    /// transaction. The key is the target, unless the record has one.
    #[must_use]
    pub fn acting(&self, record: AuditRecord) -> Self {
        Self(Arc::clone(&self.0), Some(record))
    }

    /// Returns how the act of this keyring on a key is recorded.
    pub(super) fn recorder(
        &self,
        kid: &KeyId,
    ) -> impl Fn(&mut dyn ServerTransaction) -> Result<(), StoreError> + use<> {
        let mut record = self.1.clone();
        if let Some(record) = record.as_mut().filter(|record| record.target.is_empty()) {
            kid.as_str().clone_into(&mut record.target);
        }
        move |tx| record.as_ref().map_or(Ok(()), |record| tx.audit_append(record))
    }

    /// Stores the key transitions that are due, then reads the keys again. To be called every minute.
    ///
    /// A key that cannot be decrypted is left out and logged once, as long as another key can be decrypted.
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

    /// Decrypts the keys that can be decrypted.
    ///
    /// # Errors
    /// The error of the first key, if no key can be decrypted.
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

    /// Whether no key is published.
    pub fn is_empty(&self) -> bool {
        self.snapshot().stored.iter().all(|key| key.active_from.is_none())
    }

    /// The key that signs now. Source: AS-008.
    ///
    /// # Errors
    /// [`KeysError::NoneActive`].
    pub fn active_key(&self) -> Result<Arc<ServerKey>, KeysError> {
        let snapshot = self.snapshot();
        let signing = timeline::signing(&snapshot.stored, self.0.clocks.wall_now()).ok_or(KeysError::NoneActive)?;
        snapshot.opened(&signing.id).ok_or(KeysError::NoneActive)
    }

    /// The key with this id, whether it signs or not.
    ///
    /// # Errors
    /// [`KeysError::Unknown`].
    pub fn find_key(&self, kid: &KeyId) -> Result<Arc<ServerKey>, KeysError> {
        self.snapshot().opened(kid).ok_or_else(|| KeysError::Unknown(kid.clone()))
    }

    /// The published keys as a JWK set document, with their certificates. Source: AS-007.
    pub fn jwks(&self) -> Arc<str> {
        Arc::clone(&self.snapshot().jwks)
    }

    /// The keys that verify the server's own signatures: every published key.
    pub fn verification_keys(&self) -> Arc<KeySet> {
        Arc::clone(&self.snapshot().verification)
    }

    /// Adds a key. It is published now, and after `activate_after` (usually [`PUBLISHED_BEFORE_USE`](super::PUBLISHED_BEFORE_USE)) it signs
    /// and retires the previous key. If no key can sign, it signs at once. Source: AS-008.
    ///
    /// # Errors
    /// [`KeysError::Key`] if the key cannot be encrypted; [`KeysError::Store`].
    pub async fn add_key(
        &self,
        key: SigningKey,
        chain: Vec<Vec<u8>>,
        activate_after: SignedDuration,
    ) -> Result<KeyId, KeysError> {
        let id = key.id().clone();
        let now = self.0.clocks.wall_now();
        let new = self.sealed(&key, chain)?;
        let shut = Arc::clone(&self.snapshot().unreadable);
        let note = self.recorder(&id);
        self.0
            .store
            .write(move |tx| {
                record(tx, &shut, now)?;
                note(tx)?;
                let others = usable(tx, &shut)?;
                tx.key_insert(&announced(new.clone(), &others, now, activate_after))
            })
            .await?;
        tracing::info!(key.id = %id, "signing key published");
        self.refresh_keys().await?;
        Ok(id)
    }

    /// Adds a key that waits for its certificate and is not published before the certificate is imported.
    ///
    /// # Errors
    /// As [`add_key`](Self::add_key).
    pub async fn add_waiting_key(&self, key: SigningKey) -> Result<KeyId, KeysError> {
        let id = key.id().clone();
        let (new, now) = (self.sealed(&key, Vec::new())?, self.0.clocks.wall_now());
        let note = self.recorder(&id);
        let insert = move |tx: &mut dyn ServerTransaction| {
            note(tx)?;
            let published_at = timeline::published_after(&tx.keys()?, now);
            tx.key_insert(&StoredKey { published_at, active_from: None, ..new.clone() })
        };
        self.0.store.write(move |tx| insert(tx)).await?;
        tracing::info!(key.id = %id, "signing key made; it waits for its certificate");
        self.refresh_keys().await?;
        Ok(id)
    }

    /// Adds a key only if there is none yet, so that of several nodes that start together on a new store only one adds a key.
    ///
    /// # Errors
    /// As [`add_key`](Self::add_key).
    pub async fn add_first_key(&self, key: SigningKey, chain: Vec<Vec<u8>>) -> Result<(), KeysError> {
        let new = self.sealed(&key, chain)?;
        let insert = move |tx: &mut dyn ServerTransaction| {
            let is_first = tx.keys()?.iter().all(|key| key.active_from.is_none());
            if is_first { tx.key_insert(&new) } else { Ok(()) }
        };
        self.0.store.write(move |tx| insert(tx)).await?;
        self.refresh_keys().await
    }

    /// Removes a key that is no longer trusted, under all its ids. It stops signing and verifying at once here, and on other nodes after
    /// their next refresh. If no other key signs, the announced key signs from now on; without an announced key, the newest remaining key
    /// signs again. Source: AS-008.
    ///
    /// # Errors
    /// [`KeysError::Unknown`]; [`KeysError::Store`].
    pub async fn withdraw_key(&self, kid: &KeyId) -> Result<(), KeysError> {
        let now = self.0.clocks.wall_now();
        let note = self.recorder(kid);
        let (removed, same, shut) = (kid.clone(), self.ids_of_key(kid), Arc::clone(&self.snapshot().unreadable));
        self.0
            .store
            .write(move |tx| {
                record(tx, &shut, now)?;
                let keys = tx.keys()?;
                if !keys.iter().any(|key| key.id == removed) {
                    return Err(KeysError::Unknown(removed.clone()));
                }
                note(tx)?;
                for key in keys.iter().filter(|key| key.id == removed || same.contains(&key.id)) {
                    tx.key_remove(&key.id)?;
                }
                let left = usable(tx, &shut)?;
                if timeline::signing(&left, now).is_some() {
                    return Ok(());
                }
                if let Some(next) = timeline::successor(&left, now) {
                    tx.key_update(&StoredKey { active_from: Some(now), ..next.clone() })?;
                } else if let Some(newest) = left.into_iter().rfind(|key| timeline::is_active(key, now)) {
                    tx.key_update(&StoredKey { retired_at: None, ..newest })?;
                }
                Ok(())
            })
            .await?;
        tracing::warn!(key.id = %kid, "signing key withdrawn");
        self.refresh_keys().await
    }

    /// All ids under which the key with this id is stored: several, if it got a directory's id while it signed.
    pub fn ids_of_key(&self, kid: &KeyId) -> BTreeSet<KeyId> {
        let snapshot = self.snapshot();
        let key = snapshot.opened(kid).map(|opened| opened.key.public().thumbprint());
        key.map(|thumbprint| snapshot.ids_of(&thumbprint)).unwrap_or_default()
    }

    /// Whether another key is announced that signs next.
    pub fn has_successor(&self, kid: &KeyId) -> bool {
        let (snapshot, same) = (self.snapshot(), self.ids_of_key(kid));
        let others: Vec<_> = snapshot.stored.iter().filter(|key| !same.contains(&key.id)).cloned().collect();
        timeline::successor(&others, self.0.clocks.wall_now()).is_some()
    }

    pub(super) fn snapshot(&self) -> Arc<KeySnapshot> {
        Arc::clone(&self.0.snapshot.read())
    }

    /// Encrypts a key for storage, as one that signs from now on.
    fn sealed(&self, key: &SigningKey, chain: Vec<Vec<u8>>) -> Result<StoredKey, KeysError> {
        let origin = if key.external_key().is_some() { KeyOrigin::Token } else { KeyOrigin::Made };
        let sealed = self.0.vault.seal_key(key.id(), key)?;
        let now = self.0.clocks.wall_now();
        let (id, active_from) = (key.id().clone(), Some(now));
        Ok(StoredKey { id, origin, sealed, chain, published_at: now, active_from, retired_at: None })
    }

    /// Decrypts a stored key, unless the last snapshot already holds it.
    fn open(&self, stored: &StoredKey, last: &KeySnapshot) -> Result<Arc<ServerKey>, KeysError> {
        match last.opened(&stored.id) {
            Some(known) if known.chain == stored.chain => Ok(known),
            Some(known) => Ok(Arc::new(ServerKey { key: Arc::clone(&known.key), chain: stored.chain.clone() })),
            None => {
                let key = Arc::new(self.0.vault.open_key(stored)?);
                Ok(Arc::new(ServerKey { key, chain: stored.chain.clone() }))
            }
        }
    }
}

impl KeySnapshot {
    fn new(stored: Vec<StoredKey>, opened: Vec<Arc<ServerKey>>, shut: BTreeSet<KeyId>) -> Self {
        let published = || stored.iter().zip(&opened).filter(|(key, _)| key.active_from.is_some()).map(|(_, it)| it);
        let jwks: Vec<_> = published().map(|opened| opened.key.public().to_jwk(&opened.chain)).collect();
        let verification = published().map(|opened| opened.key.public().clone()).collect();
        let jwks = json!({ "keys": jwks }).to_string().into();
        Self { stored, opened, jwks, verification: Arc::new(verification), unreadable: Arc::new(shut) }
    }

    /// The decrypted key with this id.
    fn opened(&self, kid: &KeyId) -> Option<Arc<ServerKey>> {
        self.opened.iter().find(|opened| opened.key.id() == kid).cloned()
    }

    /// The ids of the key with this thumbprint.
    pub(super) fn ids_of(&self, thumbprint: &KeyId) -> BTreeSet<KeyId> {
        let same = self.opened.iter().filter(|opened| opened.key.public().thumbprint() == *thumbprint);
        same.map(|opened| opened.key.id().clone()).collect()
    }
}

/// The key with the times of one that is published now, after all stored keys, and signs after the given time, or at once if no stored key
/// signs.
pub(super) fn announced(
    key: StoredKey,
    others: &[StoredKey],
    now: Timestamp,
    activate_after: SignedDuration,
) -> StoredKey {
    let later = now.saturating_add(activate_after.max(SignedDuration::ZERO)).unwrap_or(now);
    let active_from = if timeline::signing(others, now).is_some() { later } else { now };
    StoredKey { published_at: timeline::published_after(others, now), active_from: Some(active_from), ..key }
}

/// The stored keys, without those that cannot be decrypted.
pub(super) fn usable(tx: &mut dyn ServerTransaction, shut: &BTreeSet<KeyId>) -> Result<Vec<StoredKey>, StoreError> {
    Ok(tx.keys()?.into_iter().filter(|key| !shut.contains(&key.id)).collect())
}

/// Stores which keys have been retired, and removes those that are no longer published.
pub(super) fn record(tx: &mut dyn ServerTransaction, shut: &BTreeSet<KeyId>, now: Timestamp) -> Result<(), StoreError> {
    for due in timeline::due(&usable(tx, shut)?, now) {
        match due {
            KeyTransition::Retire(key) => tx.key_update(&key)?,
            KeyTransition::Remove(key) => tx.key_remove(&key.id)?,
        }
    }
    Ok(())
}
