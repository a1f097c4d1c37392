//! What both a server and a command on its data stand on: the store, its secrets, the signing keys.

use super::{Overrides, Sandbox, StartError, core};
use crate::config::{Config, Mode, read_database_url, read_key_encryption_key, sandbox_key_file};
use lombard_auth::keys::Keyring;
use lombard_database::{Database, StoreOptions, StoreTimeouts};
use lombard_domain::ids::KeyId;
use lombard_jose::{Sealer, SigningKey, base64url, from_base64url, sha256};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::{Entropy, Ids};
use lombard_ports::store::{Store, StoreError};
use lombard_service::events::WaiterRegistry;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use zeroize::Zeroizing;

/// The setting that holds the installation's secret, sealed.
const SECRET_SETTING: &str = "installation_secret";

/// Services that both a server and a command on its data need. Cloning shares it.
#[derive(Debug, Clone)]
pub struct CoreServices {
    /// The database, at this program's schemas.
    pub(super) database: Database,
    /// The server's tables in it.
    pub store: Store,
    /// Both clocks.
    pub clocks: Clocks,
    /// Ids and secrets.
    pub ids: Ids,
    /// What keys of this installation are derived from.
    pub secret: InstallationSecret,
    /// The signing keys.
    pub keys: Keyring,
    /// Where polls for events wait; storage wakes it.
    pub event_waiters: WaiterRegistry,
}

/// 256 bits that all nodes of an installation share, kept sealed in its database.
#[derive(Clone)]
pub struct InstallationSecret(Arc<Zeroizing<[u8; 32]>>);

impl std::fmt::Debug for InstallationSecret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("InstallationSecret")
    }
}

impl InstallationSecret {
    /// A key for one purpose; keys for different purposes tell nothing about each other.
    pub fn derive_key(&self, purpose: &str) -> Zeroizing<[u8; 32]> {
        let mut material = Zeroizing::new(self.0.to_vec());
        material.extend_from_slice(purpose.as_bytes());
        Zeroizing::new(sha256(&material).0)
    }
}

impl CoreServices {
    /// Opens the store and what is sealed in it. A sandbox's schema is brought up to date; production's must be.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn open(config: &Config, overrides: Overrides) -> Result<Self, StartError> {
        let waiters = WaiterRegistry::default();
        let options = StoreOptions { wake: Some(Arc::new(waiters.clone())), ..store_options(config)? };
        let schemas = core::schemas(config);
        match config.mode {
            Mode::Sandbox => {
                for migration in lombard_database::migrate_store(&options, &schemas).await? {
                    tracing::info!(migration, "migrated");
                }
            }
            Mode::Production => require_migrated(&lombard_database::pending_migrations(&options, &schemas).await?)?,
        }
        let database = Database::open(&options, &schemas).await?;
        let store = lombard_store::on_database(database.clone());
        let sealer = Arc::new(Sealer::from_key(*key_encryption_key(config, &*overrides.entropy)?));
        let ids = Ids::new(overrides.entropy, overrides.clocks.clone());
        let secret = installation_secret(config, &store, &sealer, &ids).await?;
        let keys = Keyring::load_keys(&store, sealer, &overrides.clocks).await?;
        Ok(Self { database, store, clocks: overrides.clocks, ids, secret, keys, event_waiters: waiters })
    }

    /// Makes the first signing key if there is none.
    pub(super) async fn first_key(&self, sandbox: Option<&Sandbox>) -> Result<(), StartError> {
        if self.keys.is_empty() {
            let (key, chain) = self.new_key(sandbox).await?;
            self.keys.add_first_key(key, chain).await?;
        }
        Ok(())
    }

    /// A new signing key with its certificates: none outside a sandbox, where nobody issues them.
    pub(super) async fn new_key(&self, sandbox: Option<&Sandbox>) -> Result<(SigningKey, Vec<Vec<u8>>), StartError> {
        let key = blocking(SigningKey::generate).await??;
        let chain = match sandbox {
            Some(sandbox) => sandbox.seal(&key, self.clocks.wall_now())?,
            None => Vec::new(),
        };
        Ok((key, chain))
    }

    /// When a key starts to sign.
    pub(super) async fn key_active_from(&self, kid: &KeyId) -> Result<Option<jiff::Timestamp>, StoreError> {
        let kid = kid.clone();
        let from = |key: lombard_ports::store::StoredKey| key.active_from;
        self.store.read(move |tx| Ok(tx.keys()?.into_iter().find(|key| key.id == kid).map(from))).await
    }
}

