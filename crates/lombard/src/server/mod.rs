//! The life cycle of a server: start, workers and orderly stop.

mod acts;
mod app;
mod audit;
mod bank_client;
mod bank_process;
mod blocking;
mod certificate_expiries;
mod certificate_request;
mod core;
mod core_services;
mod customers;
mod endpoints;
mod error;
mod events;
mod identities;
mod identity_provider;
mod installation;
mod keys;
mod listeners;
mod maintenance;
mod maintenance_watch;
mod node_clock;
mod node_metrics;
mod ocsp;
mod ocsp_statuses;
mod operation_errors;
mod operations;
mod operator_reads;
mod overrides;
mod payments;
mod portal;
mod preflight;
mod proxies;
mod rates;
mod reconciliation;
mod registration;
mod request_log;
mod revocation;
mod run_file;
mod sandbox;
mod sandbox_bank;
mod sandbox_ids;
mod secrets;
mod security_module;
mod signing;
mod staff;
mod start_remainder;
mod support;
#[cfg(test)]
pub(crate) mod testing;
mod tls_reload;
mod tpp_addresses;
mod tpp_certificates;
mod tpp_terms;
mod tpps;
mod vrp;
mod workers;

#[cfg(test)]
mod tests;

pub use acts::command_act;
pub use audit::AuditLog;
pub use bank_process::BankProcess;
pub use core::Core;
pub(crate) use core::{BANK_STORED_DATA, MIDDLE_RATES, RATE_MOVEMENT, RATE_SPREAD};
pub use core_services::CoreServices;
pub use endpoints::Endpoints;
pub use error::StartError;
pub(crate) use operations::NO_DATA_FILES;
pub use operations::{ImportFailure, Operator};
pub use overrides::Overrides;
pub(crate) use preflight::raise_descriptor_limit;
pub use preflight::{DatabaseCheck, EmbeddedCore, Preflight, check_installation};
pub use sandbox::Sandbox;
pub use tls_reload::TlsReloadError;

use self::core::{ConfiguredCore, CoreParts};
use crate::config::{Config, OwnName, ProxiedListener};
use crate::telemetry;
use app::app;
use certificate_expiries::CertificateExpiries;
use core_services::DatabaseFile;
use listeners::Sockets;
use lombard_auth::callers::CallerResolver;
use lombard_edge::layers::{LayerContext, OtherHost, TppRequestCounts};
use lombard_edge::listener::{ListenerTransport, RunningListener};
use lombard_edge::request_log::{CertificateHolders, RecordedRoutes, RequestRecorder};
use lombard_files::FileLifetime;
use lombard_http::routers::{mtls_router, public_router};
use lombard_http::sandbox_faults;
use lombard_ops::traffic::TrafficHistory;
use lombard_ops::{AllowedHosts, Operations, SandboxTools, TlsReloaded};
use lombard_ops::{health_router, ops_router};
use lombard_ports::controls::ControlError;
use lombard_sandbox::controls::BankClock;
use lombard_sandbox::seed::SeedProgress;
use lombard_service::consents::ConsentReports;
use lombard_service::events::EventPolling;
use lombard_service::payments::reconciliation::Reconciler;
use lombard_service::workers::Quarantines;
use lombard_traces::CallerTrust;
use maintenance_watch::MaintenanceWatch;
use node_clock::NodeClock;
use node_metrics::NodeMetrics;
use operations::RunningOperator;
use portal::portal_services;
use run_file::{RunFile, folder};
use sandbox::{OpeningSandbox, register};
use sandbox_bank::SandboxBank;
use signing::add_first_key;
use start_remainder::{DeferredStart, NoSeedProgress};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tls_reload::TlsReloader;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use workers::Workers;

/// The default of `server.lame_duck_secs` in production: two health checks of a balancer at an interval of five seconds.
const LAME_DUCK_SECS: u64 = 10;

/// Migrates the configured database and returns the names of the migrations applied.
///
/// # Errors
/// [`StartError`].
pub async fn migrate_database(config: &Config) -> Result<Vec<String>, StartError> {
    folder(&config.data_dir, FileLifetime::Durable)?;
    Ok(lombard_database::migrate_store(
        &core_services::store_options(config, DatabaseFile::Server)?,
        &core::schemas(config),
    )
    .await?)
}

