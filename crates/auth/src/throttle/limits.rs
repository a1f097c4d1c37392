//! The limits on login attempts.

use jiff::Timestamp;

/// What may be decided about logging in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoginLimits {
    /// Seconds after a login for which the browser is known for the customer; at 0 none ever is.
    pub device_secs: i64,
    /// Different users that one address may fail to be within ten minutes; 0 sets no limit.
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
    /// When the next attempt is judged again.
    pub until: Timestamp,
}
