//! Encrypts again, with the current key-encryption key, the stored keys that were encrypted with another one.

use super::error::KeysError;
use super::keyring::Keyring;
use lombard_domain::ids::KeyId;
use lombard_ports::store::StoreError;
use std::error::Error;

/// The number of keys that one transaction encrypts again.
const SET: usize = 16;

/// The result of encrypting the stored keys again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ResealedKeys {
    /// The number of keys that were encrypted again.
    pub resealed: usize,
    /// The number of keys that were already encrypted with the current key-encryption key, or that another node removed or encrypted
    /// meanwhile.
    pub unchanged: usize,
    /// The keys that no configured key-encryption key decrypts; they are not changed.
    pub unopened: Vec<KeyId>,
}

impl Keyring {
    /// Encrypts every stored key with the current key-encryption key, in sets of bounded size. Other nodes may use the keys meanwhile.
    /// After an interruption, another call completes the work.
    ///
    /// # Errors
    /// [`KeysError::Store`]; the sets before the failure stay encrypted again.
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
