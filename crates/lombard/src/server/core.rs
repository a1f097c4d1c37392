//! Chooses the bank's core and the identity provider.

use super::payments::seconds;
use super::secrets::InstallationSecret;
use crate::config::{BankKind, Config, IdentityKind};
use lombard_corebank::BuiltInBank;
use lombard_corebank::market::{ExchangeMarket, sandbox_deals};
use lombard_corebank::payments::{RailCutOff, Rails, TimeOfDay};
pub(super) use lombard_corebank::storage::BankStore;
use lombard_database::{Database, Schema};
use lombard_domain::exchange::{MiddleRates, RateSpread};
use lombard_domain::money::Currency;
use lombard_ports::bank::{Bank, Scheduler};
use lombard_ports::clock::Clocks;
use lombard_ports::identity::IdentityProvider;
use lombard_ports::store::Quarantine;
use lombard_sandbox::SandboxIdentity;
use lombard_sandbox::controls::BuiltInCustomers;
use lombard_sandbox::joint::{self, JointStore};
use std::sync::Arc;

/// The default middle rates: the amount of each currency for one pound.
pub(crate) use lombard_corebank::market::MIDDLE as MIDDLE_RATES;
/// The default daily movement of rates, in ten-thousandths.
pub(crate) use lombard_corebank::market::MOVEMENT as RATE_MOVEMENT;
/// The bank's default spread, in ten-thousandths of a rate.
pub(crate) use lombard_corebank::market::SPREAD as RATE_SPREAD;

/// The bank's side of a server. Clones share it.
#[derive(Debug, Clone)]
pub struct Core {
    /// The port for accounts and payments.
    pub bank: Arc<dyn Bank>,
    /// The port that authenticates customers.
    pub identity: Arc<dyn IdentityProvider>,
    /// The core's scheduled work, if this program runs it.
    pub scheduler: Option<Arc<dyn Scheduler>>,
    /// The core's quarantined work.
    pub quarantine: Option<Arc<dyn Quarantine>>,
}

/// The built-in bank's store and controls, used by the sandbox only. Clones share them.
#[derive(Debug, Clone)]
pub(super) struct BuiltIn {
    pub(super) store: BankStore,
    pub(super) joint: JointStore,
    pub(super) market: Arc<ExchangeMarket>,
    rails: Rails,
}

/// The schemas of the configured core, beside the server's.
pub(super) fn schemas(config: &Config) -> Vec<&'static Schema> {
    let mut schemas = vec![&lombard_store::SCHEMA];
    if is_built_in(config) {
        schemas.push(&lombard_corebank::SCHEMA);
    }
    schemas
}

fn is_built_in(config: &Config) -> bool {
    // Both or neither (`config::rules`).
    config.bank.kind == BankKind::Builtin && config.identity.kind == IdentityKind::Builtin
}

impl BuiltIn {
    /// Opens the built-in bank's store in the server's database; `None` if another core is configured. Only a sandbox has it
    /// (`config::rules`).
    pub(super) fn open(config: &Config, database: &Database) -> Option<Self> {
        is_built_in(config).then(|| Self {
            store: lombard_corebank::on_database(database.clone()),
            joint: joint::on_database(database.clone()),
            market: Arc::new(market(config)),
            rails: rails(config),
        })
    }

    /// The core of a server.
    fn core(&self, clocks: &Clocks, secret: &InstallationSecret) -> Core {
        let bank = BuiltInBank::new(self.store.clone(), clocks.clone());
        let bank = bank.with_rails(self.rails.clone()).with_market(Arc::clone(&self.market));
        let codes = *secret.derive_key("one-time codes");
        Core {
            scheduler: Some(Arc::new(bank.scheduler())),
            bank: Arc::new(bank),
            identity: Arc::new(SandboxIdentity::new(Arc::new(BuiltInCustomers::new(self.store.clone())), codes)),
            quarantine: Some(self.quarantine()),
        }
    }

    /// The built-in bank's quarantined work.
    fn quarantine(&self) -> Arc<dyn Quarantine> {
        Arc::new(self.store.clone())
    }
}

/// The configured core: the built-in one, or the one that the program embeds. `None` if it has none, which
/// [`check_installation`](super::check_installation) finds before a start.
pub(super) fn choose(
    built_in: Option<&BuiltIn>,
    embedded: Option<&Core>,
    clocks: &Clocks,
    secret: &InstallationSecret,
) -> Option<Core> {
    match built_in {
        Some(built_in) => Some(built_in.core(clocks, secret)),
        None => embedded.cloned(),
    }
}

/// The quarantine of the configured core, if it has one.
pub(super) fn quarantine(built_in: Option<&BuiltIn>, embedded: Option<&Core>) -> Option<Arc<dyn Quarantine>> {
    match built_in {
        Some(built_in) => Some(built_in.quarantine()),
        None => embedded?.quarantine.clone(),
    }
}

/// The built-in bank's exchange market, with daily movements of rates and the sandbox's agreed rates.
fn market(config: &Config) -> ExchangeMarket {
    let payments = &config.payments;
    let rates = payments.rates.iter().map(|it| (it.currency, it.rate)).collect();
    // `config::rules` and the setting's range exclude duplicate currencies and a spread of 100 %.
    let rates = MiddleRates::new(Currency::GBP, rates).unwrap_or_else(|_| MiddleRates::base_only(Currency::GBP));
    let spread = RateSpread::from_ten_thousandths(payments.rate_spread).unwrap_or(RateSpread::NONE);
    let deals = payments.deals.iter().cloned().chain(sandbox_deals()).collect();
    ExchangeMarket::new(rates, spread)
        .with_lifetime(seconds(payments.quote_secs))
        .with_movement(payments.rate_movement)
        .with_agreed_rates(deals)
}

/// Source: PIS-108.
fn rails(config: &Config) -> Rails {
    config.payments.cut_offs.iter().fold(Rails::default(), |rails, cut_off| {
        let deadline = cut_off.last.map(|(hour, minute, lateness)| {
            let at = TimeOfDay { hour, minute };
            RailCutOff { at, lateness }
        });
        rails.with_deadline(cut_off.instrument, deadline)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::order::{AfterCutOffPolicy, Instrument};

    fn config(payments: &str) -> Config {
        Config::from_parts(&format!("[payments]\n{payments}"), &[]).unwrap()
    }

    #[test]
    fn int_015_the_usual_prices_are_those_of_the_sandbox() {
        assert_eq!(market(&config("")), ExchangeMarket::default());
        let own = "rates = [\"NOK 13.4\"]\nrate_spread = 0\nrate_movement = 0\nquote_secs = 60";
        assert_ne!(market(&config(own)), ExchangeMarket::default());
    }

    #[test]
    fn pis_108_cut_offs_are_set_by_instrument() {
        assert_eq!(rails(&config("")), Rails::default());
        let rails = rails(&config("cut_offs = [\"CHAPS none\", \"FPS 18:30 accept\"]"));
        assert_eq!(rails.for_instrument(Instrument::Chaps).deadline, None);
        let late = RailCutOff { at: TimeOfDay { hour: 18, minute: 30 }, lateness: AfterCutOffPolicy::Accepted };
        assert_eq!(rails.for_instrument(Instrument::FasterPayments).deadline, Some(late));
        assert_eq!(rails.for_instrument(Instrument::Bacs), Rails::default().for_instrument(Instrument::Bacs));
    }
}
