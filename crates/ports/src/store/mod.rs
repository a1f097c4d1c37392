//! Storage: one fixed error, one trait per aggregate, one synchronous transaction that is all of them.
//!
//! A transaction is a closure. It cannot be cancelled half-way, cannot nest, and is rolled back unless it returns `Ok`.
//! It may run more than once: when the engine finds it contended, the whole closure is run again. It must therefore
//! do nothing but use the transaction it is given.

mod attempts;
mod clients;
mod connections;
mod consents;
mod events;
mod funds;
mod grants;
mod idempotency;
mod interactions;
mod jobs;
mod keys;
mod orders;
mod payment_files;
mod pushed;
mod quarantine;
mod reset;
mod sessions;
mod settings;
mod vrp_usage;

pub use attempts::{AddressUsers, AttemptStore};
pub use clients::ClientStore;
pub use connections::{ConnectedConsentStore, Connection};
pub use consents::ConsentStore;
pub use events::{
    Delivery, EventDetails, EventOwner, EventQueue, OfferedEvent, OfferedEventForm, PurgedEvents, QueueSize,
    ReportedEvent, Signature,
};
pub use funds::FundsStore;
pub use grants::{GrantStore, ReplayPurpose};
pub use idempotency::{Claim, IdempotencyKey, IdempotencyStore};
pub use interactions::JourneyStore;
pub use jobs::JobQueue;
pub use keys::{KeyStore, StoredKey};
pub use orders::OrderStore;
pub use payment_files::{NewUpload, PaymentFileStore, UnusedUploads};
pub use pushed::PushedRequestStore;
pub use quarantine::{DueRows, FailedWork, Quarantine, QuarantineStore, QuarantinedWork, WorkKind};
pub use reset::ResetStore;
pub use sessions::SessionStore;
pub use settings::SettingStore;
pub use vrp_usage::VrpUsageStore;

use async_trait::async_trait;
use std::fmt;
use std::sync::Arc;

/// The cause beneath a storage error.
pub type Source = Box<dyn std::error::Error + Send + Sync>;

/// Why storage did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Others were faster, again and again; the same transaction may work later.
    #[error("storage is contended")]
    Contended,
    /// The database cannot be reached, is full or is shutting down.
    #[error("storage is unavailable")]
    Unavailable(#[source] Source),
    /// A row with this key exists.
    #[error("a row exists already: {0}")]
    Duplicate(&'static str),
    /// A stored row cannot be read.
    #[error("a row of {table} cannot be read")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The row's id.
        id: String,
        /// What is wrong with it.
        #[source]
        source: Source,
    },
}

/// A lookup by id, seen from one owner. The standard tells foreign (403) from absent (400). Source: RW-102, RW-104.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Owned<T> {
    /// It exists and is the caller's.
    Mine(T),
    /// It exists and is somebody else's.
    Foreign,
    /// It does not exist.
    Absent,
}

/// The tables that a store gives access to: what a transaction on it can do.
pub trait Tables: 'static {
    /// Everything a transaction can do.
    type Transaction<'t>: ?Sized;
}

/// The server's own tables: consents, orders, grants, events, jobs and what belongs to them.
#[derive(Debug)]
pub struct ServerTables;

impl Tables for ServerTables {
    type Transaction<'t> = dyn Transaction + 't;
}

/// Everything a transaction on the server's tables can do. Functions below ask for the one trait they need.
pub trait Transaction:
    AttemptStore
    + ClientStore
    + ConnectedConsentStore
    + ConsentStore
    + EventQueue
    + FundsStore
    + GrantStore
    + IdempotencyStore
    + JourneyStore
    + JobQueue
    + KeyStore
    + OrderStore
    + PaymentFileStore
    + PushedRequestStore
    + QuarantineStore
    + ResetStore
    + SessionStore
    + SettingStore
    + VrpUsageStore
{
}

/// Whether the transaction commits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransactionVerdict {
    /// Make it durable.
    Commit,
    /// Leave no trace.
    RollBack,
}

/// A closure as an engine sees it: runs on a transaction, keeps its result to itself, gives a verdict.
pub type Work<T = ServerTables> =
    Box<dyn for<'t> FnMut(&'t mut <T as Tables>::Transaction<'t>) -> TransactionVerdict + Send>;

/// A storage engine. Use [`Store`]; this is its inside.
#[async_trait]
pub trait Engine<T: Tables = ServerTables>: Send + Sync + fmt::Debug {
    /// Runs the work in a read-write transaction, again as a whole when contended, and returns after it is durable.
    ///
    /// # Errors
    /// [`StoreError`] when it could not be committed; nothing is stored then.
    async fn write(&self, work: Work<T>) -> Result<(), StoreError>;

    /// Runs the work on a consistent snapshot. Writing through it fails.
    ///
    /// # Errors
    /// [`StoreError`] when no snapshot could be had.
    async fn read(&self, work: Work<T>) -> Result<(), StoreError>;
}

/// A store: cheap to clone, the same for every engine.
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

    /// Runs a read-write transaction and returns what it returned, after it is durable. `Err` rolls it back.
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
        self.0.write(work).await?;
        take_result(&slot)
    }

    /// Runs a read-only transaction and returns what it returned.
    ///
    /// # Errors
    /// The closure's own error, or a [`StoreError`] when no snapshot could be had.
    pub async fn read<R, E, F>(&self, work: F) -> Result<R, E>
    where
        F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<R, E> + Send + 'static,
        R: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (slot, work) = keep_result::<T, R, E, F>(work);
        self.0.read(work).await?;
        take_result(&slot)
    }
}

type Slot<R, E> = Arc<parking_lot::Mutex<Option<Result<R, E>>>>;

fn keep_result<T, R, E, F>(mut work: F) -> (Slot<R, E>, Work<T>)
where
    T: Tables,
    F: for<'t> FnMut(&'t mut T::Transaction<'t>) -> Result<R, E> + Send + 'static,
    R: Send + 'static,
    E: Send + 'static,
{
    let slot: Slot<R, E> = Arc::default();
    let inside = Arc::clone(&slot);
    let work: Work<T> = Box::new(move |tx| {
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
