//! The servers of a URL, and connecting to the one that serves now. TCP keep-alive detects a lost peer.

use super::tls::TlsStream;
use super::url::{PostgresUrl, TlsMode, UrlFault};
use crate::StoreTimeouts;
use lombard_ports::store::StoreError;
use std::error::Error as StdError;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_postgres::config::{Host, SslMode};
use tokio_postgres::error::SqlState;
use tokio_postgres::{Client, Config, Connection, Error, Socket};
use tokio_postgres_rustls::MakeRustlsConnect;

/// The idle time after which the operating system sends the first TCP keep-alive probe.
const KEEP_ALIVE: Duration = Duration::from_secs(30);

/// The interval between two keep-alive probes.
const KEEP_ALIVE_AGAIN: Duration = Duration::from_secs(10);

/// The number of unanswered probes after which the connection is closed.
const KEEP_ALIVE_TIMES: u32 = 3;

/// How long sent data may remain unacknowledged (`TCP_USER_TIMEOUT`).
const UNACKNOWLEDGED: Duration = Duration::from_secs(30);

/// The driver of a connection, which the caller must run.
pub(super) type ServerConnection = Connection<Socket, TlsStream>;

/// The servers of a URL. Clones share which of them served last.
#[derive(Clone)]
pub(super) struct PostgresServers(Arc<Servers>);

struct Servers {
    first: ServerHost,
    others: Vec<ServerHost>,
    /// The number of the host that served last, which is asked first.
    served: AtomicUsize,
    /// The time in which all hosts are asked.
    patience: Duration,
}

/// One of the servers.
struct ServerHost {
    config: Config,
    tls: MakeRustlsConnect,
    /// For a connection without TLS, if that is allowed where TLS fails.
    without_tls: Option<Config>,
}

impl PostgresServers {
    /// The servers of this URL. Its files are read here and not again.
    pub(super) fn from_url(url: &str, waits: &StoreTimeouts) -> Result<Self, StoreError> {
        let faults = |faults: Vec<UrlFault>| {
            let texts: Vec<_> = faults.iter().map(ToString::to_string).collect();
            StoreError::Unavailable(texts.join("; ").into())
        };
        let url = PostgresUrl::parse(url).map_err(faults)?;
        let files = url.read_files().map_err(faults)?;
        let host = |number| {
            let mode = url.mode(url.host(number).as_ref());
            let tls = files.connector(mode).map_err(|error| StoreError::Unavailable(error.into()))?;
            let config = with_time_limits(host_config(&url, number, mode), waits);
            let without_tls = (mode == TlsMode::Prefer && url.roots.is_none()).then(|| {
                let mut config = config.clone();
                config.ssl_mode(SslMode::Disable);
                config
            });
            Ok::<_, StoreError>(ServerHost { config, tls, without_tls })
        };
        Ok(Self(Arc::new(Servers {
            first: host(0)?,
            others: (1..url.host_count()).map(host).collect::<Result<_, _>>()?,
            served: AtomicUsize::new(0),
            patience: waits.connection,
        })))
    }

    /// The configuration of the first host. The login is the same for all.
    pub(super) fn config(&self) -> Config {
        self.0.first.config.clone()
    }

    /// Connects, and starts the task that drives the connection. Errors of the task are reported by the client.
    pub(super) async fn open(&self) -> Result<(Client, JoinHandle<()>), Error> {
        let (client, connection) = self.connect().await?;
        Ok((client, tokio::spawn(async move { drop(connection.await) })))
    }

    /// Connects to a host that serves: first the one that did last, then the others in their order. Each but the last of them has its share
    /// of the time to connect; the caller limits the whole.
    pub(super) async fn connect(&self) -> Result<(Client, ServerConnection), Error> {
        let Servers { others, served, patience, .. } = &*self.0;
        let until = Instant::now() + *patience;
        let last = others.len();
        let start = served.load(Ordering::Relaxed);
        for attempt in 0..last {
            let number = (start + attempt) % (last + 1);
            let hosts_left = u32::try_from(last + 1 - attempt).unwrap_or(u32::MAX);
            let share = until.saturating_duration_since(Instant::now()) / hosts_left;
            match timeout(share, self.host(number).connect()).await {
                Ok(Ok(connected)) => {
                    self.serves(number);
                    return Ok(connected);
                }
                Ok(Err(error)) => {
                    tracing::debug!(
                        host = number + 1,
                        error = &error as &dyn StdError,
                        "a database host is passed over"
                    );
                }
                Err(_) => tracing::debug!(host = number + 1, "a database host does not answer and is passed over"),
            }
        }
        let number = (start + last) % (last + 1);
        let connected = self.host(number).connect().await?;
        self.serves(number);
        Ok(connected)
    }

