//! The list of signing keys for operators.

use super::error::KeysError;
use super::keyring::Keyring;
use super::timeline::{self, KeyState};
use lombard_domain::ids::KeyId;
use lombard_ports::store::KeyOrigin;

/// A signing key in the list for operators.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedKey {
    /// The `kid` of the key.
    pub kid: KeyId,
    /// The origin of the private key.
    pub origin: KeyOrigin,
    /// The label of the key in the security module, if one holds it.
    pub label: Option<String>,
    /// The present state of the key.
    pub state: KeyState,
    /// The certificates of the key, leaf first, DER.
    pub chain: Vec<Vec<u8>>,
}

impl Keyring {
    /// Lists every stored key whose row can be read, oldest first, including keys that cannot be decrypted here.
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
