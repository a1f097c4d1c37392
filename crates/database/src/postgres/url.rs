//! URLs of PostgreSQL, with the parameters of libpq that this program understands.
//!
//! The driver knows neither `sslrootcert`, `sslcert` and `sslkey` nor the modes that verify a certificate, so they are read here and the
//! rest is left to the driver.
//!
//! Source: PostgreSQL 18 documentation, section 32.1 (Database Connection Control Functions).

use percent_encoding::percent_decode_str;
use std::path::PathBuf;
use std::str::FromStr;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, TargetSessionAttrs};

#[cfg(test)]
mod tests;

/// The parameters that are understood, each with its values.
const PARAMETERS: [(&str, &str); 22] = [
    ("application_name", "a text"),
    ("channel_binding", "`disable`, `prefer` or `require`"),
    ("connect_timeout", "a whole number of seconds"),
    ("dbname", "a text"),
    ("host", "a host name, an address or the folder of a Unix socket"),
    ("hostaddr", "IP addresses, with a comma between two"),
    ("keepalives", "0 or 1"),
    ("keepalives_idle", "a whole number of seconds"),
    ("keepalives_interval", "a whole number of seconds"),
    ("keepalives_retries", "a whole number"),
    ("load_balance_hosts", "`disable` or `random`"),
    ("options", "a text"),
    ("password", "a text"),
    ("port", "whole numbers from 1 to 65535, with a comma between two"),
    ("sslcert", "the path of a PEM file"),
    ("sslkey", "the path of a PEM file"),
    ("sslmode", "`disable`, `prefer`, `require`, `verify-ca` or `verify-full`"),
    ("sslnegotiation", "`postgres` or `direct`"),
    ("sslrootcert", "the path of a PEM file, or `system`"),
    ("target_session_attrs", "`any` or `read-write`, because the server writes"),
    ("tcp_user_timeout", "a whole number of seconds"),
    ("user", "a text"),
];

/// Parameters of libpq that are not supported. Ignoring one could make a connection less secure than the operator intends.
const UNSUPPORTED: [&str; 29] = [
    "client_encoding",
    "fallback_application_name",
    "gssdelegation",
    "gssencmode",
    "gsslib",
    "krbsrvname",
    "max_protocol_version",
    "min_protocol_version",
    "passfile",
    "replication",
    "require_auth",
    "requirepeer",
    "requiressl",
    "scram_client_key",
    "scram_server_key",
    "service",
    "servicefile",
    "sslcertmode",
    "sslcompression",
    "sslcrl",
    "sslcrldir",
    "ssl_max_protocol_version",
    "ssl_min_protocol_version",
    "sslkeylogfile",
    "sslpassword",
    "sslsni",
    "oauth_client_id",
    "oauth_client_secret",
    "oauth_issuer",
];

/// A fault of a URL. Its text begins with the parameter, if it is of one, and never repeats a value, which may be a secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UrlFault {
    /// A parameter that no client of PostgreSQL knows.
    UnknownParameter(String),
    /// Another fault, with its remedy.
    Other(String),
}

impl std::fmt::Display for UrlFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::UnknownParameter(name) => write!(f, "{name} is not a parameter of a PostgreSQL URL"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

/// How a connection is protected. Source: PostgreSQL 18 documentation, section 32.19.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TlsMode {
    /// No TLS.
    Disable,
    /// TLS if the server offers it.
    Prefer,
    /// TLS; the server's certificate is verified only if there is a root file.
    Require,
    /// TLS with a certificate of a trusted authority.
    VerifyCa,
    /// As before, and the certificate names the host.
    VerifyFull,
}

/// The certificates that servers are verified with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TrustedRoots {
    /// Those of the operating system.
    System,
    /// Those of a PEM file.
    File(PathBuf),
}

/// The URL of one server or of several that stand in for each other.
#[derive(Clone)]
pub struct PostgresUrl {
    /// Hosts, login and options, as the driver takes them.
    pub(super) config: Config,
    /// One port for all hosts, or one for each.
    pub(super) ports: Vec<u16>,
    /// The value of `sslmode`, if the URL has one.
    tls_mode: Option<TlsMode>,
    pub(super) roots: Option<TrustedRoots>,
    pub(super) certificate: Option<PathBuf>,
    pub(super) key: Option<PathBuf>,
}

impl std::fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // It may hold a password.
        f.debug_struct("PostgresUrl").finish_non_exhaustive()
    }
}

