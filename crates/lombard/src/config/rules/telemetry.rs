//! Checks the rules between the settings of traces.

use crate::config::problem::Problem;
use crate::config::settings::Config;
use crate::config::traces::CollectorUrl;

/// A collector with an https address needs the authorities that vouch for it.
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let telemetry = &config.telemetry;
    let Some(endpoint) = &telemetry.otlp_endpoint else { return };
    if CollectorUrl::is_https(endpoint) != telemetry.otlp_anchors_file.is_some() {
        let message = "goes with an https address in telemetry.otlp_endpoint; give both, or neither";
        problems.push(Problem::new("telemetry.otlp_anchors_file", message));
    }
}
