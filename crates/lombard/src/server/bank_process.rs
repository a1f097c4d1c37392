//! Runs the built-in bank in its own process: its database, scheduler and clock, behind the core API and mutual TLS.
//!
//! The database has no tables of a server. The process writes a core file, by which a server connects to it.

use super::bank_client::BankProcessClient;
use super::blocking::blocking;
use super::core::{self, BuiltIn};
use super::core_services::{DatabaseFile, store_options};
use super::run_file::RunFile;
use super::workers::Workers;
use super::{Overrides, StartError, listeners, sandbox};
use crate::config::{Config, CoreConnection, CoreFile};
use crate::telemetry;
use lombard_database::Database;
use lombard_edge::layers::{HeaderLimits, LayerContext};
use lombard_edge::listener::tls::{ServerCertificate, TlsMaterial};
use lombard_edge::listener::{ListenerLimits, ListenerTransport, RunningListener};
use lombard_files::FileLifetime;
use lombard_ops::bank_process_router;
use lombard_ops::core_api::CoreApi;
use lombard_ports::entropy::IdGenerator;
use lombard_sandbox::controls::BankClock;
use lombard_sandbox::seed::{self, SeedProgress};
use lombard_sandbox::trust::BankProcessTrust;
use lombard_traces::CallerTrust;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// The name of the core file in the bank's data folder.
const CORE_FILE: &str = "core.json";

/// The maximum number of bytes of a call. A batch of orders is far smaller.
const BODY_BYTES_MAX: usize = 16 * 1024 * 1024;

/// A running built-in bank without a server.
#[derive(Debug)]
pub struct BankProcess {
    config: Config,
    url: String,
    file: RunFile,
    listener: RunningListener,
    workers: Workers,
}

impl BankProcess {
    /// Opens or creates the bank in the configuration's data folder, and serves it on this port; 0 picks a free port. The settings of the
    /// database, of the built-in bank's payments and of the sandbox's seed apply; `bank.kind` is not read.
    ///
    /// # Errors
    /// [`StartError`], which names the setting to change.
    pub async fn start(
        config: Config,
        overrides: Overrides,
        port: u16,
        progress: &dyn SeedProgress,
    ) -> Result<Self, StartError> {
        if !config.is_sandbox() {
            let reason = "the built-in bank makes up its customers and their money: it is for sandboxes";
            return Err(StartError::NotForProduction(vec![reason.to_owned()]));
        }
        let mut file = claim(&config).await?;
        let listener = listeners::bind("--port", config.server.bind, port)?;
        let port = listener.address().map_err(StartError::Socket)?.port();
        let clocks = overrides.clocks.clone();

        let options = store_options(&config, DatabaseFile::Bank)?;
        for migration in lombard_database::migrate_store(&options, &core::BANK_SCHEMAS).await? {
            tracing::info!(migration, "migrated");
        }
        let database = Database::open(&options, &core::BANK_SCHEMAS).await?;
        let built_in = BuiltIn::on_database(&config, &database);
        let clock = BankClock::new(built_in.store.clone(), clocks.clone());
        clock.adopt_stored_offset().await?;
        seed::seed_sandbox(&built_in.store, clocks.bank_now(), config.sandbox.seed, progress).await?;

        let folder = config.data_dir.clone();
        let now = clocks.wall_now();
        let names = sandbox::server_names(&config)?;
        let trust = blocking(move || BankProcessTrust::open_or_create(&folder, now, &names)).await??;
        let certificate = ServerCertificate { chain: &trust.server.chain_der, key_pkcs8: &trust.server.key_pkcs8_der };
        let material = TlsMaterial::new(&[certificate], config.tls.session_secs_max, clocks.clone());
        let anchors = [trust.anchor_der.clone()];
        let tls = material.and_then(|material| material.mutual(&anchors)).map_err(StartError::Tls)?;

        let (bank, scheduler) = built_in.bank(&clocks);
        let controls = Arc::new(built_in.controls(&config, clock.clone()));
        let ids = IdGenerator::new(overrides.entropy, clocks);
        let around = LayerContext {
            // Only servers of the bank have a certificate for this listener.
            traces: Some(CallerTrust::Own),
            logs_addresses: true,
            ..LayerContext::new("bank", ids, header_limits(&config))
        };
        let router = bank_process_router(CoreApi { bank, body_bytes_max: BODY_BYTES_MAX }, controls, around);
        let listener = listener.serve_router("bank", ListenerTransport::tls(tls), router, limits(&config));
        let workers = Workers::start_bank(clock, scheduler);

        let url = format!("https://localhost:{port}");
        let absolute = |path: &Path| std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        file.write(&CoreFile {
            url: url.clone(),
            ca: absolute(&trust.anchor_file),
            certificate: absolute(&trust.connector_certificate_file),
            key: absolute(&trust.connector_key_file),
        })?;
        tracing::info!(bank = %url, "listening");
        Ok(Self { config, url, file, listener, workers })
    }

    /// The URL of the bank's listener.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The file that tells a server how to connect to it.
    pub fn core_file(&self) -> PathBuf {
        self.config.data_dir.join(CORE_FILE)
    }

    /// The bank's configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Stops the bank in order: finishes the requests and the work in progress, and removes the core file. If this future is dropped, the
    /// bank ends at once.
    pub async fn stop_bank(self) {
        let drain = Duration::from_secs(self.config.server.drain_secs);
        let end = Instant::now() + drain;
        tokio::join!(self.listener.stop_listener(drain), self.workers.stop(drain));
        telemetry::report_all_left_out_lines();
        telemetry::flush_traces(end.saturating_duration_since(Instant::now())).await;
        drop(self.file);
        tracing::info!("stopped");
    }
}

/// Claims the bank's data folder, unless a running bank uses it.
async fn claim(config: &Config) -> Result<RunFile, StartError> {
    let path = config.data_dir.join(CORE_FILE);
    if let Ok(connection) = CoreConnection::from_core_file(&path)
        && let Ok(client) = BankProcessClient::new(&connection)
        && client.is_alive().await
    {
        return Err(StartError::BankRunning { path: config.data_dir.clone(), url: connection.url });
    }
    RunFile::claim(&config.data_dir, CORE_FILE, FileLifetime::Durable)
}

fn header_limits(config: &Config) -> HeaderLimits {
    HeaderLimits { bytes_max: config.limits.header_bytes_max, fields_max: config.limits.header_fields_max }
}

/// The number of TPPs for which one server counts in the limits of unread answers and incomplete bodies, because it calls for all its TPPs.
const TPPS_OF_A_SERVER: usize = 64;

/// The limits of the listener. All connections come from one server or a few, which limit their own calls.
fn limits(config: &Config) -> ListenerLimits {
    let all = config.server.connections_max;
    let usual = listeners::limits(config);
    ListenerLimits {
        address_connections_max: all,
        client_connections_max: all,
        client_requests_max: all,
        unread_bytes_max: usual.unread_bytes_max.saturating_mul(TPPS_OF_A_SERVER),
        gathered_bytes_max: usual.gathered_bytes_max.saturating_mul(TPPS_OF_A_SERVER),
        ..usual
    }
}
