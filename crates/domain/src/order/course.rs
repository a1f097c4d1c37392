//! The course of an order: the stages it went through and when, and what older versions of the standard see of it.

use super::{Family, PaymentStatus};
use jiff::Timestamp;

/// The status of an order in the detail of v4.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stage {
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Step {
    /// Its stage.
    pub stage: Stage,
    /// Whether the bank has taken it into its keeping until its day.
    pub warehoused: bool,
    /// Since when (bank clock).
    pub at: Timestamp,
}

impl Step {
    /// What v3.1 sees of it. Source: table 1.5.
    pub fn phase(self, family: Family) -> SummaryStatus {
        match family {
            Family::Immediate => self.immediate(),
            Family::Scheduled | Family::StandingOrder | Family::File => self.kept(),
        }
    }

    fn immediate(self) -> SummaryStatus {
        use PaymentStatus as S;
        match self.stage {
            Stage::Payment(
                S::Received
                | S::PartiallyAuthorised
                | S::TechnicallyValid
                | S::Pending
                | S::CustomerAccepted
                | S::FundsChecked,
            ) => SummaryStatus::Pending,
            Stage::Payment(S::InProcess | S::AcceptedWithChange) => SummaryStatus::InProcess,
            Stage::Payment(S::Settled) => SummaryStatus::Settled,
            Stage::Payment(S::WithoutPosting | S::Blocked) => SummaryStatus::WithoutPosting,
            Stage::Payment(S::Credited) | Stage::SetUp => SummaryStatus::Credited,
            Stage::Payment(S::Rejected | S::Cancelled) | Stage::SetUpFailed => SummaryStatus::Rejected,
        }
    }

    fn kept(self) -> SummaryStatus {
        match (self.stage, self.warehoused) {
            (Stage::Payment(PaymentStatus::Cancelled), _) => SummaryStatus::Cancelled,
            (Stage::SetUpFailed, _) | (Stage::Payment(PaymentStatus::Rejected), false) => {
                SummaryStatus::InitiationFailed
            }
            (Stage::SetUp, _) | (Stage::Payment(_), true) => SummaryStatus::InitiationCompleted,
            (Stage::Payment(_), false) => SummaryStatus::InitiationPending,
        }
    }
}

/// The status history of an order; it has at least one entry, and time never runs back in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatusHistory {
    first: Step,
    later: Vec<Step>,
}

impl StatusHistory {
    /// A course that begins.
    pub fn from(first: Step) -> Self {
        Self { first, later: Vec::new() }
    }

    /// A course as it was stored; `None` if there is no step.
    pub fn from_changes(steps: impl IntoIterator<Item = Step>) -> Option<Self> {
        let mut steps = steps.into_iter();
        let first = steps.next()?;
        Some(Self { first, later: steps.collect() })
    }

    /// Every step, the first first.
    pub fn steps(&self) -> impl DoubleEndedIterator<Item = Step> {
        std::iter::once(self.first).chain(self.later.iter().copied())
    }

    /// The last step: where the order stands.
    pub fn now(&self) -> Step {
        self.later.last().copied().unwrap_or(self.first)
    }

    /// Since when the order stands where it stands, as coarsely as v3.1 tells: a finer move leaves no trace there.
    /// Source: PIS-047.
    pub fn summary_since(&self, family: Family) -> Timestamp {
        let phase = self.now().phase(family);
        let same = self.steps().rev().take_while(|step| step.phase(family) == phase);
        same.last().unwrap_or(self.first).at
    }

    /// Goes a step on. A clock that was set back does not make it earlier than the step before.
    pub(super) fn push(&mut self, stage: Stage, warehoused: bool, at: Timestamp) {
        let at = at.max(self.now().at);
        self.later.push(Step { stage, warehoused, at });
    }
}
