//! Storage and the bank with injected faults.

use crate::fault_injection::{CallOutcome, FaultGate, at_once};
use async_trait::async_trait;
use lombard_corebank::BuiltInBank;
use lombard_domain::account::{
    Account, AccountIdentification, AccountParty, AccountProduct, Balance, Beneficiary, DirectDebit, Offer, Party,
    ScheduledPayment, StandingOrder, Statement, Transaction as Entry,
};
use lombard_domain::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId, StatementId};
use lombard_domain::money::Currency;
use lombard_domain::order::{PaymentConditions, PaymentConsentRequest};
use lombard_domain::page::ListWindow;
use lombard_ports::bank::{
    AccountChange, Bank, BankError, CallContext, EntryFilter, ListAnswer, Payer, PaymentBank, PaymentOrder,
    StatementFilter, StatementFormat, StatusUpdate, SubmittedOrder, TimeRange,
};
use lombard_ports::store::{Engine, FailedWork, Store, StoreError, Tables, TransactionVerdict, TransactionWork};
use std::sync::Arc;

/// A store whose calls may fail.
#[derive(Debug)]
struct FaultyStore<T: Tables> {
    store: Store<T>,
    gate: FaultGate,
}

/// The store, behind a gate.
pub(crate) fn gated<T: Tables + std::fmt::Debug>(store: Store<T>, gate: FaultGate) -> Store<T> {
    Store::new(Arc::new(FaultyStore { store, gate }))
}

/// How a closure of somebody else ended.
enum ClosureEnd {
    RolledBack,
    Failed(StoreError),
}

impl From<StoreError> for ClosureEnd {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

fn ended(outcome: Result<(), ClosureEnd>) -> Result<(), StoreError> {
    match outcome {
        Ok(()) | Err(ClosureEnd::RolledBack) => Ok(()),
        Err(ClosureEnd::Failed(error)) => Err(error),
    }
}

fn forward<T: Tables>(
    mut work: TransactionWork<T>,
    lies: bool,
) -> impl for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<(), ClosureEnd> + Send + 'static {
    move |tx| match work(tx) {
        TransactionVerdict::Commit if !lies => Ok(()),
        TransactionVerdict::Commit | TransactionVerdict::RollBack => Err(ClosureEnd::RolledBack),
    }
}

fn storage_is_out() -> StoreError {
    StoreError::Unavailable("the simulation says so".into())
}

#[async_trait]
impl<T: Tables + std::fmt::Debug> Engine<T> for FaultyStore<T> {
    async fn write(&self, work: TransactionWork<T>) -> Result<(), StoreError> {
        let fate = self.gate.pass().await;
        if fate == CallOutcome::FailsBefore {
            return Err(storage_is_out());
        }
        let outcome = ended(at_once(self.store.write(forward::<T>(work, self.gate.lies()))));
        self.gate.wrote();
        self.gate.end(fate).await;
        if fate == CallOutcome::FailsAfter { Err(storage_is_out()) } else { outcome }
    }

    async fn read(&self, work: TransactionWork<T>) -> Result<(), StoreError> {
        let fate = self.gate.pass().await;
        if fate != CallOutcome::Well {
            self.gate.end(fate).await;
            return Err(storage_is_out());
        }
        ended(at_once(self.store.read(forward::<T>(work, false))))
    }
}

/// A bank whose calls may fail.
#[derive(Debug)]
pub(crate) struct FaultyBank {
    bank: BuiltInBank,
    gate: FaultGate,
}

impl FaultyBank {
    /// The bank, behind a gate.
    pub(crate) const fn new(bank: BuiltInBank, gate: FaultGate) -> Self {
        Self { bank, gate }
    }

    async fn call<T: Send>(&self, call: impl Future<Output = Result<T, BankError>> + Send) -> Result<T, BankError> {
        let out = || BankError::Unavailable("the simulation says so".into());
        let fate = self.gate.pass().await;
        if fate == CallOutcome::FailsBefore {
            return Err(out());
        }
        let answer = call.await;
        self.gate.end(fate).await;
        if fate == CallOutcome::FailsAfter { Err(out()) } else { answer }
    }
}

macro_rules! behind_the_gate {
    ($port:ident: $(fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)*) => {
        #[async_trait]
        impl $port for FaultyBank {
            $(async fn $name(&self, call: &CallContext, $($argument: $type),*) -> Result<$answer, BankError> {
                self.call(self.bank.$name(call, $($argument),*)).await
            })*
        }
    };
}

behind_the_gate! { PaymentBank:
    fn quote_conditions(terms: &PaymentConsentRequest) -> PaymentConditions;
    fn list_payers(psu: &PsuId) -> Vec<Payer>;
    fn find_payer(account: &BankAccountId) -> Option<Payer>;
    fn find_payer_by_number(number: &AccountIdentification) -> Option<Payer>;
    fn quote_rate(rate_request: &ExchangeRateRequest, transfer: Currency) -> Option<Quote>;
    fn has_agreed_rate(psu: &PsuId, deal: &AgreedRate) -> bool;
    fn quote_exchange_price(pair: CurrencyPair) -> Option<ConversionRate>;
    fn submit(orders: &[PaymentOrder]) -> Vec<SubmittedOrder>;
    fn fetch_status_updates(limit: u32) -> Vec<StatusUpdate>;
    fn quarantine_updates(work: Vec<FailedWork>) -> usize;
    fn acknowledge_updates(acknowledged: &[(OrderId, u32)]) -> ();
}

behind_the_gate! { Bank:
    fn accounts(ids: &[BankAccountId]) -> Vec<Account>;
    fn eligible_accounts(psu: &PsuId) -> Vec<Account>;
    fn balances(ids: &[BankAccountId]) -> Vec<Balance>;
    fn transactions(covered: &EntryFilter, asked: TimeRange, window: &ListWindow) -> ListAnswer<Entry>;
    fn beneficiaries(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<Beneficiary>;
    fn direct_debits(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<DirectDebit>;
    fn standing_orders(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<StandingOrder>;
    fn scheduled_payments(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<ScheduledPayment>;
    fn products(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<AccountProduct>;
    fn offers(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<Offer>;
    fn parties(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<AccountParty>;
    fn find_party(psu: &PsuId) -> Option<Party>;
    fn statements(covered: &StatementFilter, asked: TimeRange, window: &ListWindow) -> ListAnswer<Statement>;
    fn statement(account: &BankAccountId, id: &StatementId) -> Option<Statement>;
    fn statement_file(account: &BankAccountId, id: &StatementId, format: StatementFormat) -> Option<Vec<u8>>;
    fn fetch_account_changes(limit: u32) -> Vec<AccountChange>;
    fn acknowledge_account_changes(upto: u64) -> ();
}