impl PostgresUrl {
    /// The names of the parameters that are understood.
    pub fn parameters() -> impl Iterator<Item = &'static str> {
        PARAMETERS.into_iter().map(|(name, _)| name)
    }

    /// Reads a URL. No file is read and nothing is connected.
    ///
    /// # Errors
    /// All faults, of which there is at least one.
    pub fn parse(text: &str) -> Result<Self, Vec<UrlFault>> {
        let mut read = UrlReader::default();
        let (before, query) = split_query(text);
        for pair in query.split('&').filter(|pair| !pair.is_empty()) {
            read.parameter(pair);
        }
        let rest = read.rest.join("&");
        let separator = if rest.is_empty() { "" } else { "?" };
        match Config::from_str(&format!("{before}{separator}{rest}")) {
            Ok(config) => read.combine(config),
            Err(_) if read.faults.is_empty() => {
                let message = "is not a PostgreSQL URL; write postgres://USER@HOST:PORT/DATABASE, with several hosts as HOST:PORT,HOST:PORT, and \
                    percent-encode other characters of a name or password";
                Err(vec![UrlFault::Other(message.to_owned())])
            }
            Err(_) => Err(read.faults),
        }
    }

    /// The file of the private key. Nobody but the owner may read it.
    pub fn key_file(&self) -> Option<&std::path::Path> {
        self.key.as_deref()
    }

    /// Whether a server beyond this machine is used without verifying that it is the right one.
    pub fn is_unverified(&self) -> bool {
        let hosts = (0..self.host_count()).map(|number| self.host(number));
        hosts.into_iter().any(|host| !is_local(host.as_ref()) && !self.is_verified(host.as_ref()))
    }

    fn is_verified(&self, host: Option<&Host>) -> bool {
        match self.mode(host) {
            TlsMode::Disable | TlsMode::Prefer => false,
            TlsMode::Require => self.roots.is_some(),
            TlsMode::VerifyCa | TlsMode::VerifyFull => true,
        }
    }

    /// The protection of connections to this host. Without `sslmode` it is TLS if the server offers it, unless the host is this machine. A
    /// Unix socket has no TLS.
    pub(super) fn mode(&self, host: Option<&Host>) -> TlsMode {
        match (host, self.tls_mode) {
            (Some(Host::Unix(_)), _) => TlsMode::Disable,
            (_, Some(mode)) => mode,
            (_, None) if self.roots == Some(TrustedRoots::System) => TlsMode::VerifyFull,
            (host, None) if is_local(host) => TlsMode::Disable,
            (_, None) => TlsMode::Prefer,
        }
    }

    /// The number of servers that the URL names.
    pub(super) fn host_count(&self) -> usize {
        self.config.get_hosts().len().max(self.config.get_hostaddrs().len())
    }

    /// The name of a server: its address where it has no name.
    pub(super) fn host(&self, number: usize) -> Option<Host> {
        let address = || self.config.get_hostaddrs().get(number).map(|address| Host::Tcp(address.to_string()));
        self.config.get_hosts().get(number).cloned().or_else(address)
    }
}

/// Whether the host is this machine.
fn is_local(host: Option<&Host>) -> bool {
    match host {
        Some(Host::Tcp(name)) => {
            let address = name.parse::<std::net::IpAddr>();
            name.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
        }
        Some(Host::Unix(_)) | None => true,
    }
}

/// The URL up to its query, and the query. As in the driver, a user and password end at the first `@` and may contain a question mark.
fn split_query(text: &str) -> (&str, &str) {
    let from = text.find('@').unwrap_or(0);
    let mark = text.get(from..).and_then(|rest| rest.find('?')).map(|at| from.saturating_add(at));
    match mark.and_then(|at| text.split_at_checked(at)) {
        Some((before, query)) => (before, query.trim_start_matches('?')),
        None => (text, ""),
    }
}

/// The parameters of a URL that were read, and their faults.
#[derive(Default)]
struct UrlReader<'u> {
    /// The parameters of the driver.
    rest: Vec<std::borrow::Cow<'u, str>>,
    faults: Vec<UrlFault>,
    tls_mode: Option<TlsMode>,
    roots: Option<TrustedRoots>,
    certificate: Option<PathBuf>,
    key: Option<PathBuf>,
    session_attributes: bool,
    /// The ports of the parameter `port`, which replace those behind the hosts.
    ports: Option<Vec<u16>>,
}

impl<'u> UrlReader<'u> {
    fn fault(&mut self, message: impl Into<String>) {
        self.faults.push(UrlFault::Other(message.into()));
    }

