//! Appends a numbered status update for each step, in the step's transaction.

use super::execution::PaymentInProgress;
use super::processor::OrderProcessor;
use super::rail_timing::PaymentTimes;
use super::stored_text::StoredText;
use jiff::Timestamp;
use lombard_domain::payment::order::{DetailReason, PaymentStatus, RailDetail, RejectionReason};
use lombard_ports::bank::{OrderUpdate, PaymentUpdate, StatusUpdate};

impl OrderProcessor<'_> {
    /// Appends the expected execution and settlement times if they differ from those reported before. For a standing order, these are the
    /// times of its first payment. Source: PIS-104.
    pub(super) fn append_times_update(&mut self, leaves_at: Timestamp, times: PaymentTimes, at: Timestamp) {
        let expected = (Some(StoredText(leaves_at)), Some(StoredText(times.arrives_at)));
        let is_first = self.execution.next == Some(1);
        if is_first && expected != self.execution.expected {
            self.execution.expected = expected;
            let (execution_at, settlement_at) = (Some(leaves_at), Some(times.arrives_at));
            self.append_update(at, OrderUpdate::TimesChanged { execution_at, settlement_at });
        }
    }

    pub(super) fn append_update(&mut self, at: Timestamp, what: OrderUpdate) {
        self.order.last_update = self.order.last_update.saturating_add(1);
        self.execution.reported.keep(self.order.last_update, at, &what);
        self.updates.push(StatusUpdate {
            order: self.order.id.clone(),
            number: self.order.last_update,
            at,
            change: what,
        });
    }

    pub(super) fn append_payment_update(
        &mut self,
        it: &PaymentInProgress,
        status: PaymentStatus,
        reason: Option<RejectionReason>,
        at: Timestamp,
    ) {
        let detail = Some(self.detail(status, reason));
        let payment = PaymentUpdate {
            number: it.number,
            due_on: it.due_on,
            paid_on: it.paid_on,
            amount: self.execution.amount(it.minor),
            status,
            reason,
            detail,
        };
        self.append_update(at, OrderUpdate::PaymentChanged(payment));
    }

    /// The rail's status detail. Source: PIS-091, PIS-093.
    fn detail(&self, status: PaymentStatus, why: Option<RejectionReason>) -> RailDetail {
        let (status, reason) = match status {
            PaymentStatus::InProcess => ("Sent", Some(DetailReason::PendingSettlement)),
            PaymentStatus::Settled => ("Settled", None),
            PaymentStatus::WithoutPosting => ("Received by the payee's bank", Some(DetailReason::Suspended)),
            PaymentStatus::Credited => ("Credited", None),
            PaymentStatus::Rejected => ("Refused", Some(DetailReason::ProprietaryRejection)),
            PaymentStatus::Received
            | PaymentStatus::PartiallyAuthorised
            | PaymentStatus::TechnicallyValid
            | PaymentStatus::Pending
            | PaymentStatus::CustomerAccepted
            | PaymentStatus::FundsChecked
            | PaymentStatus::AcceptedWithChange
            | PaymentStatus::Blocked
            | PaymentStatus::Cancelled => ("In the bank's hands", None),
        };
        RailDetail {
            instrument: Some(self.execution.rail.0),
            status: status.to_owned(),
            reason,
            description: why.map(rejection_text).map(str::to_owned),
        }
    }
}

/// The reason of a rejection as text for the TPP.
const fn rejection_text(reason: RejectionReason) -> &'static str {
    match reason {
        RejectionReason::InsufficientFunds => "There was not enough money on the account.",
        RejectionReason::DebtorAccountUnusable => "The account to pay from cannot be used.",
        RejectionReason::CreditorAccountUnusable => "The payee's account cannot be used.",
        RejectionReason::RefusedByScheme => "The scheme or the payee's bank refused the payment.",
        RejectionReason::SuspectedFraud
        | RejectionReason::RefusedByAuthoriser
        | RejectionReason::AuthorisationLapsed
        | RejectionReason::CancelledByCustomer
        | RejectionReason::NotGiven => "The payment was refused.",
    }
}
