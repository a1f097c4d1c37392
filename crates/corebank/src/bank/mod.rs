//! The built-in bank: answers the `Bank` port from the ledger in storage.
//!
//! The bank keeps nothing in memory, so any number of nodes may answer for the same ledger. The bank decides which accounts are
//! open to third parties; the service above the port decides what a TPP may see of those accounts.

mod customers;
mod payments;

use crate::account_availability::{is_shareable, shareable_accounts};
use crate::error::bank_error;
use crate::market::ExchangeMarket;
use crate::payments::Rails;
use crate::scheduler::BankScheduler;
use crate::storage::{
    AccountAvailability, AccountSums, ArrangementVariant, BankAccountRecord, BankStore, BankTransaction as Tables,
    EntryList,
};
use crate::{balances, statement_files};
use async_trait::async_trait;
use lombard_domain::account::{Account, Balance, Party, Statement, Transaction};
use lombard_domain::ids::{BankAccountId, PsuId, StatementId};
use lombard_domain::page::{ListWindow, Page};
use lombard_domain::payment::exchange::CurrencyPair;
use lombard_ports::bank::{
    AccountChange, Bank, BankError, CallContext, EntryFilter, ListAnswer, ListKind, ListVersion, ListedRecords,
    StatementFilter, StatementFormat, TimeRange,
};
use lombard_ports::clock::Clocks;
use lombard_ports::for_list;
use std::sync::Arc;
use tokio::sync::Notify;

/// The built-in bank. Clones share the store.
#[derive(Debug, Clone)]
pub struct BuiltInBank {
    store: BankStore,
    clocks: Clocks,
    render_limiter: statement_files::RenderLimiter,
    rails: Arc<Rails>,
    market: Arc<ExchangeMarket>,
    due_work_notify: Arc<Notify>,
    /// Whether the plans of testers are looked up for new orders.
    has_order_plans: bool,
}

impl BuiltInBank {
    /// Creates the bank on this store. The bank reads all times from its own clock.
    pub fn new(store: BankStore, clocks: Clocks) -> Self {
        Self {
            store,
            clocks,
            render_limiter: statement_files::RenderLimiter::default(),
            rails: Arc::default(),
            market: Arc::default(),
            due_work_notify: Arc::default(),
            has_order_plans: false,
        }
    }

    /// Replaces the rails.
    #[must_use]
    pub fn with_rails(self, rails: Rails) -> Self {
        Self { rails: Arc::new(rails), ..self }
    }

    /// Replaces the exchange market.
    #[must_use]
    pub fn with_market(self, market: Arc<ExchangeMarket>) -> Self {
        Self { market, ..self }
    }

    /// Makes the bank apply the outcomes that testers have planned for new orders ([`OrderPlan`](lombard_ports::controls::OrderPlan)). Only
    /// a sandbox does this; without this call, plans have no effect.
    #[must_use]
    pub fn with_order_plans(self) -> Self {
        Self { has_order_plans: true, ..self }
    }

    /// The exchange market.
    pub const fn market(&self) -> &Arc<ExchangeMarket> {
        &self.market
    }

    /// The scheduler of this bank, which is notified of submitted orders.
    pub fn scheduler(&self) -> BankScheduler {
        BankScheduler::new(self.store.clone(), self.clocks.clone())
            .with_due_work_notify(Arc::clone(&self.due_work_notify))
            .with_market(Arc::clone(&self.market))
    }

    /// Reads a page of arrangements of the shareable accounts, ordered by account and id.
    async fn list<T: ArrangementVariant>(
        &self,
        accounts: &[BankAccountId],
        window: &ListWindow,
    ) -> Result<ListAnswer<T>, BankError> {
        let (accounts, window) = (accounts.to_vec(), window.clone());
        let read = move |tx: &mut dyn Tables| {
            let open = shareable_accounts(tx, &accounts)?;
            if open.is_empty() {
                return Ok(None);
            }
            tx.arrangements(T::KIND, &open, &window).map(Some)
        };
        let Some(page) = self.store.read(read).await.map_err(bank_error)? else { return Ok(ListAnswer::empty(false)) };
        let Page { items, prev, next, as_of } = page;
        let items: Option<Vec<T>> = items.into_iter().map(T::from_arrangement).collect();
        let items = items.ok_or_else(|| BankError::Broken("a list holds a record of another kind".to_owned()))?;
        Ok(ListAnswer {
            page: Page { items, prev, next, as_of },
            available: None,
            has_open_account: true,
            version: None,
        })
    }
}

/// Whether at least one of the accounts may be shared with third parties, and the version of the entries of the shareable accounts.
fn version_of_open(accounts: Vec<(AccountAvailability, i64)>) -> (bool, ListVersion) {
    let open = accounts.into_iter().filter(|(account, _)| is_shareable(account.status, account.eligible));
    let versions: Vec<_> = open.map(|(account, version)| (account.id, version)).collect();
    (!versions.is_empty(), ListVersion::of_accounts(versions))
}

fn open_accounts(records: Vec<BankAccountRecord>) -> Vec<Account> {
    let open = |record: &BankAccountRecord| is_shareable(record.account.status, record.eligible);
    records.into_iter().filter(open).map(|record| record.account).collect()
}

