//! The parts that all pages of a journey share: the application, and what it requests.

use super::parties::RequestingParty;
use super::payment::PaymentSummaryView;
use jiff::Timestamp;
use lombard_domain::consent::{Consent, ConsentRequest};

/// The data that every page of a journey needs.
pub(super) struct JourneyPageView {
    pub id: String,
    pub form_token: String,
    pub who: RequestingParty,
    pub requested: RequestedAccess,
    /// Whether the application sent the customer here and waits in this browser. Otherwise it used the backchannel.
    pub returns: bool,
}

/// The requested access, as the pages before the decision describe it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum RequestedAccess {
    /// The application requests account information.
    Access,
    /// The application requests a payment, to which the one-time code is linked. Source: AS-142.
    Payment(PaymentSummaryView),
    /// The application requests confirmation of funds.
    Funds,
}

impl RequestedAccess {
    /// Describes what a consent requests; `now` is the bank's time.
    pub(super) fn of(consent: &Consent, now: Timestamp) -> Self {
        match &consent.request {
            ConsentRequest::AccountAccess(_) => Self::Access,
            ConsentRequest::FundsConfirmation(_) => Self::Funds,
            ConsentRequest::Payment(payment) => {
                Self::Payment(PaymentSummaryView::of(payment, &payment.conditions, consent.created_at, now))
            }
        }
    }
}
