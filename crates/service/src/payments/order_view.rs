//! The parts that the use-cases of payment orders share: the view of an order, and the fault of an unknown consent.

use crate::Failure;
use lombard_domain::consent::Consent;
use lombard_domain::payment::order::{Order, OrderView};
use lombard_domain::refusal::{Fault, FaultCode, Field, Refusal, RefusalKind};

/// The header that states the schema version of a body. Source: V4-029.
pub const PAYLOAD_VERSION: &str = "payload-version";

/// Turns "not found" into a fault of the field `ConsentId`, because an order names its consent in the body. Source: PIS-055.
pub(super) fn at_consent_id(failure: Failure) -> Failure {
    match failure {
        Failure::Refused(refusal) if refusal.kind == RefusalKind::NotFound => {
            let message = "There is no consent with this id.";
            Refusal::invalid(vec![Fault::field(FaultCode::NotFound, Field::ConsentId, message)]).into()
        }
        other => other,
    }
}

/// The view of the order under its consent.
///
/// # Errors
/// [`Failure::Broken`] if the consent is not a payment consent.
pub(super) fn order_view(consent: &Consent, order: &Order) -> Result<OrderView, Failure> {
    consent.order_view(order).ok_or_else(|| Failure::Broken("an order whose consent is not to a payment".into()))
}
