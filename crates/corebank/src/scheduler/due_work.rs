//! The next due item of a batch. Items are read ahead, so that each of many orders due at once is read once.

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

    /// The kind and subject by which it is quarantined.
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

/// What is due by a time, in the order of time. Of several at the same time orders come first, so that what belongs to an
/// order (the arrangement it is shown as, its pending entries) is never done without it; then what was arranged.
#[derive(Debug)]
pub(super) struct DueWork {
    now: Timestamp,
    /// Orders that were read and not processed yet.
    orders: VecDeque<DueItem>,
    /// Whether there may be further orders.
    more: bool,
    /// The earliest processed order that is due again.
    due_again: Option<(Timestamp, OrderId)>,
    /// The earliest other item, once queried. Orders processed since may have removed it.
    other: Option<Option<DueItem>>,
    /// Whether no order was processed since.
    is_fresh: bool,
    /// What the steps of the orders need that were read last.
    needs: Option<StepNeeds>,
}

impl DueWork {
    /// The work due by now, except quarantined work.
    pub(super) fn new(now: Timestamp) -> Self {
        Self { now, orders: VecDeque::new(), more: true, due_again: None, other: None, is_fresh: false, needs: None }
    }

    /// The earliest due item.
    ///
    /// # Errors
    /// [`BatchStop::Unprocessable`] if due items cannot be read, because the order is uncertain then; otherwise storage's
    /// failure.
    pub(super) fn next(&mut self, tx: &mut dyn Tables) -> Result<Option<DueItem>, BatchStop> {
        if !self.has_next_order() {
            self.read_orders(tx)?;
        }
        // Items created by orders are due after them, so the item found before is still the earliest, but it may have been
        // removed.
        if self.other.is_none() || (!self.is_order_first() && !self.is_fresh) {
            self.find_other(tx)?;
        }
        if self.is_order_first() {
            self.is_fresh = false;
            return Ok(self.orders.pop_front());
        }
        Ok(self.other.take().flatten())
    }

    /// What the steps of orders need that were read since the last call; `None` if none were.
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
    /// Whether the batch may have failed because of one of its items, but it is not certain of which.
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
    /// Classifies an item's failure: unavailable storage is no fault of the item.
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
