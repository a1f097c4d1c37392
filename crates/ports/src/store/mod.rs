//! The storage port: one error type, one trait per aggregate, and one synchronous transaction with all of them.
//!
//! A transaction is a closure. It cannot be cancelled half-way, cannot be nested, and is rolled back unless it returns `Ok`. On
//! contention the closure is run again as a whole, so it must have no side effects outside its transaction.

mod attempts;
mod audit;
mod backchannel;
mod clients;
mod connections;
mod consents;
mod decision_evidence;
mod direct_writes;
mod error;
mod events;
mod form_answers;
mod funds;
mod grants;
mod idempotency;
mod interactions;
mod jobs;
mod key_sets;
mod keys;
mod maintenance;
mod operator_changes;
mod orders;
mod owned;
mod payment_files;
mod portal;
mod provider_logins;
mod pushed;
mod quarantine;
mod quarantine_of_store;
mod reset;
mod retention;
mod sessions;
mod settings;
mod staff;
mod support;
mod vrp_usage;

pub use crate::failed_work::{FailedWork, WorkKind};
use async_trait::async_trait;
pub use attempts::{AddressUsers, AttemptStore};
pub use audit::{AuditDraft, AuditFilter, AuditPage, AuditStore, SealedEntry};
pub use backchannel::BackchannelStore;
pub use clients::{ClientHolder, ClientPage, ClientRegistration, ClientStore, SoftwareClientLimits};
pub use connections::{ConnectedConsent, ConnectedConsentStore};
pub use consents::{ConsentPosition, ConsentStore};
pub use decision_evidence::DecisionEvidenceStore;
pub use direct_writes::{
    ClientTokenIssue, ConsentCreation, DirectWriteOutcome, DirectWrites, OrderPlacement, UsedAssertion,
};
pub use error::{Source, StoreError};
pub use events::{
    AcknowledgedEvent, ClientEvent, ClientEventKind, EventDelivery, EventDetails, EventOwner, EventQueue, OfferedEvent,
    OfferedEventForm, PurgedEvents, QueueSize, ReportedEvent, ReusableSignatures, StoredSignature,
};
pub use form_answers::{FormAnswerStore, FormRecord};
pub use funds::FundsStore;
pub use grants::{GrantStore, ReplayPurpose, TokenContext};
pub use idempotency::{IdempotencyClaim, IdempotencyKey, IdempotencyStore, KeyClaim};
pub use interactions::JourneyStore;
pub use jobs::{JobQueue, JobsLeft};
pub use key_sets::{FetchedKeySet, KeySetStore};
pub use keys::{KeyOrigin, KeyStore, StoredKey};
use lombard_traces::{Span, SpanKind};
pub use maintenance::MaintenanceStore;
pub use operator_changes::OperatorChangeStore;
pub use orders::{OrderPage, OrderPosition, OrderStore, OrderWithConsent, OrderWithUpdates, UnsettledCounts};
pub use owned::Owned;
pub use payment_files::{NewUpload, PaymentFileStore, UnusedUploads};
pub use portal::{CustomerReservation, PortalStore};
pub use provider_logins::ProviderLoginStore;
pub use pushed::PushedRequestStore;
pub use quarantine::{DueRows, QuarantineStore, QuarantinedWork};
pub use quarantine_of_store::Quarantine;
pub use reset::ResetStore;
pub use retention::{CustomerRecordStore, CustomerRecords, RetentionStore};
pub use sessions::SessionStore;
pub use settings::SettingStore;
pub use staff::StaffStore;
use std::fmt;
use std::sync::Arc;
pub use support::SupportStore;
pub use vrp_usage::VrpUsageStore;

/// The tables of a store, which determine what a transaction on it can do.
pub trait Tables: 'static {
    /// Everything a transaction can do.
    type Transaction<'t>: ?Sized;
}

/// The server's own tables: consents, orders, grants, events, jobs and what belongs to them.
#[derive(Debug)]
pub struct ServerTables;

impl Tables for ServerTables {
    type Transaction<'t> = dyn ServerTransaction + 't;
}

/// Everything a transaction on the server's tables can do. A function takes only the aggregate trait that it needs.
pub trait ServerTransaction:
    AttemptStore
    + AuditStore
    + BackchannelStore
    + ClientStore
    + ConnectedConsentStore
    + ConsentStore
    + CustomerRecordStore
    + DecisionEvidenceStore
    + EventQueue
    + FormAnswerStore
    + FundsStore
    + GrantStore
    + IdempotencyStore
    + JourneyStore
    + JobQueue
    + KeySetStore
    + KeyStore
    + MaintenanceStore
    + OperatorChangeStore
    + OrderStore
    + PaymentFileStore
    + PortalStore
    + ProviderLoginStore
    + PushedRequestStore
    + QuarantineStore
    + ResetStore
    + RetentionStore
    + SessionStore
    + SettingStore
    + StaffStore
    + SupportStore
    + VrpUsageStore
{
}

/// Whether a transaction commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionVerdict {
    /// Commits the transaction.
    Commit,
    /// Discards every change.
    RollBack,
}

/// A closure as the engine receives it: it runs on a transaction, stores its result itself, and returns the verdict.
pub type TransactionWork<T = ServerTables> =
    Box<dyn for<'t> FnMut(&'t mut <T as Tables>::Transaction<'t>) -> TransactionVerdict + Send>;

