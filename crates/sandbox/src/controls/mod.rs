//! The sandbox's controls of the built-in bank: its clock, its customers and their decisions.
//!
//! The only state in memory is the clock, so any number of nodes may offer them.

mod accounts;
mod clock;
mod consents;
mod customers;
mod events;
mod orders;
mod reset;
#[cfg(test)]
mod tests;

pub use clock::BankClock;

use crate::data_file::{self, ImportError, ImportOptions};
use crate::joint::JointStore;
use crate::seed::NoSeedProgress;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_corebank::market::ExchangeMarket;
use lombard_corebank::storage::BankStore;
use lombard_domain::account::Account;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, EventId, FapiInteractionId, OrderId, PsuId};
use lombard_ports::controls::{
    AccountClosure, ClockMove, ConsentDecision, ControlError, CountersignDecision, CustomerView, ImportSummary,
    OrderDetails, OrderOutcome, ResetContents, SandboxControls,
};
use lombard_service::Context;
use std::sync::Arc;

/// The controls of a sandbox. Cloning shares them.
#[derive(Debug, Clone)]
pub struct BuiltInControls {
    context: Context,
    bank: BankStore,
    joint: JointStore,
    clock: BankClock,
    /// The seed of the default customers.
    seed: u64,
    market: Arc<ExchangeMarket>,
}

impl BuiltInControls {
    /// Controls of the bank in this context. `clock` must be the bank's clock and `seed` the seed of its default customers.
    pub fn new(context: Context, bank: BankStore, joint: JointStore, clock: BankClock, seed: u64) -> Self {
        Self { context, bank, joint, clock, seed, market: Arc::default() }
    }

    /// Sets the exchange market, which must be the bank's.
    #[must_use]
    pub fn with_market(self, market: Arc<ExchangeMarket>) -> Self {
        Self { market, ..self }
    }
}

#[async_trait]
impl SandboxControls for BuiltInControls {
    fn caused_by(self: Arc<Self>, call: &FapiInteractionId) -> Arc<dyn SandboxControls> {
        Arc::new(Self { context: self.context.caused_by(Some(call)), ..(*self).clone() })
    }

    async fn clock(&self) -> Result<Timestamp, ControlError> {
        // Another node may have moved the clock.
        self.clock.adopt_stored_offset().await?;
        Ok(self.clock.now())
    }

    async fn clock_move(&self, to: ClockMove) -> Result<Timestamp, ControlError> {
        self.clock.move_to(to).await
    }

    async fn psus(&self) -> Result<Vec<CustomerView>, ControlError> {
        Ok(self.bank.read(customers::all).await?)
    }

    async fn consent_authorise(
        &self,
        consent: &ConsentId,
        decision: &ConsentDecision,
    ) -> Result<Consent, ControlError> {
        self.clock.adopt_stored_offset().await?;
        consents::authorise(&self.context, &self.bank, consent, decision).await
    }

    async fn consent_revoke(&self, consent: &ConsentId) -> Result<Consent, ControlError> {
        self.clock.adopt_stored_offset().await?;
        consents::revoke(&self.context, consent).await
    }

    async fn account_end(&self, account: &BankAccountId, end: AccountClosure) -> Result<Account, ControlError> {
        self.clock.adopt_stored_offset().await?;
        accounts::end(&self.context, &self.joint, account, end).await
    }

    async fn order(&self, order: &OrderId) -> Result<OrderDetails, ControlError> {
        orders::show(&self.context, order).await
    }

    async fn order_outcome(&self, order: &OrderId, outcome: OrderOutcome) -> Result<OrderDetails, ControlError> {
        self.clock.adopt_stored_offset().await?;
        orders::force_order_outcome(&self.context, &self.bank, &self.market, order, outcome).await
    }

    async fn order_countersign(
        &self,
        order: &OrderId,
        psu: &PsuId,
        says: CountersignDecision,
    ) -> Result<OrderDetails, ControlError> {
        self.clock.adopt_stored_offset().await?;
        orders::countersign(&self.context, order, psu, says).await
    }

    async fn data_export(&self) -> Result<Vec<u8>, ControlError> {
        self.clock.adopt_stored_offset().await?;
        Ok(data_file::export_data_file(&self.bank, self.clock.now()).await?)
    }

    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ControlError> {
        self.clock.adopt_stored_offset().await?;
        let scottish_quarter_days = self.context.payments.limits.scottish_quarter_days;
        let options = ImportOptions { rebase, scottish_quarter_days };
        let imported =
            data_file::import_data_file(&self.bank, file, self.clock.now(), options, Arc::new(NoSeedProgress));
        imported.await.map_err(|error| match error {
            ImportError::Faulty(faults) => ControlError::Faulty(faults),
            ImportError::Store(error) => error.into(),
        })
    }

    async fn reset(&self, to: ResetContents) -> Result<Timestamp, ControlError> {
        reset::reset_sandbox(&self.context, &self.joint, &self.clock, to, self.seed).await
    }

    async fn events_raise(&self, client: &ClientId, count: u32) -> Result<Vec<EventId>, ControlError> {
        events::raise(&self.context, client, count).await
    }
}
