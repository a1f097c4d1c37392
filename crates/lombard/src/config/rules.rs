//! Checks the rules between settings, and the rules of production.

pub(super) mod database;
mod identity;
mod provider;
mod proxy;
pub(super) mod rates;
mod retention;
mod revocation;
mod signing;
mod staff;
mod telemetry;

use super::declaration::{SettingKey, dotted};
use super::directories::DirectoryKeysSetting;
use super::problem::Problem;
use super::settings::Config;
use super::value::{BankKind, DatabaseUrl, IdentityKind, Mode, ProxiedListener};
use lombard_api::catalogue::validate_switched_off;
use lombard_auth::registration::RegistrationPolicy;
use lombard_database::is_temporary;
use lombard_domain::money::Currency;
use lombard_domain::payment::PaymentTerritory;
use lombard_domain::payment::exchange::RateAgreement;
use lombard_domain::version::Version;
use std::collections::BTreeSet;
use tracing_subscriber::filter::{LevelFilter, Targets};
use url::Url;

/// Returns all faults between settings that are valid on their own.
pub(super) fn check(config: &Config, given: &BTreeSet<SettingKey>) -> Vec<Problem> {
    let mut problems = Vec::new();
    ports(config, &mut problems);
    pairs(config, &mut problems);
    cores(config, given, &mut problems);
    problems.extend(config.database.url.iter().flat_map(|url| database::url("database.url", url)));
    identity::check(config, &mut problems);
    proxy::check(config, &mut problems);
    rates::check(config, &mut problems);
    retention::check(config, &mut problems);
    revocation::check(config, &mut problems);
    signing::check(config, &mut problems);
    staff::check(config, &mut problems);
    telemetry::check(config, &mut problems);
    events(config, &mut problems);
    words(config, &mut problems);
    payments(config, &mut problems);
    vrp(config, &mut problems);
    registration(config, &mut problems);
    problems
        .extend(validate_switched_off(&config.endpoints.off).into_iter().map(|it| Problem::new("endpoints.off", it)));
    retired_versions(config, &mut problems);
    match config.mode {
        Mode::Sandbox => {}
        Mode::Production => production(config, given, &mut problems),
    }
    problems
}

/// Checks the retired versions. Source: RW-010.
fn retired_versions(config: &Config, problems: &mut Vec<Problem>) {
    let retired = &config.endpoints.retired_versions;
    let mut problem = |message: String| problems.push(Problem::new("endpoints.retired_versions", message));
    for name in retired.iter().filter(|name| Version::from_segment(name).is_none()) {
        problem(format!("{name} is not a version; there are {}", Version::ALL.map(Version::segment).join(" and ")));
    }
    if Version::ALL.iter().all(|version| retired.iter().any(|name| name == version.segment())) {
        problem("names every version; one must stay".to_owned());
    }
}

fn ports(config: &Config, problems: &mut Vec<Problem>) {
    let server = &config.server;
    let public = ("server.public_port", server.public_port);
    let mtls = ("server.mtls_port", server.mtls_port);
    let ops = ("server.ops_port", server.ops_port);
    let health = ("server.health_port", server.health_port.unwrap_or(0));
    let listeners = [public, mtls, ops, health];
    for (position, (name, port)) in listeners.into_iter().enumerate() {
        if port != 0 && listeners.iter().take(position).any(|(_, taken)| *taken == port) {
            problems.push(Problem::new(name, "is the port of another listener; each needs its own"));
        }
    }
}

fn pairs(config: &Config, problems: &mut Vec<Problem>) {
    let tls = &config.tls;
    for (kind, certificate, key) in
        [("rsa", &tls.rsa_certificate_file, &tls.rsa_key_file), ("ec", &tls.ec_certificate_file, &tls.ec_key_file)]
    {
        if certificate.is_some() != key.is_some() {
            let missing = if key.is_none() { "key_file" } else { "certificate_file" };
            problems
                .push(Problem::new(format!("tls.{kind}_{missing}"), "is missing; certificate and key come together"));
        }
    }
    let auth = &config.auth;
    let pages = &config.pages;
    for (kind, hosts, anchors_file) in [
        ("auth.jwks", &auth.jwks_hosts, &auth.jwks_anchors_file),
        ("auth.notification", &auth.notification_hosts, &auth.notification_anchors_file),
        ("pages.logo", &pages.logo_hosts, &pages.logo_anchors_file),
    ] {
        if hosts.is_empty() == anchors_file.is_some() {
            let missing = if hosts.is_empty() { "hosts" } else { "anchors_file" };
            let message = "is missing; hosts of TPPs and the authorities that vouch for them come together";
            problems.push(Problem::new(format!("{kind}_{missing}"), message));
        }
    }
    if config.database.url.is_some() && config.database.url_file.is_some() {
        problems.push(Problem::new("database.url_file", "contradicts database.url; give one of the two"));
    }
}

