//! The secrets of an installation: the encryption key in a file, and the encrypted secret in the database.

use super::StartError;
use crate::config::{Config, read_key_encryption_key, sandbox_key_file};
use lombard_files::{FileAccess, FileLifetime, create_file, create_folder};
use lombard_jose::{SealError, Sealer, base64url, from_base64url, sha256};
use lombard_ports::entropy::{Entropy, IdGenerator};
use lombard_ports::store::{Store, StoreError};
use std::io;
use std::path::Path;
use std::sync::Arc;
use zeroize::Zeroizing;

/// The setting with the installation's encrypted secret.
const SECRET_SETTING: &str = "installation_secret";

/// A secret of 256 bits that all nodes of an installation share. It is stored encrypted in the database.
#[derive(Clone)]
pub struct InstallationSecret(Arc<Zeroizing<[u8; 32]>>);

impl std::fmt::Debug for InstallationSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InstallationSecret")
    }
}

impl InstallationSecret {
    /// Opens the secret. It is generated once and stored encrypted. A sandbox derives the secret from its seed, so that the same seed gives
    /// the same account ids.
    pub(super) async fn open(
        config: &Config,
        store: &Store,
        sealer: &Sealer,
        ids: &IdGenerator,
    ) -> Result<Self, StartError> {
        let fresh = if config.is_sandbox() {
            sha256(format!("lombard sandbox {}", config.sandbox.seed).as_bytes()).0
        } else {
            ids.random_secret()
        };
        let context = SECRET_SETTING.as_bytes();
        let sealed = base64url(&sealer.seal_secret(&fresh, context).map_err(|_| StartError::Sealed)?);
        // If several nodes start on a new store, all use the secret of the first node.
        let kept = store
            .write(move |tx| {
                if let Some(kept) = tx.setting(SECRET_SETTING)? {
                    return Ok::<_, StoreError>(kept);
                }
                tx.setting_put(SECRET_SETTING, &sealed)?;
                Ok(sealed.clone())
            })
            .await?;
        let opened = from_base64url(&kept).and_then(|sealed| sealer.open_secret(&sealed, context).ok());
        let secret =
            opened.and_then(|secret| <[u8; 32]>::try_from(secret.as_slice()).ok()).ok_or(StartError::Sealed)?;
        Ok(Self(Arc::new(Zeroizing::new(secret))))
    }

    /// Derives the key for one purpose. Keys for different purposes are independent.
    pub fn derive_key(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        let mut material = Zeroizing::new(self.0.to_vec());
        material.extend_from_slice(purpose.as_bytes());
        Zeroizing::new(sha256(&material).0)
    }
}

/// Whether the sealer opens the secret in the database. A database without a secret passes.
pub(super) async fn check_installation_secret(store: &Store, sealer: &Sealer) -> bool {
    match store.read(|tx| tx.setting(SECRET_SETTING)).await {
        Ok(Some(kept)) => {
            from_base64url(&kept).is_some_and(|sealed| sealer.open_secret(&sealed, SECRET_SETTING.as_bytes()).is_ok())
        }
        Ok(None) | Err(_) => true,
    }
}

/// Encrypts the installation's secret with the current key-encryption key. Returns `false` if it already is.
pub(super) async fn reseal_installation_secret(store: &Store, sealer: &Arc<Sealer>) -> Result<bool, StartError> {
    let sealer = Arc::clone(sealer);
    let resealed = store.write(move |tx| {
        let Some(kept) = tx.setting(SECRET_SETTING)? else { return Ok(Ok(false)) };
        let resealed = from_base64url(&kept).ok_or(SealError::Open);
        match resealed.and_then(|sealed| sealer.reseal_secret(&sealed, SECRET_SETTING.as_bytes())) {
            Ok(Some(sealed)) => tx.setting_put(SECRET_SETTING, &base64url(&sealed)).map(|()| Ok(true)),
            Ok(None) => Ok(Ok(false)),
            Err(error) => Ok(Err(error)),
        }
    });
    let resealed: Result<bool, SealError> = resealed.await?;
    resealed.map_err(|_| StartError::Sealed)
}

/// Opens the sealer, which encrypts the private keys and the secret in the database. `lifetime` tells how long the key file is needed.
pub(super) fn open_sealer(
    config: &Config,
    entropy: &dyn Entropy,
    lifetime: FileLifetime,
) -> Result<Sealer, StartError> {
    const SETTING: &str = "signing.other_key_encryption_key_files";
    let mut others = Vec::new();
    for file in &config.signing.other_key_encryption_key_files {
        let key = read_key_encryption_key(file);
        others.push(*key.map_err(|reason| StartError::unusable_file(SETTING, file, reason))?);
    }
    Ok(Sealer::from_key(*key_encryption_key(config, entropy, lifetime)?).opening_also(others))
}

/// Reads the key that encrypts private keys from its file, which a sandbox creates.
fn key_encryption_key(
    config: &Config,
    entropy: &dyn Entropy,
    lifetime: FileLifetime,
) -> Result<Zeroizing<[u8; 32]>, StartError> {
    const SETTING: &str = "signing.key_encryption_key_file";
    let made = sandbox_key_file(&config.data_dir);
    let path = config.signing.key_encryption_key_file.as_ref().unwrap_or(&made);
    if config.is_sandbox() && *path == made {
        let created = create_key_file(path, entropy, lifetime);
        created.map_err(|source| StartError::Folder { path: path.clone(), source })?;
    }
    read_key_encryption_key(path).map_err(|reason| StartError::unusable_file(SETTING, path, reason))
}

/// Creates the key in a file if there is none. The file is durable before the key is used, so that a power cut cannot lose the key. If
/// several programs start on a new folder, all of them use the first key.
fn create_key_file(path: &Path, entropy: &dyn Entropy, lifetime: FileLifetime) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        create_folder(folder, FileAccess::Owner, lifetime)?;
    }
    let digits = || {
        let mut key = Zeroizing::new([0; 32]);
        entropy.fill_random(key.as_mut());
        let mut line: Zeroizing<String> = Zeroizing::new(key.iter().map(|byte| format!("{byte:02x}")).collect());
        line.push('\n');
        Zeroizing::new(line.as_bytes().to_vec())
    };
    create_file(path, digits, FileAccess::Owner, lifetime).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::entropy::SystemEntropy;
    use std::fs;
    use std::sync::Barrier;

    #[test]
    fn programs_that_start_at_once_use_one_key() {
        let folder = tempfile::tempdir().unwrap();
        let path = sandbox_key_file(folder.path());
        let start = Barrier::new(8);
        let keys: Vec<_> = std::thread::scope(|scope| {
            let programs: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        start.wait();
                        create_key_file(&path, &SystemEntropy, FileLifetime::Durable).unwrap();
                        fs::read_to_string(&path).unwrap()
                    })
                })
                .collect();
            programs.into_iter().map(|program| program.join().unwrap()).collect()
        });
        assert!(keys.iter().all(|key| *key == keys[0] && key.len() == 65), "{keys:?}");
        let left = fs::read_dir(path.parent().unwrap()).unwrap().count();
        assert_eq!(left, 1, "no temporary file is left");
    }
}
