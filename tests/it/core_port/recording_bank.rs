//! A bank of a few accounts that writes down what every call was made for.

use super::people::ACCOUNT;
use lombard_domain::account::{Statement, StatementAmountType, StatementType};
use lombard_domain::money::{Currency, SignedAmount};
use lombard_ports::bank::{CallContext, StubBank};
use lombard_ports::forward_bank;
use parking_lot::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// The id of the statement.
const STATEMENT: &str = "s-1";

/// The stub bank, with a statement on its account. It can be made to hang.
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
        bank.add_statement(statement_of(ACCOUNT, STATEMENT));
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

fn statement_of(account: &str, id: &str) -> Statement {
    Statement {
        id: id.into(),
        account: account.into(),
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

forward_bank!(RecordingBank, |this, method, context, call| {
    this.record(method, context).await;
    call.await
});
