//! The consent of an order, and the context in which a worker submits it to the bank.

use crate::Failure;
use lombard_domain::consent::Consent;
use lombard_domain::payment::order::Order;
use lombard_ports::bank::{CallContext, CallingClient};
use lombard_ports::store::{ServerTransaction, StoreError};

/// The consent of an order, also if it was deleted. Source: VRP-083.
pub(super) fn consent_of(tx: &mut dyn ServerTransaction, order: &Order) -> Result<Consent, Failure> {
    let consent = tx.consent_any_owner(&order.consent)?;
    consent.ok_or_else(|| Failure::Broken("an order without its consent".into()))
}

/// The context of an order: its TPP, customer and consent, the request that created it, the `Risk` of that request or of the
/// consent, and how the customer authenticated.
///
/// # Errors
/// [`StoreError`].
pub(super) fn context_of_order(
    tx: &mut dyn ServerTransaction,
    order: &Order,
    consent: &Consent,
) -> Result<CallContext, StoreError> {
    let client = tx.client(&order.client)?.map(|client| CallingClient { id: client.id, organisation: client.org_id });
    Ok(build_order_context(client, order, consent))
}

/// Like [`context_of_order`], with a client that was read together with the order.
pub(super) fn build_order_context(client: Option<CallingClient>, order: &Order, consent: &Consent) -> CallContext {
    let mut call = CallContext::under_consent(client, consent);
    call.psu = Some(order.psu.clone());
    call.interaction.clone_from(&order.interaction_id);
    call.customer_address = order.customer_address;
    if let Some(submitted) = &order.submitted {
        call.set_risk(submitted);
    }
    call
}