/// Settings of `[payments]` that only the built-in bank reads.
const OF_THE_BUILT_IN_BANK: [&str; 4] = ["cut_offs", "rate_spread", "rate_movement", "deals"];

/// Checks the combination of core and identity provider. The built-in logins need the built-in bank, in this process or in its own. An
/// embedded identity provider needs an embedded core; the bank's OpenID provider works with every core. A core over HTTP needs its
/// connection. Settings of the built-in bank are refused with any other core.
fn cores(config: &Config, given: &BTreeSet<SettingKey>, problems: &mut Vec<Problem>) {
    match (config.bank.kind, config.identity.kind) {
        (BankKind::Builtin | BankKind::Http, IdentityKind::Embedded) | (BankKind::Embedded, IdentityKind::Builtin) => {
            let message = "must be `oidc`, or `embedded` where bank.kind is, and only there: one program brings both";
            problems.push(Problem::new("identity.kind", message));
        }
        (BankKind::Builtin | BankKind::Http, IdentityKind::Builtin | IdentityKind::Oidc)
        | (BankKind::Embedded, IdentityKind::Embedded | IdentityKind::Oidc) => {}
    }
    if config.bank.kind != BankKind::Builtin {
        for key in OF_THE_BUILT_IN_BANK {
            if given.contains(&("payments".to_owned(), key.to_owned())) {
                let message = "configures the built-in bank alone; remove it";
                problems.push(Problem::new(dotted("payments", key), message));
            }
        }
    }
    core_connection(config, problems);
}

