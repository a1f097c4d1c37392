//! Orders that wait for the bank, and the time by which they should have moved.

use super::{ApprovalStatus, DetailedStatus, Order, PaymentStatus};
use crate::calendar::london_midnight;
use crate::payment::OrderFamily;
use crate::payment::transfer::Timing;
use jiff::Timestamp;
use jiff::civil::Date;

/// How far an order has come that waits for the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnsettledStage {
    /// The bank has neither rejected the order nor begun its execution.
    Pending,
    /// The bank executes the order; the debtor account is not debited yet.
    InProcess,
    /// The debtor account is debited; the creditor account is not credited yet.
    Settled,
}

impl UnsettledStage {
    /// Every stage, in the order of an execution.
    pub const ALL: [Self; 3] = [Self::Pending, Self::InProcess, Self::Settled];
}

/// An order that waits for the bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unsettled {
    /// How far it has come.
    pub stage: UnsettledStage,
    /// When its execution should have ended, as far as the bank has said; when it was created otherwise (bank clock).
    pub due_at: Timestamp,
}

impl Order {
    /// How the order waits for the bank; `None` if it has ended, awaits approvals, is a standing order that is set up, or lies at the
    /// payee's bank, which may keep it for weeks.
    pub fn unsettled(&self) -> Option<Unsettled> {
        if self.approvals.as_ref().is_some_and(|approvals| approvals.status != ApprovalStatus::Authorised) {
            return None;
        }
        let stage = match self.detailed_status() {
            DetailedStatus::Payment(status) => match status {
                PaymentStatus::Received
                | PaymentStatus::PartiallyAuthorised
                | PaymentStatus::TechnicallyValid
                | PaymentStatus::Pending
                | PaymentStatus::CustomerAccepted
                | PaymentStatus::FundsChecked => UnsettledStage::Pending,
                PaymentStatus::InProcess | PaymentStatus::AcceptedWithChange => UnsettledStage::InProcess,
                PaymentStatus::Settled => UnsettledStage::Settled,
                PaymentStatus::WithoutPosting
                | PaymentStatus::Blocked
                | PaymentStatus::Credited
                | PaymentStatus::Rejected
                | PaymentStatus::Cancelled => return None,
            },
            DetailedStatus::SetUp | DetailedStatus::SetUpFailed => return None,
        };
        Some(Unsettled { stage, due_at: self.expected_end() })
    }

    fn expected_end(&self) -> Timestamp {
        let told = self.conditions.settlement_at.or(self.conditions.execution_at);
        // A standing order is set up at once; its times are those of its first payment.
        let told = told.filter(|_| self.product.family() != OrderFamily::StandingOrder);
        let planned = told.or_else(|| self.planned_day().map(london_midnight));
        planned.map_or(self.created_at, |at| at.max(self.created_at))
    }

    /// The day for which the TPP has planned the payment, or all payments of the file.
    fn planned_day(&self) -> Option<Date> {
        let of_file = self.instruction.file().and_then(|file| file.execute_on);
        of_file.or_else(|| match self.instruction.transfer()?.timing {
            Timing::Scheduled(day) => Some(day),
            Timing::Immediate | Timing::StandingOrder(_) => None,
        })
    }
}
