//! The list of signing keys for operators.

use super::error::KeysError;
use super::keyring::Keyring;
use super::timeline::{self, KeyState};
use lombard_domain::ids::KeyId;
use lombard_ports::store::KeyOrigin;

/// A signing key as operators see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKey {
    /// Its `kid`.
    pub kid: KeyId,
    /// Where its private part comes from.
    pub origin: KeyOrigin,
    /// Its label in the security module that holds it.
    pub label: Option<String>,
    /// What it does now.
    pub state: KeyState,
    /// Its certificates, leaf first, DER.
    pub chain: Vec<Vec<u8>>,
}

impl Keyring {
    /// Every stored key whose row can be read, oldest first, those included that cannot be opened here.
    ///
    /// # Errors
    /// As [`refresh_keys`](Self::refresh_keys).
    pub async fn list_keys(&self) -> Result<Vec<ListedKey>, KeysError> {
        self.refresh_keys().await?;
        let stored = self.0.store.read(|tx| tx.keys()).await?;
        let snapshot = self.snapshot();
        let states = timeline::states(&snapshot.stored, self.0.clocks.wall_now());
        let listed = stored.into_iter().map(|key| {
            let place = snapshot.stored.iter().position(|known| known.id == key.id);
            let state = place.and_then(|place| states.get(place)).copied().unwrap_or(KeyState::Unusable);
            let opened = place.and_then(|place| snapshot.opened.get(place));
            let label = opened.and_then(|opened| Some(opened.key.external_key()?.label().to_owned()));
            ListedKey { kid: key.id, origin: key.origin, label, state, chain: key.chain }
        });
        Ok(listed.collect())
    }
}
