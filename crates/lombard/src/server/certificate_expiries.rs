//! Records when certificates expire: one metric for all of them, and a warning in the log 30 days before.

use super::blocking::blocking;
use crate::config::{Config, certificate_end, certificate_ends};
use jiff::{SignedDuration, Timestamp};
use lombard_auth::keys::{KeyState, Keyring};
use lombard_ports::clock::Clocks;
use std::convert::Infallible;
use std::sync::Arc;

const EXPIRY: &str = "lombard_certificate_expiry_seconds";

/// The name of the server certificates that are in force.
pub(super) const SERVER: &str = "server";

/// The name of the certificates of signing keys.
const SIGNING: &str = "signing";

/// How long before its end a certificate is warned of.
const WARNED_BEFORE: SignedDuration = SignedDuration::from_hours(30 * 24);

/// The certificates that settings name and those of signing keys. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct CertificateExpiries {
    config: Arc<Config>,
    keys: Keyring,
    clocks: Clocks,
}

impl CertificateExpiries {
    /// The certificates of this configuration and of these keys.
    pub(super) fn new(config: Config, keys: Keyring, clocks: Clocks) -> Self {
        Self { config: Arc::new(config), keys, clocks }
    }

    /// Reads the certificates again, and records when the first of each file or kind expires. What cannot be read is left out.
    pub(super) async fn record(&self) -> Result<(), Infallible> {
        let now = self.clocks.wall_now();
        let config = Arc::clone(&self.config);
        for (setting, ends) in blocking(move || certificate_ends(&config)).await.unwrap_or_default() {
            record_first(setting, ends, now);
        }
        let listed = self.keys.list_keys().await.unwrap_or_default();
        let used =
            listed.iter().filter(|key| matches!(key.state, KeyState::Announced { .. } | KeyState::Signing { .. }));
        record_first(SIGNING, used.flat_map(|key| &key.chain).filter_map(|der| certificate_end(der)), now);
        Ok(())
    }
}

/// Records the first end that is still to come, or the last one if all have passed. A file of trust anchors may hold ended ones.
#[expect(clippy::cast_precision_loss, reason = "seconds since 1970 are far below 2^52")]
pub(super) fn record_first(name: &'static str, ends: impl IntoIterator<Item = Timestamp>, now: Timestamp) {
    let ends: Vec<_> = ends.into_iter().collect();
    let ahead = ends.iter().filter(|end| **end > now).min();
    let Some(end) = ahead.or(ends.iter().max()).copied() else { return };
    metrics::gauge!(EXPIRY, "certificate" => name).set(end.as_second() as f64);
    if end.duration_since(now) < WARNED_BEFORE {
        tracing::warn!(certificate = name, certificate.ends = %end, "a certificate expires soon, or has expired; renew it");
    }
}
