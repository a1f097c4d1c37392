//! Assembles the configured application: use-cases, the authorisation server and the settings of the HTTP layer.

use super::core::ConfiguredCore;
use super::rates::{published_rates, rates};
use super::signing::message_signing;
use super::{Core, CoreServices, Endpoints, Sandbox, StartError, events, payments, registration, tpp_addresses};
use crate::config::{Config, HeadlessDecision, read_key_set};
use lombard_api::catalogue::offered_permissions;
use lombard_auth::callers::CallerResolver;
use lombard_auth::client_keys::ClientKeys;
use lombard_auth::devices::DeviceKey;
use lombard_auth::payee_checks::PayeeChecks;
use lombard_auth::throttle::LoginLimits;
use lombard_auth::{AuthSettings, AuthorisationServer, HeadlessSettings};
use lombard_edge::App;
use lombard_edge::app::HttpSettings;
use lombard_edge::app::app_links::AppLinks;
use lombard_edge::limits::ClientPermitLimits;
use lombard_jose::{Sealer, SigningPool};
use lombard_ports::bank::Bank;
use lombard_service::Context;
use lombard_service::events::Outbox;
use std::sync::Arc;
use std::time::Duration;

const SECS_OF_A_DAY: i64 = 86_400;

/// Builds the services that handle requests.
pub(super) fn app(
    config: &Config,
    services: &CoreServices,
    core: &Core,
    endpoints: &Endpoints,
    sandbox: Option<&Sandbox>,
) -> Result<App, StartError> {
    let store = services.store.clone();
    let clocks = services.clocks.clone();
    let outbox = events::outbox(config, services, &endpoints.issuer, &endpoints.resource_base);
    let context = context(config, services, Arc::clone(&core.bank), outbox);
    let client_keys =
        ClientKeys::new(registration::key_source(config, endpoints, sandbox)?, store.clone(), clocks.clone());
    let auth = AuthorisationServer {
        context: context.clone(),
        identity: Arc::clone(&core.identity),
        keys: services.keys.clone(),
        client_keys: client_keys.clone(),
        signing: SigningPool::new(config.signing.threads, config.signing.queue_max),
        callers: CallerResolver::with_client_keys(store, clocks, client_keys),
        sealer: Arc::new(Sealer::from_key(*services.secret.derive_key("backchannel notifications"))),
        devices: DeviceKey::new(services.secret.derive_key("device cookies").as_slice()),
        payee_checks: PayeeChecks::default(),
        settings: Arc::new(auth_settings(config, endpoints, sandbox)?),
    };
    let polling = events::event_polling(config, services, &context, &auth, sandbox);
    Ok(App::new(context, auth, polling, Arc::new(http_settings(config, endpoints, sandbox)?)))
}

fn context(config: &Config, services: &CoreServices, bank: Arc<dyn Bank>, outbox: Outbox) -> Context {
    Context {
        store: services.store.clone(),
        bank,
        clocks: services.clocks.clone(),
        ids: services.ids.clone(),
        alias_key: services.secret.derive_key("account ids").as_slice().into(),
        call: Arc::default(),
        outbox,
        payments: payments::settings(config),
    }
}

/// The context of an installation whose server does not run. The links of its events are those of the configured addresses.
pub(super) fn operator_context(config: &Config, services: &CoreServices, core: &ConfiguredCore) -> Context {
    let address =
        |configured: Option<String>, port: u16| configured.unwrap_or_else(|| format!("https://localhost:{port}"));
    let server = &config.server;
    let public = address(server.public_url.as_ref().map(|url| url.as_str().to_owned()), server.public_port);
    let mtls = address(server.mtls_url.as_ref().map(|url| url.as_str().to_owned()), server.mtls_port);
    let outbox = events::outbox(config, services, &public, &format!("{mtls}/open-banking"));
    context(config, services, core.bank(&services.clocks), outbox)
}

fn auth_settings(
    config: &Config,
    endpoints: &Endpoints,
    sandbox: Option<&Sandbox>,
) -> Result<AuthSettings, StartError> {
    Ok(AuthSettings {
        issuer: endpoints.issuer.clone(),
        public_url: endpoints.public.clone(),
        mtls_url: endpoints.mtls.clone(),
        access_token_secs: config.auth.access_token_secs.into(),
        code_secs: config.auth.code_secs.into(),
        id_token_secs: config.auth.id_token_secs.into(),
        journey_idle_secs: config.auth.journey_secs.into(),
        backchannel_requests_max: config.limits.ciba_requests_max.into(),
        notifies_clients: !config.auth.notification_hosts.is_empty(),
        session_secs: config.auth.session_secs.into(),
        login: LoginLimits {
            device_secs: i64::from(config.auth.device_days).saturating_mul(SECS_OF_A_DAY),
            address_users_max: config.auth.address_users_max,
        },
        headless: config.is_sandbox().then(|| HeadlessSettings {
            rejects_all: config.sandbox.headless_decision == HeadlessDecision::Reject,
            decision_delay: Duration::from_secs(config.sandbox.headless_secs),
        }),
        registration: registration::settings(config, sandbox)?,
    })
}

fn http_settings(
    config: &Config,
    endpoints: &Endpoints,
    sandbox: Option<&Sandbox>,
) -> Result<HttpSettings, StartError> {
    let switched_off = config.endpoints.off.iter().cloned().collect();
    let push_keys = config.bank.push_keys_file.as_deref().map(|file| {
        read_key_set(file).map_err(|reason| StartError::unusable_file("bank.push_keys_file", file, reason))
    });
    Ok(HttpSettings {
        public_url: endpoints.public.clone(),
        mtls_url: endpoints.mtls.clone(),
        ops_url: endpoints.ops.clone(),
        sandbox: config.is_sandbox(),
        page_size: config.limits.page_size,
        body_bytes_max: config.limits.body_bytes_max,
        file_bytes_max: config.limits.file_bytes_max,
        uploads: ClientPermitLimits {
            all_max: config.limits.uploads_max,
            client_max: config.limits.client_uploads_max,
        },
        downloads: ClientPermitLimits {
            all_max: config.limits.downloads_max,
            client_max: config.limits.client_downloads_max,
        },
        client_requests_max: config.limits.client_requests_max,
        client_connections_max: config.client_connections_max(),
        rates: rates(config),
        published_rates: published_rates(config),
        nodes: config.rates.nodes,
        poll_bytes_max: config.events.max_body_bytes,
        json_depth_max: config.limits.json_depth_max,
        offered: offered_permissions(&switched_off),
        switched_off,
        retired_versions: config.retired_versions().collect(),
        reauthentication_days: Some(config.auth.reauthentication_days.into()).filter(|days| *days > 0),
        error_namespace: config.bank.error_namespace.clone(),
        signing: message_signing(config, sandbox),
        bank_name: config.bank.name.clone(),
        app_links: AppLinks { ios: config.app_links.ios_apps.clone(), android: config.app_links.android_apps.clone() },
        logos: tpp_addresses::logo_source(config)?,
        payment_warnings: config.pages.warnings.0.clone(),
        directory: sandbox.map(Sandbox::directory),
        push_keys: push_keys.transpose()?,
    })
}