/// What [`migrate_database`] would do to the configured database. Nothing is changed.
///
/// # Errors
/// [`StartError`].
pub async fn plan_migration(config: &Config) -> Result<lombard_database::MigrationPlan, StartError> {
    let options = core_services::store_options(config, DatabaseFile::Server)?;
    Ok(lombard_database::plan_migrations(&options, &core::schemas(config)).await?)
}

/// Opens an installation for operator commands while no server runs.
///
/// # Errors
/// [`StartError`].
pub async fn open_operator(config: &Config, overrides: Overrides) -> Result<Operator, StartError> {
    folder(&config.data_dir, FileLifetime::Durable)?;
    let services = CoreServices::open(config, overrides.clone()).await?;
    installation::check(config, &services).await?;
    // Most commands do not need the core, so they work even if this program embeds none.
    let core = match ConfiguredCore::open(config, core_parts(&services, &overrides)) {
        Err(StartError::NoCore) => None,
        opened => Some(opened?),
    };
    let public = sandbox::configured_public_url(config);
    let sandbox = Sandbox::open(config, &services, &public).await?;
    add_first_key(&services, sandbox.as_ref()).await?;
    let quarantines = Quarantines::new(services.store.clone(), core.as_ref().and_then(ConfiguredCore::quarantine));
    let bank = core.as_ref().and_then(SandboxBank::of_core);
    let is_wanted = core.as_ref().is_some_and(ConfiguredCore::takes_consent_changes);
    let reports = ConsentReports { is_wanted, ids: services.ids.clone(), clocks: services.clocks.clone() };
    let scottish = config.payments.scottish_quarter_days;
    let context = core.as_ref().map(|core| app::operator_context(config, &services, core));
    let mut operator = Operator::new(services, bank, sandbox, quarantines, reports, public, scottish);
    operator.reconciler = context.as_ref().map(Reconciler::from);
    operator.context = context;
    Ok(operator)
}

/// The callback for the moment at which an ephemeral server can be reached.
type Reachable = Box<dyn FnOnce(&Endpoints) + Send>;

/// A running server.
#[derive(Debug)]
pub struct Server {
    config: Config,
    endpoints: Endpoints,
    file: RunFile,
    workers: Workers,
    event_polling: EventPolling,
    callers: CallerResolver,
    tls: TlsReloader,
    /// Cancelled when the stop begins. `/readyz` reports "not ready" from then on.
    stopping: CancellationToken,
    /// The public and the mtls listener, whose requests are finished first.
    listeners: [RunningListener; 2],
    /// The listeners for the bank itself, which are stopped last: operations, and health if there is one.
    own_listeners: Vec<RunningListener>,
    audit: AuditLog,
}

impl Server {
    /// Starts the server and returns once it is listening.
    ///
    /// # Errors
    /// [`StartError`], which names the setting to change.
    pub async fn start(config: Config, overrides: Overrides) -> Result<Self, StartError> {
        Self::start_with_progress(config, overrides, &NoSeedProgress).await
    }

    /// Starts a sandbox that keeps no data, and calls `reachable` before the start is complete: as soon as its ports are open, and
    /// `endpoints.json` and the files of TPPs and authorities are written. Requests from then on are answered once the data that they need
    /// is available.
    ///
    /// # Errors
    /// The errors of [`start`](Self::start).
    pub async fn start_reachable(
        config: Config,
        overrides: Overrides,
        reachable: impl FnOnce(&Endpoints) + Send + 'static,
    ) -> Result<Self, StartError> {
        Box::pin(Self::start_observed(config, overrides, &NoSeedProgress, Some(Box::new(reachable)))).await
    }

    /// Starts the server and reports the progress of seeding.
    ///
    /// # Errors
    /// The errors of [`start`](Self::start).
    pub async fn start_with_progress(
        config: Config,
        overrides: Overrides,
        progress: &dyn SeedProgress,
    ) -> Result<Self, StartError> {
        Box::pin(Self::start_observed(config, overrides, progress, None)).await
    }

