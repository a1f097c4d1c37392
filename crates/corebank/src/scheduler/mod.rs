//! The bank's scheduler: runs the work that is due on the bank's clock, in the order of due time, each item once.
//!
//! An activation takes no input and processes a bounded batch in one transaction. It may run twice or on two nodes, for three reasons:
//! it first writes a row that serves as a lock, every journal has a unique cause, and when the transaction ends, a processed item is due
//! later or never. The size of a clock change does not matter. Items that cannot be processed are quarantined, and the others continue.

mod closing;
mod due_work;
mod payments;
mod routines;

use crate::batch::BatchTransaction;
use crate::due_work_lock::lock_due_work;
use crate::error::bank_error;
use crate::market::ExchangeMarket;
use crate::storage::{Arrangement, ArrangementKind, BankStore, BankTransaction as Tables};
use crate::{booking, payments as orders};
use async_trait::async_trait;
use due_work::{BatchStop, DueItem, DueWork};
use jiff::Timestamp;
use lombard_domain::account::{ArrangementStatus, Transaction};
use lombard_ports::bank::{BankError, Scheduler};
use lombard_ports::clock::Clocks;
use lombard_ports::store::StoreError;
use lombard_service::workers;
use std::sync::Arc;
use tokio::sync::Notify;

/// The largest number of items per activation, so that SQLite's writer is not blocked for long.
const BATCH: u32 = 64;

/// The scheduler of the built-in bank. Clones share the store.
#[derive(Debug, Clone)]
pub struct BankScheduler {
    store: BankStore,
    clocks: Clocks,
    due_work_notify: Arc<Notify>,
    market: Arc<ExchangeMarket>,
}

impl BankScheduler {
    /// The scheduler of the bank with this store and the bank's clock.
    pub fn new(store: BankStore, clocks: Clocks) -> Self {
        Self { store, clocks, due_work_notify: Arc::default(), market: Arc::default() }
    }

    /// Sets the notification for new orders.
    pub(super) fn with_due_work_notify(self, notify: Arc<Notify>) -> Self {
        Self { due_work_notify: notify, ..self }
    }

    /// Sets the exchange market, which must be the bank's.
    #[must_use]
    pub fn with_market(self, market: Arc<ExchangeMarket>) -> Self {
        Self { market, ..self }
    }

    /// Processes a batch of due work. Returns the number of items; zero means that nothing is due.
    ///
    /// An item that cannot be read, or whose data is inconsistent, is quarantined until an operator retries it; it does not
    /// stop other items.
    ///
    /// # Errors
    /// [`StoreError`]; the batch is rolled back then, and the next activation finds the same work.
    pub async fn run_due(&self) -> Result<u32, StoreError> {
        let mut last = Vec::new();
        loop {
            let mut batch = self.run_batch(run_together).await;
            if batch.as_ref().is_err_and(BatchStop::is_of_an_item) {
                // A batch finds a failure only when it writes the rows of many items; a run item by item finds the failed item.
                batch = self.run_batch(run_one_by_one).await;
            }
            match batch {
                Ok(done) => return Ok(done),
                Err(BatchStop::Unprocessable(work)) => {
                    // Without this check, work that is due again right after its quarantine would be retried endlessly.
                    if work == last {
                        return Err(StoreError::Unavailable(format!("in quarantine and found due: {work:?}").into()));
                    }
                    workers::quarantine_work(&self.store, &self.clocks, work.clone()).await?;
                    last = work;
                }
                Err(BatchStop::Storage(error)) => return Err(error),
            }
        }
    }

    /// Whether any work is due. A due item that cannot be read counts until it is quarantined.
    ///
    /// # Errors
    /// [`StoreError`].
    pub async fn has_due_work(&self) -> Result<bool, StoreError> {
        let now = self.clocks.bank_now();
        match self.store.read(move |tx| DueWork::new(now).next(tx)).await {
            Ok(found) => Ok(found.is_some()),
            Err(BatchStop::Unprocessable(_)) => Ok(true),
            Err(BatchStop::Storage(error)) => Err(error),
        }
    }

    /// Does the same as [`run_due`](Self::run_due), item by item.
    #[cfg(test)]
    pub(crate) async fn run_due_one_by_one(&self) -> Result<u32, BatchStop> {
        self.run_batch(run_one_by_one).await
    }

    async fn run_batch(&self, run: RunBatch) -> Result<u32, BatchStop> {
        let now = self.clocks.bank_now();
        // Usually nothing is due, and a read does not lock the writer.
        if self.store.read(move |tx| DueWork::new(now).next(tx)).await?.is_none() {
            return Ok(0);
        }
        let (clocks, market) = (self.clocks.clone(), Arc::clone(&self.market));
        // Reading ahead is useful only if a read takes a network round trip.
        let reads_ahead = self.store.waits_for_server();
        self.store
            .write(move |tx| {
                lock_due_work(tx, clocks.wall_now())?;
                // The lock excludes clock changes; the clock may have been moved since the first query.
                let now = clocks.read_bank_time(tx)?;
                run(tx, &Batch { now, market: &market, reads_ahead })
            })
            .await
    }
}

