//! A bank with scripted behaviour, for tests that need accounts without further records.

use super::{
    AccountChange, Bank, BankError, CallContext, ConsentChange, CoreState, EntryFilter, ListAnswer, ListKind,
    ListedRecords, PaymentCall, PaymentScript, StatementFilter, StatementFormat, TimeRange,
};
use async_trait::async_trait;
use jiff::Timestamp;
use lombard_domain::account::{
    Account, AccountStatus, AccountSubType, AccountType, Balance, BalanceType, Party, Statement, Transaction,
};
use lombard_domain::ids::{BankAccountId, PsuId, StatementId};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::page::ListWindow;
use lombard_domain::payment::exchange::{ConversionRate, CurrencyPair};
use lombard_domain::payment::transfer::PaymentConditions;
use parking_lot::{Mutex, MutexGuard};

/// Accounts in memory, each with two balances of one hundred minor units. The only other records are statements that a test adds.
#[derive(Debug, Default)]
pub struct StubBank {
    held: Mutex<Vec<(PsuId, Account)>>,
    statements: Mutex<Vec<Statement>>,
    script: Mutex<PaymentScript>,
}

/// A personal current account in sterling with its mandatory members only.
pub fn sample_account(id: impl Into<BankAccountId>) -> Account {
    Account {
        id: id.into(),
        status: AccountStatus::Enabled,
        status_changed_at: Timestamp::UNIX_EPOCH,
        currency: Currency::GBP,
        account_type: AccountType::Personal,
        sub_type: AccountSubType::CurrentAccount,
        description: None,
        nickname: None,
        opened_on: None,
        matures_on: None,
        switch_status: None,
        identifications: Vec::new(),
        servicer: None,
        lei: None,
        statement_delivery: Vec::new(),
        core_state: None,
    }
}

impl StubBank {
    /// A bank with these accounts and their holders.
    pub fn with_accounts(accounts: impl IntoIterator<Item = (PsuId, Account)>) -> Self {
        Self { held: Mutex::new(accounts.into_iter().collect()), ..Self::default() }
    }

    /// Closes accounts.
    pub fn close_accounts(&self, closes: impl Fn(&PsuId, &BankAccountId) -> bool) {
        self.held.lock().retain(|(holder, account)| !closes(holder, &account.id));
    }

    /// Adds a statement, which can be read by its id, also as a file.
    pub fn add_statement(&self, statement: Statement) {
        self.statements.lock().push(statement);
    }

    /// Sets the conditions of every payment.
    pub fn set_conditions(&self, conditions: PaymentConditions) {
        self.payment_script().conditions = conditions;
    }

    /// Sets the available amount and the signatories of an account.
    pub fn set_payer(&self, account: BankAccountId, available: SignedAmount, signatories: Vec<PsuId>) {
        self.payment_script().payer_overrides.insert(account, (available, signatories));
    }

    /// Sets the price of an exchange, and the time at which it is quoted.
    pub fn set_exchange_price(&self, pair: CurrencyPair, price: ConversionRate, now: Timestamp) {
        let mut script = self.payment_script();
        script.prices.insert(pair, price);
        script.now = now;
    }

    /// The script of payments, for reading and changing.
    pub fn payment_script(&self) -> MutexGuard<'_, PaymentScript> {
        self.script.lock()
    }

    /// The accounts that match, with their holders.
    pub(super) fn held(&self, fits: impl Fn(&PsuId, &Account) -> bool) -> Vec<(PsuId, Account)> {
        self.held.lock().iter().filter(|(holder, account)| fits(holder, account)).cloned().collect()
    }

    fn has_any(&self, accounts: &[BankAccountId]) -> bool {
        self.held.lock().iter().any(|(_, account)| accounts.contains(&account.id))
    }
}