    async fn start_observed(
        config: Config,
        overrides: Overrides,
        progress: &dyn SeedProgress,
        reachable: Option<Reachable>,
    ) -> Result<Self, StartError> {
        let lifetime = if reachable.is_some() { FileLifetime::UntilProcessEnds } else { FileLifetime::Durable };
        let mut file = endpoints::claim(&config.data_dir, lifetime).await?;
        let metrics = telemetry::install_metrics().map_err(StartError::Metrics)?;
        let sockets = Sockets::bind(&config)?;
        let endpoints = sockets.endpoints(&config)?;
        let staff_operator = staff::open_operator(&config, &*overrides.entropy, lifetime)?;
        // If no files are kept, they may be written before the database is known to be usable.
        let early = match reachable {
            Some(reachable) => {
                file.write(&endpoints)?;
                let told = endpoints.clone();
                let now = overrides.clocks.wall_now();
                let written = move || reachable(&told);
                Some(Sandbox::begin(&config, now, &endpoints.public, lifetime, written))
            }
            None => None,
        };

        let services = CoreServices::open(&config, overrides.clone()).await?;
        installation::check(&config, &services).await?;
        let configured = ConfiguredCore::open(&config, core_parts(&services, &overrides))?;
        let provider = identity_provider::open(&config, &services, &endpoints.public)?;
        let core = configured.core(&services.clocks, &services.secret, provider)?;
        let bank = if config.is_sandbox() { SandboxBank::of_core(&configured) } else { None };
        let clock = bank.as_ref().map(|bank| bank.clock(&services));
        let seeded = {
            let clock = clock.clone();
            let bank = bank.clone();
            let clocks = services.clocks.clone();
            let seed = config.sandbox.seed;
            async move {
                if let Some(clock) = &clock {
                    adopt_bank_time(clock).await?;
                }
                if let Some(bank) = &bank {
                    bank.seed(clocks.bank_now(), seed, progress).await?;
                }
                Ok::<(), StartError>(())
            }
        };
        let (sandbox, remainder) = match early {
            Some(opening) => {
                let sandbox = open_sandbox(&services, opening).await?;
                (sandbox.clone(), Some(DeferredStart::new(sandbox, seeded)))
            }
            // A first start generates keys while it stores the customers' histories.
            None => {
                let now = services.clocks.wall_now();
                let opening = Sandbox::begin(&config, now, &endpoints.public, lifetime, || {});
                let opened = async {
                    let sandbox = open_sandbox(&services, opening).await?;
                    add_first_key(&services, sandbox.as_ref()).await?;
                    Ok::<_, StartError>(sandbox)
                };
                (tokio::try_join!(opened, seeded)?.0, None)
            }
        };

        let barriers = remainder.as_ref().map(DeferredStart::barriers);
        let tls = TlsReloader::load(&config, sandbox.as_ref(), &services, barriers.as_ref().map(|it| &it.rsa)).await?;
        let app = app(&config, &services, &core, &endpoints, sandbox.as_ref())?;
        let context = app.context.clone();
        let maintenance = MaintenanceWatch::new(app.clone());
        // A node that is started in maintenance refuses from its first request on.
        maintenance.look().await?;
        let callers = app.auth.callers.clone();
        let polling = app.event_polling.clone();
        let auth = app.auth.clone();
        let notifications = tpp_addresses::notification_sender(&config)?;
        // Without a sandbox, nobody can plan faults and nothing applies them.
        let faults = sandbox.as_ref().map(|_| sandbox_faults(services.ids.clone()));
        let layers = |listener, faults| listeners::layers(&config, &services, listener, faults);
        let limits = listeners::limits(&config);
        let requests = request_log::request_log(&config, &services.clocks);
        let holders = Some(CertificateHolders::new(auth.clone()));
        let recorder = |routes| requests.clone().map(|log| RequestRecorder { log, routes, holders: holders.clone() });
        let for_tpps = |listener, routes, (own, other): (&str, &str)| LayerContext {
            recorder: recorder(routes),
            other_host: OtherHost::new(own, other),
            traces: Some(CallerTrust::Stranger),
            ..layers(listener, faults.clone())
        };
        let controls = clock.clone().zip(bank.as_ref());
        let controls = controls.map(|(clock, bank)| bank.controls(&config, context.clone(), clock));
        let mut operator = Operator::new(
            services.clone(),
            bank,
            sandbox,
            Quarantines::new(services.store.clone(), core.quarantine.clone()),
            context.consent_reports(),
            endpoints.public.clone(),
            config.payments.scottish_quarter_days,
        );
        operator.reconciler = Some(Reconciler::from(&context));
        operator.context = Some(context.clone());
        let public_host = staff::public_host(&config);
        let further = config.server.ops_hosts.iter().map(OwnName::as_str).chain(public_host.as_deref());
        let hosts = AllowedHosts::new(config.server.ops_bind, further).with_tls(config.is_ops_tls());
        let door = staff::open_door(&config, &services, &endpoints, staff_operator)?;
        let stopping = CancellationToken::new();
        let node_clock = NodeClock::new(services.database.clone(), config.clock.skew_max_secs);
        let tpp_counts = Arc::<TppRequestCounts>::default();
        let traffic = Arc::<TrafficHistory>::default();
        let operations = RunningOperator {
            operator,
            metrics: NodeMetrics {
                counted: metrics.clone(),
                tpps: Arc::clone(&tpp_counts),
                database: services.database.clone(),
            },
            context: context.clone(),
            event_polling: polling.clone(),
            tls: tls.clone(),
            requests: requests.clone(),
            stopping: stopping.clone(),
            node_clock: node_clock.clone(),
            traffic: Arc::clone(&traffic),
            maintenance: maintenance.clone(),
        };
        let portal = portal_services(&operations, &auth, controls.clone(), faults.clone());
        let addresses = (endpoints.public.as_str(), endpoints.mtls.as_str());
        let for_public = for_tpps("public", RecordedRoutes::Authorisation, addresses);
        let data = barriers.as_ref().map(|it| &it.data);
        let public = public_router(app.clone(), portal, for_public, data);
        let for_mtls = LayerContext {
            tpp_counts: Some(Arc::clone(&tpp_counts)),
            logs_addresses: true,
            ..for_tpps("mtls", RecordedRoutes::All, (addresses.1, addresses.0))
        };
        let mtls = mtls_router(app, for_mtls, data);
        let tools = SandboxTools { controls, faults: faults.clone() };
        let operations = Arc::new(operations) as Arc<dyn Operations>;
        let ops = ops_router(Arc::clone(&operations), tools, door, hosts, layers("ops", None), data);
        let health = health_router(operations, layers("health", None), data);

        auth.client_keys.load_key_sets().await?;
        let listeners = [
            sockets.public.serve_router("public", tls.transport(ProxiedListener::Public), public, limits),
            sockets.mtls.serve_router("mtls", tls.transport(ProxiedListener::Mtls), mtls, limits),
        ];
        let mut own_listeners = vec![sockets.ops.serve_router("ops", tls.ops_transport(), ops, limits)];
        own_listeners.extend(
            sockets.health.map(|socket| socket.serve_router("health", ListenerTransport::plain(), health, limits)),
        );
        match remainder {
            Some(remainder) => remainder.complete(&services, &tls).await?,
            None => file.write(&endpoints)?,
        }
        let retention = config.retention_rules();
        let workers = Workers::start(context, services.keys.clone(), callers.clone(), clock, &core, retention);
        workers.run_key_set_worker(&auth.client_keys);
        workers.run_backchannel_workers(auth, notifications);
        workers.run_event_workers(&polling);
        workers.run_traffic_worker(metrics.clone(), &traffic, &services.clocks);
        workers.run_metric_workers(metrics);
        workers.run_tls_worker(&tls);
        let expiries = CertificateExpiries::new(config.clone(), services.keys.clone(), services.clocks.clone());
        workers.run_health_workers(&node_clock, &expiries);
        workers.run_maintenance_worker(&maintenance);
        workers.run_request_log_worker(requests.as_ref());
        services.audit.write_start(&config).await?;
        workers.run_audit_worker(&services.audit);
        tracing::info!(public = %endpoints.public, mtls = %endpoints.mtls, ops = %endpoints.ops, "listening");
        Ok(Self {
            config,
            endpoints,
            file,
            workers,
            event_polling: polling,
            callers,
            tls,
            stopping,
            listeners,
            own_listeners,
            audit: services.audit,
        })
    }

