//! Storage: one fixed error, one trait per aggregate, one synchronous transaction that is all of them (D4 to D8).
//!
//! A transaction is a closure. It cannot be cancelled half-way, cannot nest, and is rolled back unless it returns `Ok`.
//! It may run more than once: when the engine finds it contended, the whole closure is run again. It must therefore
//! do nothing but use the transaction it is given.

mod arrangements;
mod attempts;
mod bank_orders;
mod clients;
mod connections;
mod consents;
mod diary;
mod events;
mod funds;
mod grants;
mod idempotency;
mod interactions;
mod jobs;
mod keys;
mod ledger;
mod orders;
mod payment_files;
mod pushed;
mod quarantine;
mod reset;
mod sessions;
mod settings;
mod vrp_usage;

pub use arrangements::{Arranged, Arrangement, ArrangementKind, ArrangementStore};
pub use attempts::{AddressUsers, AttemptStore};
pub use bank_orders::{BankOrder, BankOrderStore};
pub use clients::ClientStore;
pub use connections::{Connection, ConnectionStore};
pub use consents::ConsentStore;
pub use diary::{DiaryStore, Routine};
pub use events::{
    Delivery, EventDetails, EventQueue, KnownEvent, OfferedEvent, OfferedForm, PurgedEvents, QueueSize, ReportedEvent,
    Signature,
};
pub use funds::FundsStore;
pub use grants::{GrantStore, ReplayPurpose};
pub use idempotency::{Claim, IdempotencyKey, IdempotencyStore};
pub use interactions::InteractionStore;
pub use jobs::JobQueue;
pub use keys::{KeyStore, StoredKey};
pub use ledger::{AccountStanding, AccountSums, BankAccountRecord, Customer, LedgerStore, Posted};
pub use orders::OrderStore;
pub use payment_files::{NewUpload, PaymentFileStore, UnusedUploads};
pub use pushed::PushedRequestStore;
pub use quarantine::{DueRows, FailedWork, QuarantineStore, QuarantinedWork, WorkKind};
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

/// Everything a transaction can do. Functions below ask for the one trait they need.
pub trait Transaction:
    ArrangementStore
    + AttemptStore
    + BankOrderStore
    + ClientStore
    + ConnectionStore
    + ConsentStore
    + DiaryStore
    + EventQueue
    + FundsStore
    + GrantStore
    + IdempotencyStore
    + InteractionStore
    + JobQueue
    + KeyStore
    + LedgerStore
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

/// What a closure decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Make it durable.
    Commit,
    /// Leave no trace.
    RollBack,
}

/// A closure as an engine sees it: runs on a transaction, keeps its result to itself, gives a verdict.
pub type Work = Box<dyn FnMut(&mut dyn Transaction) -> Verdict + Send>;

/// A storage engine. Use [`Store`]; this is its inside.
#[async_trait]
pub trait Engine: Send + Sync + fmt::Debug {
    /// Runs the work in a read-write transaction, again as a whole when contended, and returns after it is durable.
    ///
    /// # Errors
    /// [`StoreError`] when it could not be committed; nothing is stored then.
    async fn write(&self, work: Work) -> Result<(), StoreError>;

    /// Runs the work on a consistent snapshot. Writing through it fails.
    ///
    /// # Errors
    /// [`StoreError`] when no snapshot could be had.
    async fn read(&self, work: Work) -> Result<(), StoreError>;
}

/// The store: cheap to clone, the same for every engine.
#[derive(Debug, Clone)]
pub struct Store(Arc<dyn Engine>);

impl Store {
    /// A store on this engine.
    pub fn new(engine: Arc<dyn Engine>) -> Self {
        Self(engine)
    }

    /// Runs a read-write transaction and returns what it returned, after it is durable. `Err` rolls it back.
    ///
    /// # Errors
    /// The closure's own error, or a [`StoreError`] when the transaction could not be committed.
    pub async fn write<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (slot, work) = keep_result(work);
        self.0.write(work).await?;
        take_result(&slot)
    }

    /// Runs a read-only transaction and returns what it returned.
    ///
    /// # Errors
    /// The closure's own error, or a [`StoreError`] when no snapshot could be had.
    pub async fn read<T, E, F>(&self, work: F) -> Result<T, E>
    where
        F: FnMut(&mut dyn Transaction) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        let (slot, work) = keep_result(work);
        self.0.read(work).await?;
        take_result(&slot)
    }
}

type Slot<T, E> = Arc<parking_lot::Mutex<Option<Result<T, E>>>>;

fn keep_result<T, E, F>(mut work: F) -> (Slot<T, E>, Work)
where
    F: FnMut(&mut dyn Transaction) -> Result<T, E> + Send + 'static,
    T: Send + 'static,
    E: Send + 'static,
{
    let slot: Slot<T, E> = Arc::default();
    let inside = Arc::clone(&slot);
    let work = Box::new(move |tx: &mut dyn Transaction| {
        let result = work(tx);
        let verdict = if result.is_ok() { Verdict::Commit } else { Verdict::RollBack };
        *inside.lock() = Some(result);
        verdict
    });
    (slot, work)
}

fn take_result<T, E: From<StoreError>>(slot: &Slot<T, E>) -> Result<T, E> {
    let never_ran = || Err(StoreError::Unavailable("the transaction was never run".into()).into());
    slot.lock().take().unwrap_or_else(never_ran)
}
