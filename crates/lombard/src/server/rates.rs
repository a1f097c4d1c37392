//! How often a TPP may call, as it is configured. Source: RW-112, EVT-014.

use crate::config::Config;
use lombard_http::app::Rate;
use lombard_http::catalogue::RateGroup;
use std::collections::HashMap;

/// The rates in force; groups without one are not limited.
pub(super) fn rates(config: &Config) -> HashMap<RateGroup, Rate> {
    let limited = RateGroup::ALL.map(|group| (group, rate(config, group)));
    limited.into_iter().filter(|(_, rate)| rate.per_second > 0).collect()
}

fn rate(config: &Config, group: RateGroup) -> Rate {
    let (rates, events) = (&config.rates, &config.events);
    let per_second = match group {
        RateGroup::Tokens => rates.token_per_s,
        RateGroup::PushedRequests => rates.pushed_per_s,
        RateGroup::AuthorisationRequests => rates.authorize_per_s,
        RateGroup::AuthorisationAddresses => rates.authorize_address_per_s,
        RateGroup::AccountInformation => rates.accounts_per_s,
        RateGroup::Payments => rates.payments_per_s,
        RateGroup::Files => rates.files_per_s,
        RateGroup::FundsConfirmation => rates.funds_per_s,
        RateGroup::VariableRecurringPayments => rates.vrp_per_s,
        RateGroup::Failures => rates.failures_per_s,
        RateGroup::Events => return Rate { per_second: events.rate_per_s, burst: events.rate_burst },
    };
    Rate { per_second, burst: per_second.saturating_mul(rates.burst_secs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_112_every_group_is_limited_unless_its_rate_is_zero() {
        let usual = Config::from_parts("", &[]).unwrap();
        assert_eq!(rates(&usual).len(), RateGroup::ALL.len());
        let files =
            Rate { per_second: usual.rates.files_per_s, burst: usual.rates.files_per_s * usual.rates.burst_secs };
        assert_eq!(rates(&usual)[&RateGroup::Files], files);
        let config =
            Config::from_parts("rates.token_per_s = 0\nevents.rate_per_s = 0\nrates.burst_secs = 3", &[]).unwrap();
        let rates = rates(&config);
        assert!(!rates.contains_key(&RateGroup::Tokens) && !rates.contains_key(&RateGroup::Events));
        assert_eq!(rates[&RateGroup::Payments], Rate { per_second: 100, burst: 300 });
    }
}