    /// The addresses of the server's listeners.
    pub fn endpoints(&self) -> &Endpoints {
        &self.endpoints
    }

    /// The folder in which the server keeps its files.
    pub fn data_dir(&self) -> &Path {
        &self.config.data_dir
    }

    /// The server's configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Reads the TLS files of the listeners again and uses them from now on: server certificates, keys and trust anchors. Connections stay
    /// open. If the files cannot be used, nothing changes.
    ///
    /// # Errors
    /// [`TlsReloadError`], which names the files.
    pub async fn reload_tls(&self) -> Result<TlsReloaded, TlsReloadError> {
        self.tls.reload().await
    }

    /// Stops the server in order. It first reports not ready while it still serves, so that balancers stop sending requests.
    /// Then it stops accepting, finishes the requests in progress and stops the workers, closes the listeners of the bank itself
    /// last and removes `endpoints.json`. The requests on all listeners share one `server.drain_secs`. If this future is dropped, the
    /// server ends at once.
    pub async fn stop_server(self) {
        let drain = Duration::from_secs(self.config.server.drain_secs);
        self.stopping.cancel();
        self.listeners.iter().for_each(RunningListener::close_kept_alive);
        tokio::time::sleep(drain_unready(&self.config)).await;
        // Held polls must be answered first; otherwise the drain would wait for them.
        self.event_polling.stop_holding_polls();
        let end = Instant::now() + drain;
        let [public, mtls] = &self.listeners;
        tokio::join!(public.stop_listener(drain), mtls.stop_listener(drain), self.workers.stop(drain));
        workers::write_gathered(&self.callers, &self.event_polling).await;
        for listener in &self.own_listeners {
            listener.stop_listener(end.saturating_duration_since(Instant::now())).await;
        }
        workers::write_audit(&self.audit).await;
        telemetry::report_all_left_out_lines();
        telemetry::flush_traces(end.saturating_duration_since(Instant::now())).await;
        drop(self.file);
        tracing::info!("stopped");
    }
}

