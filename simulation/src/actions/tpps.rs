//! Actions of TPPs: requests, confirmations of funds, and deletion of consents.

use super::{ActionResult, MadeResource, RunningAction, upload};
use crate::intents::{IntendedRequest, SentRequest, VERSION};
use crate::world::Node;
use lombard_domain::consent::{Consent, Submitted};
use lombard_domain::ids::ClientId;
use lombard_domain::order::{OrderDraft, PaymentDraft, RequestForm};
use lombard_domain::refusal::{Fault, FaultCode, Refusal, RefusalKind};
use lombard_domain::vrp::VrpFundsQuestion;
use lombard_service::payments::orders::{self, OrderSubmission};
use lombard_service::payments::{consents, vrp};

fn submitted() -> Submitted {
    Submitted { version: VERSION, json: "{}".to_owned() }
}

fn difference() -> Fault {
    Fault::new(FaultCode::ConsentMismatch, "The simulation says so.")
}

/// Sends a request; an order has the consent of its token.
pub(crate) fn send(node: &Node, request: SentRequest, bound: Option<Consent>) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let once = request.once();
        let answer = match (request.asked, bound) {
            (IntendedRequest::Consent(terms), _) => {
                let draft = PaymentDraft { terms: *terms, form: RequestForm::default(), submitted: submitted() };
                consents::create_payment_consent(&context, &request.client, draft, once)
                    .await
                    .map(|made| MadeResource::Consent(Box::new(made)))
            }
            (IntendedRequest::File { consent, sent }, _) => {
                upload::send(&context, &request.client, &consent, &sent, once).await.map(|()| MadeResource::File)
            }
            (IntendedRequest::Order { consent, differing, payment }, Some(bound)) => {
                let draft = OrderDraft { consent, submitted: submitted(), payment };
                let differences = differing.then(difference).into_iter().collect();
                let ordered = OrderSubmission {
                    product: request.product,
                    endpoint_version: VERSION,
                    payload_version: VERSION,
                    draft,
                    customer_address: None,
                    differences,
                };
                orders::create_order(&context, &bound, ordered, once)
                    .await
                    .map(|order| MadeResource::Order(Box::new(order)))
            }
            (IntendedRequest::Order { .. }, None) => Err(Refusal::from_kind(RefusalKind::AccessEnded).into()),
        };
        ActionResult::Answered(Box::new(answer))
    })
}

/// Requests a confirmation of funds for a consent.
pub(crate) fn funds(node: &Node, consent: Consent) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let told = match consent.terms.payment().and_then(|payment| payment.terms.instruction.vrp()) {
            Some(terms) => {
                let amount = terms.controls.individual;
                let question = VrpFundsQuestion { consent: consent.id.clone(), reference: None, amount };
                vrp::confirm_vrp_funds(&context, &consent, &consent.id, VERSION, question).await.map(drop)
            }
            None => consents::confirm_payment_funds(&context, &consent).await.map(drop),
        };
        ActionResult::Ended(told)
    })
}

/// Deletes a consent of the TPP.
pub(crate) fn delete(node: &Node, client: ClientId, consent: Consent) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move { ActionResult::Ended(vrp::delete_vrp_consent(&context, &client, &consent.id, VERSION).await) })
}
