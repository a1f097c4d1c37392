//! What becomes of consents to payments within limits, besides payments.

use super::{ActionResult, RunningAction, VERSION};
use crate::world::Node;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{ClientId, PsuId};
use lombard_domain::money::Amount;
use lombard_domain::vrp::VrpFundsQuestion;
use lombard_service::payments::vrp;
use lombard_service::{Context, Failure, consents};

/// Whether there is money for a payment of so much.
///
/// # Errors
/// As the service has them.
pub(super) async fn funds(context: &Context, consent: &Consent, amount: Amount) -> Result<(), Failure> {
    let question = VrpFundsQuestion { consent: consent.id.clone(), reference: None, amount };
    vrp::confirm_vrp_funds(context, consent, &consent.id, VERSION, question).await.map(drop)
}

/// A customer ends access at the bank.
pub(crate) fn revoke(node: &Node, psu: PsuId, consent: Consent) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move { ActionResult::Ended(consents::revoke_consent(&context, &psu, &consent.id).await.map(drop)) })
}

/// A TPP deletes its consent.
pub(crate) fn delete(node: &Node, client: ClientId, consent: Consent) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move { ActionResult::Ended(vrp::delete_vrp_consent(&context, &client, &consent.id, VERSION).await) })
}