/// A core over HTTP needs either `bank.core_file`, or an address and three files.
fn core_connection(config: &Config, problems: &mut Vec<Problem>) {
    let bank = &config.bank;
    let parts = [
        ("bank.url", bank.url.is_some()),
        ("bank.ca_file", bank.ca_file.is_some()),
        ("bank.certificate_file", bank.certificate_file.is_some()),
        ("bank.key_file", bank.key_file.is_some()),
    ];
    let mut problem = |setting: &str, message: &str| problems.push(Problem::new(setting, message));
    let is_given = |(_, is_given): &&(&'static str, bool)| *is_given;
    if bank.kind == BankKind::Builtin && bank.push_keys_file.is_some() {
        let message =
            "is read where bank.kind is `http` or `embedded` alone: the built-in bank pushes nothing; remove it";
        problem("bank.push_keys_file", message);
    }
    if bank.kind != BankKind::Http {
        let file = ("bank.core_file", bank.core_file.is_some());
        for (setting, _) in std::iter::once(&file).chain(&parts).filter(is_given) {
            problem(setting, "is read where bank.kind is `http` alone; remove it, or set bank.kind");
        }
        return;
    }
    match (&bank.core_file, parts.iter().any(|it| is_given(&it))) {
        (Some(_), false) => {}
        (Some(_), true) => {
            for (setting, _) in parts.iter().filter(is_given) {
                problem(setting, "contradicts bank.core_file; give one of the two");
            }
        }
        (None, false) => problem(
            "bank.core_file",
            "is required where bank.kind is `http`, or bank.url with bank.ca_file, bank.certificate_file and \
             bank.key_file; `lombard bank serve` writes one",
        ),
        (None, true) => {
            for (setting, _) in parts.iter().filter(|(_, is_given)| !is_given) {
                problem(
                    setting,
                    "is missing; bank.url, bank.ca_file, bank.certificate_file and bank.key_file come together",
                );
            }
        }
    }
}

/// The shortest retention of unacknowledged events in days. Source: EVT-086.
const RETENTION_DAYS_MIN: u32 = 7;

fn events(config: &Config, problems: &mut Vec<Problem>) {
    if (1..RETENTION_DAYS_MIN).contains(&config.events.retention_days) {
        let message = "must be 0, which keeps events until they are acknowledged, or at least 7 (EVT-086)";
        problems.push(Problem::new("events.retention_days", message));
    }
}

fn words(config: &Config, problems: &mut Vec<Problem>) {
    let namespace = &config.bank.error_namespace;
    if namespace.is_empty() || !namespace.bytes().all(|byte| byte.is_ascii_alphanumeric()) || namespace == "OBIE" {
        let message = "must be letters and digits, and not OBIE, which is the standard's (RW-125)";
        problems.push(Problem::new("bank.error_namespace", message));
    }
    if config.bank.name.trim().is_empty() {
        problems.push(Problem::new("bank.name", "must not be empty"));
    }
    if !is_filter(&config.telemetry.level) {
        let message =
            "must be a level (error, warn, info, debug, trace) or directives such as info,lombard::access=off";
        problems.push(Problem::new("telemetry.level", message));
    }
}

fn payments(config: &Config, problems: &mut Vec<Problem>) {
    let payments = &config.payments;
    if config.limits.unused_file_bytes_max / 3 < config.limits.file_bytes_max {
        let message = "is less than three times limits.file_bytes_max; no file of that size could be sent, with the \
                       payments that are read from it";
        problems.push(Problem::new("limits.unused_file_bytes_max", message));
    }
    let mut currencies = BTreeSet::new();
    if !payments.ceilings.iter().all(|ceiling| currencies.insert(ceiling.currency())) {
        problems.push(Problem::new("payments.ceilings", "names a currency twice; each has one ceiling"));
    }
    if payments.ceilings.iter().any(|ceiling| ceiling.minor() == 0) {
        problems.push(Problem::new("payments.ceilings", "must be above zero; payments.products says what is offered"));
    }
    let mut instruments = BTreeSet::new();
    if !payments.cut_offs.iter().all(|cut_off| instruments.insert(cut_off.instrument)) {
        problems.push(Problem::new("payments.cut_offs", "names an instrument twice; each has one last moment"));
    }
    let mut dealt_in = BTreeSet::from([Currency::GBP]);
    if !payments.rates.iter().all(|it| dealt_in.insert(it.currency)) {
        problems.push(Problem::new("payments.rates", "names a currency twice, or the pound, the base of all rates"));
    }
    let mut contracts = BTreeSet::new();
    if !payments.deals.iter().all(|it| contracts.insert((&it.deal.contract, it.pair.unit, it.pair.transfer))) {
        problems.push(Problem::new("payments.deals", "names a contract twice for the same currencies"));
    }
    let is_dealt_in = |it: &RateAgreement| dealt_in.contains(&it.pair.unit) && dealt_in.contains(&it.pair.transfer);
    if !payments.deals.iter().all(is_dealt_in) {
        problems.push(Problem::new("payments.deals", "names a currency that payments.rates has no rate for"));
    }
}

/// Checks registration: key sets need listed hosts, and a list of allowed software needs the policy `allow_list`.
fn registration(config: &Config, problems: &mut Vec<Problem>) {
    let dcr = &config.dcr;
    let addresses = dcr.directories.iter().filter_map(|directory| match &directory.keys {
        DirectoryKeysSetting::Url(url) => Url::parse(url).ok(),
        DirectoryKeysSetting::File(_) => None,
    });
    for url in addresses {
        if !config.auth.jwks_hosts.iter().any(|host| host.is_host_of(&url)) {
            let host = url.authority();
            let message = format!("has a key set at {host}, which auth.jwks_hosts does not name; add the host there");
            problems.push(Problem::new("dcr.directories", message));
        }
    }
    let mut issuers = BTreeSet::new();
    if !dcr.directories.iter().all(|directory| issuers.insert(&directory.issuer)) {
        problems.push(Problem::new("dcr.directories", "names an issuer twice; each has one key set"));
    }
    if (dcr.policy == RegistrationPolicy::AllowList) == dcr.allowed.is_empty() {
        let message = "and dcr.policy = \"allow_list\" come together; give both or none";
        problems.push(Problem::new("dcr.allowed", message));
    }
}

fn vrp(config: &Config, problems: &mut Vec<Problem>) {
    if config.vrp.commercial && config.vrp.commercial_contexts.is_empty() {
        let message = "names no payment context; vrp.commercial says whether commercial payments are offered";
        problems.push(Problem::new("vrp.commercial_contexts", message));
    }
}

/// Whether the text is a level, or a list of targets with levels. A bare word that is not a level is refused: it would be parsed as a
/// target and disable all other targets.
fn is_filter(directives: &str) -> bool {
    let level =
        |directive: &str| directive.rsplit('=').next().is_some_and(|level| level.parse::<LevelFilter>().is_ok());
    directives.parse::<Targets>().is_ok() && directives.split(',').all(level)
}

fn production(config: &Config, given: &BTreeSet<SettingKey>, problems: &mut Vec<Problem>) {
    let tls = &config.tls;
    let in_the_clear = [ProxiedListener::Public, ProxiedListener::Mtls].map(|it| config.is_without_tls(it));
    let certificate =
        tls.rsa_certificate_file.is_some() || tls.ec_certificate_file.is_some() || in_the_clear == [true, true];
    let database = config.database.url.is_some() || config.database.url_file.is_some();
    let international =
        config.payments.products.iter().any(|product| product.territory() == PaymentTerritory::International);
    let is_given = |section: &str, key: &str| given.contains(&(section.to_owned(), key.to_owned()));
    let rates = !international || is_given("payments", "rates");
    for (setting, is_there, why) in [
        ("server.public_url", config.server.public_url.is_some(), "it is the issuer of every token"),
        ("server.mtls_url", config.server.mtls_url.is_some(), "links in answers begin with it"),
        ("tls.rsa_certificate_file", certificate, "sandbox certificates are not used in production"),
        ("tls.tpp_anchors_file", tls.tpp_anchors_file.is_some(), "without it no TPP can be recognised"),
        (
            "tls.revocation",
            is_given("tls", "revocation"),
            "`soft` or `hard` refuse certificates that their authority has revoked, and `off` says that they get tokens until they expire",
        ),
        ("database.url", database, "or database.url_file; there is no default in production"),
        (
            "signing.key_encryption_key_file",
            config.signing.key_encryption_key_file.is_some(),
            "private keys are stored sealed with it",
        ),
        ("signing.organisation_id", config.signing.organisation_id.is_some(), "signed messages name it"),
        ("payments.rates", rates, "a sandbox's are made up (or leave international payments out of payments.products)"),
    ] {
        if !is_there {
            problems.push(Problem::new(setting, format!("is required in production: {why}")));
        }
    }
    if config.bank.kind == BankKind::Builtin {
        let message =
            "is required in production, and not `builtin`: the built-in bank makes up its customers and their money";
        problems.push(Problem::new("bank.kind", message));
    }
    if config.identity.kind == IdentityKind::Builtin {
        let message =
            "is required in production, and not `builtin`: everybody may know the built-in customers' passwords";
        problems.push(Problem::new("identity.kind", message));
    }
    problems.extend(config.database.url.as_ref().and_then(|url| engine(config, "database.url", url)));
    for (section, key) in given.iter().filter(|(section, _)| section == "sandbox") {
        problems.push(Problem::new(dotted(section, key), "has no place in production; remove it"));
    }
}

/// The fault of a database URL for an engine that is not allowed, reported for this setting.
pub(super) fn engine(config: &Config, setting: &'static str, url: &DatabaseUrl) -> Option<Problem> {
    if config.mode == Mode::Production && is_temporary(url.expose()) {
        return Some(Problem::new(setting, "names a database in memory, which is removed at the end"));
    }
    let is_refused = config.mode == Mode::Production && url.is_sqlite() && !config.database.allow_sqlite;
    is_refused.then(|| {
        let message = "names SQLite, which keeps a bank's data on one machine; give a postgres:// address, or set \
            database.allow_sqlite = true";
        Problem::new(setting, message)
    })
}
