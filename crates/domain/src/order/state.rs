//! What can happen to an order: each verb moves it on or refuses, and says what of the move can be seen.

use super::approvals::ApprovalStatus;
use super::{Family, Order, PaymentStatus, Stage, SummaryStatus};
use crate::ids::PsuId;
use crate::version::Version;
use jiff::Timestamp;

/// Why an order was refused or taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reason {
    /// There was not enough money.
    InsufficientFunds,
    /// The payer's account cannot be used.
    DebtorAccountUnusable,
    /// The payee's account does not exist or cannot be used.
    CreditorAccountUnusable,
    /// The scheme or the payee's bank refused it.
    RefusedByScheme,
    /// The bank took it for fraud.
    SuspectedFraud,
    /// A customer who had to agree refused.
    RefusedByAuthoriser,
    /// Not everybody who had to agree did in time.
    AuthorisationLapsed,
    /// The customer took it back.
    CancelledByCustomer,
    /// Anything else the bank does not tell.
    Unstated,
}

/// Why a transition was rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Barred {
    /// The order is there already: a repeated step, or a race that somebody else won.
    #[error("the order stands there already")]
    Already,
    /// The order can no longer change.
    #[error("the order can no longer change")]
    Final,
    /// The step does not follow from where the order stands.
    #[error("the step does not follow from where the order stands")]
    OutOfOrder,
    /// Other customers must agree first, or nobody else is asked.
    #[error("it is not for this customer to say now")]
    NotAsked,
    /// Time to agree has run out, or has not yet.
    #[error("the time to agree does not fit")]
    Time,
}

/// A move of an order, and what of it can be seen. Source: SET-036.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use = "a visible move raises an event"]
pub struct Transition {
    /// The coarse statuses before and after.
    pub phase: (SummaryStatus, SummaryStatus),
    /// The fine statuses before and after.
    pub stage: (Stage, Stage),
    /// Whether the status of the further authorisations changed.
    pub approvals: bool,
}

impl Transition {
    /// Whether a version shows a difference: then the order's TPP is told. Source: SET-036, PIS-047.
    pub fn is_visible(self, version: Version) -> bool {
        self.approvals
            || match version {
                Version::V3_1 => self.phase.0 != self.phase.1,
                Version::V4_0 => self.stage.0 != self.stage.1,
            }
    }
}

impl Order {
    /// Another customer agrees; the last one needed lets the order proceed. Source: PIS-112.
    ///
    /// # Errors
    /// [`Barred::NotAsked`], [`Barred::Already`] for a customer who has agreed, [`Barred::Time`] after the end.
    pub fn approve(&mut self, psu: &PsuId, now: Timestamp) -> Result<Transition, Barred> {
        let before = self.course.now();
        let approvals = self.approvals.as_mut().filter(|it| it.status == ApprovalStatus::Awaiting);
        let approvals = approvals.ok_or(Barred::NotAsked)?;
        if approvals.is_lapsed(now) {
            return Err(Barred::Time);
        }
        if approvals.received.contains(psu) {
            return Err(Barred::Already);
        }
        approvals.add(psu, now);
        let complete = approvals.status == ApprovalStatus::Authorised;
        if complete {
            self.course.push(Stage::Payment(PaymentStatus::TechnicallyValid), before.warehoused, now);
        }
        Ok(self.moved(before, complete))
    }

    /// Another customer refuses, which ends the order. Source: PIS-112.
    ///
    /// # Errors
    /// [`Barred::NotAsked`], [`Barred::Already`] for a customer who has agreed.
    pub fn decline(&mut self, psu: &PsuId, now: Timestamp) -> Result<Transition, Barred> {
        let asked = self.approvals.as_ref().filter(|it| it.status == ApprovalStatus::Awaiting);
        if asked.ok_or(Barred::NotAsked)?.received.contains(psu) {
            return Err(Barred::Already);
        }
        self.end_approvals(Reason::RefusedByAuthoriser, now)
    }

    /// Time to agree has run out, which ends the order. Source: PIS-112.
    ///
    /// # Errors
    /// [`Barred::NotAsked`], [`Barred::Time`] before the end.
    pub fn lapse(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        let asked = self.approvals.as_ref().filter(|it| it.status == ApprovalStatus::Awaiting);
        if !asked.ok_or(Barred::NotAsked)?.is_lapsed(now) {
            return Err(Barred::Time);
        }
        self.end_approvals(Reason::AuthorisationLapsed, now)
    }

    fn end_approvals(&mut self, reason: Reason, now: Timestamp) -> Result<Transition, Barred> {
        let mut moved = self.go(Stage::Payment(PaymentStatus::Rejected), now)?;
        if let Some(approvals) = &mut self.approvals {
            approvals.refuse(now);
        }
        self.reason = Some(reason);
        moved.approvals = true;
        Ok(moved)
    }

    /// The bank takes the order into its keeping until its day; a standing order or a file is set up with that. It can
    /// be cancelled from here on. Source: SCH-007, SO-016.
    ///
    /// # Errors
    /// [`Barred`]; an immediate order is never kept.
    pub fn warehouse(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        let before = self.course.now();
        if before.warehoused {
            return Err(Barred::Already);
        }
        let stage = match self.product.family() {
            Family::Immediate => return Err(Barred::OutOfOrder),
            Family::Scheduled => Stage::Payment(PaymentStatus::Pending),
            Family::StandingOrder | Family::File => Stage::SetUp,
        };
        self.may(stage)?;
        self.course.push(stage, true, now);
        Ok(self.moved(before, false))
    }

