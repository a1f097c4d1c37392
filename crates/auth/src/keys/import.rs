//! Imports what an operator supplies for a signing key: its certificate, its id in the directory, or the key itself. Source: AS-007,
//! AS-008.

use super::certificate::check_chain;
use super::error::{KeyRefusal, KeysError};
use super::keyring::{Keyring, announced, record, usable};
use super::timeline::{PUBLISHED_BEFORE_USE, is_active};
use jiff::Timestamp;
use lombard_domain::ids::KeyId;
use lombard_jose::SigningKey;
use lombard_ports::store::{KeyOrigin, ServerTransaction, StoredKey};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The most characters of a key's id.
const KID_CHARS_MAX: usize = 128;

/// The input of an import. A certificate without a key must belong to a stored key.
#[derive(Debug, Default)]
pub struct KeyImport {
    /// The key's id in the directory. Without one, a stored key keeps its id, and a new key gets its thumbprint as id.
    pub kid: Option<KeyId>,
    /// The certificates, leaf first, DER. If empty, the key keeps its certificates.
    pub chain: Vec<Vec<u8>>,
    /// A new key: read from a file, or held by the security module.
    pub key: Option<SigningKey>,
}

/// An import whose key and certificate belong together.
#[derive(Clone)]
struct CheckedImport {
    /// The key to store; its times are not set yet.
    new: StoredKey,
    /// The ids under which the same key is already stored.
    same: BTreeSet<KeyId>,
}

impl Keyring {
    /// Imports a certificate, the directory's id, or a key, and returns the id under which the key is published.
    ///
    /// A waiting key, a new key and a key with a new id are published now. They sign an hour later, or at once if no key signs. If a key
    /// gets a new id, its old id is removed at once if the key has not signed under it, and otherwise stays published for seven more days.
    /// A certificate for a published key is published with it from now on. Source: AS-008.
    ///
    /// # Errors
    /// [`KeysError::Refused`] with the fault of the import, in which case nothing is changed; [`KeysError::Store`].
    pub async fn import_key(&self, import: KeyImport) -> Result<KeyId, KeysError> {
        // Another node may have generated the key since the last refresh.
        self.refresh_keys().await?;
        let now = self.0.clocks.wall_now();
        let import = self.check_import(import, now)?;
        let kid = import.new.id.clone();
        let shut = Arc::clone(&self.snapshot().unreadable);
        let note = self.recorder(&kid);
        let placed = self.0.store.write(move |tx| {
            place(tx, &import, &shut, now)?;
            Ok::<_, KeysError>(note(tx)?)
        });
        placed.await?;
        tracing::info!(key.id = %kid, "signing key imported");
        self.refresh_keys().await?;
        Ok(kid)
    }

    fn check_import(&self, import: KeyImport, now: Timestamp) -> Result<CheckedImport, KeysError> {
        let KeyImport { kid, chain, key } = import;
        let certified = if chain.is_empty() { None } else { Some(check_chain(&chain, now)?.thumbprint()) };
        let given = key.as_ref().map(|key| key.public().thumbprint());
        let thumbprint = match (certified, given) {
            (Some(certified), Some(given)) if certified != given => return Err(KeyRefusal::OtherKey.into()),
            (Some(thumbprint), _) | (None, Some(thumbprint)) => thumbprint,
            // An id alone does not identify the key that it is for.
            (None, None) => return Err(KeyRefusal::Nothing.into()),
        };
        let snapshot = self.snapshot();
        let same = snapshot.ids_of(&thumbprint);
        let known = snapshot.stored.iter().zip(&snapshot.opened).rfind(|(stored, _)| same.contains(&stored.id));
        let kid = kid.or_else(|| known.map(|(stored, _)| stored.id.clone())).unwrap_or(thumbprint);
        if !is_kid(&kid) {
            return Err(KeyRefusal::KidForm.into());
        }
        let (sealed, origin, chain) = match (known, key) {
            (Some((stored, opened)), _) => {
                let chain = if chain.is_empty() { stored.chain.clone() } else { chain };
                (self.0.vault.seal_key(&kid, &opened.key)?, stored.origin, chain)
            }
            (None, Some(key)) => {
                let origin = if key.external_key().is_some() { KeyOrigin::Token } else { KeyOrigin::File };
                (self.0.vault.seal_key(&kid, &key)?, origin, chain)
            }
            (None, None) => return Err(KeyRefusal::ForNoKey.into()),
        };
        let new = StoredKey { id: kid, origin, sealed, chain, published_at: now, active_from: None, retired_at: None };
        Ok(CheckedImport { new, same })
    }
}

/// Stores the key as it is imported.
fn place(
    tx: &mut dyn ServerTransaction,
    CheckedImport { new, same }: &CheckedImport,
    shut: &BTreeSet<KeyId>,
    now: Timestamp,
) -> Result<(), KeysError> {
    record(tx, shut, now)?;
    let all = tx.keys()?;
    if let Some(stored) = all.iter().find(|key| key.id == new.id) {
        if !same.contains(&new.id) {
            return Err(KeyRefusal::KidTaken(new.id.clone()).into());
        }
        tx.key_certify(&new.id, &new.chain)?;
        if stored.active_from.is_none() {
            let others: Vec<_> = usable(tx, shut)?.into_iter().filter(|key| key.id != new.id).collect();
            tx.key_update(&announced(new.clone(), &others, now, PUBLISHED_BEFORE_USE))?;
        }
        return Ok(());
    }
    match all.iter().rfind(|key| same.contains(&key.id)) {
        Some(own) if own.retired_at.is_some() => return Err(KeyRefusal::Ended(own.id.clone()).into()),
        // Nothing was signed under this id, so it can be removed.
        Some(own) if !is_active(own, now) => tx.key_remove(&own.id)?,
        Some(_) | None => {}
    }
    let others = usable(tx, shut)?;
    Ok(tx.key_insert(&announced(new.clone(), &others, now, PUBLISHED_BEFORE_USE))?)
}

/// Whether this is a valid id of a key, which needs no escaping in a path.
fn is_kid(kid: &KeyId) -> bool {
    let text = kid.as_str();
    (1..=KID_CHARS_MAX).contains(&text.len())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_')
}
