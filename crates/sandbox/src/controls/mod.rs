//! The sandbox's controls over the built-in bank: its clock, its customers, and what they decide.
//!
//! They keep nothing in memory but the clock, so any number of nodes may offer them.

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

use crate::bank::market::Market;
use crate::data_file::{self, ImportError};
use crate::seed::NoProgress;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::account::Account;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, EventId, FapiInteractionId, OrderId, PsuId};
use lombard_ports::controls::{
    AccountEnd, Beginning, ClockMove, ControlError, Controls, Countersign, Decision, Imported, Outcome, ShownCustomer,
    ShownOrder,
};
use lombard_service::{Context, Failure};
use std::sync::Arc;

/// The controls of a sandbox. Cloning shares them.
#[derive(Debug, Clone)]
pub struct SandboxControls {
    context: Context,
    clock: BankClock,
    /// What the usual customers follow from.
    seed: u64,
    market: Arc<Market>,
}

impl SandboxControls {
    /// Controls of the bank in this context; the clock must be its clock, and the seed what its usual customers follow
    /// from.
    pub fn new(context: Context, clock: BankClock, seed: u64) -> Self {
        Self { context, clock, seed, market: Arc::default() }
    }

    /// The same for a bank with other prices: those must be its own.
    #[must_use]
    pub fn with_market(self, market: Arc<Market>) -> Self {
        Self { market, ..self }
    }
}

#[async_trait]
impl Controls for SandboxControls {
    fn caused_by(self: Arc<Self>, call: &FapiInteractionId) -> Arc<dyn Controls> {
        Arc::new(Self { context: self.context.caused_by(Some(call)), ..(*self).clone() })
    }

    async fn clock(&self) -> Result<Timestamp, ControlError> {
        // Another node may have moved it a moment ago.
        self.clock.follow().await?;
        Ok(self.clock.now())
    }

    async fn clock_move(&self, to: ClockMove) -> Result<Timestamp, ControlError> {
        self.clock.move_to(to).await
    }

    async fn psus(&self) -> Result<Vec<ShownCustomer>, ControlError> {
        Ok(self.context.store.read(customers::all).await?)
    }

    async fn consent_authorise(&self, consent: &ConsentId, decision: &Decision) -> Result<Consent, ControlError> {
        self.clock.follow().await?;
        consents::authorise(&self.context, consent, decision).await
    }

    async fn consent_revoke(&self, consent: &ConsentId) -> Result<Consent, ControlError> {
        self.clock.follow().await?;
        consents::revoke(&self.context, consent).await
    }

    async fn account_end(&self, account: &BankAccountId, end: AccountEnd) -> Result<Account, ControlError> {
        self.clock.follow().await?;
        accounts::end(&self.context, account, end).await
    }

    async fn order(&self, order: &OrderId) -> Result<ShownOrder, ControlError> {
        orders::show(&self.context, order).await
    }

    async fn order_outcome(&self, order: &OrderId, outcome: Outcome) -> Result<ShownOrder, ControlError> {
        self.clock.follow().await?;
        orders::come_to(&self.context, &self.market, order, outcome).await
    }

    async fn order_countersign(
        &self,
        order: &OrderId,
        psu: &PsuId,
        says: Countersign,
    ) -> Result<ShownOrder, ControlError> {
        self.clock.follow().await?;
        orders::countersign(&self.context, order, psu, says).await
    }

    async fn data_export(&self) -> Result<Vec<u8>, ControlError> {
        self.clock.follow().await?;
        Ok(data_file::export(&self.context.store, self.clock.now()).await?)
    }

    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<Imported, ControlError> {
        self.clock.follow().await?;
        let imported = data_file::import(&self.context.store, file, self.clock.now(), rebase, Arc::new(NoProgress));
        imported.await.map_err(|error| match error {
            ImportError::Faulty(faults) => ControlError::Faulty(faults),
            ImportError::Store(error) => error.into(),
        })
    }

    async fn reset(&self, to: Beginning) -> Result<Timestamp, ControlError> {
        reset::begin_anew(&self.context, &self.clock, to, self.seed).await
    }

    async fn events_raise(&self, client: &ClientId, count: u32) -> Result<Vec<EventId>, ControlError> {
        events::raise(&self.context, client, count).await
    }
}

/// A failure where nothing that a tester asked for can be the cause.
fn unasked(failure: Failure) -> ControlError {
    match failure {
        Failure::Refused(refusal) => ControlError::Broken(format!("refused: {:?}", refusal.kind).into()),
        Failure::Unavailable(cause) => ControlError::Unavailable(cause),
        Failure::Broken(cause) => ControlError::Broken(cause),
    }
}
