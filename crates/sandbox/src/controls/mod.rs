//! The sandbox's controls. [`BuiltInBankControls`] changes the tables of the built-in bank, and [`ServerControls`] changes those of the
//! server.
//!
//! The bank may run in the server's process or in its own process. [`ServerControls`] calls the bank through the port [`BankControls`].
//! The clock is the only state in memory, so any number of nodes may offer the controls.

mod accounts;
mod bank;
mod clock;
mod consents;
mod customers;
mod entries;
mod events;
mod orders;
mod reset;
mod settle;
mod snapshots;
#[cfg(test)]
mod tests;

pub use bank::BuiltInBankControls;
pub use clock::{BankClock, ClockOffset, FollowedClock};
pub use customers::BuiltInCustomers;

use crate::joint::JointStore;
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_auth::throttle::forget_failures_in;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, EventId, FapiInteractionId, OrderId, PsuId};
use lombard_ports::controls::{
    AccountClosure, AccountEdit, AccountView, AddedEntry, BankControls, ClockMove, ClosedAccount, ConsentDecision,
    ControlError, CountersignDecision, CustomerChange, CustomerView, ImportSummary, NewEntry, OrderDetails,
    OrderOutcome, OrderPlan, ResetContents, SandboxControls, Snapshot, SnapshotAction, SnapshotName,
};
use lombard_service::Context;
use snapshots::SnapshotRequest;
pub use snapshots::snapshot_names;
use std::sync::Arc;
use std::time::Duration;

/// The controls of a sandbox as its server offers them. Clones share them.
#[derive(Debug, Clone)]
pub struct ServerControls {
    context: Context,
    bank: Arc<dyn BankControls>,
    clock: BankClock,
    /// The bank in this process, whose tables are reset together with the server's.
    joint: Option<JointBank>,
}

#[derive(Debug, Clone)]
struct JointBank {
    store: JointStore,
    /// The seed of the default customers.
    seed: u64,
}

impl ServerControls {
    /// Controls of the built-in bank in the server's process and database.
    pub fn of_built_in(context: Context, bank: BuiltInBankControls, joint: JointStore, clock: BankClock) -> Self {
        let joint = Some(JointBank { store: joint, seed: bank.seed() });
        Self { context, bank: Arc::new(bank), clock, joint }
    }

    /// Controls of a built-in bank in another process. `clock` must follow the bank's clock.
    pub fn of_process(context: Context, bank: Arc<dyn BankControls>, clock: BankClock) -> Self {
        Self { context, bank, clock, joint: None }
    }

    /// The context of workers. The present request did not cause the due work, so the context names no request.
    fn workers(&self) -> Context {
        self.context.caused_by(None)
    }
}

#[async_trait]
impl SandboxControls for ServerControls {
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

    async fn due_work_run_all(&self, within: Duration) -> Result<Vec<&'static str>, ControlError> {
        Ok(settle::run_due_work(&self.workers(), &*self.bank, within).await)
    }

    async fn due_work_list(&self) -> Result<Vec<&'static str>, ControlError> {
        Ok(settle::pending_work(&self.workers(), &*self.bank).await)
    }

    async fn customer_views(&self) -> Result<Vec<CustomerView>, ControlError> {
        self.bank.customer_views().await
    }

    async fn customer_unlock(&self, psu: &PsuId) -> Result<(), ControlError> {
        let found = self.bank.find_customer(psu).await?;
        let customer = found.ok_or(customers::NO_CUSTOMER)?;
        self.context.store.write(move |tx| Ok(forget_failures_in(tx, customer.psu.as_str())?)).await
    }

    async fn customer_change(&self, psu: &PsuId, change: &CustomerChange) -> Result<CustomerView, ControlError> {
        self.bank.customer_change(psu, change).await
    }

    async fn consent_authorise(
        &self,
        consent: &ConsentId,
        decision: &ConsentDecision,
    ) -> Result<Consent, ControlError> {
        self.clock.adopt_stored_offset().await?;
        consents::authorise(&self.context, &*self.bank, consent, decision).await
    }

    async fn order_plan(&self, consent: &ConsentId, plan: OrderPlan) -> Result<(), ControlError> {
        consents::require_payment(&self.context, consent).await?;
        self.bank.order_plan(consent, plan).await
    }

    async fn consent_revoke(&self, consent: &ConsentId) -> Result<Consent, ControlError> {
        self.clock.adopt_stored_offset().await?;
        consents::revoke(&self.context, consent).await
    }

    async fn account_close(&self, account: &BankAccountId, end: AccountClosure) -> Result<ClosedAccount, ControlError> {
        self.clock.adopt_stored_offset().await?;
        accounts::end_account(&self.context, &*self.bank, account, end).await
    }

    async fn account_change(&self, account: &BankAccountId, change: &AccountEdit) -> Result<AccountView, ControlError> {
        self.bank.account_change(account, change).await
    }

    async fn entry_add(&self, account: &BankAccountId, entry: NewEntry) -> Result<AddedEntry, ControlError> {
        self.clock.adopt_stored_offset().await?;
        let entry = NewEntry { id: self.context.ids.ordered(), ..entry };
        self.bank.entry_add(account, &entry).await
    }

    async fn order(&self, order: &OrderId) -> Result<OrderDetails, ControlError> {
        orders::show(&self.context, order).await
    }

    async fn order_outcome(&self, order: &OrderId, outcome: OrderOutcome) -> Result<OrderDetails, ControlError> {
        self.clock.adopt_stored_offset().await?;
        orders::force_order_outcome(&self.context, &*self.bank, order, outcome).await
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
        self.bank.data_export().await
    }

    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ControlError> {
        self.bank.data_import(file, rebase).await
    }

    async fn reset(&self, to: ResetContents) -> Result<Timestamp, ControlError> {
        match &self.joint {
            Some(JointBank { store, seed }) => {
                let wall = self.context.clocks.wall_now();
                let start = reset::generate_contents(wall, to, *seed).await?;
                reset::reset_jointly(store, wall, start).await?;
            }
            None => reset::reset_both(&self.context.store, &*self.bank, to).await?,
        }
        self.clock().await
    }

    async fn snapshot(&self, action: SnapshotAction, name: &SnapshotName) -> Result<Snapshot, ControlError> {
        self.clock.adopt_stored_offset().await?;
        let order = SnapshotRequest { action, name: name.clone(), wall: self.context.clocks.wall_now() };
        let snapshot = match &self.joint {
            Some(JointBank { store, .. }) => snapshots::carry_out_jointly(store, order).await?,
            None => snapshots::carry_out_at_both(&self.context.store, &*self.bank, order).await?,
        };
        self.clock.adopt_stored_offset().await?;
        Ok(snapshot)
    }

    async fn snapshots(&self) -> Result<Vec<Snapshot>, ControlError> {
        snapshots::saved(&self.context.store).await
    }

    async fn events_raise(&self, client: &ClientId, count: u32) -> Result<Vec<EventId>, ControlError> {
        events::raise(&self.context, client, count).await
    }
}
