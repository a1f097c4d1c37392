//! The services that a server shares with commands on its data: the store, its secrets and the signing keys.

use super::audit::{AuditLog, node_name};
use super::certificate_request::RequestSubject;
use super::secrets::{InstallationSecret, open_sealer};
use super::security_module::ConfiguredModule;
use super::{Overrides, StartError, core};
use crate::config::{Config, Mode, read_database_url};
use lombard_auth::keys::Keyring;
use lombard_database::{Database, StoreOptions, StoreTimeouts};
use lombard_files::FileLifetime;
use lombard_jose::Sealer;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::Store;
use lombard_service::events::WaiterRegistry;
use std::sync::Arc;
use std::time::Duration;

/// The services that a server shares with commands on its data. Clones share them.
#[derive(Debug, Clone)]
pub struct CoreServices {
    /// The migrated database.
    pub(super) database: Database,
    /// The store of the server's tables in that database.
    pub store: Store,
    /// The bank's clock and the wall clock.
    pub clocks: Clocks,
    /// Generates ids and secrets.
    pub ids: IdGenerator,
    /// The audit log.
    pub audit: AuditLog,
    /// The secret from which the keys of this installation are derived.
    pub secret: InstallationSecret,
    /// Encrypts secrets for the database.
    pub(super) sealer: Arc<Sealer>,
    /// The security module that holds signing keys, if one is configured.
    pub(super) security_module: Option<ConfiguredModule>,
    /// The signing keys.
    pub keys: Keyring,
    /// The subject of certificate requests for the bank's keys.
    pub(super) request_subject: Arc<RequestSubject>,
    /// The waiter registry of event polls, which storage notifies.
    pub event_waiters: WaiterRegistry,
}

impl CoreServices {
    /// Opens the store and decrypts its secrets. A sandbox's database is migrated; a production database must be migrated already.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn open(config: &Config, overrides: Overrides) -> Result<Self, StartError> {
        let waiters = WaiterRegistry::default();
        let options =
            StoreOptions { wake: Some(Arc::new(waiters.clone())), ..store_options(config, DatabaseFile::Server)? };
        let schemas = core::schemas(config);
        let is_temporary = lombard_database::is_temporary(&options.url);
        match config.mode {
            // Each opening of a temporary database creates a new one, which must be migrated.
            Mode::Sandbox if is_temporary => {}
            Mode::Sandbox => {
                for migration in lombard_database::migrate_store(&options, &schemas).await? {
                    tracing::info!(migration, "migrated");
                }
            }
            Mode::Production => require_migrated(&lombard_database::pending_migrations(&options, &schemas).await?)?,
        }
        let database = Database::open(&options, &schemas).await?;
        let store = lombard_store::on_database_of_node(database.clone(), &node_name(config));
        let lifetime = if is_temporary { FileLifetime::UntilProcessEnds } else { FileLifetime::Durable };
        let sealer = Arc::new(open_sealer(config, &*overrides.entropy, lifetime)?);
        let ids = IdGenerator::new(overrides.entropy, overrides.clocks.clone());
        let secret = InstallationSecret::open(config, &store, &sealer, &ids).await?;
        let security_module = ConfiguredModule::open(config)?;
        let module = security_module.as_ref().map(|it| Arc::clone(&it.module));
        let keys = Keyring::load_keys_with_module(&store, Arc::clone(&sealer), module, &overrides.clocks).await?;
        let clocks = overrides.clocks;
        let audit = AuditLog::new(config, store.clone(), clocks.clone());
        let request_subject = Arc::new(RequestSubject::of_bank(config));
        let event_waiters = waiters;
        Ok(Self {
            database,
            store,
            audit,
            clocks,
            ids,
            secret,
            sealer,
            security_module,
            keys,
            request_subject,
            event_waiters,
        })
    }
}

/// Refuses a database that lacks migrations.
pub(super) fn require_migrated(pending: &[String]) -> Result<(), StartError> {
    match pending.first() {
        None => Ok(()),
        Some(first) => Err(StartError::NotMigrated { count: pending.len(), first: first.clone() }),
    }
}

/// The SQLite file in the data folder that is used if no database is configured.
#[derive(Debug, Clone, Copy)]
pub(super) enum DatabaseFile {
    /// The file of a server.
    Server,
    /// The file of the built-in bank in its own process.
    Bank,
}

impl DatabaseFile {
    const fn name(self) -> &'static str {
        match self {
            Self::Server => "lombard.db",
            Self::Bank => "bank.db",
        }
    }
}

/// The options of the configured database.
pub(super) fn store_options(config: &Config, file: DatabaseFile) -> Result<StoreOptions, StartError> {
    let database = &config.database;
    let url = match (&database.url, &database.url_file) {
        (Some(url), _) => url.expose().to_owned(),
        (None, Some(file)) => {
            let url = read_database_url(file)
                .map_err(|reason| StartError::unusable_file("database.url_file", file, reason))?;
            url.expose().to_owned()
        }
        (None, None) => format!("sqlite://{}", config.data_dir.join(file.name()).display()),
    };
    let waits = StoreTimeouts {
        connection: Duration::from_secs(database.wait_secs),
        statement: Duration::from_secs(database.statement_secs),
        lock: Duration::from_secs(database.lock_secs),
        idle_transaction: Duration::from_secs(database.idle_transaction_secs),
    };
    Ok(StoreOptions { url, pool_size: database.connections_max, waits, wake: None })
}
