//! Chooses the bank's core and the identity provider.

use super::StartError;
use super::bank_client::{BankProcessClient, UnusableConnection};
use super::payments::seconds;
use super::secrets::InstallationSecret;
use crate::config::{BankKind, Config, CoreConnection};
use lombard_connector::{ConnectorError, ConnectorSettings, CoreIdentity, HttpBank, UpdatesHeldInStore};
use lombard_corebank::BuiltInBank;
use lombard_corebank::market::{ExchangeMarket, sandbox_agreed_rates};
use lombard_corebank::payments::{RailCutOff, Rails, TimeOfDay};
use lombard_corebank::storage::BankStore;
use lombard_database::{Database, Schema};
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{MiddleRates, RateSpread};
use lombard_ports::bank::{Bank, Scheduler};
use lombard_ports::clock::Clocks;
use lombard_ports::controls::CustomerSource;
use lombard_ports::entropy::Entropy;
use lombard_ports::identity::IdentityProvider;
use lombard_ports::store::{Quarantine, Store};
use lombard_sandbox::SandboxIdentity;
use lombard_sandbox::controls::{BankClock, BuiltInBankControls, BuiltInCustomers};
use lombard_sandbox::joint::{self, JointStore};
use std::sync::Arc;
use url::Url;

/// The default middle rates: the amount of each currency that one pound buys.
pub(crate) use lombard_corebank::STORED_DATA as BANK_STORED_DATA;
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
    market: Arc<ExchangeMarket>,
    rails: Rails,
    is_sandbox: bool,
}

/// The parts that a core needs when it is opened.
#[derive(Debug, Clone, Copy)]
pub(super) struct CoreParts<'a> {
    /// The server's database, which also contains the tables of the built-in bank.
    pub(super) database: &'a Database,
    /// The server's tables.
    pub(super) store: &'a Store,
    /// The bank's clock and the wall clock.
    pub(super) clocks: &'a Clocks,
    /// The source of random numbers.
    pub(super) entropy: &'a Arc<dyn Entropy>,
    /// The core of the program that embeds this one.
    pub(super) embedded: Option<&'a Core>,
}

/// The configured core. Clones share it.
#[derive(Debug, Clone)]
pub(super) enum ConfiguredCore {
    /// The built-in bank in the server's database.
    BuiltIn(BuiltIn),
    /// A core that speaks the core API.
    Http {
        /// The core's port.
        bank: Arc<dyn Bank>,
        /// The customers and controls of the core, in a sandbox.
        sandbox: Option<BankProcessClient>,
    },
    /// The core of the program that embeds this one.
    Embedded(Core),
}

impl ConfiguredCore {
    /// Opens the configured core.
    ///
    /// # Errors
    /// [`StartError::NoCore`] if the program embeds no core, which [`check_installation`](super::check_installation) finds before a start;
    /// [`StartError::File`] and [`StartError::Core`] for a connection that cannot be used.
    pub(super) fn open(config: &Config, parts: CoreParts<'_>) -> Result<Self, StartError> {
        match config.bank.kind {
            BankKind::Builtin => Ok(Self::BuiltIn(BuiltIn::on_database(config, parts.database))),
            BankKind::Http => Self::connect(config, parts),
            BankKind::Embedded => parts.embedded.cloned().map(Self::Embedded).ok_or(StartError::NoCore),
        }
    }

    fn connect(config: &Config, parts: CoreParts<'_>) -> Result<Self, StartError> {
        let loaded = CoreConnection::load(config)
            .map_err(|(setting, file, reason)| StartError::unusable_file(setting, &file, reason))?;
        let connection = loaded.ok_or(StartError::NoCore)?;
        let unusable = |error: UnusableConnection| StartError::Core(Box::new(error));
        let sandbox = config.is_sandbox().then(|| BankProcessClient::new(&connection).map_err(unusable)).transpose()?;
        let unusable = |error: ConnectorError| StartError::Core(Box::new(error));
        let url = Url::parse(&connection.url).map_err(|_| unusable(ConnectorError::Address))?;
        let identity = CoreIdentity { chain: connection.chain.clone(), key: Arc::new(connection.private_key().into()) };
        let settings = ConnectorSettings::new(url, connection.anchors.clone(), identity);
        let held = Arc::new(UpdatesHeldInStore::new(parts.store.clone(), parts.clocks.clone()));
        let bank = HttpBank::new(settings, held, Arc::clone(parts.entropy)).map_err(unusable)?;
        Ok(Self::Http { bank: Arc::new(bank), sandbox })
    }

    /// Returns the core of a server. A configured OpenID provider replaces the core's own logins.
    ///
    /// # Errors
    /// [`StartError::NoCore`] if the core has no identity provider; the rules between settings exclude this.
    pub(super) fn core(
        &self,
        clocks: &Clocks,
        secret: &InstallationSecret,
        provider: Option<Arc<dyn IdentityProvider>>,
    ) -> Result<Core, StartError> {
        let logins = |customers: Arc<dyn CustomerSource>| -> Arc<dyn IdentityProvider> {
            Arc::new(SandboxIdentity::new(customers, *secret.derive_key("one-time codes")))
        };
        Ok(match self {
            Self::BuiltIn(built_in) => {
                let (bank, scheduler) = built_in.bank(clocks);
                let identity = provider.unwrap_or_else(|| logins(built_in.customers()));
                Core { bank, identity, scheduler: Some(scheduler), quarantine: self.quarantine() }
            }
            Self::Http { bank, sandbox } => {
                let own = || sandbox.clone().map(|customers| logins(Arc::new(customers)));
                let identity = provider.or_else(own).ok_or(StartError::NoCore)?;
                Core { bank: Arc::clone(bank), identity, scheduler: None, quarantine: None }
            }
            Self::Embedded(core) => match provider {
                Some(identity) => Core { identity, ..core.clone() },
                None => core.clone(),
            },
        })
    }