/// A batch of due work.
struct Batch<'a> {
    now: Timestamp,
    market: &'a ExchangeMarket,
    /// Whether the batch reads the rows of orders before it runs their steps.
    reads_ahead: bool,
}

/// Runs a batch and returns the number of processed items.
type RunBatch = fn(&mut dyn Tables, &Batch<'_>) -> Result<u32, BatchStop>;

/// Runs a batch whose rows are read and written in sets.
fn run_together(tx: &mut dyn Tables, batch: &Batch<'_>) -> Result<u32, BatchStop> {
    let mut tx = BatchTransaction::new(tx);
    let (mut due_work, mut done) = (DueWork::new(batch.now), 0_u32);
    while done < BATCH
        && let Some(due) = due_work.next(&mut tx)?
    {
        if let Some(needs) = due_work.take_needs().filter(|_| batch.reads_ahead) {
            tx.read_ahead(needs)?;
        }
        let subject = due.subject();
        carry_out(&mut tx, due, &mut due_work, batch.market).map_err(|error| BatchStop::at(subject, error))?;
        done = done.saturating_add(1);
    }
    tx.finish()?;
    Ok(done)
}

/// Runs a batch item by item, so that a failure belongs to the item at which it occurs.
fn run_one_by_one(tx: &mut dyn Tables, batch: &Batch<'_>) -> Result<u32, BatchStop> {
    let (mut due_work, mut done) = (DueWork::new(batch.now), 0_u32);
    while done < BATCH
        && let Some(due) = due_work.next(tx)?
    {
        let subject = due.subject();
        let carried_out = carry_out(tx, due, &mut due_work, batch.market).and_then(|()| tx.confirm_writes());
        carried_out.map_err(|error| BatchStop::at(subject, error))?;
        done = done.saturating_add(1);
    }
    Ok(done)
}

#[async_trait]
impl Scheduler for BankScheduler {
    async fn wait_until_due(&self) {
        self.due_work_notify.notified().await;
    }

    async fn run_due(&self) -> Result<u32, BankError> {
        self.run_due().await.map_err(bank_error)
    }
}

fn carry_out(
    tx: &mut dyn Tables,
    due: DueItem,
    due_work: &mut DueWork,
    market: &ExchangeMarket,
) -> Result<(), StoreError> {
    match due {
        DueItem::Order(at, order) => {
            let id = order.id.clone();
            due_work.record_processed(id, orders::process_order(tx, *order, at, market)?);
            Ok(())
        }
        DueItem::PendingEntry(entry) => book_pending(tx, *entry),
        DueItem::Arrangement(at, arrangement) => match *arrangement {
            Arrangement::StandingOrder(order) if orders::has_bank_order(tx, order.id.as_str())? => {
                payments::end(tx, order, ArrangementStatus::Inactive)
            }
            Arrangement::ScheduledPayment(it) if orders::has_bank_order(tx, it.id.as_str())? => {
                tx.arrangement_remove(ArrangementKind::ScheduledPayment, &it.account, &it.id).map(drop)
            }
            Arrangement::StandingOrder(order) => payments::standing_order(tx, order, at),
            Arrangement::ScheduledPayment(payment) => payments::execute_scheduled_payment(tx, &payment),
            Arrangement::Routine(routine) => routines::execute_routine(tx, routine, at),
            // Arrangements of these kinds have no due time.
            Arrangement::Beneficiary(_)
            | Arrangement::DirectDebit(_)
            | Arrangement::Product(_)
            | Arrangement::Offer(_)
            | Arrangement::Party(_) => Ok(()),
        },
    }
}

/// Books a pending entry at its time. Only an order, which is processed first, books or releases the entries of that order. If such an
/// entry is still pending here, the order could not be processed, and it would be wrong to book the entry.
///
/// # Errors
/// [`StoreError::Corrupt`] for an entry of an order, [`StoreError`] otherwise.
fn book_pending(tx: &mut dyn Tables, entry: Transaction) -> Result<(), StoreError> {
    let cause = tx.reservation_cause(&entry.id)?;
    if let Some(order) = cause.as_deref().and_then(orders::order_of_cause) {
        let source = format!("the entry belongs to the order {order}, which was not carried out at its time").into();
        return Err(StoreError::Corrupt { table: "entries", id: entry.id.to_string(), source });
    }
    booking::book_pending_entry(tx, entry)
}
