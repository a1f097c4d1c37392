//! The parts that all pages of a journey share: the application, and what it requests.

use super::parties::RequestingParty;
use super::payment::PaymentSummaryView;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentRequest};

/// What every page of a journey holds.
pub(super) struct JourneyPageView {
    pub id: String,
    pub form_token: String,
    pub who: RequestingParty,
    pub requested: RequestedAccess,
    /// Whether the application sent the customer here and waits in this browser. Otherwise it asked over the backchannel.
    pub returns: bool,
}

/// What is asked for, as the pages before the decision tell it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RequestedAccess {
    /// To see account information.
    Access,
    /// To make a payment: the one-time code is linked to it. Source: AS-142.
    Payment(PaymentSummaryView),
    /// Whether there is enough money in an account.
    Funds,
}

impl RequestedAccess {
    /// `now` is the bank's time.
    pub(super) fn of(consent: &Consent, now: Timestamp) -> Self {
        match &consent.terms {
            ConsentRequest::AccountAccess(_) => Self::Access,
            ConsentRequest::FundsConfirmation(_) => Self::Funds,
            ConsentRequest::Payment(payment) => {
                Self::Payment(PaymentSummaryView::of(payment, &payment.conditions, consent.created_at, now))
            }
        }
    }
}
