//! The configured rate limits of TPPs. Source: RW-112, EVT-014.

use crate::config::{Config, IdentityKind};
use lombard_edge::endpoint_facts::{RateGroup, RateOwner};
use lombard_edge::limits::RateLimit;
use std::collections::HashMap;

/// The rate limits that this node enforces; a group without a limit is missing. A rate of applications is this node's part of the published
/// one: all nodes together admit at least what is published.
pub(super) fn rates(config: &Config) -> HashMap<RateGroup, RateLimit> {
    let nodes = config.rates.nodes;
    let part = |group: RateGroup, rate: RateLimit| match group.owner() {
        RateOwner::Application => {
            RateLimit { per_second: rate.per_second.div_ceil(nodes), burst: rate.burst.div_ceil(nodes) }
        }
        RateOwner::Address | RateOwner::Certificate | RateOwner::PortalSession => rate,
    };
    published_rates(config).into_iter().map(|(group, rate)| (group, part(group, rate))).collect()
}

/// The rate limits that are published for all nodes together; a group without a limit is missing.
pub(super) fn published_rates(config: &Config) -> HashMap<RateGroup, RateLimit> {
    let limited = RateGroup::ALL.map(|group| (group, rate(config, group)));
    limited.into_iter().filter(|(_, rate)| rate.per_second > 0).collect()
}

