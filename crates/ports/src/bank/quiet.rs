//! A bank where nothing happens, for tests of parts that need accounts and none of their records.

use super::{
    Answer, Bank, BankError, EntryFilter, News, Payer, PaymentBank, PaymentOrder, Period, StatementFilter,
    StatementFormat,
};
use async_trait::async_trait;
use lombard_domain::account::Identification;
use lombard_domain::account::{
    Account, AccountParty, Balance, BalanceType, Beneficiary, DirectDebit, Offer, Party, Product, ScheduledPayment,
    StandingOrder, Statement, Transaction,
};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId, StatementId};
use lombard_domain::money::Signed;
use lombard_domain::order::{Conditions, PaymentTerms};
use lombard_domain::page::Window;
use parking_lot::Mutex;

/// Accounts in memory, each with two balances of one hundred minor units and nothing else.
#[derive(Debug, Default)]
pub struct QuietBank(Mutex<Vec<(PsuId, Account)>>);

impl QuietBank {
    /// A bank with these accounts, each held by one customer.
    pub fn with(accounts: impl IntoIterator<Item = (PsuId, Account)>) -> Self {
        Self(Mutex::new(accounts.into_iter().collect()))
    }

    /// Closes accounts.
    pub fn close(&self, closes: impl Fn(&PsuId, &BankAccountId) -> bool) {
        self.0.lock().retain(|(holder, account)| !closes(holder, &account.id));
    }

    fn answer<T>(&self, accounts: &[BankAccountId]) -> Answer<T> {
        Answer::empty(self.0.lock().iter().any(|(_, account)| accounts.contains(&account.id)))
    }
}

#[async_trait]
impl Bank for QuietBank {
    async fn accounts(&self, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError> {
        let held = self.0.lock();
        let find =
            |id: &BankAccountId| held.iter().find(|(_, account)| account.id == *id).map(|(_, account)| account.clone());
        Ok(ids.iter().filter_map(find).collect())
    }

    async fn eligible_accounts(&self, psu: &PsuId) -> Result<Vec<Account>, BankError> {
        let held = self.0.lock();
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

/// Payments go in and nothing becomes of them.
#[async_trait]
impl PaymentBank for QuietBank {
    async fn conditions(&self, _: &PaymentTerms) -> Result<Conditions, BankError> {
        Ok(Conditions::default())
    }

    async fn payers(&self, psu: &PsuId) -> Result<Vec<Payer>, BankError> {
        let held = self.0.lock();
        Ok(held.iter().filter(|(holder, _)| holder == psu).map(|(holder, account)| payer(holder, account)).collect())
    }

    async fn payer(&self, account: &BankAccountId) -> Result<Option<Payer>, BankError> {
        let held = self.0.lock();
        Ok(held.iter().find(|(_, it)| it.id == *account).map(|(holder, account)| payer(holder, account)))
    }

    async fn payer_by_number(&self, number: &Identification) -> Result<Option<Payer>, BankError> {
        let held = self.0.lock();
        let known = |account: &Account| account.identifications.iter().any(|it| it.is_same_account(number));
        Ok(held.iter().find(|(_, account)| known(account)).map(|(holder, account)| payer(holder, account)))
    }

    async fn order(&self, _: &PaymentOrder) -> Result<(), BankError> {
        Ok(())
    }

    async fn news(&self, _: u32) -> Result<Vec<News>, BankError> {
        Ok(Vec::new())
    }

    async fn news_heard(&self, _: &[(OrderId, u32)]) -> Result<(), BankError> {
        Ok(())
    }
}

fn payer(holder: &PsuId, account: &Account) -> Payer {
    Payer {
        account: account.clone(),
        holder: holder.as_str().to_owned(),
        available: Signed::from_minor(100, account.currency),
        authorisers: 1,
        signatories: vec![holder.clone()],
    }
}
