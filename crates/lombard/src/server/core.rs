//! The bank's core and the identity provider: the one place that chooses them.

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
use lombard_sandbox::joint::{self, JointStore};
use std::sync::Arc;

/// Middle rates unless others are set: how much of each currency one pound is.
pub(crate) use lombard_corebank::market::MIDDLE as MIDDLE_RATES;
/// How much prices move from day to day unless set, in ten-thousandths.
pub(crate) use lombard_corebank::market::MOVEMENT as RATE_MOVEMENT;
/// What the bank keeps of each rate unless set, in ten-thousandths of it.
pub(crate) use lombard_corebank::market::SPREAD as RATE_SPREAD;

/// What a server needs of a bank. Cloning shares it.
#[derive(Debug, Clone)]
pub struct Core {
    /// Accounts, and the payments made from them.
    pub bank: Arc<dyn Bank>,
    /// Who customers are.
    pub identity: Arc<dyn IdentityProvider>,
    /// What the core does by itself inside this program.
    pub scheduler: Option<Arc<dyn Scheduler>>,
    /// Work of the core that cannot be done.
    pub quarantine: Option<Arc<dyn Quarantine>>,
}

/// The built-in bank's own things, which only a sandbox asks for. Cloning shares them.
#[derive(Debug, Clone)]
pub(super) struct BuiltIn {
    pub(super) store: BankStore,
    pub(super) joint: JointStore,
    pub(super) market: Arc<ExchangeMarket>,
    rails: Rails,
}

/// The tables that the configured core keeps beside the server's.
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
    /// Its store in the server's database; `None` if another core is configured. Only a sandbox has it (`config::rules`).
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
            identity: Arc::new(SandboxIdentity::new(self.store.clone(), codes)),
            quarantine: Some(self.quarantine()),
        }
    }

    /// Work of the built-in bank that cannot be done.
    fn quarantine(&self) -> Arc<dyn Quarantine> {
        Arc::new(self.store.clone())
    }
}

/// The configured core: the built-in one, or the one that the program embeds. `None` if it embeds none, which
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

/// The quarantine of the configured core, if it keeps one.
pub(super) fn quarantine(built_in: Option<&BuiltIn>, embedded: Option<&Core>) -> Option<Arc<dyn Quarantine>> {
    match built_in {
        Some(built_in) => Some(built_in.quarantine()),
        None => embedded?.quarantine.clone(),
    }
}

/// What the built-in bank asks for foreign money: prices move by themselves, and there are deals that nobody made.
fn market(config: &Config) -> ExchangeMarket {
    let payments = &config.payments;
    let rates = payments.rates.iter().map(|it| (it.currency, it.rate)).collect();
    // No currency has two rates (config::rules), and the spread is less than the whole.
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
