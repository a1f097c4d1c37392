//! Describes the payments that were made through an application.

use crate::money;
use crate::parties::RequestingParty;
use crate::text;
use crate::times::short_moment;
use lombard_auth::sessions::apps::PastPayment;
use lombard_domain::payment::order::{Instruction, Order, SummaryStatus};
use lombard_domain::payment::transfer::Timing;

/// A payment that the customer has approved.
#[derive(Debug, Clone)]
pub(crate) struct PaidView {
    /// The client id of the application that submitted it.
    pub client: String,
    pub who: RequestingParty,
    /// The amount and the payee.
    pub sum: String,
    /// The outcome of the payment.
    pub what: &'static str,
    /// The day of the order.
    pub on: String,
}

impl PaidView {
    pub(super) fn of(payment: &PastPayment) -> Self {
        let PastPayment { order, client } = payment;
        Self {
            client: client.id.as_str().to_owned(),
            who: RequestingParty::of(client),
            sum: sum(order),
            what: outcome(order.summary_status()),
            on: short_moment(order.created_at),
        }
    }
}

fn sum(order: &Order) -> String {
    match &order.instruction {
        Instruction::Transfer(transfer) => {
            let amount = money::amount(transfer.amount);
            let payee = text::name(transfer.credit().creditor.holder_name());
            match transfer.timing {
                Timing::Immediate | Timing::Scheduled(_) => format!("{amount} to {payee}"),
                Timing::StandingOrder(_) => format!("Standing order, {amount} first, to {payee}"),
            }
        }
        Instruction::File(_) => "A file of payments".to_owned(),
        Instruction::Vrp(_) => "Payments within limits".to_owned(),
    }
}

const fn outcome(status: SummaryStatus) -> &'static str {
    match status {
        SummaryStatus::Pending => "Waiting",
        SummaryStatus::InProcess => "On its way",
        SummaryStatus::Settled | SummaryStatus::Credited => "Paid",
        SummaryStatus::WithoutPosting => "Sent, not yet posted",
        SummaryStatus::Rejected => "Not paid",
        SummaryStatus::InitiationPending => "Being set up",
        SummaryStatus::InitiationCompleted => "Set up",
        SummaryStatus::InitiationFailed => "Not set up",
        SummaryStatus::Cancelled => "Cancelled",
    }
}
