//! A difference between the server's order and the bank's.

use lombard_domain::code::StoredCode;
use lombard_domain::ids::OrderId;
use lombard_domain::payment::order::Order;
use lombard_ports::bank::{OrderStanding, OrderUpdate};

/// What is different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DifferenceKind {
    /// The bank has reported status updates that the server has not applied, and does not report them again.
    UpdatesLost,
    /// The bank counts the status updates of the order from a lower number than the server knows.
    NumbersBehind,
    /// The bank was never given the order, and no job submits it.
    NeverSubmitted,
    /// The bank no longer holds an order for which it reported status updates.
    LostByBank,
    /// Only the bank knows the order.
    OnlyAtBank,
    /// The bank holds another payment under the order's id.
    OtherPayment,
    /// The bank holds an order that still awaits approvals here, or whose approvals were refused.
    NotApproved,
    /// The server lacks status updates that the bank no longer stores.
    UpdatesForgotten,
    /// The order has ended differently on the two sides.
    EndsDiffer,
    /// Both sides know the order, and it should have ended more than an hour ago.
    NotMoving,
    /// The bank's answer about the order cannot be used.
    Unreadable,
}

impl DifferenceKind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::UpdatesLost,
        Self::NumbersBehind,
        Self::NeverSubmitted,
        Self::LostByBank,
        Self::OnlyAtBank,
        Self::OtherPayment,
        Self::NotApproved,
        Self::UpdatesForgotten,
        Self::EndsDiffer,
        Self::NotMoving,
        Self::Unreadable,
    ];

    /// The code of the kind in reports.
    pub const fn code(self) -> &'static str {
        match self {
            Self::UpdatesLost => "updates-lost",
            Self::NumbersBehind => "numbers-behind",
            Self::NeverSubmitted => "never-submitted",
            Self::LostByBank => "lost-by-core",
            Self::OnlyAtBank => "only-at-core",
            Self::OtherPayment => "other-payment",
            Self::NotApproved => "not-approved",
            Self::UpdatesForgotten => "updates-forgotten",
            Self::EndsDiffer => "ends-differ",
            Self::NotMoving => "not-moving",
            Self::Unreadable => "unreadable",
        }
    }

    /// What is done about it, or what an operator has to do.
    pub const fn remedy(self) -> Remedy {
        match self {
            Self::UpdatesLost => Remedy::Certain("The state of the core is taken over."),
            Self::NumbersBehind => {
                Remedy::Certain("The state of the core is taken over; its numbers count from now on.")
            }
            Self::NeverSubmitted => Remedy::Certain("The order is submitted to the core again."),
            Self::LostByBank => Remedy::Operator(
                "Find out at the core whether it was paid. If it was not, `lombard reconcile --resubmit ORDER` submits it again.",
            ),
            Self::OnlyAtBank => Remedy::Operator(
                "If its TPP repeats the request, the order appears here. Otherwise tell the TPP and the customer what was paid.",
            ),
            Self::OtherPayment => Remedy::Operator("Find out at the core which payment was made, and tell the TPP."),
            Self::NotApproved => Remedy::Operator(
                "Approvals were lost by a restore. Have those who must approve do it again; the core pays once.",
            ),
            Self::UpdatesForgotten => {
                Remedy::Operator("Have the core report the order's state by a new status update.")
            }
            Self::EndsDiffer => Remedy::Operator("Find out at the core whether the money moved, and tell the TPP."),
            Self::NotMoving => Remedy::Operator(
                "Ask the core why it does not proceed. Without a record at the core, see `lombard quarantine list`.",
            ),
            Self::Unreadable => Remedy::Operator("Have the core repair its record of the order, and reconcile again."),
        }
    }
}

/// What is to be done about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Remedy {
    /// It is certain what to do, and the comparison does it.
    Certain(&'static str),
    /// An operator has to decide.
    Operator(&'static str),
}

/// A difference between the server's order and the bank's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The order.
    pub order: OrderId,
    /// What is different.
    pub kind: DifferenceKind,
    /// What the server knows; empty if it knows nothing.
    pub here: String,
    /// What the bank knows; empty if it knows nothing.
    pub at_bank: String,
}

impl Difference {
    /// A difference of an order of the server.
    pub(super) fn of_order(
        kind: DifferenceKind,
        (order, updates): (&Order, u32),
        standing: Option<&OrderStanding>,
    ) -> Self {
        let at_bank = standing.map(describe_standing).unwrap_or_default();
        Self { order: order.id.clone(), kind, here: describe_order(order, updates), at_bank }
    }
}

/// An order in words: its status, and the number of the last applied update.
pub(super) fn describe_order(order: &Order, updates: u32) -> String {
    let status = order.detailed_status();
    match (order.progress, order.status_history.current().warehoused) {
        (Some(progress), _) => {
            format!(
                "{}, {} of {} payments submitted, {} decided",
                status.code(),
                progress.submitted,
                progress.count,
                progress.decided
            )
        }
        (None, true) => format!("{}, warehoused, update {updates}", status.code()),
        (None, false) => format!("{}, update {updates}", status.code()),
    }
}

/// What the bank knows of an order, in words: its last update, and how much of it the server has acknowledged.
pub(super) fn describe_standing(standing: &OrderStanding) -> String {
    let last = standing.updates.last().map(|update| match &update.change {
        OrderUpdate::Warehoused => "warehoused".to_owned(),
        OrderUpdate::Refused(reason) => format!("refused ({})", reason.code()),
        OrderUpdate::Cancelled(reason) => format!("cancelled ({})", reason.code()),
        OrderUpdate::TimesChanged { .. } => "new times".to_owned(),
        OrderUpdate::PaymentChanged(payment) => format!("payment {} {}", payment.number, payment.status.code()),
    });
    let last = last.unwrap_or_else(|| "received".to_owned());
    format!("{last}, update {} ({} acknowledged)", standing.last_update, standing.acknowledged)
}