    /// The customer is found able to pay it.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn accept_customer(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        self.go(Stage::Payment(PaymentStatus::CustomerAccepted), now)
    }

    /// There is money for it.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn check_funds(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        self.go(Stage::Payment(PaymentStatus::FundsChecked), now)
    }

    /// The money is set aside and the payment is on its way. A scheduled order is taken out of its keeping with it.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn reserve(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        self.go(Stage::Payment(PaymentStatus::InProcess), now)
    }

    /// The payment goes on with a change.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn alter(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        self.go(Stage::Payment(PaymentStatus::AcceptedWithChange), now)
    }

    /// The payer's account is debited.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn settle(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        self.go(Stage::Payment(PaymentStatus::Settled), now)
    }

    /// The payee's bank has it and has not posted it.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn hold(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        self.go(Stage::Payment(PaymentStatus::WithoutPosting), now)
    }

    /// The payee's bank has it and holds it back.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn block(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        self.go(Stage::Payment(PaymentStatus::Blocked), now)
    }

    /// The payee's account is credited.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn credit(&mut self, now: Timestamp) -> Result<Transition, Barred> {
        self.go(Stage::Payment(PaymentStatus::Credited), now)
    }

    /// The bank, the scheme or the payee's bank refuses it. A standing order or a file that is set up cannot be refused
    /// any more, only its payments. Source: PIS-043, PIS-048.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn reject(&mut self, reason: Reason, now: Timestamp) -> Result<Transition, Barred> {
        let stage = match self.product.family() {
            Family::Immediate | Family::Scheduled => Stage::Payment(PaymentStatus::Rejected),
            Family::StandingOrder | Family::File => Stage::SetUpFailed,
        };
        let mut moved = self.go(stage, now)?;
        self.reason = Some(reason);
        if let Some(approvals) = self.approvals.as_mut().filter(|it| it.status == ApprovalStatus::Awaiting) {
            approvals.refuse(now);
            moved.approvals = true;
        }
        Ok(moved)
    }

    /// Nothing comes of it any more: the customer takes it back in the bank's own channel, or the bank cannot go on with it. A
    /// kept order while it is kept and before it is executed, an immediate one while it is prepared. Source: SCH-008, SO-016.
    ///
    /// # Errors
    /// [`Barred`].
    pub fn cancel(&mut self, reason: Reason, now: Timestamp) -> Result<Transition, Barred> {
        let mut moved = self.go(Stage::Payment(PaymentStatus::Cancelled), now)?;
        self.reason = Some(reason);
        if let Some(approvals) = self.approvals.as_mut().filter(|it| it.status == ApprovalStatus::Awaiting) {
            approvals.refuse(now);
            moved.approvals = true;
        }
        Ok(moved)
    }

    /// Whether nothing can change the order any more.
    pub fn is_final(&self) -> bool {
        match self.course.now().stage {
            Stage::Payment(status) => status.is_final(),
            Stage::SetUp => self.product.family() == Family::File,
            Stage::SetUpFailed => true,
        }
    }

    fn go(&mut self, stage: Stage, now: Timestamp) -> Result<Transition, Barred> {
        let before = self.course.now();
        self.may(stage)?;
        self.course.push(stage, before.warehoused, now);
        Ok(self.moved(before, false))
    }

    /// Whether the stage follows from where the order stands, by the kind of its product.
    fn may(&self, next: Stage) -> Result<(), Barred> {
        let now = self.course.now();
        if now.stage == next {
            return Err(Barred::Already);
        }
        if self.is_final() {
            return Err(Barred::Final);
        }
        let cancelled = next == Stage::Payment(PaymentStatus::Cancelled);
        let ends = cancelled || matches!(next, Stage::SetUpFailed | Stage::Payment(PaymentStatus::Rejected));
        if !ends && self.approvals.as_ref().is_some_and(|it| it.status == ApprovalStatus::Awaiting) {
            return Err(Barred::NotAsked);
        }
        let allowed = match (self.product.family(), now.stage, next) {
            (Family::Immediate, Stage::Payment(from), Stage::Payment(to)) => from.may_become(to),
            // Nothing is executed, and nothing cancelled, that is not in the bank's keeping.
            (Family::Scheduled, Stage::Payment(from), Stage::Payment(to)) => {
                let early = matches!(to, PaymentStatus::Rejected | PaymentStatus::Pending);
                from.may_become(to) && (now.warehoused || early)
            }
            (Family::StandingOrder, Stage::SetUp, _) => cancelled,
            (Family::StandingOrder | Family::File, Stage::Payment(from), Stage::Payment(to)) => {
                from.may_become(to) && to == PaymentStatus::Rejected
            }
            (Family::StandingOrder | Family::File, Stage::Payment(from), Stage::SetUp | Stage::SetUpFailed) => {
                from.is_preparing()
            }
            (Family::Immediate | Family::Scheduled, _, _) | (Family::StandingOrder | Family::File, _, _) => false,
        };
        if allowed { Ok(()) } else { Err(Barred::OutOfOrder) }
    }

    fn moved(&self, before: super::Step, approvals: bool) -> Transition {
        let (family, after) = (self.product.family(), self.course.now());
        Transition { phase: (before.phase(family), after.phase(family)), stage: (before.stage, after.stage), approvals }
    }
}
