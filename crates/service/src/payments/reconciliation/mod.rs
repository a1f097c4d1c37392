//! Compares the server's orders with those that the bank holds, and corrects differences whose cause is certain. After the
//! restore of either database the two sides know different things; the comparison also finds orders that do not progress.
//!
//! The comparison may run beside traffic, more than once and on several nodes. A batch reads a page of orders, asks the bank, and
//! changes each order in a transaction that checks again what it has read. An order that is between two steps does not count as a
//! difference: the server's row is read before the bank is asked, and compared with its updates again under a lock.

mod comparison;
mod difference;
mod file_orders;
mod held_orders;
mod mending;
mod resubmission;
mod stalled;

pub use difference::{Difference, DifferenceKind, Remedy};
pub use resubmission::ResubmissionRefusal;
pub use stalled::{FollowUp, measure_stalled_orders};

use super::execution::apply_order_updates;
use crate::events::Outbox;
use crate::workers::{call_bank_within_limit, is_permanent};
use crate::{Context, Failure};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::Order;
use lombard_ports::bank::{Bank, BankError, CallContext, OrderStanding};
use lombard_ports::clock::Clocks;
use lombard_ports::store::{OrderPage, OrderPosition, OrderWithUpdates, ServerTransaction, Store};
use std::collections::HashMap;
use std::sync::Arc;
use tokio::sync::Notify;

/// The number of orders that are compared in one batch.
const ORDERS_TOGETHER: u32 = 200;

/// The number of payments from which on a file ends its batch.
const LARGE_FILE: u32 = 1_000;

/// How long after its expected end an order is listed because it does not move (bank clock).
const LISTED_AFTER: SignedDuration = SignedDuration::from_hours(1);

/// The part of the comparison that a batch belongs to. The parts follow one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReconciliationPart {
    /// The server's orders that were created since a time.
    Created,
    /// The server's older orders that wait for the bank.
    Waiting,
    /// The orders that the bank received since a time.
    Held,
}

/// A position in the comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReconciliationPosition {
    /// The part.
    pub part: ReconciliationPart,
    /// The last order before the position, by the time by which the part is sorted.
    pub after: OrderPosition,
}

/// The result of a batch.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReconciledBatch {
    /// The number of orders that were compared.
    pub compared: u64,
    /// The number of the server's orders that were created since the time, if this is the first batch; 0 otherwise.
    pub total: u64,
    /// The differences that were found.
    pub differences: Vec<Difference>,
    /// The position of the next batch; `None` after the last one.
    pub next: Option<ReconciliationPosition>,
}

/// Compares orders with the bank's. Clones share everything.
#[derive(Debug, Clone)]
pub struct Reconciler {
    store: Store,
    bank: Arc<dyn Bank>,
    clocks: Clocks,
    outbox: Outbox,
    submission_notify: Arc<Notify>,
}

impl From<&Context> for Reconciler {
    fn from(context: &Context) -> Self {
        let submission_notify = Arc::clone(&context.payments.submission_notify);
        let (store, bank, clocks) = (context.store.clone(), Arc::clone(&context.bank), context.clocks.clone());
        Self { store, bank, clocks, outbox: context.outbox.caused_by(None), submission_notify }
    }
}

impl Reconciler {
    /// A reconciler for a process that serves no requests.
    pub fn new(store: Store, bank: Arc<dyn Bank>, clocks: Clocks, outbox: Outbox) -> Self {
        Self { store, bank, clocks, outbox, submission_notify: Arc::default() }
    }

    /// Compares the next batch of orders: those created or received since a time, and older ones that wait for the bank. A dry run
    /// changes nothing, and lists what would be corrected.
    ///
    /// # Errors
    /// [`Failure::Broken`] with [`BankError::UnknownMethod`] if the bank does not say how orders stand; otherwise the bank's failure or
    /// storage's. What was corrected before stays corrected.
    pub async fn compare_batch(
        &self,
        since: Timestamp,
        position: Option<ReconciliationPosition>,
        is_dry_run: bool,
    ) -> Result<ReconciledBatch, Failure> {
        let is_first = position.is_none();
        let begin = |part, at| ReconciliationPosition { part, after: OrderPosition { at, id: OrderId::new("") } };
        let position = position.unwrap_or_else(|| begin(ReconciliationPart::Created, since));
        let part = position.part;
        let mut batch = match part {
            ReconciliationPart::Created => {
                let mut batch = self.compare_created(position.after, is_dry_run).await?;
                if is_first {
                    batch.total = self.store.read(move |tx| tx.orders_created_count(since)).await?;
                }
                batch
            }
            ReconciliationPart::Waiting => self.compare_waiting(position.after, since, is_dry_run).await?,
            ReconciliationPart::Held => self.compare_held(position.after).await?,
        };
        batch.next = batch.next.or(match part {
            ReconciliationPart::Created => Some(begin(ReconciliationPart::Waiting, Timestamp::MIN)),
            ReconciliationPart::Waiting => Some(begin(ReconciliationPart::Held, since)),
            ReconciliationPart::Held => None,
        });
        Ok(batch)
    }