#[async_trait]
impl Bank for BuiltInBank {
    async fn list_accounts(&self, _: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError> {
        let ids = ids.to_vec();
        self.store.read_by_one_query(move |tx| tx.bank_accounts(&ids)).await.map(open_accounts).map_err(bank_error)
    }

    async fn eligible_accounts(&self, _: &CallContext, psu: &PsuId) -> Result<Vec<Account>, BankError> {
        let psu = psu.clone();
        self.store.read_by_one_query(move |tx| tx.bank_accounts_of(&psu)).await.map(open_accounts).map_err(bank_error)
    }

    async fn list_balances(&self, _: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError> {
        let ids = ids.to_vec();
        let rows = self.store.read_by_one_query(move |tx| tx.account_sums(&ids)).await.map_err(bank_error)?;
        let now = self.clocks.bank_now();
        let mut list = Vec::with_capacity(rows.len().saturating_mul(2));
        for row in rows.iter().filter(|row: &&AccountSums| is_shareable(row.status, row.eligible)) {
            let pair = CurrencyPair { unit: row.currency, transfer: balances::LOCAL_CURRENCY };
            let rate = if pair.is_single_currency() { None } else { self.market.middle(pair, now) };
            list.extend(balances::build_balances(row, now, rate)?);
        }
        Ok(list)
    }

    async fn list_transactions(
        &self,
        _: &CallContext,
        covered: &EntryFilter,
        asked: TimeRange,
        window: &ListWindow,
    ) -> Result<ListAnswer<Transaction>, BankError> {
        let (covered, window) = (covered.clone(), window.clone());
        let read = move |tx: &mut dyn Tables| {
            let asked = covered.clone().restricted_to(asked);
            let EntryList { accounts, page, span } = tx.entry_list(&covered, asked.as_ref(), &window)?;
            let (open, version) = version_of_open(accounts);
            if !open {
                return Ok(ListAnswer::empty(false));
            }
            Ok(ListAnswer { page, available: span, has_open_account: open, version: Some(version) })
        };
        self.store.read(read).await.map_err(bank_error)
    }

    fn pages_carry_versions(&self) -> bool {
        true
    }

    fn allows_early_reads(&self) -> bool {
        self.store.waits_for_server()
    }

    async fn entries_version(&self, _: &CallContext, ids: &[BankAccountId]) -> Result<Option<ListVersion>, BankError> {
        let ids = ids.to_vec();
        let found = self.store.read_by_one_query(move |tx| tx.entry_versions(&ids)).await.map_err(bank_error)?;
        Ok(Some(version_of_open(found).1))
    }

    async fn list_records(
        &self,
        _: &CallContext,
        kind: ListKind,
        accounts: &[BankAccountId],
        window: &ListWindow,
    ) -> Result<ListedRecords, BankError> {
        for_list!(kind, Record => self.list::<Record>(accounts, window).await)
    }

    async fn find_party(&self, _: &CallContext, psu: &PsuId) -> Result<Option<Party>, BankError> {
        let psu = psu.clone();
        let customer = self.store.read_by_one_query(move |tx| tx.customer(&psu)).await.map_err(bank_error)?;
        Ok(customer.and_then(|customer| customer.party))
    }

    async fn list_statements(
        &self,
        _: &CallContext,
        covered: &StatementFilter,
        asked: TimeRange,
        window: &ListWindow,
    ) -> Result<ListAnswer<Statement>, BankError> {
        let (covered, window) = (covered.clone(), window.clone());
        let read = move |tx: &mut dyn Tables| {
            let open = shareable_accounts(tx, &covered.accounts)?;
            if open.is_empty() {
                return Ok(ListAnswer::empty(false));
            }
            let covered = covered.clone().with_accounts(open);
            let page = match covered.restricted_to(asked) {
                Some(filter) => tx.statements(&filter, &window)?,
                None => Page::single_page(Vec::new()),
            };
            Ok(ListAnswer { page, available: tx.statement_span(&covered)?, has_open_account: true, version: None })
        };
        self.store.read(read).await.map_err(bank_error)
    }

    async fn find_statement(
        &self,
        _: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
    ) -> Result<Option<Statement>, BankError> {
        let (account, id) = (account.clone(), id.clone());
        let read = move |tx: &mut dyn Tables| match shareable_accounts(tx, std::slice::from_ref(&account))?.first() {
            Some(open) => tx.statement(open, &id),
            None => Ok(None),
        };
        self.store.read(read).await.map_err(bank_error)
    }

    async fn read_statement_file(
        &self,
        _: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
        format: StatementFormat,
    ) -> Result<Option<Vec<u8>>, BankError> {
        let (account, id) = (account.clone(), id.clone());
        let turn = self.render_limiter.acquire_permit().await?;
        let contents =
            self.store.read(move |tx| statement_files::contents(tx, &account, &id)).await.map_err(bank_error)?;
        match contents {
            Some(contents) => contents.write(turn, format).await.map(Some),
            None => Ok(None),
        }
    }

    async fn fetch_account_changes(&self, _: &CallContext, limit: u32) -> Result<Vec<AccountChange>, BankError> {
        self.store.read_by_one_query(move |tx| tx.account_changes(limit)).await.map_err(bank_error)
    }

    async fn acknowledge_account_changes(&self, _: &CallContext, upto: u64) -> Result<(), BankError> {
        self.store.write(move |tx| tx.account_changes_drop(upto)).await.map_err(bank_error)
    }

    async fn export_customer(&self, _: &CallContext, psu: &PsuId) -> Result<Option<Vec<u8>>, BankError> {
        customers::export(&self.store, psu).await
    }

    async fn erase_customer(&self, _: &CallContext, psu: &PsuId) -> Result<Option<String>, BankError> {
        customers::erase(&self.store, psu, self.clocks.bank_now()).await
    }
}
