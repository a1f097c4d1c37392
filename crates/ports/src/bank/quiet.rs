//! A bank where nothing happens but what a test says, for tests of parts that need accounts and none of their records.

use super::{Answer, Bank, BankError, EntryFilter, PaymentScript, Period, StatementFilter, StatementFormat};
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::account::{
    Account, AccountParty, Balance, BalanceType, Beneficiary, DirectDebit, Offer, Party, Product, ScheduledPayment,
    StandingOrder, Statement, Transaction,
};
use lombard_domain::exchange::{Pair, Rate};
use lombard_domain::ids::{BankAccountId, PsuId, StatementId};
use lombard_domain::money::Signed;
use lombard_domain::order::Conditions;
use lombard_domain::page::Window;
use parking_lot::{Mutex, MutexGuard};

/// Accounts in memory, each with two balances of one hundred minor units and nothing else.
#[derive(Debug, Default)]
pub struct StubBank {
    held: Mutex<Vec<(PsuId, Account)>>,
    script: Mutex<PaymentScript>,
}

impl StubBank {
    /// A bank with these accounts, each held by one customer.
    pub fn with(accounts: impl IntoIterator<Item = (PsuId, Account)>) -> Self {
        Self { held: Mutex::new(accounts.into_iter().collect()), script: Mutex::default() }
    }

    /// Closes accounts.
    pub fn close(&self, closes: impl Fn(&PsuId, &BankAccountId) -> bool) {
        self.held.lock().retain(|(holder, account)| !closes(holder, &account.id));
    }

    /// Says this to every payment from now on.
    pub fn say(&self, conditions: Conditions) {
        self.script().conditions = conditions;
    }

    /// From now on so much may leave the account, and all of these must agree to it.
    pub fn provide(&self, account: BankAccountId, available: Signed, signatories: Vec<PsuId>) {
        self.script().means.insert(account, (available, signatories));
    }

    /// From now on this is its price for an exchange, and that when it tells it.
    pub fn set_exchange_price(&self, pair: Pair, price: Rate, now: Timestamp) {
        let mut script = self.script();
        script.prices.insert(pair, price);
        script.now = now;
    }

    /// What becomes of payments, to be changed and looked at.
    pub fn script(&self) -> MutexGuard<'_, PaymentScript> {
        self.script.lock()
    }

    /// The accounts that fit, with who holds each.
    pub(super) fn held(&self, fits: impl Fn(&PsuId, &Account) -> bool) -> Vec<(PsuId, Account)> {
        self.held.lock().iter().filter(|(holder, account)| fits(holder, account)).cloned().collect()
    }

    fn answer<T>(&self, accounts: &[BankAccountId]) -> Answer<T> {
        Answer::empty(self.held.lock().iter().any(|(_, account)| accounts.contains(&account.id)))
    }
}

#[async_trait]
impl Bank for StubBank {
    async fn accounts(&self, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError> {
        let held = self.held.lock();
        let find =
            |id: &BankAccountId| held.iter().find(|(_, account)| account.id == *id).map(|(_, account)| account.clone());
        Ok(ids.iter().filter_map(find).collect())
    }

    async fn eligible_accounts(&self, psu: &PsuId) -> Result<Vec<Account>, BankError> {
        let held = self.held.lock();
        Ok(held.iter().filter(|(holder, _)| holder == psu).map(|(_, account)| account.clone()).collect())
    }

    async fn balances(&self, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError> {
        let balance = |account: &Account, kind| Balance {
            account: account.id.clone(),
            kind,
            at: account.status_changed_at,
            sum: Signed::from_minor(100, account.currency),
            credit_lines: Vec::new(),
        };
        let kinds = [BalanceType::InterimAvailable, BalanceType::InterimBooked];
        let accounts = self.accounts(ids).await?;
        Ok(accounts.iter().flat_map(|account| kinds.map(|kind| balance(account, kind))).collect())
    }

    async fn transactions(
        &self,
        covered: &EntryFilter,
        _: Period,
        _: &Window,
    ) -> Result<Answer<Transaction>, BankError> {
        Ok(self.answer(&covered.accounts))
    }

    async fn beneficiaries(&self, accounts: &[BankAccountId], _: &Window) -> Result<Answer<Beneficiary>, BankError> {
        Ok(self.answer(accounts))
    }

    async fn direct_debits(&self, accounts: &[BankAccountId], _: &Window) -> Result<Answer<DirectDebit>, BankError> {
        Ok(self.answer(accounts))
    }

    async fn standing_orders(
        &self,
        accounts: &[BankAccountId],
        _: &Window,
    ) -> Result<Answer<StandingOrder>, BankError> {
        Ok(self.answer(accounts))
    }

    async fn scheduled_payments(
        &self,
        accounts: &[BankAccountId],
        _: &Window,
    ) -> Result<Answer<ScheduledPayment>, BankError> {
        Ok(self.answer(accounts))
    }

    async fn products(&self, accounts: &[BankAccountId], _: &Window) -> Result<Answer<Product>, BankError> {
        Ok(self.answer(accounts))
    }

    async fn offers(&self, accounts: &[BankAccountId], _: &Window) -> Result<Answer<Offer>, BankError> {
        Ok(self.answer(accounts))
    }

    async fn parties(&self, accounts: &[BankAccountId], _: &Window) -> Result<Answer<AccountParty>, BankError> {
        Ok(self.answer(accounts))
    }

    async fn party_of(&self, _: &PsuId) -> Result<Option<Party>, BankError> {
        Ok(None)
    }

    async fn statements(
        &self,
        covered: &StatementFilter,
        _: Period,
        _: &Window,
    ) -> Result<Answer<Statement>, BankError> {
        Ok(self.answer(&covered.accounts))
    }

    async fn statement(&self, _: &BankAccountId, _: &StatementId) -> Result<Option<Statement>, BankError> {
        Ok(None)
    }

    async fn statement_file(
        &self,
        _: &BankAccountId,
        _: &StatementId,
        _: StatementFormat,
    ) -> Result<Option<Vec<u8>>, BankError> {
        Ok(None)
    }
}
