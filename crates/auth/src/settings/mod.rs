//! The settings of the authorisation server.

mod registration;

pub use registration::{
    Directory, DirectoryKeys, RegistrationPolicy, RegistrationSettings, SOFTWARE_REGISTRATIONS_MAX,
};

use crate::throttle::LoginLimits;
use std::time::Duration;

/// The addresses, lifetimes and limits of the authorisation server. Times are seconds.
#[derive(Debug, Clone)]
pub struct AuthSettings {
    /// The issuer, byte for byte as in every token: the public base URL. Source: AS-002.
    pub issuer: String,
    /// The base URL of the public listener, without a trailing slash.
    pub public_url: String,
    /// The base URL of the listener that asks for client certificates, without a trailing slash.
    pub mtls_url: String,
    /// Lifetime of access tokens. Source: AS-093.
    pub access_token_secs: i64,
    /// Lifetime of authorisation codes, at most 60. Source: AS-042.
    pub code_secs: i64,
    /// Lifetime of identity tokens, at most 600. Source: AS-102.
    pub id_token_secs: i64,
    /// Idle lifetime of a journey. Source: AS-090.
    pub journey_idle_secs: i64,
    /// Longest lifetime of a PSU's session outside a journey, even if it is active.
    pub session_secs: i64,
    /// The limits on login attempts.
    pub login: LoginLimits,
    /// The most pending backchannel requests of one client to one customer.
    pub backchannel_requests_max: i64,
    /// Whether hosts are configured to which notifications of backchannel requests may be sent. Source: AS-160.
    pub notifies_clients: bool,
    /// The settings of client registration; without them nobody can register. Source: DCR-001.
    pub registration: Option<RegistrationSettings>,
    /// The settings of headless clients; without them every request is decided by a person. Never set in production. Source: AS-170.
    pub headless: Option<HeadlessSettings>,
}

/// Replaces the PSU's decision for headless test clients. Source: AS-171.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct HeadlessSettings {
    /// Whether every request is rejected.
    pub rejects_all: bool,
    /// The delay before each decision (wall clock).
    pub decision_delay: Duration,
}
