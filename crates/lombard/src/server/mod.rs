//! The life of a server: what is opened in which order, what runs, and how it ends.

mod core;
mod core_services;
mod endpoints;
mod error;
mod events;
mod identities;
mod installation;
mod key_source;
mod operations;
mod payments;
mod preflight;
mod rates;
mod sandbox;
#[cfg(test)]
pub(crate) mod testing;
mod workers;

#[cfg(test)]
mod tests;

pub use core::Core;
pub(crate) use core::{MIDDLE_RATES, RATE_MOVEMENT, RATE_SPREAD};
pub use core_services::CoreServices;
pub use endpoints::Endpoints;
pub use error::StartError;
pub(crate) use operations::NO_DATA_FILES;
pub use operations::{ImportFailure, Operator};
pub use preflight::{DatabaseCheck, EmbeddedCore, Preflight, check_installation};
pub use sandbox::Sandbox;

use self::core::BuiltIn;
use crate::config::{Config, HeadlessDecision};
use crate::entropy::SystemEntropy;
use crate::telemetry;
use endpoints::{EndpointsFile, folder};
use lombard_auth::callers::Callers;
use lombard_auth::client_keys::ClientKeys;
use lombard_auth::devices::DeviceKey;
use lombard_auth::throttle::LoginLimits;
use lombard_auth::{AuthorisationServer, HeadlessSettings};
use lombard_http::App;
use lombard_http::layers::{HeaderLimits, LayerContext};
use lombard_http::listener::{Listener, ListenerLimits, RunningListener, tls};
use lombard_http::ops::{AllowedHosts, Operations};
use lombard_http::routers::{mtls_router, ops_router, public_router};
use lombard_http::signing::SigningSettings;
use lombard_jose::SigningPool;
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::Entropy;
use lombard_sandbox::controls::{BankClock, BuiltInControls};
use lombard_sandbox::seed::{self, SeedProgress};
use lombard_service::Context;
use lombard_service::events::EventPolling;
use lombard_service::workers::Quarantines;
use std::net::{IpAddr, SocketAddr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use workers::Workers;

const SECS_OF_A_DAY: i64 = 86_400;
/// `server.lame_duck_secs` in production, unless it is set: two looks of a balancer that asks every five seconds.
const LAME_DUCK_SECS: u64 = 10;

/// What a server takes from outside instead of asking the machine.
#[derive(Debug, Clone)]
pub struct Overrides {
    /// Both clocks.
    pub clocks: Clocks,
    /// The source of ids and secrets.
    pub entropy: Arc<dyn Entropy>,
    /// The core and the identity provider of a program that embeds this server, where `bank.kind` is `embedded`.
    pub core: Option<Core>,
}

impl Overrides {
    /// The machine's clocks and randomness.
    pub fn system() -> Self {
        Self { clocks: Clocks::system(), entropy: Arc::new(SystemEntropy), core: None }
    }
}

/// Brings the configured database to this program's schema and returns the names of the migrations applied.
///
/// # Errors
/// [`StartError`].
pub async fn migrate_database(config: &Config) -> Result<Vec<String>, StartError> {
    folder(&config.data_dir)?;
    Ok(lombard_database::migrate_store(&core_services::store_options(config)?, &core::schemas(config)).await?)
}

/// Opens an installation to operate on it while no server runs.
///
/// # Errors
/// [`StartError`].
pub async fn open_operator(config: &Config, overrides: Overrides) -> Result<Operator, StartError> {
    folder(&config.data_dir)?;
    let services = CoreServices::open(config, overrides.clone()).await?;
    installation::check(config, &services).await?;
    let built_in = BuiltIn::open(config, &services);
    let sandbox = Sandbox::open(config, &services).await?;
    services.first_key(sandbox.as_ref()).await?;
    let bank = core::quarantine(built_in.as_ref(), &overrides);
    let quarantines = Quarantines::new(services.store.clone(), bank);
    Ok(Operator::new(services, built_in, sandbox, quarantines, sandbox::configured_public_url(config)))
}

/// A running server.
#[derive(Debug)]
pub struct Server {
    config: Config,
    endpoints: Endpoints,
    file: EndpointsFile,
    workers: Workers,
    event_polling: EventPolling,
    callers: Callers,
    /// Readiness says no from then on.
    stopping: CancellationToken,
    /// Public and mtls; they are drained first.
    listeners: [RunningListener; 2],
    ops: RunningListener,
}

impl Server {
    /// Starts everything and returns once it is listening.
    ///
    /// # Errors
    /// [`StartError`], which names the setting to change.
    pub async fn start(config: Config, overrides: Overrides) -> Result<Self, StartError> {
        Self::start_with_progress(config, overrides, &NoSeedProgress).await
    }

    /// Starts everything, telling somebody how far seeding is.
    ///
    /// # Errors
    /// As [`start`](Self::start).
    pub async fn start_with_progress(
        config: Config,
        overrides: Overrides,
        progress: &dyn SeedProgress,
    ) -> Result<Self, StartError> {
        let mut file = EndpointsFile::claim(&config.data_dir).await?;
        let metrics = telemetry::install_metrics().map_err(StartError::Metrics)?;
        let sockets = Sockets::bind(&config)?;
        let endpoints = sockets.endpoints(&config)?;

        let services = CoreServices::open(&config, overrides.clone()).await?;
        installation::check(&config, &services).await?;
        let built_in = BuiltIn::open(&config, &services);
        let core = core::assemble(&config, &services, built_in.as_ref(), &overrides).ok_or(StartError::NoCore)?;
        let sandbox = Sandbox::open(&config, &services).await?;
        services.first_key(sandbox.as_ref()).await?;
        let clock = sandbox.as_ref().and(built_in.as_ref());
        let clock = clock.map(|it| BankClock::new(it.joint.clone(), services.clocks.clone()));
        if let Some(clock) = &clock {
            clock.adopt_stored_offset().await?;
        }
        if let Some(sandbox) = &sandbox {
            sandbox.register_usual_tpps(&services, &endpoints.public).await?;
        }
        if let (Some(_), Some(built_in)) = (&sandbox, &built_in) {
            seed::seed_sandbox(&built_in.store, services.clocks.bank_now(), config.sandbox.seed, progress).await?;
        }

        let identities = identities::load(&config, sandbox.as_ref())?;
        let clocks = services.clocks.clone();
        let tls = identities.tls(config.tls.session_secs_max, clocks)?;
        let app = app(&config, &services, &core, &endpoints, sandbox.as_ref())?;
        let (context, callers) = (app.context.clone(), app.auth.callers.clone());
        let polling = app.event_polling.clone();
        let around = |listener| around(&config, &services, listener);
        let limits = limits(&config);
        let public = public_router(app.clone(), around("public"));
        let mtls = mtls_router(app, around("mtls"));
        let seed = config.sandbox.seed;
        let controls = clock.clone().zip(built_in.as_ref()).map(|(clock, it)| {
            let controls = BuiltInControls::new(context.clone(), it.store.clone(), it.joint.clone(), clock, seed);
            Arc::new(controls.with_market(Arc::clone(&it.market))) as _
        });
        let operator = Operator::new(
            services.clone(),
            built_in,
            sandbox,
            Quarantines::new(services.store.clone(), core.quarantine.clone()),
            endpoints.public.clone(),
        );
        let hosts = AllowedHosts::new(config.server.ops_bind, &config.server.ops_hosts);
        let stopping = CancellationToken::new();
        let operations = operations::RunningOperator {
            operator,
            metrics: metrics.clone(),
            context: context.clone(),
            event_polling: polling.clone(),
            stopping: stopping.clone(),
        };
        let ops = ops_router(Arc::new(operations) as Arc<dyn Operations>, controls, hosts, around("ops"));

        let listeners = [
            sockets.public.serve_router("public", Some(tls.public), public, limits),
            sockets.mtls.serve_router("mtls", Some(tls.mtls), mtls, limits),
        ];
        let ops = sockets.ops.serve_router("ops", None, ops, limits);
        let workers = Workers::start(context, services.keys.clone(), callers.clone(), clock, &core);
        workers.run_event_workers(polling.clone());
        workers.run_metric_workers(metrics);
        file.write(&endpoints)?;
        tracing::info!(public = %endpoints.public, mtls = %endpoints.mtls, ops = %endpoints.ops, "listening");
        Ok(Self { config, endpoints, file, workers, event_polling: polling, callers, stopping, listeners, ops })
    }

    /// Where it listens.
    pub fn endpoints(&self) -> &Endpoints {
        &self.endpoints
    }

    /// The folder it keeps its files in.
    pub fn data_dir(&self) -> &Path {
        &self.config.data_dir
    }

    /// Its configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Says that it is not ready while it still serves, so that balancers look elsewhere; then stops accepting, finishes
    /// what is under way, ends the workers meanwhile, closes the ops listener last and removes `endpoints.json`. Requests
    /// on all listeners share one `server.drain_secs`. Dropped before it has ended, it leaves at once.
    pub async fn stop_server(self) {
        let drain = Duration::from_secs(self.config.server.drain_secs);
        self.stopping.cancel();
        self.listeners.iter().for_each(RunningListener::close_kept_alive);
        tokio::time::sleep(drain_unready(&self.config)).await;
        // Held polls are answered first, or the drain would wait for them.
        self.event_polling.close();
        let end = Instant::now() + drain;
        let [public, mtls] = &self.listeners;
        tokio::join!(public.stop_listener(drain), mtls.stop_listener(drain), self.workers.stop(drain));
        workers::write_consent_uses(&self.callers).await;
        workers::write_deliveries(&self.event_polling).await;
        self.ops.stop_listener(end.saturating_duration_since(Instant::now())).await;
        drop(self.file);
        tracing::info!("stopped");
    }
}

/// How long readiness says no before the listeners close.
fn drain_unready(config: &Config) -> Duration {
    let usual = if config.is_sandbox() { 0 } else { LAME_DUCK_SECS };
    Duration::from_secs(config.server.lame_duck_secs.unwrap_or(usual))
}

/// Discards progress.
#[derive(Debug)]
struct NoSeedProgress;

impl SeedProgress for NoSeedProgress {
    fn set_total(&self, _: u64) {}
    fn advance(&self, _: u64) {}
}

/// The three sockets, bound but not served.
struct Sockets {
    public: Listener,
    mtls: Listener,
    ops: Listener,
}

impl Sockets {
    fn bind(config: &Config) -> Result<Self, StartError> {
        let server = &config.server;
        Ok(Self {
            public: bind("server.public_port", server.bind, server.public_port)?,
            mtls: bind("server.mtls_port", server.bind, server.mtls_port)?,
            ops: bind("server.ops_port", server.ops_bind, server.ops_port)?,
        })
    }

    fn endpoints(&self, config: &Config) -> Result<Endpoints, StartError> {
        let port = |listener: &Listener| listener.address().map(|address| address.port()).map_err(StartError::Socket);
        let local = |port: u16| format!("https://localhost:{port}");
        let given = |url: &Option<crate::config::BaseUrl>| url.as_ref().map(|url| url.as_str().to_owned());
        let public = given(&config.server.public_url).unwrap_or(local(port(&self.public)?));
        let mtls = given(&config.server.mtls_url).unwrap_or(local(port(&self.mtls)?));
        let ops = SocketAddr::new(reachable(config.server.ops_bind), port(&self.ops)?);
        Ok(Endpoints::new(public, mtls, format!("http://{ops}")))
    }
}

/// The address itself, or the loopback address if it stands for all.
fn reachable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) if address.is_unspecified() => std::net::Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => std::net::Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}