#[async_trait]
impl Bank for StubBank {
    async fn list_accounts(&self, _: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError> {
        let held = self.held.lock();
        let find =
            |id: &BankAccountId| held.iter().find(|(_, account)| account.id == *id).map(|(_, account)| account.clone());
        Ok(ids.iter().filter_map(find).collect())
    }

    async fn eligible_accounts(&self, _: &CallContext, psu: &PsuId) -> Result<Vec<Account>, BankError> {
        let held = self.held.lock();
        Ok(held.iter().filter(|(holder, _)| holder == psu).map(|(_, account)| account.clone()).collect())
    }

    async fn list_balances(&self, call: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError> {
        let balance = |account: &Account, kind| Balance {
            account: account.id.clone(),
            kind,
            at: account.status_changed_at,
            sum: SignedAmount::from_minor(100, account.currency),
            local: None,
            credit_lines: Vec::new(),
        };
        let kinds = [BalanceType::InterimAvailable, BalanceType::InterimBooked];
        let accounts = self.list_accounts(call, ids).await?;
        Ok(accounts.iter().flat_map(|account| kinds.map(|kind| balance(account, kind))).collect())
    }

    async fn list_transactions(
        &self,
        _: &CallContext,
        covered: &EntryFilter,
        _: TimeRange,
        _: &ListWindow,
    ) -> Result<ListAnswer<Transaction>, BankError> {
        Ok(ListAnswer::empty(self.has_any(&covered.accounts)))
    }

    async fn list_records(
        &self,
        _: &CallContext,
        kind: ListKind,
        accounts: &[BankAccountId],
        _: &ListWindow,
    ) -> Result<ListedRecords, BankError> {
        Ok(ListedRecords::empty(kind, self.has_any(accounts)))
    }

    async fn find_party(&self, _: &CallContext, _: &PsuId) -> Result<Option<Party>, BankError> {
        Ok(None)
    }

    async fn list_statements(
        &self,
        _: &CallContext,
        covered: &StatementFilter,
        _: TimeRange,
        _: &ListWindow,
    ) -> Result<ListAnswer<Statement>, BankError> {
        Ok(ListAnswer::empty(self.has_any(&covered.accounts)))
    }

    async fn find_statement(
        &self,
        _: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
    ) -> Result<Option<Statement>, BankError> {
        Ok(self.statements.lock().iter().find(|it| it.account == *account && it.id == *id).cloned())
    }

    async fn read_statement_file(
        &self,
        call: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
        _: StatementFormat,
    ) -> Result<Option<Vec<u8>>, BankError> {
        Ok(self.find_statement(call, account, id).await?.map(|_| b"%PDF".to_vec()))
    }

    fn takes_consent_changes(&self) -> bool {
        self.payment_script().takes_consent_changes
    }

    async fn report_consent_change(
        &self,
        _: &CallContext,
        change: &ConsentChange,
    ) -> Result<Option<CoreState>, BankError> {
        let mut script = self.payment_script();
        script.begin(PaymentCall::ConsentChange)?;
        script.consent_changes.push(change.clone());
        script.end(PaymentCall::ConsentChange)?;
        Ok(script.consent_state.clone())
    }

    async fn fetch_account_changes(&self, _: &CallContext, limit: u32) -> Result<Vec<AccountChange>, BankError> {
        let limit = usize::try_from(limit).unwrap_or(usize::MAX);
        let script = self.payment_script();
        script.begin(PaymentCall::AccountChanges)?;
        Ok(script.account_changes.iter().take(limit).cloned().collect())
    }

    async fn acknowledge_account_changes(&self, _: &CallContext, upto: u64) -> Result<(), BankError> {
        let mut script = self.payment_script();
        script.begin(PaymentCall::AcknowledgeAccountChanges)?;
        script.account_changes.retain(|change| change.number > upto);
        script.end(PaymentCall::AcknowledgeAccountChanges)
    }

    async fn export_customer(&self, _: &CallContext, _: &PsuId) -> Result<Option<Vec<u8>>, BankError> {
        let document = self.payment_script().customer_document.clone();
        document.ok_or(BankError::UnknownMethod("export-customer"))
    }

    async fn erase_customer(&self, _: &CallContext, psu: &PsuId) -> Result<Option<String>, BankError> {
        let mut script = self.payment_script();
        let kept = script.customer_kept.clone().ok_or(BankError::UnknownMethod("erase-customer"))?;
        script.erased_customers.push(psu.clone());
        Ok(kept)
    }
}
