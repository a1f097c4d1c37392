//! The comparison of orders with the bank's core as operators order it and see its result.

use jiff::Timestamp;
use lombard_domain::ids::OrderId;
use lombard_ports::store::OrderPosition;
use lombard_service::payments::reconciliation::{
    Difference, ReconciledBatch, ReconciliationPart, ReconciliationPosition, Remedy,
};
use serde::{Deserialize, Serialize};

/// An instant as text of RFC 3339.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Instant(pub Timestamp);

impl From<Instant> for String {
    fn from(Instant(at): Instant) -> Self {
        at.to_string()
    }
}

impl TryFrom<String> for Instant {
    type Error = jiff::Error;

    fn try_from(text: String) -> Result<Self, jiff::Error> {
        text.parse().map(Self)
    }
}

/// A batch of the comparison to be made.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reconciliation {
    /// The time since when orders are compared (bank clock), seven days ago if it is absent. All batches of a comparison name the same
    /// time: that of the first batch's answer. Older orders are compared if they wait for the core.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<Instant>,
    /// The position of the batch, from the answer before it; absent for the first batch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub position: Option<PositionView>,
    /// Whether nothing is changed.
    #[serde(default)]
    pub dry_run: bool,
}

/// A position in the comparison.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionView {
    part: PartView,
    at: Instant,
    id: OrderId,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PartView {
    Created,
    Waiting,
    Held,
}

/// The result of a batch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReconciliationView {
    /// The time since when orders are compared.
    pub since: Instant,
    /// The number of orders that were compared.
    pub compared: u64,
    /// The number of the server's orders that were created since the time, if this is the first batch; 0 otherwise.
    pub total: u64,
    /// The differences.
    pub differences: Vec<DifferenceView>,
    /// The position of the next batch; absent after the last one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<PositionView>,
}

/// A difference between the server's order and the core's.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DifferenceView {
    /// The order.
    pub order: OrderId,
    /// What is different.
    pub difference: String,
    /// What the server knows.
    pub here: String,
    /// What the core knows.
    pub at_core: String,
    /// Whether it is certain what to do: it was done, unless this is a dry run. An operator decides about the others.
    pub is_certain: bool,
    /// What was done, or is to be done.
    pub remedy: String,
}

impl From<Difference> for DifferenceView {
    fn from(Difference { order, kind, here, at_bank }: Difference) -> Self {
        let (is_certain, remedy) = match kind.remedy() {
            Remedy::Certain(remedy) => (true, remedy),
            Remedy::Operator(remedy) => (false, remedy),
        };
        let (difference, remedy) = (kind.code().to_owned(), remedy.to_owned());
        Self { order, difference, here, at_core: at_bank, is_certain, remedy }
    }
}

impl From<ReconciliationPosition> for PositionView {
    fn from(ReconciliationPosition { part, after: OrderPosition { at, id } }: ReconciliationPosition) -> Self {
        let part = match part {
            ReconciliationPart::Created => PartView::Created,
            ReconciliationPart::Waiting => PartView::Waiting,
            ReconciliationPart::Held => PartView::Held,
        };
        Self { part, at: Instant(at), id }
    }
}

impl From<PositionView> for ReconciliationPosition {
    fn from(PositionView { part, at, id }: PositionView) -> Self {
        let part = match part {
            PartView::Created => ReconciliationPart::Created,
            PartView::Waiting => ReconciliationPart::Waiting,
            PartView::Held => ReconciliationPart::Held,
        };
        Self { part, after: OrderPosition { at: at.0, id } }
    }
}

impl ReconciliationView {
    /// The result of a batch of the comparison since this time.
    pub fn of_batch(since: Timestamp, batch: ReconciledBatch) -> Self {
        let ReconciledBatch { compared, total, differences, next } = batch;
        let differences = differences.into_iter().map(DifferenceView::from).collect();
        Self { since: Instant(since), compared, total, differences, next: next.map(PositionView::from) }
    }
}
