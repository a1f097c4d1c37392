//! The transitions of an order. Each one changes the status or is refused.

use super::{
    ApprovalStatus, DetailedStatus, Order, PaymentStatus, RejectionReason, StatusChange, Transition, TransitionError,
};
use crate::authentication::AuthenticationFactor;
use crate::ids::PsuId;
use crate::payment::OrderFamily;
use jiff::Timestamp;

impl Order {
    /// Another PSU approves; with the last required approval the order may be executed. Source: PIS-112.
    ///
    /// # Errors
    /// [`TransitionError::WrongApprovalState`]; [`TransitionError::AlreadyInState`] for a PSU who has approved;
    /// [`TransitionError::OutsideApprovalPeriod`] after the deadline.
    pub fn approve(&mut self, psu: &PsuId, now: Timestamp) -> Result<Transition, TransitionError> {
        let before = self.status_history.current();
        let approvals = self.approvals.as_mut().filter(|it| it.status == ApprovalStatus::Awaiting);
        let approvals = approvals.ok_or(TransitionError::WrongApprovalState)?;
        if approvals.is_lapsed(now) {
            return Err(TransitionError::OutsideApprovalPeriod);
        }
        if approvals.received.contains(psu) {
            return Err(TransitionError::AlreadyInState);
        }
        approvals.add(psu, now);
        let complete = approvals.status == ApprovalStatus::Authorised;
        if complete {
            self.status_history.push(DetailedStatus::Payment(PaymentStatus::TechnicallyValid), before.warehoused, now);
        }
        Ok(self.moved(before, complete))
    }

    /// Records how a PSU who has just approved was authenticated.
    pub fn note_authentication(&mut self, psu: &PsuId, factors: &[AuthenticationFactor]) {
        if let Some(approvals) = &mut self.approvals {
            approvals.note_authentication(psu, factors);
        }
    }

    /// Records that another PSU tried to approve and could not be authenticated. The order still awaits approvals, also from that
    /// PSU. Returns whether the order changed. Source: ERR-004.
    pub fn note_failed_approval(&mut self, psu: &PsuId) -> bool {
        self.approvals.as_mut().is_some_and(|approvals| approvals.note_failed(psu))
    }

    /// Another PSU declines; the order is rejected. Source: PIS-112.
    ///
    /// # Errors
    /// [`TransitionError::WrongApprovalState`]; [`TransitionError::AlreadyInState`] for a PSU who has approved.
    pub fn decline(&mut self, psu: &PsuId, now: Timestamp) -> Result<Transition, TransitionError> {
        let asked = self.approvals.as_ref().filter(|it| it.status == ApprovalStatus::Awaiting);
        if asked.ok_or(TransitionError::WrongApprovalState)?.received.contains(psu) {
            return Err(TransitionError::AlreadyInState);
        }
        self.end_approvals(RejectionReason::RefusedByAuthoriser, now)
    }

    /// The deadline for approvals has passed; the order is rejected. Source: PIS-112.
    ///
    /// # Errors
    /// [`TransitionError::WrongApprovalState`]; [`TransitionError::OutsideApprovalPeriod`] before the deadline.
    pub fn lapse(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        let asked = self.approvals.as_ref().filter(|it| it.status == ApprovalStatus::Awaiting);
        if !asked.ok_or(TransitionError::WrongApprovalState)?.is_lapsed(now) {
            return Err(TransitionError::OutsideApprovalPeriod);
        }
        self.end_approvals(RejectionReason::AuthorisationLapsed, now)
    }

    fn end_approvals(&mut self, reason: RejectionReason, now: Timestamp) -> Result<Transition, TransitionError> {
        let mut moved = self.transition(DetailedStatus::Payment(PaymentStatus::Rejected), now)?;
        if let Some(approvals) = &mut self.approvals {
            approvals.refuse(now);
        }
        self.reason = Some(reason);
        moved.approvals = true;
        Ok(moved)
    }

    /// The bank warehouses the order until its day; a standing order or a file is thereby set up. It can be cancelled
    /// from then on. Source: SCH-007, SO-016.
    ///
    /// # Errors
    /// [`TransitionError`]; an immediate order is never warehoused.
    pub fn warehouse(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        let before = self.status_history.current();
        if before.warehoused {
            return Err(TransitionError::AlreadyInState);
        }
        let status = match self.product.family() {
            OrderFamily::Immediate => return Err(TransitionError::NotAllowed),
            OrderFamily::Scheduled => DetailedStatus::Payment(PaymentStatus::Pending),
            OrderFamily::StandingOrder | OrderFamily::File => DetailedStatus::SetUp,
        };
        self.check_transition(status)?;
        self.status_history.push(status, true, now);
        Ok(self.moved(before, false))
    }

