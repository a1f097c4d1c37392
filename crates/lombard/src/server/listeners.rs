//! Builds the configured listeners: their sockets, limits, and the layers around their routes.

use super::{CoreServices, Endpoints, StartError};
use crate::config::{BaseUrl, Config, ProxiedListener};
use lombard_edge::faults::FaultInjection;
use lombard_edge::layers::{HeaderLimits, LayerContext};
use lombard_edge::listener::{Listener, ListenerLimits};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::Path;
use std::time::Duration;

/// The bound sockets of the listeners.
pub(super) struct Sockets {
    pub(super) public: Listener,
    pub(super) mtls: Listener,
    pub(super) ops: Listener,
    /// The health listener, if `server.health_port` is set.
    pub(super) health: Option<Listener>,
}

impl Sockets {
    pub(super) fn bind(config: &Config) -> Result<Self, StartError> {
        let server = &config.server;
        let for_tpps = |listener, setting, port| match config.unix_socket(listener) {
            Some((setting, path)) => bind_unix(setting, path),
            None => bind_own(config, setting, server.bind, port),
        };
        Ok(Self {
            public: for_tpps(ProxiedListener::Public, "server.public_port", server.public_port)?,
            mtls: for_tpps(ProxiedListener::Mtls, "server.mtls_port", server.mtls_port)?,
            ops: bind_own(config, "server.ops_port", server.ops_bind, server.ops_port)?,
            health: match server.health_port {
                Some(port) => Some(bind_own(config, "server.health_port", server.health_bind, port)?),
                None => None,
            },
        })
    }

    /// The server's URLs: the configured ones, or URLs with the bound ports.
    pub(super) fn endpoints(&self, config: &Config) -> Result<Endpoints, StartError> {
        let port = |listener: &Listener| listener.address().map(|address| address.port()).map_err(StartError::Socket);
        let address = |given: &Option<BaseUrl>, listener| match given {
            Some(url) => Ok(url.as_str().to_owned()),
            None => port(listener).map(|port| format!("https://localhost:{port}")),
        };
        let public = address(&config.server.public_url, &self.public)?;
        let mtls = address(&config.server.mtls_url, &self.mtls)?;
        let own = |scheme, bound, listener: &Listener| {
            port(listener).map(|port| format!("{scheme}://{}", SocketAddr::new(reachable(bound), port)))
        };
        let ops = own(if config.is_ops_tls() { "https" } else { "http" }, config.server.ops_bind, &self.ops)?;
        let health = self.health.as_ref().map(|health| own("http", config.server.health_bind, health)).transpose()?;
        Ok(Endpoints::new(public, mtls, ops, health))
    }
}

/// Returns the address, or the loopback address if the address is unspecified.
fn reachable(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) if address.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(address) if address.is_unspecified() => std::net::Ipv6Addr::LOCALHOST.into(),
        address => address,
    }
}

/// Binds a socket; an error names the setting. In a sandbox, the socket accepts both loopback addresses of `localhost`.
fn bind_own(config: &Config, setting: &'static str, address: IpAddr, port: u16) -> Result<Listener, StartError> {
    if !config.is_sandbox() || address != Ipv4Addr::LOCALHOST {
        return bind(setting, address, port);
    }
    let address = SocketAddr::new(address, port);
    Listener::bind_loopback(port).map_err(|source| StartError::Bind { setting, address, source })
}

/// Binds a socket; an error names the setting.
pub(super) fn bind(setting: &'static str, address: IpAddr, port: u16) -> Result<Listener, StartError> {
    let address = SocketAddr::new(address, port);
    Listener::bind(address).map_err(|source| StartError::Bind { setting, address, source })
}

/// Binds a Unix socket; an error names the setting.
fn bind_unix(setting: &'static str, path: &Path) -> Result<Listener, StartError> {
    Listener::bind_unix(path).map_err(|source| StartError::BindUnix { setting, path: path.to_owned(), source })
}

/// The services for the layers around a listener's routes. These layers record no requests. Only TPPs in a sandbox get planned faults.
pub(super) fn layers(
    config: &Config,
    services: &CoreServices,
    listener: &'static str,
    faults: Option<FaultInjection>,
) -> LayerContext {
    let limits = &config.limits;
    let headers = HeaderLimits { bytes_max: limits.header_bytes_max, fields_max: limits.header_fields_max };
    LayerContext { faults, ..LayerContext::new(listener, services.ids.clone(), headers) }
}

/// The limits of each listener.
pub(super) fn limits(config: &Config) -> ListenerLimits {
    let limits = &config.limits;
    let server = &config.server;
    ListenerLimits {
        connections_max: server.connections_max,
        address_connections_max: config.address_connections_max(),
        anonymous_connections_max: server.anonymous_connections_max,
        client_connections_max: config.client_connections_max(),
        handshake: Duration::from_secs(config.tls.handshake_secs),
        header_bytes_max: limits.header_bytes_max,
        header_fields_max: limits.header_fields_max,
        header_read: Duration::from_secs(limits.header_read_secs),
        body_idle: Duration::from_secs(limits.body_idle_secs),
        body_total: Duration::from_secs(limits.body_secs_max),
        bytes_per_sec_min: limits.bytes_per_sec_min,
        write_idle: Duration::from_secs(limits.write_idle_secs),
        client_requests_max: limits.client_requests_max,
        unread_bytes_max: limits.unread_bytes_max,
        gathered_bytes_max: limits.gathered_bytes_max,
        keep_alive: Duration::from_secs(limits.keep_alive_secs),
        streams_max: limits.streams_max,
    }
}