/// A storage engine. Callers use [`Store`], which wraps it.
#[async_trait]
pub trait Engine<T: Tables = ServerTables>: Send + Sync + fmt::Debug {
    /// Runs the work in a read-write transaction, repeats it as a whole on contention, and returns once it is durable.
    ///
    /// # Errors
    /// [`StoreError`] when the transaction could not be committed; nothing is stored then.
    async fn write(&self, work: TransactionWork<T>) -> Result<(), StoreError>;

    /// Runs the work on a consistent snapshot. Writes fail.
    ///
    /// # Errors
    /// [`StoreError`] when no snapshot could be obtained.
    async fn read(&self, work: TransactionWork<T>) -> Result<(), StoreError>;

    /// Runs work that consists of one query, which is a snapshot by itself. An engine may refuse a second statement.
    ///
    /// # Errors
    /// As [`Engine::read`].
    async fn read_by_one_query(&self, work: TransactionWork<T>) -> Result<(), StoreError> {
        self.read(work).await
    }

    /// Whether a read waits for a database server, so that concurrent queries save time.
    fn waits_for_server(&self) -> bool {
        false
    }

    /// The direct writes of the server's tables, if the engine has them.
    fn direct_writes(&self) -> Option<&dyn DirectWrites> {
        None
    }
}

/// A handle to an engine; cheap to clone.
pub struct Store<T: Tables = ServerTables>(Arc<dyn Engine<T>>);

impl<T: Tables> fmt::Debug for Store<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Store").field(&self.0).finish()
    }
}

impl<T: Tables> Clone for Store<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T: Tables> Store<T> {
    /// A store on this engine.
    pub fn new(engine: Arc<dyn Engine<T>>) -> Self {
        Self(engine)
    }

    /// Runs a read-write transaction and returns its result once it is durable. `Err` rolls it back.
    ///
    /// # Errors
    /// The closure's own error, or a [`StoreError`] when the transaction could not be committed.
    pub async fn write<R, E, F>(&self, work: F) -> Result<R, E>
    where
        F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<R, E> + Send + 'static,
        R: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (slot, work) = keep_result::<T, R, E, F>(work);
        database_span::<F>("database write").around(self.0.write(work)).await?;
        take_result(&slot)
    }

    /// Runs a read-only transaction and returns its result.
    ///
    /// # Errors
    /// The closure's own error, or a [`StoreError`] when no snapshot could be obtained.
    pub async fn read<R, E, F>(&self, work: F) -> Result<R, E>
    where
        F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<R, E> + Send + 'static,
        R: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (slot, work) = keep_result::<T, R, E, F>(work);
        database_span::<F>("database read").around(self.0.read(work)).await?;
        take_result(&slot)
    }

    /// Runs one query and returns its result, for the queries that every request makes. The query is a snapshot by itself, so
    /// engines need no transaction around it. The closure must not run a second statement; both engines refuse it. An engine may
    /// run the closure twice, the first time to learn the query, so both runs must make the same query.
    ///
    /// # Errors
    /// As [`Store::read`].
    pub async fn read_by_one_query<R, E, F>(&self, work: F) -> Result<R, E>
    where
        F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<R, E> + Send + 'static,
        R: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (slot, work) = keep_result::<T, R, E, F>(work);
        database_span::<F>("database query").around(self.0.read_by_one_query(work)).await?;
        take_result(&slot)
    }
}

impl Store {
    /// The direct writes, if the engine has them. Without them, and after [`DirectWriteOutcome::RowsChanged`], a transaction
    /// decides.
    pub fn direct_writes(&self) -> Option<&dyn DirectWrites> {
        self.0.direct_writes()
    }
}

impl<T: Tables> Store<T> {
    /// Whether a read waits for a database server, so that concurrent queries save time.
    pub fn waits_for_server(&self) -> bool {
        self.0.waits_for_server()
    }
}

/// The span of a transaction, named by the function that its closure is in.
fn database_span<F>(name: &'static str) -> Span {
    let span = Span::child(name, SpanKind::Client);
    if span.is_recorded() {
        span.set("db.operation.name", operation_name(std::any::type_name::<F>()));
    }
    span
}

/// The path of a function, from the type of a closure in it.
fn operation_name(closure: &'static str) -> &'static str {
    let path = closure.split("::{{closure}}").next().unwrap_or(closure);
    path.strip_prefix("lombard_").unwrap_or(path)
}

type Slot<R, E> = Arc<parking_lot::Mutex<Option<Result<R, E>>>>;

fn keep_result<T, R, E, F>(mut work: F) -> (Slot<R, E>, TransactionWork<T>)
where
    T: Tables,
    F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<R, E> + Send + 'static,
    R: Send + 'static,
    E: Send + 'static,
{
    let slot: Slot<R, E> = Arc::default();
    let inside = Arc::clone(&slot);
    let work: TransactionWork<T> = Box::new(move |tx| {
        let result = work(tx);
        let verdict = if result.is_ok() { TransactionVerdict::Commit } else { TransactionVerdict::RollBack };
        *inside.lock() = Some(result);
        verdict
    });
    (slot, work)
}

fn take_result<R, E: From<StoreError>>(slot: &Slot<R, E>) -> Result<R, E> {
    let never_ran = || Err(StoreError::Unavailable("the transaction was never run".into()).into());
    slot.lock().take().unwrap_or_else(never_ran)
}

#[cfg(test)]
mod tests {
    use super::operation_name;

    fn name_of<F: Fn()>(_: F) -> &'static str {
        operation_name(std::any::type_name::<F>())
    }

    #[test]
    fn an_operation_is_named_by_the_function_that_asks_for_it() {
        let named = name_of(|| {});
        assert_eq!(named, "ports::store::tests::an_operation_is_named_by_the_function_that_asks_for_it");
    }
}