    async fn compare_created(&self, after: OrderPosition, is_dry_run: bool) -> Result<ReconciledBatch, Failure> {
        let page = self.store.read(move |tx| tx.orders_created(&after, ORDERS_TOGETHER)).await?;
        let page = end_after_large_file(page, |order| Some(order.created_at));
        let compared = u64::try_from(page.orders.len()).unwrap_or(u64::MAX);
        let differences = self.compare_orders(page.orders, is_dry_run).await?;
        let next = page.next.map(|after| ReconciliationPosition { part: ReconciliationPart::Created, after });
        Ok(ReconciledBatch { compared, differences, next, total: 0 })
    }

    async fn compare_waiting(
        &self,
        after: OrderPosition,
        since: Timestamp,
        is_dry_run: bool,
    ) -> Result<ReconciledBatch, Failure> {
        let now = self.clocks.bank_now();
        let page = self.store.read(move |tx| tx.orders_unsettled(&after, now, ORDERS_TOGETHER)).await?;
        let page = end_after_large_file(page, |order| order.unsettled().map(|it| it.due_at));
        // Those created since were compared by the first part.
        let older: Vec<_> = page.orders.into_iter().filter(|it| it.order.created_at < since).collect();
        let compared = u64::try_from(older.len()).unwrap_or(u64::MAX);
        let differences = self.compare_orders(older, is_dry_run).await?;
        let next = page.next.map(|after| ReconciliationPosition { part: ReconciliationPart::Waiting, after });
        Ok(ReconciledBatch { compared, differences, next, total: 0 })
    }

    /// How these orders stand at the bank, by id. An order about which the bank's answer cannot be used has an error; orders that the
    /// bank does not hold are absent.
    ///
    /// # Errors
    /// The bank's failure.
    async fn ask_bank(&self, ids: &[OrderId]) -> Result<HashMap<OrderId, Result<OrderStanding, String>>, Failure> {
        match self.find_orders(ids).await {
            Ok(found) => Ok(found.into_iter().map(|standing| (standing.id.clone(), Ok(standing))).collect()),
            Err(failure) if ids.len() > 1 && is_permanent(&failure) && !is_unknown_method(&failure) => {
                let mut found = HashMap::new();
                for id in ids {
                    match self.find_orders(std::slice::from_ref(id)).await {
                        Ok(standings) => {
                            found.extend(standings.into_iter().map(|standing| (standing.id.clone(), Ok(standing))));
                        }
                        Err(failure) if is_permanent(&failure) => {
                            found.insert(id.clone(), Err(cause_of(&failure)));
                        }
                        Err(failure) => return Err(failure),
                    }
                }
                Ok(found)
            }
            Err(failure) if ids.len() == 1 && is_permanent(&failure) && !is_unknown_method(&failure) => {
                Ok(ids.iter().map(|id| (id.clone(), Err(cause_of(&failure)))).collect())
            }
            Err(failure) => Err(failure),
        }
    }

    async fn find_orders(&self, ids: &[OrderId]) -> Result<Vec<OrderStanding>, Failure> {
        call_bank_within_limit(self.bank.find_orders(&CallContext::default(), ids)).await
    }
}

/// Ends a page after the first order of a large file, whose payments take as long as many orders. `at` is the time by which the page is
/// sorted.
fn end_after_large_file(page: OrderPage, at: impl Fn(&Order) -> Option<Timestamp>) -> OrderPage {
    let OrderPage { mut orders, mut next } = page;
    let is_large = |it: &OrderWithUpdates| it.order.progress.is_some_and(|it| it.count > LARGE_FILE);
    if let Some(index) = orders.iter().position(is_large)
        && let Some(last) = orders.get(index)
        && let Some(at) = at(&last.order)
        && index.saturating_add(1) < orders.len()
    {
        next = Some(OrderPosition { at, id: last.order.id.clone() });
        orders.truncate(index.saturating_add(1));
    }
    OrderPage { orders, next }
}

/// Whether a call failed because the bank does not say how orders stand.
pub(super) fn is_unknown_method(failure: &Failure) -> bool {
    let Failure::Broken(cause) = failure else { return false };
    matches!(cause.downcast_ref(), Some(BankError::UnknownMethod(_)))
}

fn cause_of(failure: &Failure) -> String {
    std::error::Error::source(failure).map_or_else(|| failure.to_string(), ToString::to_string)
}