    /// Reads one parameter.
    fn parameter(&mut self, pair: &'u str) {
        let Some((name, value)) = pair.split_once('=') else {
            return self
                .fault("has a parameter without a value; write NAME=VALUE, and percent-encode `&` and `=` in a value");
        };
        let name = if name == "keepalives_count" { "keepalives_retries" } else { name };
        let Some((_, values)) = PARAMETERS.into_iter().find(|(known, _)| *known == name) else {
            return self.unknown(name);
        };
        let read = match (name, percent_decode_str(value).decode_utf8()) {
            ("sslmode", Ok(value)) => {
                self.tls_mode = read_mode(&value);
                self.tls_mode.is_some()
            }
            ("sslrootcert", Ok(value)) => {
                let file = || TrustedRoots::File(PathBuf::from(&*value));
                self.roots = Some(if value == "system" { TrustedRoots::System } else { file() });
                !value.is_empty()
            }
            ("sslcert", Ok(value)) => {
                self.certificate = Some(PathBuf::from(&*value));
                !value.is_empty()
            }
            ("sslkey", Ok(value)) => {
                self.key = Some(PathBuf::from(&*value));
                !value.is_empty()
            }
            ("port", Ok(value)) => {
                self.ports = value.split(',').map(|port| port.parse().ok().filter(|port| *port > 0)).collect();
                self.ports.is_some()
            }
            (_, Ok(_)) => self.driver_parameter(name, value),
            (_, Err(_)) => false,
        };
        if !read {
            self.fault(format!("{name} must be {values}"));
        }
    }

    /// Leaves a parameter to the driver, if that understands the value.
    fn driver_parameter(&mut self, name: &str, value: &str) -> bool {
        if name == "target_session_attrs" {
            self.session_attributes = true;
            if !matches!(value, "any" | "read-write") {
                return false;
            }
        }
        let pair = format!("{name}={value}");
        let is_understood = Config::from_str(&format!("postgres://host/?{pair}")).is_ok();
        if is_understood {
            self.rest.push(pair.into());
        }
        is_understood
    }

    fn unknown(&mut self, name: &str) {
        if UNSUPPORTED.contains(&name) {
            return self.fault(format!("{name} is not supported; remove it"));
        }
        // Anything else than a name may be a piece of a password with an unencoded character.
        let is_name =
            !name.is_empty() && name.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'_');
        if is_name {
            self.faults.push(UrlFault::UnknownParameter(name.to_owned()));
        } else {
            self.fault(
                "has a parameter whose name is not that of one; percent-encode `?`, `&` and `=` in names and values",
            );
        }
    }

    /// Combines the parameters with the rest of the URL, and checks them together.
    fn combine(mut self, mut config: Config) -> Result<PostgresUrl, Vec<UrlFault>> {
        let hosts = config.get_hosts().len();
        let addresses = config.get_hostaddrs().len();
        let ports = self.ports.take().unwrap_or_else(|| config.get_ports().to_vec());
        let count = hosts.max(addresses);
        if count == 0 {
            self.fault("names no host; write postgres://USER@HOST/DATABASE, or ?host=FOLDER for a Unix socket");
        }
        if hosts > 0 && addresses > 0 && hosts != addresses {
            self.fault(format!("hostaddr has {addresses} addresses for {hosts} hosts; give one for each"));
        }
        if ports.len() > 1 && ports.len() != count {
            self.fault(format!("has {} ports for {count} hosts; give one for each, behind its host", ports.len()));
        }
        let verifies = matches!(self.tls_mode, Some(TlsMode::VerifyCa | TlsMode::VerifyFull));
        match &self.roots {
            None if verifies => {
                self.fault("sslmode says that certificates are verified, and sslrootcert is missing; name the file of the authority's certificate, or `system`");
            }
            Some(TrustedRoots::System) if !matches!(self.tls_mode, None | Some(TlsMode::VerifyFull)) => {
                self.fault("sslrootcert=system needs sslmode=verify-full: any site may have a certificate of these authorities");
            }
            _ => {}
        }
        match (&self.certificate, &self.key) {
            (Some(_), None) => self.fault("sslcert needs sslkey, the file of the certificate's private key"),
            (None, Some(_)) => self.fault("sslkey needs sslcert, the file of the key's certificate"),
            _ => {}
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        if count > 1 && !self.session_attributes {
            config.target_session_attrs(TargetSessionAttrs::ReadWrite);
        }
        let Self { tls_mode, roots, certificate, key, .. } = self;
        Ok(PostgresUrl { config, ports, tls_mode, roots, certificate, key })
    }
}

fn read_mode(text: &str) -> Option<TlsMode> {
    match text {
        "disable" => Some(TlsMode::Disable),
        "prefer" => Some(TlsMode::Prefer),
        "require" => Some(TlsMode::Require),
        "verify-ca" => Some(TlsMode::VerifyCa),
        "verify-full" => Some(TlsMode::VerifyFull),
        _ => None,
    }
}
