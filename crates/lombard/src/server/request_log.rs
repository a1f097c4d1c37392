//! Builds the configured request log.

use crate::config::Config;
use jiff::SignedDuration;
use lombard_domain::ids::ClientId;
use lombard_edge::request_log::{RecordedClients, RequestLog, RequestLogSettings};
use lombard_ports::clock::Clocks;
use std::sync::Arc;

/// The request log, if any requests are recorded. Production records only the requests of listed TPPs.
pub(super) fn request_log(config: &Config, clocks: &Clocks) -> Option<Arc<RequestLog>> {
    let logging = &config.request_log;
    let recorded = if config.is_sandbox() {
        RecordedClients::All
    } else {
        RecordedClients::Only(logging.tpps.iter().map(|id| ClientId::new(id.as_str())).collect())
    };
    let is_off = logging.bytes_max == 0 || matches!(&recorded, RecordedClients::Only(tpps) if tpps.is_empty());
    let settings = RequestLogSettings {
        bytes_max: logging.bytes_max,
        client_bytes_max: logging.bytes_max.saturating_mul(logging.tpp_share_max) / 100,
        body_bytes_max: logging.body_bytes_max,
        age_max: SignedDuration::from_secs(logging.age_secs_max.into()),
        recorded,
    };
    (!is_off).then(|| Arc::new(RequestLog::new(settings, clocks.clone())))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(text: &str) -> Option<Arc<RequestLog>> {
        let mut config = Config::from_parts(text.strip_prefix("production ").unwrap_or(text), &[]).unwrap();
        if text.starts_with("production ") {
            config.mode = crate::config::Mode::Production;
        }
        request_log(&config, &Clocks::system())
    }

    #[test]
    fn requests_are_recorded_in_sandbox_and_for_listed_tpps_in_production() {
        assert!(log("").is_some());
        assert!(log("[request_log]\nbytes_max = 0").is_none());
        assert!(log("production ").is_none());
        assert!(log("production [request_log]\ntpps = [\"c\"]").is_some());
        assert!(log("production [request_log]\ntpps = [\"c\"]\nbytes_max = 0").is_none());
    }
}
