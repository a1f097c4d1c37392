//! The built-in bank of a sandbox, in this process or in its own: its customers, clock and controls.

use super::CoreServices;
use super::bank_client::BankProcessClient;
use super::core::{BuiltIn, ConfiguredCore};
use crate::config::Config;
use jiff::Timestamp;
use lombard_domain::ids::PsuId;
use lombard_ports::controls::{BankControls, ControlError, CustomerSource, ImportSummary, SandboxControls};
use lombard_sandbox::controls::{BankClock, FollowedClock, ServerControls};
use lombard_sandbox::data_file::{self, ImportError, ImportOptions};
use lombard_sandbox::seed::{self, SeedError, SeedProgress};
use lombard_service::Context;
use std::sync::Arc;

/// The built-in bank of a sandbox. Clones share it.
#[derive(Debug, Clone)]
pub(super) enum SandboxBank {
    /// The bank runs in this process and uses the server's database.
    BuiltIn(BuiltIn),
    /// The bank runs in its own process.
    Process(BankProcessClient),
}

impl SandboxBank {
    /// The built-in bank of the configured core; `None` in production, and for any other core.
    pub(super) fn of_core(core: &ConfiguredCore) -> Option<Self> {
        match core {
            ConfiguredCore::BuiltIn(built_in) => Some(Self::BuiltIn(built_in.clone())),
            ConfiguredCore::Http { sandbox, .. } => sandbox.clone().map(Self::Process),
            ConfiguredCore::Embedded(_) => None,
        }
    }

    /// The bank's clock, which this server's clocks follow.
    pub(super) fn clock(&self, services: &CoreServices) -> BankClock {
        let clocks = services.clocks.clone();
        match self {
            Self::BuiltIn(built_in) => BankClock::new(built_in.joint.clone(), clocks),
            Self::Process(client) => {
                let followed = FollowedClock::new(Arc::new(client.clone()), services.store.clone());
                BankClock::new(followed, clocks)
            }
        }
    }

    /// The controls that the ops listener offers.
    pub(super) fn controls(&self, config: &Config, context: Context, clock: BankClock) -> Arc<dyn SandboxControls> {
        Arc::new(match self {
            Self::BuiltIn(built_in) => {
                let bank = built_in.controls(config, clock.clone());
                ServerControls::of_built_in(context, bank, built_in.joint.clone(), clock)
            }
            Self::Process(client) => ServerControls::of_process(context, Arc::new(client.clone()), clock),
        })
    }

    /// Creates the default customers, unless the bank has customers. A bank in its own process creates them itself.
    pub(super) async fn seed(&self, now: Timestamp, seed: u64, progress: &dyn SeedProgress) -> Result<(), SeedError> {
        match self {
            Self::BuiltIn(built_in) => seed::seed_sandbox(&built_in.store, now, seed, progress).await,
            Self::Process(_) => Ok(()),
        }
    }

    /// Whether there is a customer with this id.
    pub(super) async fn has_customer(&self, psu: &PsuId) -> Result<bool, ControlError> {
        let found = match self {
            Self::BuiltIn(built_in) => built_in.customers().find_customer(psu).await,
            Self::Process(client) => client.find_customer(psu).await,
        };
        found.map(|found| found.is_some())
    }

    /// Exports all customers, accounts and histories as a data file.
    pub(super) async fn data_export(&self, services: &CoreServices) -> Result<Vec<u8>, ControlError> {
        match self {
            Self::BuiltIn(built_in) => {
                self.clock(services).adopt_stored_offset().await?;
                Ok(data_file::export_data_file(&built_in.store, services.clocks.bank_now()).await?)
            }
            Self::Process(client) => client.data_export().await,
        }
    }

    /// Imports the customers and accounts of a data file, all or none.
    pub(super) async fn data_import(
        &self,
        services: &CoreServices,
        file: Vec<u8>,
        options: ImportOptions,
        progress: Arc<dyn SeedProgress>,
    ) -> Result<ImportSummary, ControlError> {
        match self {
            Self::BuiltIn(built_in) => {
                self.clock(services).adopt_stored_offset().await?;
                let now = services.clocks.bank_now();
                let imported = data_file::import_data_file(&built_in.store, file, now, options, progress).await;
                imported.map_err(|error| match error {
                    ImportError::Faulty(faults) => ControlError::Faulty(faults),
                    ImportError::Store(error) => error.into(),
                })
            }
            Self::Process(client) => client.data_import(file, options.rebase).await,
        }
    }
}
