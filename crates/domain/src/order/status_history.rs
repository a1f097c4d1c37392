//! The course of an order: the stages it went through and when, and what older versions of the standard see of it.

use super::{OrderFamily, PaymentStatus};
use jiff::Timestamp;
use serde::{Deserialize, Serialize, Serializer};

/// The status of an order in the detail of v4.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DetailedStatus {
    /// It stands as its payment does; of a standing order or a file, only statuses of preparation and its ends.
    Payment(PaymentStatus),
    /// A standing order is set up, a file is processed.
    SetUp,
    /// It could not be set up. Final.
    SetUpFailed,
}

/// The status of an order in the detail of v3.1. Source: table 1.5.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SummaryStatus {
    /// An immediate order is not decided yet.
    Pending,
    /// It is on its way.
    InProcess,
    /// The payer's account is debited.
    Settled,
    /// The payee's bank has not posted it.
    WithoutPosting,
    /// The payee's account is credited.
    Credited,
    /// It was refused or taken back.
    Rejected,
    /// A kept order is not set up yet.
    InitiationPending,
    /// It is set up; what becomes of its payments is not told.
    InitiationCompleted,
    /// It could not be set up.
    InitiationFailed,
    /// The customer took it back.
    Cancelled,
}

/// Where an order stood from a moment on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusChange {
    /// Its stage.
    pub stage: DetailedStatus,
    /// Whether the bank has taken it into its keeping until its day.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub warehoused: bool,
    /// Since when (bank clock).
    #[serde(with = "crate::stored")]
    pub at: Timestamp,
}

impl StatusChange {
    /// What v3.1 sees of it. Source: table 1.5.
    pub fn summary(self, family: OrderFamily) -> SummaryStatus {
        match family {
            OrderFamily::Immediate => self.immediate(),
            OrderFamily::Scheduled | OrderFamily::StandingOrder | OrderFamily::File => self.kept(),
        }
    }

    fn immediate(self) -> SummaryStatus {
        use PaymentStatus as S;
        match self.stage {
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

    fn kept(self) -> SummaryStatus {
        match (self.stage, self.warehoused) {
            (DetailedStatus::Payment(PaymentStatus::Cancelled), _) => SummaryStatus::Cancelled,
            (DetailedStatus::SetUpFailed, _) | (DetailedStatus::Payment(PaymentStatus::Rejected), false) => {
                SummaryStatus::InitiationFailed
            }
            (DetailedStatus::SetUp, _) | (DetailedStatus::Payment(_), true) => SummaryStatus::InitiationCompleted,
            (DetailedStatus::Payment(_), false) => SummaryStatus::InitiationPending,
        }
    }
}

/// The status history of an order; it has at least one entry, and time never runs back in it.
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
    /// A course that begins.
    pub fn starting_with(first: StatusChange) -> Self {
        Self { first, later: Vec::new() }
    }

    /// A course as it was stored; `None` if there is no step.
    pub fn from_changes(steps: impl IntoIterator<Item = StatusChange>) -> Option<Self> {
        let mut steps = steps.into_iter();
        let first = steps.next()?;
        Some(Self { first, later: steps.collect() })
    }

    /// Every step, the first first.
    pub fn changes(&self) -> impl DoubleEndedIterator<Item = StatusChange> {
        std::iter::once(self.first).chain(self.later.iter().copied())
    }

    /// The last step: where the order stands.
    pub fn current(&self) -> StatusChange {
        self.later.last().copied().unwrap_or(self.first)
    }

    /// Since when the order stands where it stands, as coarsely as v3.1 tells: a finer move leaves no trace there.
    /// Source: PIS-047.
    pub fn summary_since(&self, family: OrderFamily) -> Timestamp {
        let phase = self.current().summary(family);
        let same = self.changes().rev().take_while(|step| step.summary(family) == phase);
        same.last().unwrap_or(self.first).at
    }

    /// Goes a step on. A clock that was set back does not make it earlier than the step before.
    pub(super) fn push(&mut self, stage: DetailedStatus, warehoused: bool, at: Timestamp) {
        let at = at.max(self.current().at);
        self.later.push(StatusChange { stage, warehoused, at });
    }
}