fn bind(setting: &'static str, address: IpAddr, port: u16) -> Result<Listener, StartError> {
    let address = SocketAddr::new(address, port);
    Listener::bind(address).map_err(|source| StartError::Bind { setting, address, source })
}

fn app(
    config: &Config,
    services: &CoreServices,
    core: &Core,
    endpoints: &Endpoints,
    sandbox: Option<&Sandbox>,
) -> Result<App, StartError> {
    let store = services.store.clone();
    let clocks = services.clocks.clone();
    let context = Context {
        store: store.clone(),
        bank: Arc::clone(&core.bank),
        clocks: clocks.clone(),
        ids: services.ids.clone(),
        alias_key: services.secret.derive_key("account ids").as_slice().into(),
        outbox: events::outbox(config, services, &endpoints.issuer, &endpoints.resource_base),
        payments: payments::settings(config),
    };
    let auth = AuthorisationServer {
        context: context.clone(),
        identity: Arc::clone(&core.identity),
        keys: services.keys.clone(),
        client_keys: ClientKeys::new(key_source::of(config)?, clocks.clone()),
        signing: SigningPool::new(config.signing.threads, config.signing.queue_max),
        callers: Callers::new(store, clocks),
        devices: DeviceKey::new(services.secret.derive_key("device cookies").as_slice()),
        settings: Arc::new(lombard_auth::AuthSettings {
            issuer: endpoints.issuer.clone(),
            public_url: endpoints.public.clone(),
            mtls_url: endpoints.mtls.clone(),
            access_token_secs: config.auth.access_token_secs.into(),
            code_secs: config.auth.code_secs.into(),
            id_token_secs: config.auth.id_token_secs.into(),
            journey_secs: config.auth.journey_secs.into(),
            session_secs: config.auth.session_secs.into(),
            login: LoginLimits {
                device_secs: i64::from(config.auth.device_days).saturating_mul(SECS_OF_A_DAY),
                address_users_max: config.auth.address_users_max,
            },
            headless: config.is_sandbox().then(|| HeadlessSettings {
                refuses: config.sandbox.headless_decision == HeadlessDecision::Reject,
                takes: Duration::from_secs(config.sandbox.headless_secs),
            }),
        }),
    };
    let switched_off = config.endpoints.off.iter().cloned().collect();
    let settings = Arc::new(lombard_http::app::HttpSettings {
        public_url: endpoints.public.clone(),
        mtls_url: endpoints.mtls.clone(),
        sandbox: config.is_sandbox(),
        page_size: config.limits.page_size,
        body_bytes_max: config.limits.body_bytes_max,
        file_bytes_max: config.limits.file_bytes_max,
        uploads: lombard_http::app::ClientPlaces {
            all_max: config.limits.uploads_max,
            client_max: config.limits.client_uploads_max,
        },
        downloads: lombard_http::app::ClientPlaces {
            all_max: config.limits.downloads_max,
            client_max: config.limits.client_downloads_max,
        },
        rates: rates::rates(config),
        poll_bytes_max: config.events.max_body_bytes,
        json_depth_max: config.limits.json_depth_max,
        offered: lombard_http::catalogue::offered_permissions(&switched_off),
        switched_off,
        error_namespace: config.bank.error_namespace.clone(),
        signing: signing(config, sandbox),
        bank_name: config.bank.name.clone(),
    });
    let polling = events::event_polling(config, services, &context, &auth, sandbox);
    Ok(App::new(context, auth, polling, settings))
}

