//! The core banking port, implemented by the built-in bank and by connectors to a real core.
//!
//! Ids are the bank's own ([`BankAccountId`]); the ids for TPPs are assigned above this port. Calls can be repeated
//! safely. Accounts that are closed, blocked or unknown are omitted from every answer (AIS-082).

mod change;
pub mod context;
#[cfg(any(test, feature = "contract"))]
pub mod contract;
mod error;
#[cfg(any(test, feature = "testing"))]
pub mod forwarding;
mod list;
mod payment;
#[cfg(any(test, feature = "testing"))]
mod payment_script;
mod query;
mod read_list;
mod standing;
mod status_update;
#[cfg(any(test, feature = "testing"))]
mod stub_bank;
#[cfg(any(test, feature = "testing"))]
mod stub_payments;

pub use change::{AccountChange, ConsentChange, ConsentChangeKind};
pub use context::{CallConsent, CallContext, CallingClient, CoreState, PaymentRiskFacts, SubmittedRisk, TraceParent};
pub use error::BankError;
pub use list::{ListKind, ListRecord, ListedRecords, records as list_records};
pub use payment::{Payer, PaymentBank, PaymentOrder, SubmittedOrder};
#[cfg(any(test, feature = "testing"))]
pub use payment_script::{PaymentCall, PaymentScript};
pub use query::{EntryFilter, ListAnswer, ListVersion, StatementFilter, StatementFormat, TimeRange};
pub use read_list::read_list;
pub use standing::{OrderStanding, OrdersReceived, STANDINGS_MAX};
pub use status_update::{OrderUpdate, PaymentUpdate, StatusUpdate};
#[cfg(any(test, feature = "testing"))]
pub use stub_bank::{StubBank, sample_account};

use async_trait::async_trait;
use lombard_domain::account::{Account, Balance, Party, Statement, Transaction};
use lombard_domain::ids::{BankAccountId, PsuId, StatementId};
use lombard_domain::page::ListWindow;
use std::fmt;

/// The bank's core.
#[async_trait]
pub trait Bank: PaymentBank + Send + Sync + fmt::Debug {
    /// Those of these accounts that exist and are accessible to third parties, in the order of the ids.
    ///
    /// Closed and blocked accounts are omitted (AIS-082).
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn list_accounts(&self, call: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Account>, BankError>;

    /// The accounts the PSU may share with a TPP, by id.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn eligible_accounts(&self, call: &CallContext, psu: &PsuId) -> Result<Vec<Account>, BankError>;

    /// The balances of these accounts, at least one for each open account (AIS-110), in the order of the ids. Accounts that are
    /// not open are omitted.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn list_balances(&self, call: &CallContext, ids: &[BankAccountId]) -> Result<Vec<Balance>, BankError>;

    /// The covered entries within the requested period, newest first with the id as tie-break (RW-277).
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn list_transactions(
        &self,
        call: &CallContext,
        covered: &EntryFilter,
        asked: TimeRange,
        window: &ListWindow,
    ) -> Result<ListAnswer<Transaction>, BankError>;

    /// The version of the entries of these accounts. While the version stays equal, [`Bank::list_transactions`] gives the same
    /// answers. The version changes in the transaction that changes the entries, and when an account is opened or closed. `None`
    /// if the bank keeps no versions.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn entries_version(
        &self,
        _call: &CallContext,
        _accounts: &[BankAccountId],
    ) -> Result<Option<ListVersion>, BankError> {
        Ok(None)
    }

    /// Whether a page of entries carries the version of its list, so that a separate query of the version is unnecessary.
    fn pages_carry_versions(&self) -> bool {
        false
    }

    /// Whether account information may be requested before the server has verified the caller's access; the answer is discarded
    /// if the access has ended. Only a bank inside this process may return `true`, because such an early call neither discloses
    /// nor changes anything there. It saves time if the answer takes a round trip.
    fn allows_early_reads(&self) -> bool {
        false
    }

    /// A page of this list of the accounts' records, by account, then id (RW-277).
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn list_records(
        &self,
        call: &CallContext,
        kind: ListKind,
        accounts: &[BankAccountId],
        window: &ListWindow,
    ) -> Result<ListedRecords, BankError>;