    /// The port of the bank.
    pub(super) fn bank(&self, clocks: &Clocks) -> Arc<dyn Bank> {
        match self {
            Self::BuiltIn(built_in) => built_in.bank(clocks).0,
            Self::Http { bank, .. } => Arc::clone(bank),
            Self::Embedded(core) => Arc::clone(&core.bank),
        }
    }

    /// Whether changes of consents are reported to the bank.
    pub(super) fn takes_consent_changes(&self) -> bool {
        match self {
            Self::BuiltIn(_) => false,
            Self::Http { bank, .. } => bank.takes_consent_changes(),
            Self::Embedded(core) => core.bank.takes_consent_changes(),
        }
    }

    /// The core's quarantined work, if this program stores it.
    pub(super) fn quarantine(&self) -> Option<Arc<dyn Quarantine>> {
        match self {
            Self::BuiltIn(built_in) => Some(Arc::new(built_in.store.clone())),
            Self::Http { .. } => None,
            Self::Embedded(core) => core.quarantine.clone(),
        }
    }
}

/// The schemas of the configured core, which are needed in addition to the server's schema.
pub(super) fn schemas(config: &Config) -> Vec<&'static Schema> {
    let mut schemas = vec![&lombard_store::SCHEMA];
    if config.bank.kind == BankKind::Builtin {
        schemas.push(&lombard_corebank::SCHEMA);
    }
    schemas
}

/// The schemas of the built-in bank in its own process.
pub(super) const BANK_SCHEMAS: [&Schema; 1] = [&lombard_corebank::SCHEMA];

impl BuiltIn {
    /// Opens the built-in bank's store in this database.
    pub(super) fn on_database(config: &Config, database: &Database) -> Self {
        Self {
            store: lombard_corebank::open_bank_store(database.clone()),
            joint: joint::on_database(database.clone()),
            market: Arc::new(market(config)),
            rails: rails(config),
            is_sandbox: config.is_sandbox(),
        }
    }

    /// Returns the port of the bank, and its scheduled work.
    pub(super) fn bank(&self, clocks: &Clocks) -> (Arc<dyn Bank>, Arc<dyn Scheduler>) {
        let bank = BuiltInBank::new(self.store.clone(), clocks.clone());
        let bank = bank.with_rails(self.rails.clone()).with_market(Arc::clone(&self.market));
        let bank = if self.is_sandbox { bank.with_order_plans() } else { bank };
        let scheduler = Arc::new(bank.scheduler());
        (Arc::new(bank), scheduler)
    }

    /// The bank's side of the sandbox's controls. `clock` must be the bank's.
    pub(super) fn controls(&self, config: &Config, clock: BankClock) -> BuiltInBankControls {
        BuiltInBankControls::new(self.store.clone(), clock, config.sandbox.seed)
            .with_market(Arc::clone(&self.market))
            .with_scottish_quarter_days(config.payments.scottish_quarter_days)
    }

    /// The bank's customers, for the sandbox's logins.
    pub(super) fn customers(&self) -> Arc<dyn CustomerSource> {
        Arc::new(BuiltInCustomers::new(self.store.clone()))
    }
}

/// The built-in bank's exchange market, with daily movements of rates and the sandbox's agreed rates.
fn market(config: &Config) -> ExchangeMarket {
    let payments = &config.payments;
    let rates = payments.rates.iter().map(|it| (it.currency, it.rate)).collect();
    // `config::rules` and the setting's range exclude duplicate currencies and a spread of 100 %.
    let rates = MiddleRates::new(Currency::GBP, rates).unwrap_or_else(|_| MiddleRates::base_only(Currency::GBP));
    let spread = RateSpread::from_ten_thousandths(payments.rate_spread).unwrap_or(RateSpread::NONE);
    let deals = payments.deals.iter().cloned().chain(sandbox_agreed_rates()).collect();
    ExchangeMarket::new(rates, spread)
        .with_lifetime(seconds(payments.quote_secs))
        .with_movement(payments.rate_movement)
        .with_agreed_rates(deals)
}

/// The payment rails with the configured cut-off times. Source: PIS-108.
fn rails(config: &Config) -> Rails {
    config.payments.cut_offs.iter().fold(Rails::default(), |rails, cut_off| {
        let deadline = cut_off.last.map(|(hour, minute, lateness)| {
            let at = TimeOfDay { hour, minute };
            RailCutOff { at, late_policy: lateness }
        });
        rails.with_cut_off(cut_off.instrument, deadline)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use lombard_domain::payment::transfer::{AfterCutOffPolicy, Instrument};

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
        assert_eq!(rails.for_instrument(Instrument::Chaps).cut_off, None);
        let late = RailCutOff { at: TimeOfDay { hour: 18, minute: 30 }, late_policy: AfterCutOffPolicy::Accepted };
        assert_eq!(rails.for_instrument(Instrument::FasterPayments).cut_off, Some(late));
        assert_eq!(rails.for_instrument(Instrument::Bacs), Rails::default().for_instrument(Instrument::Bacs));
    }
}
