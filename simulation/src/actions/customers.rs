//! Actions of customers: decisions on consents and orders, and revocation of access.

use super::{ActionResult, RunningAction};
use crate::world::Node;
use lombard_domain::consent::Consent;
use lombard_domain::ids::{OrderId, PsuId};
use lombard_domain::refusal::{Refusal, RefusalKind};
use lombard_ports::store::{Owned, ServerTransaction};
use lombard_service::consents::{
    AuthoriseError, AuthorisedSelection, authorise_consent_in, reject_consent_in, revoke_consent,
};
use lombard_service::payments::approvals::{self, ApprovalDecision};
use lombard_service::payments::consents;
use lombard_service::{Context, Failure};

/// A customer authorises a consent with the account at this position of the list, or rejects the consent.
pub(crate) fn decide(node: &Node, consent: Consent, psu: PsuId, account: Option<usize>) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let decided = async {
            let chosen = match (consent.request.payment(), account) {
                (Some(payment), Some(place)) => {
                    let payers = consents::list_payer_accounts(&context, &psu, payment).await?;
                    let count = payers.len().max(1);
                    let Some(payer) = payers.get(place.checked_rem(count).unwrap_or(0)) else { return Ok(None) };
                    consents::select_payer(&context, &psu, payment, &payer.account.id).await?
                }
                _ => None,
            };
            let inside = context.clone();
            let store = context.store.clone();
            let settle = move |tx: &mut dyn ServerTransaction| settle(tx, &inside, &consent, &psu, chosen.as_ref());
            store.write(settle).await.map(|decided| Some(Box::new(decided)))
        };
        ActionResult::Decided(decided.await)
    })
}

fn settle(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    consent: &Consent,
    psu: &PsuId,
    chosen: Option<&AuthorisedSelection>,
) -> Result<Consent, Failure> {
    let Owned::Mine(locked) = tx.consent_for_update(&consent.client, &consent.id)? else {
        // The TPP has deleted the consent.
        return Err(Refusal::from_kind(RefusalKind::NotFound).into());
    };
    match chosen {
        None => reject_consent_in(tx, context, &locked, None).map_err(Failure::from),
        Some(chosen) => match authorise_consent_in(tx, context, &locked, psu, chosen) {
            Ok(agreed) => Ok(agreed),
            // Another decision was made first, or the consent has expired.
            Err(AuthoriseError::NotAuthorisable(_)) => Err(Refusal::from_kind(RefusalKind::ConsentState).into()),
            Err(AuthoriseError::Store(error)) => Err(error.into()),
        },
    }
}

/// A customer approves or refuses an order that several customers must authorise.
pub(crate) fn countersign(node: &Node, psu: PsuId, order: OrderId, say: ApprovalDecision) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let said = approvals::record_approval_decision(&context, &psu, &order, say).await;
        ActionResult::Countersigned(said.map(|order| Some(Box::new(order))))
    })
}

/// A customer lists the orders that await approval, and approves or refuses the first one.
pub(crate) fn approve_first(node: &Node, psu: PsuId, what: ApprovalDecision) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let looked = async {
            let waiting = approvals::list_pending_approvals(&context, &psu).await?;
            match waiting.first() {
                Some(first) => approvals::record_approval_decision(&context, &psu, &first.order.id, what)
                    .await
                    .map(Box::new)
                    .map(Some),
                None => Ok(None),
            }
        };
        ActionResult::Countersigned(looked.await)
    })
}

/// A customer revokes access at the bank.
pub(crate) fn revoke(node: &Node, psu: PsuId, consent: Consent) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move { ActionResult::Ended(revoke_consent(&context, &psu, &consent.id).await.map(drop)) })
}