    /// The checks of the customer are passed.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn accept_customer(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        self.transition(DetailedStatus::Payment(PaymentStatus::CustomerAccepted), now)
    }

    /// The funds are checked and sufficient.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn check_funds(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        self.transition(DetailedStatus::Payment(PaymentStatus::FundsChecked), now)
    }

    /// The funds are reserved and execution begins; for a scheduled order the warehousing ends.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn reserve(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        self.transition(DetailedStatus::Payment(PaymentStatus::InProcess), now)
    }

    /// The payment is accepted with a change.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn accept_with_change(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        self.transition(DetailedStatus::Payment(PaymentStatus::AcceptedWithChange), now)
    }

    /// The debtor account is debited.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn settle(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        self.transition(DetailedStatus::Payment(PaymentStatus::Settled), now)
    }

    /// The payee's bank has received the payment and not posted it.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn accept_without_posting(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        self.transition(DetailedStatus::Payment(PaymentStatus::WithoutPosting), now)
    }

    /// The payee's bank has received the payment and blocked it.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn block(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        self.transition(DetailedStatus::Payment(PaymentStatus::Blocked), now)
    }

    /// The creditor account is credited.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn credit(&mut self, now: Timestamp) -> Result<Transition, TransitionError> {
        self.transition(DetailedStatus::Payment(PaymentStatus::Credited), now)
    }

    /// The bank, the scheme or the payee's bank rejects it. Once a standing order or file is set up, only its payments can be
    /// rejected. Source: PIS-043, PIS-048.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn reject(&mut self, reason: RejectionReason, now: Timestamp) -> Result<Transition, TransitionError> {
        let status = match self.product.family() {
            OrderFamily::Immediate | OrderFamily::Scheduled => DetailedStatus::Payment(PaymentStatus::Rejected),
            OrderFamily::StandingOrder | OrderFamily::File => DetailedStatus::SetUpFailed,
        };
        let mut moved = self.transition(status, now)?;
        self.reason = Some(reason);
        if let Some(approvals) = self.approvals.as_mut().filter(|it| it.status == ApprovalStatus::Awaiting) {
            approvals.refuse(now);
            moved.approvals = true;
        }
        Ok(moved)
    }

    /// The PSU cancels it in the bank's own channel, or the bank cannot execute it. A warehoused order can be cancelled
    /// before its execution, an immediate one during preparation. Source: SCH-008, SO-016.
    ///
    /// # Errors
    /// [`TransitionError`].
    pub fn cancel(&mut self, reason: RejectionReason, now: Timestamp) -> Result<Transition, TransitionError> {
        let mut moved = self.transition(DetailedStatus::Payment(PaymentStatus::Cancelled), now)?;
        self.reason = Some(reason);
        if let Some(approvals) = self.approvals.as_mut().filter(|it| it.status == ApprovalStatus::Awaiting) {
            approvals.refuse(now);
            moved.approvals = true;
        }
        Ok(moved)
    }

    /// Whether the status is final.
    pub fn is_final(&self) -> bool {
        match self.status_history.current().status {
            DetailedStatus::Payment(status) => status.is_final(),
            DetailedStatus::SetUp => self.product.family() == OrderFamily::File,
            DetailedStatus::SetUpFailed => true,
        }
    }

    fn transition(&mut self, status: DetailedStatus, now: Timestamp) -> Result<Transition, TransitionError> {
        let before = self.status_history.current();
        self.check_transition(status)?;
        self.status_history.push(status, before.warehoused, now);
        Ok(self.moved(before, false))
    }

    /// Checks that the status may follow the present one, for the product's family.
    fn check_transition(&self, next: DetailedStatus) -> Result<(), TransitionError> {
        let now = self.status_history.current();
        if now.status == next {
            return Err(TransitionError::AlreadyInState);
        }
        if self.is_final() {
            return Err(TransitionError::Final);
        }
        let cancelled = next == DetailedStatus::Payment(PaymentStatus::Cancelled);
        let ends =
            cancelled || matches!(next, DetailedStatus::SetUpFailed | DetailedStatus::Payment(PaymentStatus::Rejected));
        if !ends && self.approvals.as_ref().is_some_and(|it| it.status == ApprovalStatus::Awaiting) {
            return Err(TransitionError::WrongApprovalState);
        }
        let allowed = match (self.product.family(), now.status, next) {
            (OrderFamily::Immediate, DetailedStatus::Payment(from), DetailedStatus::Payment(to)) => from.may_become(to),
            // A scheduled order is neither executed nor cancelled before it is warehoused.
            (OrderFamily::Scheduled, DetailedStatus::Payment(from), DetailedStatus::Payment(to)) => {
                let early = matches!(to, PaymentStatus::Rejected | PaymentStatus::Pending);
                from.may_become(to) && (now.warehoused || early)
            }
            (OrderFamily::StandingOrder, DetailedStatus::SetUp, _) => cancelled,
            (
                OrderFamily::StandingOrder | OrderFamily::File,
                DetailedStatus::Payment(from),
                DetailedStatus::Payment(to),
            ) => from.may_become(to) && to == PaymentStatus::Rejected,
            (
                OrderFamily::StandingOrder | OrderFamily::File,
                DetailedStatus::Payment(from),
                DetailedStatus::SetUp | DetailedStatus::SetUpFailed,
            ) => from.is_preparing(),
            (OrderFamily::Immediate | OrderFamily::Scheduled, _, _)
            | (OrderFamily::StandingOrder | OrderFamily::File, _, _) => false,
        };
        if allowed { Ok(()) } else { Err(TransitionError::NotAllowed) }
    }

    fn moved(&self, before: StatusChange, approvals: bool) -> Transition {
        let family = self.product.family();
        let after = self.status_history.current();
        Transition {
            summary_status: (before.summary(family), after.summary(family)),
            detailed_status: (before.status, after.status),
            approvals,
        }
    }
}