/// Registers the default TPPs of a sandbox; `None` in production.
async fn open_sandbox(services: &CoreServices, opening: OpeningSandbox) -> Result<Option<Sandbox>, StartError> {
    let Some((sandbox, clients)) = opening.await.map_err(|_| StartError::Interrupted)?? else { return Ok(None) };
    register(services, clients).await?;
    Ok(Some(sandbox))
}

/// The parts with which the configured core is opened.
fn core_parts<'a>(services: &'a CoreServices, overrides: &'a Overrides) -> CoreParts<'a> {
    CoreParts {
        database: &services.database,
        store: &services.store,
        clocks: &services.clocks,
        entropy: &overrides.entropy,
        embedded: overrides.core.as_ref(),
    }
}

/// Adopts the bank's time. If the bank does not answer, the time that this installation last knew applies until the bank answers.
async fn adopt_bank_time(clock: &BankClock) -> Result<(), StartError> {
    match clock.adopt_stored_offset().await {
        Err(ControlError::Unavailable(error)) => {
            tracing::warn!(error = &*error as &dyn std::error::Error, "the bank's clock was not read");
            Ok(clock.adopt_last_known_offset().await?)
        }
        adopted => Ok(adopted.map(drop)?),
    }
}

/// The time for which the server reports "not ready" before the listeners close.
fn drain_unready(config: &Config) -> Duration {
    let usual = if config.is_sandbox() { 0 } else { LAME_DUCK_SECS };
    Duration::from_secs(config.server.lame_duck_secs.unwrap_or(usual))
}
