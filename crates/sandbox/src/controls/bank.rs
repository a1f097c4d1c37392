//! The bank's side of the controls, on the tables of the built-in bank.

use super::snapshots::{self, SnapshotRequest};
use super::{BankClock, BuiltInCustomers, accounts, customers, entries, orders, reset};
use crate::data_file::{self, ImportError, ImportOptions};
use crate::seed::NoSeedProgress;
use async_trait::async_trait;
use lombard_corebank::BankScheduler;
use lombard_corebank::market::ExchangeMarket;
use lombard_corebank::payments::force_outcome;
use lombard_corebank::storage::BankStore;
use lombard_domain::frequency::ScottishQuarterDays;
use lombard_domain::ids::{BankAccountId, ConsentId, FapiInteractionId, OrderId, PsuId};
use lombard_ports::controls::{
    AccountClosure, AccountEdit, AccountView, AddedEntry, BankControls, ClockMove, ClosedAccount, ControlError,
    CustomerChange, CustomerSource, CustomerView, ImportSummary, NewEntry, OrderOutcome, OrderPlan, ResetContents,
    SandboxCustomer, SnapshotAction, SnapshotName,
};
use lombard_ports::store::StoreError;
use std::sync::Arc;

/// The controls of the built-in bank in this process. Cloning shares them.
#[derive(Debug, Clone)]
pub struct BuiltInBankControls {
    store: BankStore,
    customers: BuiltInCustomers,
    clock: BankClock,
    /// The seed of the default customers.
    seed: u64,
    market: Arc<ExchangeMarket>,
    scottish_quarter_days: ScottishQuarterDays,
}

impl BuiltInBankControls {
    /// Controls of the bank in this store. `clock` must be the bank's clock and `seed` the seed of its default customers.
    pub fn new(store: BankStore, clock: BankClock, seed: u64) -> Self {
        let market = Arc::default();
        let scottish_quarter_days = ScottishQuarterDays::default();
        let customers = BuiltInCustomers::new(store.clone());
        Self { store, customers, clock, seed, market, scottish_quarter_days }
    }

    /// Sets the exchange market, which must be the bank's.
    #[must_use]
    pub fn with_market(self, market: Arc<ExchangeMarket>) -> Self {
        Self { market, ..self }
    }

    /// Sets the days of standing orders of data files on Scottish quarter days. Source: X-23.
    #[must_use]
    pub fn with_scottish_quarter_days(self, days: ScottishQuarterDays) -> Self {
        Self { scottish_quarter_days: days, ..self }
    }

    /// Creates a scheduler that runs in addition to the bank's own.
    fn scheduler(&self) -> BankScheduler {
        BankScheduler::new(self.store.clone(), self.clock.clocks().clone()).with_market(Arc::clone(&self.market))
    }

    /// The seed of the default customers.
    pub(super) const fn seed(&self) -> u64 {
        self.seed
    }
}

#[async_trait]
impl CustomerSource for BuiltInBankControls {
    async fn find_customer(&self, psu: &PsuId) -> Result<Option<SandboxCustomer>, ControlError> {
        self.customers.find_customer(psu).await
    }

    async fn list_customers(&self) -> Result<Vec<SandboxCustomer>, ControlError> {
        self.customers.list_customers().await
    }
}

#[async_trait]
impl BankControls for BuiltInBankControls {
    async fn clock_offset(&self) -> Result<i64, ControlError> {
        self.clock.adopt_stored_offset().await
    }

    async fn clock_move(&self, to: ClockMove) -> Result<i64, ControlError> {
        self.clock.move_offset(to).await
    }

    async fn due_work_run(&self) -> Result<u32, ControlError> {
        Ok(self.scheduler().run_due().await?)
    }

    async fn due_work_exists(&self) -> Result<bool, ControlError> {
        Ok(self.scheduler().has_due_work().await?)
    }

    async fn customer_views(&self) -> Result<Vec<CustomerView>, ControlError> {
        Ok(self.store.read(customers::all).await?)
    }

    async fn customer_change(&self, psu: &PsuId, change: &CustomerChange) -> Result<CustomerView, ControlError> {
        let psu = psu.clone();
        let change = change.clone();
        self.store.write(move |tx| customers::change_customer_in(tx, &psu, &change)).await
    }

    async fn account_end(
        &self,
        account: &BankAccountId,
        end: AccountClosure,
        interaction_id: Option<&FapiInteractionId>,
    ) -> Result<ClosedAccount, ControlError> {
        let account = account.clone();
        let clocks = self.clock.clocks().clone();
        let interaction_id = interaction_id.cloned();
        self.store.write(move |tx| accounts::end_account_in(tx, &clocks, &account, end, interaction_id.as_ref())).await
    }

    async fn account_change(&self, account: &BankAccountId, change: &AccountEdit) -> Result<AccountView, ControlError> {
        let account = account.clone();
        let change = change.clone();
        self.store.write(move |tx| accounts::change_account_in(tx, &account, &change)).await
    }

    async fn entry_add(&self, account: &BankAccountId, entry: &NewEntry) -> Result<AddedEntry, ControlError> {
        let account = account.clone();
        let entry = entry.clone();
        let clocks = self.clock.clocks().clone();
        self.store.write(move |tx| entries::add_entry_in(tx, &clocks, &account, &entry)).await
    }

    async fn order_outcome(&self, order: &OrderId, outcome: OrderOutcome) -> Result<(), ControlError> {
        let order = order.clone();
        let clocks = self.clock.clocks().clone();
        let market = Arc::clone(&self.market);
        let forced = self.store.write(move |tx| force_outcome(tx, &order, outcome, &clocks, &market)).await;
        forced.map(drop).map_err(orders::no_outcome)
    }

    async fn order_plan(&self, consent: &ConsentId, plan: OrderPlan) -> Result<(), ControlError> {
        let consent = consent.clone();
        Ok(self.store.write(move |tx| tx.order_plan_put(&consent, plan)).await?)
    }

    async fn data_export(&self) -> Result<Vec<u8>, ControlError> {
        self.clock.adopt_stored_offset().await?;
        Ok(data_file::export_data_file(&self.store, self.clock.now()).await?)
    }

    async fn data_import(&self, file: Vec<u8>, rebase: bool) -> Result<ImportSummary, ControlError> {
        self.clock.adopt_stored_offset().await?;
        let options = ImportOptions { rebase, scottish_quarter_days: self.scottish_quarter_days };
        let now = self.clock.now();
        let progress = Arc::new(NoSeedProgress);
        data_file::import_data_file(&self.store, file, now, options, progress).await.map_err(|error| match error {
            ImportError::Faulty(faults) => ControlError::Faulty(faults),
            ImportError::Store(error) => error.into(),
        })
    }

    async fn reset(&self, to: ResetContents) -> Result<(), ControlError> {
        let wall = self.clock.clocks().wall_now();
        let start = reset::generate_contents(wall, to, self.seed).await?;
        self.store.write::<_, StoreError, _>(move |tx| reset::reset_bank_in(tx, wall, &start)).await?;
        self.clock.adopt_stored_offset().await.map(drop)
    }
    async fn snapshot(&self, action: SnapshotAction, name: &SnapshotName) -> Result<(), ControlError> {
        let order = SnapshotRequest { action, name: name.clone(), wall: self.clock.clocks().wall_now() };
        self.store.write(move |tx| snapshots::carry_out_in_bank(tx, &order)).await?;
        self.clock.adopt_stored_offset().await.map(drop)
    }
}
