//! The orders whose status updates the server cannot apply.
//!
//! A core returns an update until it is acknowledged, and it has no list of held orders; the server names the orders to leave out. The
//! server stores them in its own quarantine, where an operator sees and releases them.

use async_trait::async_trait;
use lombard_domain::ids::OrderId;
use lombard_ports::clock::Clocks;
use lombard_ports::store::{FailedWork, QuarantineStore, Store, StoreError, Tables, WorkKind};
use std::fmt;

/// Stores the orders whose status updates are held back.
#[async_trait]
pub trait HeldUpdates: Send + Sync + fmt::Debug {
    /// Holds back the updates of these orders. Returns how many were not held back before.
    ///
    /// # Errors
    /// [`StoreError`] when nothing was held back.
    async fn hold(&self, work: Vec<FailedWork>) -> Result<usize, StoreError>;

    /// The orders whose updates are held back now.
    ///
    /// # Errors
    /// [`StoreError`].
    async fn orders(&self) -> Result<Vec<OrderId>, StoreError>;
}

/// Stores held updates in the quarantine of a store.
#[derive(Debug)]
pub struct UpdatesHeldInStore<T> {
    store: T,
    clocks: Clocks,
}

impl<T> UpdatesHeldInStore<T> {
    /// Uses the quarantine of this store.
    pub const fn new(store: T, clocks: Clocks) -> Self {
        Self { store, clocks }
    }
}

/// The number of quarantined items that are read at a time.
const PAGE: u32 = 1_000;

#[async_trait]
impl<T: Tables> HeldUpdates for UpdatesHeldInStore<Store<T>>
where
    for<'t> T::Transaction<'t>: QuarantineStore,
{
    async fn hold(&self, work: Vec<FailedWork>) -> Result<usize, StoreError> {
        let now = self.clocks.wall_now();
        self.store.write(move |tx| Ok(tx.quarantine_add(&work, now)?.len())).await
    }

    async fn orders(&self) -> Result<Vec<OrderId>, StoreError> {
        let read = self.store.read(|tx| {
            let counts = tx.quarantined_counts()?;
            let mut orders = Vec::new();
            if counts.iter().all(|(kind, _)| *kind != WorkKind::StatusUpdate) {
                return Ok(orders);
            }
            let mut after = 0;
            loop {
                let page = tx.quarantined(after, PAGE)?;
                let Some(last) = page.last() else { return Ok(orders) };
                after = last.number;
                let held = page.into_iter().filter(|it| it.work.kind == WorkKind::StatusUpdate);
                orders.extend(held.map(|it| OrderId::from(it.work.subject)));
            }
        });
        read.await
    }
}

/// Keeps held updates in memory, for tests.
#[cfg(any(test, feature = "testing"))]
#[derive(Debug, Default)]
pub struct HeldInMemory(parking_lot::Mutex<Vec<OrderId>>);

#[cfg(any(test, feature = "testing"))]
#[async_trait]
impl HeldUpdates for HeldInMemory {
    async fn hold(&self, work: Vec<FailedWork>) -> Result<usize, StoreError> {
        let count = work.len();
        self.0.lock().extend(work.into_iter().map(|it| OrderId::from(it.subject)));
        Ok(count)
    }

    async fn orders(&self) -> Result<Vec<OrderId>, StoreError> {
        Ok(self.0.lock().clone())
    }
}
