//! Describes a payment that several customers must approve.

use crate::parties::{AccountView, RequestingParty};
use crate::payment::{PaymentSummaryView, PaymentTimeView};
use crate::text;
use crate::times::moment;
use lombard_auth::sessions::payments::PendingPayment;
use lombard_domain::consent::PaymentConsent;
use lombard_domain::payment::order::{ApprovalStatus, Order, RejectionReason};
use lombard_service::payments::consents::PricedDebit;

/// A payment that several customers must approve, in words.
pub(crate) struct PendingPaymentView {
    pub id: String,
    pub who: RequestingParty,
    pub payment: PaymentSummaryView,
    pub account: Option<AccountView>,
    /// The customers who have approved it.
    pub agreed: Vec<String>,
    /// The number of customers who must approve it.
    pub required: u16,
    /// The time of the order.
    pub ordered: String,
    /// The time by which all customers must have approved it.
    pub by: Option<String>,
    /// The outcome; `None` while the payment waits for this customer.
    pub outcome: Option<ApprovalOutcome>,
}

/// The outcome of a payment, as its page shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ApprovalOutcome {
    pub title: &'static str,
    pub text: &'static str,
}

impl ApprovalOutcome {
    const WAITS: Self =
        Self { title: "You have agreed", text: "Another authoriser has yet to agree. Nothing is paid until then." };
    const AGREED: Self = Self {
        title: "Everybody has agreed",
        text: "No further action is needed. The bank makes the payment as shown here.",
    };
    const DECLINED: Self = Self { title: "This was declined", text: "Nothing is paid. The application has been told." };
    const LAPSED: Self = Self {
        title: "The time to agree has expired",
        text: "Not everybody agreed in time, so nothing is paid. The application has been told.",
    };

    fn of(payment: &PendingPayment) -> Option<Self> {
        let status = payment.order.approvals.as_ref().map(|approvals| approvals.status);
        match (status, payment.order.reason) {
            (Some(ApprovalStatus::Awaiting), _) if payment.awaits_approval => None,
            (Some(ApprovalStatus::Awaiting), _) if payment.lapsed => Some(Self::LAPSED),
            (Some(ApprovalStatus::Awaiting), _) => Some(Self::WAITS),
            (Some(ApprovalStatus::Rejected), Some(RejectionReason::AuthorisationLapsed)) => Some(Self::LAPSED),
            (Some(ApprovalStatus::Rejected), _) => Some(Self::DECLINED),
            (Some(ApprovalStatus::Authorised) | None, _) => Some(Self::AGREED),
        }
    }
}

impl PendingPaymentView {
    pub(super) fn of(payment: &PendingPayment) -> Self {
        let account = payment.account.as_ref().map(AccountView::of);
        Self::new(
            RequestingParty::of(&payment.client),
            (&payment.order, &payment.consent, payment.debit.as_ref()),
            account,
            &payment.approved_by,
            ApprovalOutcome::of(payment),
        )
    }

    pub(crate) fn new(
        who: RequestingParty,
        (order, consent, priced): (&Order, &PaymentConsent, Option<&PricedDebit>),
        account: Option<AccountView>,
        agreed: &[String],
        outcome: Option<ApprovalOutcome>,
    ) -> Self {
        let approvals = order.approvals.as_ref();
        let conditions = &order.conditions;
        let at = order.created_at;
        Self {
            id: order.id.as_str().to_owned(),
            who,
            payment: PaymentSummaryView::of(consent, conditions, at, at).priced(priced, conditions),
            account,
            agreed: agreed.iter().map(|name| text::name(name)).collect(),
            required: approvals.map_or(1, |approvals| approvals.required),
            ordered: moment(order.created_at),
            by: approvals.and_then(|approvals| approvals.expires_at).map(moment),
            outcome,
        }
    }

    /// The kind of the payment, as the beginning of a sentence.
    pub(super) fn kind(&self) -> String {
        match &self.payment {
            PaymentSummaryView::Transfer(transfer) => match &transfer.when {
                PaymentTimeView::Now => "A payment".to_owned(),
                PaymentTimeView::On { day, leaves, .. } => format!("A payment on {}", leaves.as_ref().unwrap_or(day)),
                PaymentTimeView::StandingOrder(schedule) => {
                    format!("A standing order: {}", schedule.frequency.to_lowercase())
                }
            },
            PaymentSummaryView::File(file) => match &file.name {
                Some(name) => format!("A file of payments, called {name}"),
                None => "A file of payments".to_owned(),
            },
            PaymentSummaryView::Vrp(_) => "Payments within limits".to_owned(),
        }
    }

    /// The heading of the payment's page.
    pub(super) fn title(&self) -> &'static str {
        self.outcome.map_or_else(|| self.payment.question(), |outcome| outcome.title)
    }
}
