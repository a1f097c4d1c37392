//! Rates of applications that do not fit the number of nodes. Source: RW-112.

use super::super::problem::Problem;
use super::super::settings::Config;

/// The rates of applications, which are divided among nodes, by their settings. Those that are not set follow others.
fn divided_rates(config: &Config) -> Vec<(&'static str, u32)> {
    let rates = &config.rates;
    let own = [
        ("rates.accounts_client_per_s", rates.accounts_client_per_s),
        ("rates.payments_client_per_s", rates.payments_client_per_s),
        ("rates.files_client_per_s", rates.files_client_per_s),
        ("rates.funds_client_per_s", rates.funds_client_per_s),
        ("rates.vrp_client_per_s", rates.vrp_client_per_s),
    ];
    let mut divided = vec![
        ("rates.token_per_s", rates.token_per_s),
        ("rates.pushed_per_s", rates.pushed_per_s),
        ("rates.authorize_per_s", rates.authorize_per_s),
        ("rates.accounts_per_s", rates.accounts_per_s),
        ("rates.payments_per_s", rates.payments_per_s),
        ("rates.files_per_s", rates.files_per_s),
        ("rates.funds_per_s", rates.funds_per_s),
        ("rates.vrp_per_s", rates.vrp_per_s),
        ("events.rate_per_s", config.events.rate_per_s),
    ];
    divided.extend(own.into_iter().filter_map(|(setting, rate)| Some((setting, rate?))));
    divided.retain(|(_, rate)| *rate > 0);
    divided
}

/// Checks that no published rate is less than the number of nodes, each of which admits at least one call a second.
pub(super) fn check(config: &Config, problems: &mut Vec<Problem>) {
    let nodes = config.rates.nodes;
    for (setting, _) in divided_rates(config).into_iter().filter(|(_, rate)| *rate < nodes) {
        let message = "is less than rates.nodes. A node admits at least one call a second, so all nodes together would admit more than is \
                       published: set it to rates.nodes or more, or to 0 for no limit";
        problems.push(Problem::new(setting, message));
    }
}

/// Advice about published rates that cannot be divided evenly.
pub(in crate::config) fn advice(config: &Config) -> Vec<Problem> {
    let nodes = config.rates.nodes;
    let uneven = divided_rates(config).into_iter().filter(|(_, rate)| rate % nodes != 0);
    let advice = uneven.map(|(setting, rate)| {
        let more = rate.div_ceil(nodes).saturating_mul(nodes).saturating_sub(rate);
        let message = format!(
            "is not a multiple of rates.nodes. Each node admits the next whole number of calls, so all nodes together admit {more} a second \
             more than is published"
        );
        Problem::new(setting, message)
    });
    advice.collect()
}