fn rate(config: &Config, group: RateGroup) -> RateLimit {
    let rates = &config.rates;
    let events = &config.events;
    let identity = &config.identity;
    let per_second = match group {
        RateGroup::Tokens => rates.token_per_s,
        RateGroup::PushedRequests => rates.pushed_per_s,
        RateGroup::AuthorisationRequests => rates.authorize_per_s,
        RateGroup::AuthorisationAddresses => rates.authorize_address_per_s,
        // The customers of the built-in bank do not log in at an OpenID provider.
        RateGroup::ProviderLogins if identity.kind == IdentityKind::Builtin => 0,
        RateGroup::ProviderLogins => rates.provider_login_address_per_s,
        RateGroup::LogoAddresses => rates.logo_address_per_s,
        RateGroup::PageAddresses => rates.page_address_per_s,
        RateGroup::PortalForms => rates.portal_form_per_s,
        RateGroup::AccountInformation => rates.accounts_per_s,
        RateGroup::AccountInformationOfClient => rates.accounts_client_per_s.unwrap_or(rates.accounts_per_s),
        RateGroup::Payments => rates.payments_per_s,
        RateGroup::PaymentsOfClient => rates.payments_client_per_s.unwrap_or(rates.payments_per_s),
        RateGroup::Files => rates.files_per_s,
        RateGroup::FilesOfClient => rates.files_client_per_s.unwrap_or(rates.files_per_s),
        RateGroup::FundsConfirmation => rates.funds_per_s,
        RateGroup::FundsConfirmationOfClient => rates.funds_client_per_s.unwrap_or(rates.funds_per_s),
        RateGroup::VariableRecurringPayments => rates.vrp_per_s,
        RateGroup::VariableRecurringPaymentsOfClient => rates.vrp_client_per_s.unwrap_or(rates.vrp_per_s),
        RateGroup::Failures => rates.failures_per_s,
        RateGroup::Events => return RateLimit { per_second: events.rate_per_s, burst: events.rate_burst },
    };
    RateLimit { per_second, burst: per_second.saturating_mul(rates.burst_secs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rw_112_each_group_has_the_rate_of_its_own_setting() {
        let text = "[rates]\ntoken_per_s = 1\npushed_per_s = 2\naccounts_per_s = 3\npayments_per_s = 4\nfiles_per_s = 5\n\
                    funds_per_s = 6\nvrp_per_s = 7\nfailures_per_s = 8\nauthorize_per_s = 12\n\
                    accounts_client_per_s = 21\npayments_client_per_s = 22\nfiles_client_per_s = 23\n\
                    funds_client_per_s = 24\nvrp_client_per_s = 25\nauthorize_address_per_s = 13\nprovider_login_address_per_s = 14\nlogo_address_per_s = 15\npage_address_per_s = 16\nportal_form_per_s = 17\nburst_secs = 10\n[events]\nrate_per_s = 9\n\
                    rate_burst = 11\n[bank]\nkind = \"embedded\"\n[identity]\nkind = \"embedded\"\n";
        let rates = rates(&Config::from_parts(text, &[]).unwrap());
        let of = |per_second| RateLimit { per_second, burst: per_second * 10 };
        let expected = [
            (RateGroup::Tokens, of(1)),
            (RateGroup::PushedRequests, of(2)),
            (RateGroup::AccountInformation, of(3)),
            (RateGroup::AccountInformationOfClient, of(21)),
            (RateGroup::PaymentsOfClient, of(22)),
            (RateGroup::FilesOfClient, of(23)),
            (RateGroup::FundsConfirmationOfClient, of(24)),
            (RateGroup::VariableRecurringPaymentsOfClient, of(25)),
            (RateGroup::Payments, of(4)),
            (RateGroup::Files, of(5)),
            (RateGroup::FundsConfirmation, of(6)),
            (RateGroup::VariableRecurringPayments, of(7)),
            (RateGroup::Failures, of(8)),
            (RateGroup::AuthorisationRequests, of(12)),
            (RateGroup::AuthorisationAddresses, of(13)),
            (RateGroup::ProviderLogins, of(14)),
            (RateGroup::LogoAddresses, of(15)),
            (RateGroup::PageAddresses, of(16)),
            (RateGroup::PortalForms, of(17)),
            (RateGroup::Events, RateLimit { per_second: 9, burst: 11 }),
        ];
        assert_eq!(rates, HashMap::from(expected));
    }

    #[test]
    fn rw_112_every_group_is_limited_unless_its_rate_is_zero() {
        let usual = Config::from_parts("", &[]).unwrap();
        let unlimited: Vec<_> = RateGroup::ALL.into_iter().filter(|group| !rates(&usual).contains_key(group)).collect();
        assert_eq!(unlimited, [RateGroup::ProviderLogins], "there is no provider");
        let files =
            RateLimit { per_second: usual.rates.files_per_s, burst: usual.rates.files_per_s * usual.rates.burst_secs };
        assert_eq!(rates(&usual)[&RateGroup::Files], files);
        let config =
            Config::from_parts("rates.token_per_s = 0\nevents.rate_per_s = 0\nrates.burst_secs = 3", &[]).unwrap();
        let rates = rates(&config);
        assert!(!rates.contains_key(&RateGroup::Tokens) && !rates.contains_key(&RateGroup::Events));
        assert_eq!(rates[&RateGroup::Payments], RateLimit { per_second: 100, burst: 300 });
    }

    #[test]
    fn rw_112_tokens_of_clients_have_the_rate_of_customers_unless_set() {
        let rates = rates(&Config::from_parts("rates.files_per_s = 7\nrates.vrp_client_per_s = 0", &[]).unwrap());
        assert_eq!(rates[&RateGroup::FilesOfClient], rates[&RateGroup::Files]);
        assert!(!rates.contains_key(&RateGroup::VariableRecurringPaymentsOfClient));
        assert!(rates.contains_key(&RateGroup::VariableRecurringPayments));
    }

    #[test]
    fn rw_112_nodes_together_admit_what_is_published_and_hardly_more() {
        for nodes in [1, 2, 3, 7, 20] {
            let text = format!("rates.nodes = {nodes}\nrates.files_per_s = 20\nevents.rate_burst = 77");
            let config = Config::from_parts(&text, &[]).unwrap();
            let (own, published) = (rates(&config), published_rates(&config));
            for group in RateGroup::ALL.into_iter().filter(|group| published.contains_key(group)) {
                let (own, all) = (own[&group], published[&group]);
                let divided = if group.owner() == RateOwner::Application { nodes } else { 1 };
                for (part, whole) in [(own.per_second, all.per_second), (own.burst, all.burst)] {
                    assert!(part * divided >= whole && (part - 1) * divided < whole, "{group:?} on {nodes}");
                }
            }
        }
    }
}