/// Runs what takes long off the reactor.
pub(super) async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, StartError> {
    tokio::task::spawn_blocking(work).await.map_err(|_| StartError::Interrupted)
}

/// Refuses a database that lacks migrations.
pub(super) fn require_migrated(pending: &[String]) -> Result<(), StartError> {
    match pending.first() {
        None => Ok(()),
        Some(first) => Err(StartError::NotMigrated { count: pending.len(), first: first.clone() }),
    }
}

/// The database that is configured.
pub(super) fn store_options(config: &Config) -> Result<StoreOptions, StartError> {
    let database = &config.database;
    let url = match (&database.url, &database.url_file) {
        (Some(url), _) => url.expose().to_owned(),
        (None, Some(file)) => {
            let url = read_database_url(file).map_err(|reason| file_error("database.url_file", file, reason))?;
            url.expose().to_owned()
        }
        (None, None) => format!("sqlite://{}", config.data_dir.join("lombard.db").display()),
    };
    let waits = StoreTimeouts {
        connection: Duration::from_secs(database.wait_secs),
        statement: Duration::from_secs(database.statement_secs),
        lock: Duration::from_secs(database.lock_secs),
        idle_transaction: Duration::from_secs(database.idle_transaction_secs),
    };
    Ok(StoreOptions { url, pool_size: database.connections_max, waits, wake: None })
}

/// The installation's secret: drawn once and kept sealed. A sandbox's follows from its seed, so that the same seed gives
/// the same account ids.
async fn installation_secret(
    config: &Config,
    store: &Store,
    sealer: &Sealer,
    ids: &Ids,
) -> Result<InstallationSecret, StartError> {
    let fresh = if config.is_sandbox() {
        sha256(format!("lombard sandbox {}", config.sandbox.seed).as_bytes()).0
    } else {
        ids.random_secret()
    };
    let context = SECRET_SETTING.as_bytes();
    let sealed = base64url(&sealer.seal_secret(&fresh, context).map_err(|_| StartError::Sealed)?);
    // Of several nodes that start on a new store, the first wins.
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
    let secret = opened.and_then(|secret| <[u8; 32]>::try_from(secret.as_slice()).ok()).ok_or(StartError::Sealed)?;
    Ok(InstallationSecret(Arc::new(Zeroizing::new(secret))))
}

/// The key that private keys are sealed with: from its file, which a sandbox makes.
fn key_encryption_key(config: &Config, entropy: &dyn Entropy) -> Result<Zeroizing<[u8; 32]>, StartError> {
    const SETTING: &str = "signing.key_encryption_key_file";
    let made = sandbox_key_file(&config.data_dir);
    let path = config.signing.key_encryption_key_file.as_ref().unwrap_or(&made);
    if config.is_sandbox() && *path == made {
        create_key_file(path, entropy).map_err(|source| StartError::Folder { path: path.clone(), source })?;
    }
    read_key_encryption_key(path).map_err(|reason| file_error(SETTING, path, reason))
}

fn create_key_file(path: &Path, entropy: &dyn Entropy) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    if path.exists() {
        return Ok(());
    }
    let mut key = Zeroizing::new([0; 32]);
    entropy.fill_random(key.as_mut());
    let digits: Zeroizing<String> = Zeroizing::new(key.iter().map(|byte| format!("{byte:02x}")).collect());
    // Written beside and linked in place: a file with half a key would seal everything with something nobody knows.
    let fresh = path.with_extension("key.new");
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&fresh)?;
    writeln!(file, "{}", *digits)?;
    file.sync_all()?;
    fs::rename(fresh, path)
}

/// A file that a setting names cannot be used.
pub(super) fn file_error(setting: &'static str, path: &Path, reason: impl Into<String>) -> StartError {
    StartError::File { setting, path: path.to_owned(), reason: reason.into() }
}
