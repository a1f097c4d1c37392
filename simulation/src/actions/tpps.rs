//! Actions of TPPs: requests, confirmations of funds, and deletion of consents.

use super::{ActionResult, MadeResource, RunningAction, upload};
use crate::intents::{IntendedRequest, SentRequest, digest};
use crate::world::Node;
use lombard_domain::consent::Consent;
use lombard_domain::ids::ClientId;
use lombard_domain::payment::order::{OrderDraft, PaymentDraft, RequestForm};
use lombard_domain::payment::vrp::VrpFundsConfirmationRequest;
use lombard_domain::refusal::{Fault, FaultCode, Refusal, RefusalKind};
use lombard_domain::submitted::Submitted;
use lombard_domain::version::Version;
use lombard_ports::store::IdempotencyKey;
use lombard_service::payments::orders::{self, OrderSubmission};
use lombard_service::payments::{IdempotentRequest, consents, vrp, vrp_migration};

fn submitted(version: Version) -> Submitted {
    Submitted { version, json: "{}".to_owned() }
}

fn difference() -> Fault {
    Fault::new(FaultCode::ConsentMismatch, "The simulation says so.")
}

/// Sends a request. For an order, `bound` is the consent of its token.
pub(crate) fn send(node: &Node, request: SentRequest, bound: Option<Consent>) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let once = request.once();
        let version = request.version;
        let answer = match (request.asked, bound) {
            (IntendedRequest::Consent(terms), _) => {
                let draft = PaymentDraft { terms: *terms, form: RequestForm::default(), submitted: submitted(version) };
                consents::create_payment_consent(&context, &request.client, draft, once)
                    .await
                    .map(|made| MadeResource::Consent(Box::new(made)))
            }
            (IntendedRequest::File { consent, sent }, _) => {
                upload::send(&context, &request.client, (&consent, version), &sent, once)
                    .await
                    .map(|()| MadeResource::File)
            }
            (IntendedRequest::Order { consent, differing, payment }, Some(bound)) => {
                let draft = OrderDraft { consent, submitted: submitted(version), payment };
                let differences = differing.then(difference).into_iter().collect();
                let ordered = OrderSubmission {
                    product: request.product,
                    endpoint_version: version,
                    payload_version: version,
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
        let told = match consent.request.payment().and_then(|payment| payment.terms.instruction.vrp()) {
            Some(terms) => {
                let amount = terms.controls.individual;
                let question = VrpFundsConfirmationRequest { consent: consent.id.clone(), reference: None, amount };
                vrp::confirm_vrp_funds(&context, &consent, &consent.id, Version::V4_0, question).await.map(drop)
            }
            None => consents::confirm_payment_funds(&context, &consent).await.map(drop),
        };
        ActionResult::Ended(told)
    })
}

/// Deletes a consent of the TPP.
pub(crate) fn delete(node: &Node, client: ClientId, consent: Consent) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        ActionResult::Ended(vrp::delete_vrp_consent(&context, &client, &consent.id, Version::V4_0).await)
    })
}

/// Submits a VRP consent of v3.1 in the form of v4.0, under a key that no other request has. Source: V4-020.
pub(crate) fn migrate(node: &Node, consent: Consent, number: u64) -> RunningAction {
    let context = node.context.clone();
    Box::pin(async move {
        let terms = consent.request.payment().map(|payment| payment.terms.clone());
        let Some(terms) = terms else { return ActionResult::Ended(Ok(())) };
        let draft = PaymentDraft { terms, form: RequestForm::default(), submitted: submitted(Version::V4_0) };
        let operation = format!("PUT {}", consent.id);
        let key = IdempotencyKey { client: consent.client.clone(), operation, key: format!("migration {number}") };
        let once = IdempotentRequest { key, body_digest: digest(number) };
        let migrated =
            vrp_migration::migrate_vrp_consent(&context, &consent.client, &consent.id, Ok(draft), once).await;
        ActionResult::Ended(migrated.map(drop))
    })
}