/// How messages are signed. Production names an organisation (`config::rules`).
fn signing(config: &Config, sandbox: Option<&Sandbox>) -> SigningSettings {
    SigningSettings {
        organisation: payments::organisation(config, sandbox).unwrap_or_default(),
        trust_anchor: config.signing.trust_anchor.clone(),
        age_secs_max: Some(config.signing.request_age_secs_max.into()).filter(|max| *max > 0),
    }
}

fn around(config: &Config, services: &CoreServices, listener: &'static str) -> LayerContext {
    let limits = &config.limits;
    let headers = HeaderLimits { bytes_max: limits.header_bytes_max, fields_max: limits.header_fields_max };
    LayerContext { listener, ids: services.ids.clone(), headers }
}

fn limits(config: &Config) -> ListenerLimits {
    let (limits, server) = (&config.limits, &config.server);
    let share = u64::from(server.address_share_max);
    let of_an_address = u64::try_from(server.connections_max).unwrap_or(u64::MAX).saturating_mul(share) / 100;
    ListenerLimits {
        connections_max: server.connections_max,
        address_connections_max: usize::try_from(of_an_address).unwrap_or(usize::MAX),
        anonymous_connections_max: server.anonymous_connections_max,
        handshake: Duration::from_secs(config.tls.handshake_secs),
        header_bytes_max: limits.header_bytes_max,
        header_fields_max: limits.header_fields_max,
        header_read: Duration::from_secs(limits.header_read_secs),
        body_idle: Duration::from_secs(limits.body_idle_secs),
        body_total: Duration::from_secs(limits.body_secs_max),
        bytes_per_sec_min: limits.bytes_per_sec_min,
        write_idle: Duration::from_secs(limits.write_idle_secs),
        unread_bytes_max: limits.unread_bytes_max,
        gathered_bytes_max: limits.gathered_bytes_max,
        keep_alive: Duration::from_secs(limits.keep_alive_secs),
        streams_max: limits.streams_max,
    }
}

/// TLS of the two listeners.
struct BothTls {
    public: Arc<rustls::ServerConfig>,
    mtls: Arc<rustls::ServerConfig>,
}

impl identities::Identities {
    fn tls(&self, session_secs_max: u64, clocks: Clocks) -> Result<BothTls, StartError> {
        let services = tls::TlsMaterial::new(&self.borrow(), session_secs_max, clocks).map_err(StartError::Tls)?;
        let mtls = services.mtls(&self.tpp_anchors).map_err(StartError::Tls)?;
        Ok(BothTls { public: services.public().map_err(StartError::Tls)?, mtls })
    }
}
