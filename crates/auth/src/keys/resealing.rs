//! Encrypts again, with the current key-encryption key, the stored keys that were encrypted with another one.

use super::error::KeysError;
use super::keyring::Keyring;
use lombard_domain::ids::KeyId;
use lombard_ports::store::StoreError;
use std::error::Error;

/// The number of keys that are sealed again in one transaction.
const SET: usize = 16;

/// What became of the stored keys.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResealedKeys {
    /// How many were sealed again.
    pub resealed: usize,
    /// How many were sealed with the current key-encryption key before, or were removed or sealed again by another node meanwhile.
    pub unchanged: usize,
    /// Those that no key-encryption key opens here; they stay as they are.
    pub unopened: Vec<KeyId>,
}

impl Keyring {
    /// Seals every stored key with the current key-encryption key, in sets of bounded size. Other nodes may use the keys
    /// meanwhile. A call that was interrupted is completed by another one.
    ///
    /// # Errors
    /// [`KeysError::Store`]; the sets before are sealed again.
    pub async fn reseal_keys(&self) -> Result<ResealedKeys, KeysError> {
        let stored = self.0.store.read(|tx| tx.keys()).await?;
        let (mut outcome, mut changes) = (ResealedKeys::default(), Vec::new());
        for key in stored {
            match self.0.vault.reseal_key(&key) {
                Ok(Some(sealed)) => changes.push((key.id, key.sealed, sealed)),
                Ok(None) => outcome.unchanged = outcome.unchanged.saturating_add(1),
                Err(error) => {
                    tracing::error!(error = &error as &dyn Error, "a signing key was not sealed again");
                    outcome.unopened.push(key.id);
                }
            }
        }
        for set in changes.chunks(SET) {
            let (set, length) = (set.to_vec(), set.len());
            let resealed = self.0.store.write(move |tx| {
                let mut resealed = 0_usize;
                for (id, was, sealed) in &set {
                    resealed = resealed.saturating_add(usize::from(tx.key_reseal(id, was, sealed)?));
                }
                Ok::<_, StoreError>(resealed)
            });
            let resealed = resealed.await?;
            outcome.resealed = outcome.resealed.saturating_add(resealed);
            outcome.unchanged = outcome.unchanged.saturating_add(length.saturating_sub(resealed));
        }
        Ok(outcome)
    }
}
