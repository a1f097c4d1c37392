//! What the use-cases of payment orders share: the view of an order, and the fault of a consent that is not known.

use crate::Failure;
use lombard_domain::consent::Consent;
use lombard_domain::payment::order::{Order, OrderView};
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};

/// The header that names the schema of a body. Source: V4-029.
pub const PAYLOAD_VERSION: &str = "payload-version";

/// An order names its consent in the body, so an unknown consent is a fault of the field `ConsentId`. Source: PIS-055.
pub(super) fn at_consent_id(failure: Failure) -> Failure {
    match failure {
        Failure::Refused(refusal) if refusal.kind == RefusalKind::NotFound => {
            let message = "There is no consent with this id.";
            Refusal::invalid(vec![Fault::field(FaultCode::NotFound, Field::ConsentId, message)]).into()
        }
        other => other,
    }
}

/// The order as its consent shows it.
///
/// # Errors
/// [`Failure::Broken`] for an order whose consent is not to a payment.
pub(super) fn order_view(consent: &Consent, order: &Order) -> Result<OrderView, Failure> {
    consent.order_view(order).ok_or_else(|| Failure::Broken("an order whose consent is not to a payment".into()))
}
