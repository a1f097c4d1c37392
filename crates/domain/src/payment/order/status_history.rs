//! The status history of an order, and the summary of it that v3.1 shows.

use super::PaymentStatus;
use crate::payment::OrderFamily;
use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};

/// The status of an order in the detail of v4.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DetailedStatus {
    /// The status of its payment; a standing order or a file has only the statuses of preparation and cancellation
    /// here.
    Payment(PaymentStatus),
    /// A standing order is set up, or a file is processed.
    SetUp,
    /// The standing order or file could not be set up. Final.
    SetUpFailed,
}

/// The status of an order in the detail of v3.1. Source: table 1.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SummaryStatus {
    /// An immediate order is pending.
    Pending,
    /// An immediate order is being executed.
    InProcess,
    /// The debtor account is debited.
    Settled,
    /// The payee's bank has not posted the payment.
    WithoutPosting,
    /// The creditor account is credited.
    Credited,
    /// An immediate order was rejected or cancelled.
    Rejected,
    /// An order of another family is not set up yet.
    InitiationPending,
    /// The order is set up; the status of its payments is not shown.
    InitiationCompleted,
    /// The order could not be set up.
    InitiationFailed,
    /// The PSU cancelled the order.
    Cancelled,
}

/// A status of an order, and when it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusChange {
    /// The status.
    #[serde(rename = "stage")]
    pub status: DetailedStatus,
    /// Whether the order has been warehoused.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warehoused: bool,
    /// When the status began (bank clock).
    #[serde(with = "crate::stored")]
    pub at: Timestamp,
}

impl StatusChange {
    /// The status in the detail of v3.1. Source: table 1.5.
    pub fn summary(self, family: OrderFamily) -> SummaryStatus {
        match family {
            OrderFamily::Immediate => self.summary_if_immediate(),
            OrderFamily::Scheduled | OrderFamily::StandingOrder | OrderFamily::File => self.summary_if_deferred(),
        }
    }

    fn summary_if_immediate(self) -> SummaryStatus {
        use PaymentStatus as S;
        match self.status {
            DetailedStatus::Payment(
                S::Received
                | S::PartiallyAuthorised
                | S::TechnicallyValid
                | S::Pending
                | S::CustomerAccepted
                | S::FundsChecked,
            ) => SummaryStatus::Pending,
            DetailedStatus::Payment(S::InProcess | S::AcceptedWithChange) => SummaryStatus::InProcess,
            DetailedStatus::Payment(S::Settled) => SummaryStatus::Settled,
            DetailedStatus::Payment(S::WithoutPosting | S::Blocked) => SummaryStatus::WithoutPosting,
            DetailedStatus::Payment(S::Credited) | DetailedStatus::SetUp => SummaryStatus::Credited,
            DetailedStatus::Payment(S::Rejected | S::Cancelled) | DetailedStatus::SetUpFailed => {
                SummaryStatus::Rejected
            }
        }
    }

    fn summary_if_deferred(self) -> SummaryStatus {
        match (self.status, self.warehoused) {
            (DetailedStatus::Payment(PaymentStatus::Cancelled), _) => SummaryStatus::Cancelled,
            (DetailedStatus::SetUpFailed, _) | (DetailedStatus::Payment(PaymentStatus::Rejected), false) => {
                SummaryStatus::InitiationFailed
            }
            (DetailedStatus::SetUp, _) | (DetailedStatus::Payment(_), true) => SummaryStatus::InitiationCompleted,
            (DetailedStatus::Payment(_), false) => SummaryStatus::InitiationPending,
        }
    }
}

/// The status history of an order. It has at least one entry, and its times never decrease.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<StatusChange>")]
pub struct StatusHistory {
    first: StatusChange,
    later: Vec<StatusChange>,
}

impl TryFrom<Vec<StatusChange>> for StatusHistory {
    type Error = &'static str;

    fn try_from(changes: Vec<StatusChange>) -> Result<Self, &'static str> {
        Self::from_changes(changes).ok_or("an order has no step")
    }
}

impl Serialize for StatusHistory {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.changes())
    }
}

impl StatusHistory {
    /// A history with its first entry.
    pub fn starting_with(first: StatusChange) -> Self {
        Self { first, later: Vec::new() }
    }

    /// A history from its stored entries; `None` if there are none.
    pub fn from_changes(steps: impl IntoIterator<Item = StatusChange>) -> Option<Self> {
        let mut steps = steps.into_iter();
        let first = steps.next()?;
        Some(Self { first, later: steps.collect() })
    }

    /// All entries, oldest first.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = StatusChange> {
        std::iter::once(self.first).chain(self.later.iter().copied())
    }

    /// The last entry, with the present status.
    pub fn current(&self) -> StatusChange {
        self.later.last().copied().unwrap_or(self.first)
    }

    /// When the present v3.1 status began; changes between v4.0 statuses with the same summary do not count. Source:
    /// PIS-047.
    pub fn summary_since(&self, family: OrderFamily) -> Timestamp {
        self.unchanged_since(|step| step.summary(family))
    }

    /// When the present status began in a version that shows every change as `shown`. Source: PIS-047.
    pub fn unchanged_since<S: PartialEq>(&self, shown: impl Fn(StatusChange) -> S) -> Timestamp {
        let now = shown(self.current());
        let same = self.changes().rev().take_while(|step| shown(*step) == now);
        same.last().unwrap_or(self.first).at
    }

    /// Adds an entry. If the clock was set back, the entry gets the time of the one before it.
    pub(super) fn push(&mut self, status: DetailedStatus, warehoused: bool, at: Timestamp) {
        let at = at.max(self.current().at);
        self.later.push(StatusChange { status, warehoused, at });
    }
}
