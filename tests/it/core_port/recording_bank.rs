//! A bank of a few accounts that writes down what every call was made for.

use async_trait::async_trait;
use lombard_domain::account::{
    Account, AccountIdentification, AccountParty, AccountProduct, Balance, Beneficiary, DirectDebit, Offer, Party,
    ScheduledPayment, StandingOrder, Statement, StatementAmountType, StatementType, Transaction,
};
use lombard_domain::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::ids::{BankAccountId, OrderId, PsuId, StatementId};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_domain::order::{PaymentConditions, PaymentConsentRequest};
use lombard_domain::page::ListWindow;
use lombard_ports::bank::{
    AccountChange, Bank, BankError, CallContext, ConsentChange, CoreState, EntryFilter, ListAnswer, ListVersion, Payer,
    PaymentBank, PaymentOrder, StatementFilter, StatementFormat, StatusUpdate, StubBank, SubmittedOrder, TimeRange,
};
use lombard_ports::store::FailedWork;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The stub bank, with a statement on every account. It can be made to hang.
#[derive(Debug)]
pub(super) struct RecordingBank {
    pub(super) bank: StubBank,
    calls: Mutex<Vec<(&'static str, CallContext)>>,
    hangs: AtomicBool,
    hung: AtomicUsize,
    hung_max: AtomicUsize,
}

/// A call that is not answered, until its caller leaves.
struct HungCall<'a>(&'a AtomicUsize);

impl Drop for HungCall<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl RecordingBank {
    pub(super) fn new(bank: StubBank) -> Self {
        Self {
            bank,
            calls: Mutex::default(),
            hangs: AtomicBool::new(false),
            hung: AtomicUsize::new(0),
            hung_max: AtomicUsize::new(0),
        }
    }

    /// Answers no call from now on, or every one again.
    pub(super) fn set_hanging(&self, hangs: bool) {
        self.hangs.store(hangs, Ordering::SeqCst);
    }

    /// How many calls hung at most at a time.
    pub(super) fn hung_calls_max(&self) -> usize {
        self.hung_max.load(Ordering::SeqCst)
    }

    /// Forgets the calls.
    pub(super) fn clear(&self) {
        self.calls.lock().clear();
    }

    /// What the calls of a method were made for.
    pub(super) fn calls_of(&self, method: &str) -> Vec<CallContext> {
        self.calls.lock().iter().filter(|(name, _)| *name == method).map(|(_, call)| call.clone()).collect()
    }

    async fn record(&self, method: &'static str, call: &CallContext) {
        self.calls.lock().push((method, call.clone()));
        if self.hangs.load(Ordering::SeqCst) {
            let hung = self.hung.fetch_add(1, Ordering::SeqCst) + 1;
            let _call = HungCall(&self.hung);
            self.hung_max.fetch_max(hung, Ordering::SeqCst);
            std::future::pending::<()>().await;
        }
    }
}

fn statement_of(account: &BankAccountId, id: &StatementId) -> Statement {
    Statement {
        id: id.clone(),
        account: account.clone(),
        reference: None,
        kind: StatementType::RegularPeriodic,
        starts_at: jiff::Timestamp::UNIX_EPOCH,
        ends_at: jiff::Timestamp::UNIX_EPOCH,
        created_at: jiff::Timestamp::UNIX_EPOCH,
        descriptions: Vec::new(),
        benefits: Vec::new(),
        fees: Vec::new(),
        interest: Vec::new(),
        amounts: vec![(StatementAmountType::ClosingBalance, SignedAmount::from_minor(100, Currency::GBP))],
        dates: Vec::new(),
        rates: Vec::new(),
        values: Vec::new(),
        total: None,
    }
}

macro_rules! recorded {
    ($port:ident: $(fn $name:ident($($argument:ident: $type:ty),*) -> $answer:ty;)* $({ $($other:tt)* })?) => {
        #[async_trait]
        impl $port for RecordingBank {
            $(async fn $name(&self, call: &CallContext, $($argument: $type),*) -> Result<$answer, BankError> {
                self.record(stringify!($name), call).await;
                self.bank.$name(call, $($argument),*).await
            })*
            $($($other)*)?
        }
    };
}

recorded! { PaymentBank:
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

recorded! { Bank:
    fn accounts(ids: &[BankAccountId]) -> Vec<Account>;
    fn eligible_accounts(psu: &PsuId) -> Vec<Account>;
    fn balances(ids: &[BankAccountId]) -> Vec<Balance>;
    fn transactions(covered: &EntryFilter, asked: TimeRange, window: &ListWindow) -> ListAnswer<Transaction>;
    fn entries_version(accounts: &[BankAccountId]) -> Option<ListVersion>;
    fn beneficiaries(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<Beneficiary>;
    fn direct_debits(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<DirectDebit>;
    fn standing_orders(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<StandingOrder>;
    fn scheduled_payments(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<ScheduledPayment>;
    fn products(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<AccountProduct>;
    fn offers(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<Offer>;
    fn parties(accounts: &[BankAccountId], window: &ListWindow) -> ListAnswer<AccountParty>;
    fn find_party(psu: &PsuId) -> Option<Party>;
    fn statements(covered: &StatementFilter, asked: TimeRange, window: &ListWindow) -> ListAnswer<Statement>;
    fn report_consent_change(change: &ConsentChange) -> Option<CoreState>;
    fn fetch_account_changes(limit: u32) -> Vec<AccountChange>;
    fn acknowledge_account_changes(upto: u64) -> ();
    {
        async fn statement(
            &self,
            call: &CallContext,
            account: &BankAccountId,
            id: &StatementId,
        ) -> Result<Option<Statement>, BankError> {
            self.record("statement", call).await;
            Ok(Some(statement_of(account, id)))
        }

        async fn statement_file(
            &self,
            call: &CallContext,
            _: &BankAccountId,
            _: &StatementId,
            _: StatementFormat,
        ) -> Result<Option<Vec<u8>>, BankError> {
            self.record("statement_file", call).await;
            Ok(Some(b"%PDF".to_vec()))
        }

        fn takes_consent_changes(&self) -> bool {
            self.bank.takes_consent_changes()
        }
    }
}
