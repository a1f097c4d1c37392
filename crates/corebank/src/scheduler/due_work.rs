//! Finds the next due item of a batch. Orders are read ahead, so that each of many orders due at once is read once.

use crate::batch::StepNeeds;
use crate::payments::step_needs;
use crate::storage::{Arrangement, BankTransaction as Tables, OrderAtBank};
use jiff::Timestamp;
use lombard_domain::account::Transaction;
use lombard_domain::ids::OrderId;
use lombard_ports::store::{DueRows, FailedWork, StoreError, WorkKind};
use std::collections::VecDeque;

/// The number of orders read at a time.
const AHEAD: u32 = 64;

/// A due item.
#[derive(Debug)]
pub(super) enum DueItem {
    /// The next step of an order.
    Order(Timestamp, Box<OrderAtBank>),
    /// The execution of an arrangement.
    Arrangement(Timestamp, Box<Arrangement>),
    /// The booking of a pending entry.
    PendingEntry(Box<Transaction>),
}

impl DueItem {
    pub(super) fn at(&self) -> Timestamp {
        match self {
            Self::PendingEntry(entry) => entry.booked_at,
            Self::Order(at, _) | Self::Arrangement(at, _) => *at,
        }
    }

    /// The kind of work and the subject under which the item is quarantined.
    pub(super) fn subject(&self) -> (WorkKind, String) {
        match self {
            Self::Order(_, order) => (WorkKind::BankOrder, order.id.to_string()),
            Self::Arrangement(_, it) => {
                (WorkKind::Arrangement, format!("{}/{}/{}", it.kind().name(), it.account(), it.id()))
            }
            Self::PendingEntry(entry) => (WorkKind::PendingEntry, entry.id.to_string()),
        }
    }
}

/// The work that is due by a time, in the order of due time. At the same time, orders come first and arrangements second. An order's
/// arrangement and its pending entries are therefore never processed without the order.
#[derive(Debug)]
pub(super) struct DueWork {
    now: Timestamp,
    /// Orders that were read and not processed yet.
    orders: VecDeque<DueItem>,
    /// Whether there may be further orders.
    more: bool,
    /// The earliest processed order that is due again.
    due_again: Option<(Timestamp, OrderId)>,
    /// The earliest other item, if it was queried. An order processed after the query may have removed the item.
    other: Option<Option<DueItem>>,
    /// Whether no order was processed since `other` was queried.
    is_fresh: bool,
    /// The needs of the steps of the orders that were read last.
    needs: Option<StepNeeds>,
}

impl DueWork {
    /// Creates the list of the work that is due by now, except quarantined work.
    pub(super) fn new(now: Timestamp) -> Self {
        Self { now, orders: VecDeque::new(), more: true, due_again: None, other: None, is_fresh: false, needs: None }
    }

    /// The earliest due item.
    ///
    /// # Errors
    /// [`BatchStop::Unprocessable`] if due items cannot be read, because the order of items is unknown then; otherwise the storage
    /// failure.
    pub(super) fn next(&mut self, tx: &mut dyn Tables) -> Result<Option<DueItem>, BatchStop> {
        if !self.has_next_order() {
            self.read_orders(tx)?;
        }
        // Items that orders create are due after those orders. The item found before is therefore still the earliest, but an order may have
        // removed it.
        if self.other.is_none() || (!self.is_order_first() && !self.is_fresh) {
            self.find_other(tx)?;
        }
        if self.is_order_first() {
            self.is_fresh = false;
            return Ok(self.orders.pop_front());
        }
        Ok(self.other.take().flatten())
    }

    /// Returns the needs of the steps of orders read since the last call; `None` if no orders were read.
    pub(super) const fn take_needs(&mut self) -> Option<StepNeeds> {
        self.needs.take()
    }

    /// Records that an order was processed, and when it is due again.
    pub(super) fn record_processed(&mut self, order: OrderId, due_at: Option<Timestamp>) {
        let due = due_at.filter(|at| *at <= self.now).map(|at| (at, order));
        self.due_again = self.due_again.take().into_iter().chain(due).min();
    }

    fn is_order_first(&self) -> bool {
        match (self.orders.front(), self.other.as_ref().and_then(Option::as_ref)) {
            (Some(order), Some(other)) => order.at() <= other.at(),
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// Whether the first order read is the next item.
    fn has_next_order(&self) -> bool {
        match (self.orders.front(), &self.due_again) {
            (Some(DueItem::Order(at, order)), Some((again_at, again))) => (at, &order.id) < (again_at, again),
            (Some(_), None) => true,
            (None, again) => !self.more && again.is_none(),
            (Some(_), Some(_)) => false,
        }
    }

    fn read_orders(&mut self, tx: &mut dyn Tables) -> Result<(), BatchStop> {
        let found = readable(tx.bank_orders_due(self.now, AHEAD)?)?;
        self.more = u32::try_from(found.len()).is_ok_and(|count| count >= AHEAD);
        self.needs = (!found.is_empty()).then(|| step_needs(&found, self.now));
        let due = found.into_iter().filter_map(|it| it.due_at.map(|at| DueItem::Order(at, Box::new(it))));
        self.orders = due.collect();
        self.due_again = None;
        Ok(())
    }

    fn find_other(&mut self, tx: &mut dyn Tables) -> Result<(), BatchStop> {
        let arranged = readable(tx.arrangements_due(self.now, 1)?)?.into_iter();
        let arranged = arranged.filter_map(|it| it.due_at().map(|at| DueItem::Arrangement(at, Box::new(it)))).next();
        let pending =
            readable(tx.entries_pending(self.now, 1)?)?.pop().map(|entry| DueItem::PendingEntry(Box::new(entry)));
        self.other = Some(match (arranged, pending) {
            (Some(arranged), Some(pending)) if pending.at() < arranged.at() => Some(pending),
            (first, second) => first.or(second),
        });
        self.is_fresh = true;
        Ok(())
    }
}

/// Why a batch was stopped.
#[derive(Debug)]
pub(crate) enum BatchStop {
    /// These items cannot be processed.
    Unprocessable(Vec<FailedWork>),
    /// Storage is unavailable.
    Storage(StoreError),
}

impl BatchStop {
    /// Whether one of the batch's items may have caused the failure, without certainty which one.
    pub(super) const fn is_of_an_item(&self) -> bool {
        matches!(self, Self::Unprocessable(_) | Self::Storage(StoreError::Duplicate(_) | StoreError::Corrupt { .. }))
    }
}

impl From<StoreError> for BatchStop {
    fn from(error: StoreError) -> Self {
        Self::Storage(error)
    }
}

impl BatchStop {
    /// Classifies the failure of an item. Unavailable storage is not the item's fault.
    pub(super) fn at((kind, subject): (WorkKind, String), error: StoreError) -> Self {
        match error {
            StoreError::Contended | StoreError::Unavailable(_) => Self::Storage(error),
            StoreError::Duplicate(_) | StoreError::Corrupt { .. } => {
                Self::Unprocessable(vec![FailedWork::new(kind, subject, &error)])
            }
        }
    }
}

/// Returns the rows if all of them can be read.
fn readable<T>(found: DueRows<T>) -> Result<Vec<T>, BatchStop> {
    if found.unreadable.is_empty() { Ok(found.rows) } else { Err(BatchStop::Unprocessable(found.unreadable)) }
}