    fn host(&self, number: usize) -> &ServerHost {
        let Servers { first, others, .. } = &*self.0;
        number.checked_sub(1).and_then(|other| others.get(other)).unwrap_or(first)
    }

    fn serves(&self, number: usize) {
        if self.0.served.swap(number, Ordering::Relaxed) != number {
            tracing::info!(host = number + 1, "the database is used at another of its hosts");
        }
    }
}

impl ServerHost {
    async fn connect(&self) -> Result<(Client, ServerConnection), Error> {
        let connected = self.config.connect(self.tls.clone()).await;
        match (connected, &self.without_tls) {
            (Err(error), Some(without_tls)) if allows_plain(&error) => without_tls.connect(self.tls.clone()).await,
            (connected, _) => connected,
        }
    }
}

/// Whether TLS failed, or the server refused the login over it, so that `sslmode=prefer` connects without.
/// Source: PostgreSQL 18 documentation, section 32.19.3.
fn allows_plain(error: &Error) -> bool {
    let cause = error.source().and_then(|cause| cause.downcast_ref::<io::Error>());
    cause.and_then(io::Error::get_ref).is_some_and(|cause| cause.is::<rustls::Error>())
        || error.code() == Some(&SqlState::INVALID_AUTHORIZATION_SPECIFICATION)
}

/// The configuration with limits of the network. The URL may override the keep-alive settings, and shorten the time to connect.
fn with_time_limits(mut config: Config, waits: &StoreTimeouts) -> Config {
    let longest = config.get_connect_timeout().map_or(waits.connection, |limit| waits.connection.min(*limit));
    config.application_name("lombard").connect_timeout(longest);
    if config.get_tcp_user_timeout().is_none() {
        config.tcp_user_timeout(UNACKNOWLEDGED);
    }
    if config.get_keepalives_interval().is_none() && config.get_keepalives_retries().is_none() {
        config.keepalives_idle(KEEP_ALIVE).keepalives_interval(KEEP_ALIVE_AGAIN).keepalives_retries(KEEP_ALIVE_TIMES);
    }
    config
}

/// The driver's configuration for one of the hosts.
fn host_config(url: &PostgresUrl, number: usize, mode: TlsMode) -> Config {
    let all = &url.config;
    let mut config = Config::new();
    match url.host(number) {
        Some(Host::Tcp(name)) => config.host(name),
        Some(Host::Unix(folder)) => config.host_path(folder),
        None => &mut config,
    };
    let port = url.ports.get(number).or_else(|| url.ports.first());
    port.map(|port| config.port(*port));
    all.get_hostaddrs().get(number).map(|address| config.hostaddr(*address));
    all.get_user().map(|user| config.user(user));
    all.get_password().map(|password| config.password(password));
    all.get_dbname().map(|name| config.dbname(name));
    all.get_options().map(|options| config.options(options));
    all.get_application_name().map(|name| config.application_name(name));
    all.get_connect_timeout().map(|limit| config.connect_timeout(*limit));
    all.get_tcp_user_timeout().map(|limit| config.tcp_user_timeout(*limit));
    config.keepalives(all.get_keepalives()).keepalives_idle(all.get_keepalives_idle());
    all.get_keepalives_interval().map(|interval| config.keepalives_interval(interval));
    all.get_keepalives_retries().map(|retries| config.keepalives_retries(retries));
    config
        .ssl_mode(match mode {
            TlsMode::Disable => SslMode::Disable,
            TlsMode::Prefer => SslMode::Prefer,
            TlsMode::Require | TlsMode::VerifyCa | TlsMode::VerifyFull => SslMode::Require,
        })
        .ssl_negotiation(all.get_ssl_negotiation())
        .channel_binding(all.get_channel_binding())
        .load_balance_hosts(all.get_load_balance_hosts())
        .target_session_attrs(all.get_target_session_attrs());
    config
}