    /// The PSU as a party of the bank; `None` if the bank has no such record (AIS-186, AIS-189).
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn find_party(&self, call: &CallContext, psu: &PsuId) -> Result<Option<Party>, BankError>;

    /// The covered statements that lie wholly within the requested period (AIS-092, AIS-143), latest end first with the id as
    /// tie-break (RW-277).
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn list_statements(
        &self,
        call: &CallContext,
        covered: &StatementFilter,
        asked: TimeRange,
        window: &ListWindow,
    ) -> Result<ListAnswer<Statement>, BankError>;

    /// A statement of an open account; `None` if the account has no statement with this id (AIS-145).
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn find_statement(
        &self,
        call: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
    ) -> Result<Option<Statement>, BankError>;

    /// A statement of an open account as a file, generated from its data; `None` as for [`Bank::find_statement`] (AIS-156).
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn read_statement_file(
        &self,
        call: &CallContext,
        account: &BankAccountId,
        id: &StatementId,
        format: StatementFormat,
    ) -> Result<Option<Vec<u8>>, BankError>;

    /// Whether the bank wants changes of consents to be reported. If not, none is recorded for it.
    fn takes_consent_changes(&self) -> bool {
        false
    }

    /// Reports a stored change of a consent to the bank. The report is repeated until it succeeds, so a change may arrive twice,
    /// or after a later change. The bank ignores a change whose number is lower than one that it has processed. Returns the state
    /// that the core sets on the consent; `None` keeps the former state.
    ///
    /// # Errors
    /// [`BankError`]; the change is reported again then.
    async fn report_consent_change(
        &self,
        _call: &CallContext,
        _change: &ConsentChange,
    ) -> Result<Option<CoreState>, BankError> {
        Ok(None)
    }

    /// The changes of accounts that are not acknowledged, by number: accounts that were closed, switched or blocked. The number
    /// counts the changes of the whole bank from 1 without gaps. A change is stored in the transaction that changes the account.
    /// A change is not returned while an earlier one may still appear.
    ///
    /// # Errors
    /// [`BankError`] if the bank cannot answer.
    async fn fetch_account_changes(&self, _call: &CallContext, _limit: u32) -> Result<Vec<AccountChange>, BankError> {
        Ok(Vec::new())
    }

    /// Acknowledges the changes of accounts up to this number.
    ///
    /// # Errors
    /// [`BankError`]; the changes are delivered again then.
    async fn acknowledge_account_changes(&self, _call: &CallContext, _upto: u64) -> Result<(), BankError> {
        Ok(())
    }

    /// Everything that the bank holds about a customer, as one JSON document; `None` if it holds nothing.
    ///
    /// # Errors
    /// [`BankError::UnknownMethod`] if the bank does not export customers; [`BankError`] if it cannot answer.
    async fn export_customer(&self, _call: &CallContext, _psu: &PsuId) -> Result<Option<Vec<u8>>, BankError> {
        Err(BankError::UnknownMethod("export-customer"))
    }

    /// Erases what the bank holds about a customer. What its ledger or a regulator needs stays, without the customer's names, numbers and
    /// references. Returns a sentence for the bank's staff, of at most 200 characters, if the bank keeps the data and has erased nothing;
    /// `None` if they are erased, also if they were erased before or never existed.
    ///
    /// # Errors
    /// [`BankError::UnknownMethod`] if the bank does not erase customers; [`BankError`] if it cannot answer. The call can be repeated.
    async fn erase_customer(&self, _call: &CallContext, _psu: &PsuId) -> Result<Option<String>, BankError> {
        Err(BankError::UnknownMethod("erase-customer"))
    }
}

/// Scheduled work that a core performs in this process, by the bank's clock.
#[async_trait]
pub trait Scheduler: Send + Sync + fmt::Debug {
    /// Waits until work may have become due. The return is a hint: the caller also runs periodically.
    async fn wait_until_due(&self);

    /// Runs a batch of the work that is due. Returns the number of items done; zero means that nothing is due.
    ///
    /// # Errors
    /// [`BankError`]; the batch is rolled back then, and the next call repeats it.
    async fn run_due(&self) -> Result<u32, BankError>;
}
