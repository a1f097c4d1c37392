//! Appends a numbered status update for each step, in the transaction of the step.

use super::case::Case;
use super::dossier::PaymentInProgress;
use super::kept::Kept;
use super::pace::Run;
use jiff::Timestamp;
use lombard_domain::order::{DetailReason, PaymentStatus, RailDetail, Reason};
use lombard_ports::bank::{News, OrderUpdate, PaymentUpdate};

impl Case<'_> {
    /// Tells when it leaves and arrives, if that is not what was told before. Of a standing order that is its first
    /// payment's. Source: PIS-104.
    pub(super) fn expect(&mut self, leaves_at: Timestamp, run: Run, at: Timestamp) {
        let expected = (Some(Kept(leaves_at)), Some(Kept(run.arrives_at)));
        let is_first = self.dossier.next == Some(1);
        if is_first && expected != self.dossier.expected {
            self.dossier.expected = expected;
            let (execution_at, settlement_at) = (Some(leaves_at), Some(run.arrives_at));
            self.tell(at, OrderUpdate::Expected { execution_at, settlement_at });
        }
    }

    pub(super) fn tell(&mut self, at: Timestamp, what: OrderUpdate) {
        self.order.told = self.order.told.saturating_add(1);
        self.news.push(News { order: self.order.id.clone(), number: self.order.told, at, what });
    }

    pub(super) fn append_payment_update(
        &mut self,
        it: &PaymentInProgress,
        status: PaymentStatus,
        reason: Option<Reason>,
        at: Timestamp,
    ) {
        let detail = Some(self.detail(status, reason));
        let payment = PaymentUpdate {
            number: it.number,
            due_on: it.due_on.0,
            paid_on: it.paid_on.0,
            amount: self.dossier.amount(it.minor),
            status,
            reason,
            detail,
        };
        self.tell(at, OrderUpdate::Payment(payment));
    }

    /// What the rail says of it. Source: PIS-091, PIS-093.
    fn detail(&self, status: PaymentStatus, why: Option<Reason>) -> RailDetail {
        let (word, reason) = match status {
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
            instrument: Some(self.dossier.rail.0),
            status: word.to_owned(),
            reason,
            description: why.map(sentence).map(str::to_owned),
        }
    }
}

/// Why a payment was refused, for its TPP.
const fn sentence(reason: Reason) -> &'static str {
    match reason {
        Reason::InsufficientFunds => "There was not enough money on the account.",
        Reason::DebtorAccountUnusable => "The account to pay from cannot be used.",
        Reason::CreditorAccountUnusable => "The payee's account cannot be used.",
        Reason::RefusedByScheme => "The scheme or the payee's bank refused the payment.",
        Reason::SuspectedFraud
        | Reason::RefusedByAuthoriser
        | Reason::AuthorisationLapsed
        | Reason::CancelledByCustomer
        | Reason::Unstated => "The payment was refused.",
    }
}
