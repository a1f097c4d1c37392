//! The limits on login attempts.

use jiff::Timestamp;

/// The configurable limits on login attempts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoginLimits {
    /// Seconds after a login for which the browser is known for the customer; 0 means that no browser is ever known.
    pub device_secs: i64,
    /// The most different users for whom one address may fail to log in within ten minutes; 0 means no limit.
    pub address_users_max: u32,
}

#[cfg(any(test, feature = "testing"))]
impl Default for LoginLimits {
    fn default() -> Self {
        Self { device_secs: 365 * 86_400, address_users_max: 300 }
    }
}

/// Too many failures: no attempt is accepted before this instant (wall clock).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throttled {
    /// When attempts are accepted again.
    pub until: Timestamp,
}
