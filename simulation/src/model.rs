//! Derives the expected responses to TPPs from their requests alone.

use crate::actions::{ActionResult, MadeResource};
use crate::intents::{FileSent, IntendedRequest, SentRequest};
use crate::limits::Payments;
use crate::promise::{InvariantViolation, ensure};
use crate::world::Node;
use jiff::{SignedDuration, Timestamp};
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::grant::Digest;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::payment::order::PaymentConsentRequest;
use lombard_domain::refusal::{FaultCode, RefusalKind};
use lombard_ports::store::IdempotencyKey;
use lombard_service::Failure;
use std::collections::HashMap;
use std::sync::Arc;

/// The time for which an idempotency key identifies the same request.
const WINDOW: SignedDuration = SignedDuration::from_hours(24);

/// A resource that a response contained.
#[derive(Debug)]
struct Answered {
    resource: String,
    body: u64,
    made_at: Timestamp,
}

/// The requests that were sent, and the resources that their responses contained.
#[derive(Debug, Default)]
pub(crate) struct ExpectedState {
    pub(crate) requests: Vec<SentRequest>,
    answered: HashMap<IdempotencyKey, Vec<Answered>>,
    /// The consents that responses contained, each once.
    pub(crate) consents: Vec<ConsentId>,
    /// The orders that responses contained, each once.
    pub(crate) orders: Vec<OrderId>,
    /// The files that consents announced.
    pub(crate) files: HashMap<Digest, Arc<FileSent>>,
}

/// The facts at the time of a request and at the time of its response.
#[derive(Debug)]
pub(crate) struct RequestFacts {
    /// The earliest and the latest time of the bank's clock meanwhile.
    pub(crate) between: (Timestamp, Timestamp),
    /// The consent of the request, before and after.
    pub(crate) consent: (Option<Consent>, Option<Consent>),
    /// All payments that were ever made under the consent, including rejected ones.
    pub(crate) payments: Payments,
}

impl ExpectedState {
    /// Checks the response to a request.
    ///
    /// # Errors
    /// The invariant that the response violates.
    pub(crate) fn check_response(
        &mut self,
        node: &Node,
        sent: usize,
        done: &ActionResult,
        facts: &RequestFacts,
    ) -> Result<(), InvariantViolation> {
        let ActionResult::Answered(answer) = done else { return Ok(()) };
        let Some(request) = self.requests.get(sent).cloned() else { return Ok(()) };
        match &**answer {
            Ok(made) => self.check_replay(&request, made, facts),
            Err(Failure::Refused(refusal)) if refusal.kind == RefusalKind::Invalid => {
                let codes: Vec<_> = refusal.faults.iter().map(|fault| fault.code).collect();
                ensure(!codes.is_empty(), || "refused without a fault".to_owned())?;
                codes.iter().try_for_each(|code| self.is_just(node, &request, *code, facts))
            }
            Err(Failure::Refused(refusal)) if refusal.kind == RefusalKind::IdempotencyKeyReused => {
                let key = request.idempotency_key();
                let is_other = |other: &SentRequest| other.body != request.body && other.idempotency_key() == key;
                ensure(self.requests.iter().any(is_other), || "a key was refused that nothing else had".to_owned())
            }
            Err(Failure::Refused(refusal)) => {
                let kind = refusal.kind;
                ensure(is_just_as_a_whole(&request, kind, facts), || format!("refused as {kind:?} for nothing"))
            }
            Err(Failure::Unavailable(_) | Failure::Broken(_)) => Ok(()),
        }
    }

    /// Checks that the same key gives the same resource, for the same body, for a day. Source: PIS-061, PIS-066.
    fn check_replay(
        &mut self,
        request: &SentRequest,
        made: &MadeResource,
        facts: &RequestFacts,
    ) -> Result<(), InvariantViolation> {
        let (resource, made_at) = match (made, &request.asked) {
            (MadeResource::Consent(consent), IntendedRequest::Consent(terms)) => {
                let same = consent.request.payment().is_some_and(|payment| payment.terms == **terms);
                ensure(same && consent.client == request.client, || "another consent than asked for".to_owned())?;
                if !self.consents.contains(&consent.id) {
                    self.consents.push(consent.id.clone());
                }
                (consent.id.as_str(), consent.created_at)
            }
            (MadeResource::Order(order), IntendedRequest::Order { consent, differing, .. }) => {
                ensure(order.consent == *consent, || "the order of another consent".to_owned())?;
                ensure(!differing, || "an order that differs from its consent".to_owned())?;
                if !self.orders.contains(&order.id) {
                    self.orders.push(order.id.clone());
                }
                (order.id.as_str(), order.created_at)
            }
            (MadeResource::File, IntendedRequest::File { consent, .. }) => {
                let after = facts.consent.1.as_ref();
                let taken = after.filter(|it| it.request.payment().is_some_and(|payment| payment.file.is_some()));
                let Some(taken) = taken else {
                    return Err(InvariantViolation(format!("the file of {consent} was taken, and is not there")));
                };
                (consent.as_str(), taken.created_at)
            }
            (MadeResource::Consent(_) | MadeResource::Order(_) | MadeResource::File, _) => {
                return Err(InvariantViolation("an answer to another question".to_owned()));
            }
        };
        let known = self.answered.entry(request.idempotency_key()).or_default();
        for one in known.iter() {
            let same = one.resource == resource;
            ensure(!same || one.body == request.body, || format!("{resource} is the answer to two bodies"))?;
            let apart = one.made_at.duration_since(made_at).abs();
            ensure(same || apart >= WINDOW, || {
                format!("one key made {} and {resource}, {apart:#} apart", one.resource)
            })?;
        }
        known.push(Answered { resource: resource.to_owned(), body: request.body, made_at });
        Ok(())
    }

    /// Checks that a refusal with this fault has a reason.
    fn is_just(
        &self,
        node: &Node,
        request: &SentRequest,
        code: FaultCode,
        facts: &RequestFacts,
    ) -> Result<(), InvariantViolation> {
        let unjust = || format!("refused with {code:?} for nothing");
        match &request.asked {
            IntendedRequest::Consent(terms) => {
                let international =
                    terms.instruction.transfer().is_some_and(|transfer| transfer.international_details().is_some());
                let by_the_bank = matches!(code, FaultCode::AfterCutOff | FaultCode::FieldInvalid)
                    || (code == FaultCode::UnsupportedCurrency && international);
                ensure(by_the_bank || is_faulty(node, terms, facts.between), unjust)
            }
            IntendedRequest::Order { differing, payment: None, .. } => {
                let (before, after) = &facts.consent;
                let authorised =
                    |it: &Option<Consent>| it.as_ref().is_some_and(|it| it.state == ConsentState::Authorised);
                let late = |it: &Consent| {
                    it.request.payment().is_some_and(|payment| payment.conditions.is_too_late(facts.between.1))
                };
                let just = match code {
                    FaultCode::InvalidConsentStatus => !(authorised(before) && authorised(after)),
                    FaultCode::AfterCutOff => after.as_ref().is_some_and(late),
                    FaultCode::ConsentMismatch => *differing,
                    _ => false,
                };
                ensure(just, unjust)
            }
            IntendedRequest::Order { differing, payment: Some(payment), .. } => {
                let Some(consent) = &facts.consent.1 else { return Err(InvariantViolation(unjust())) };
                let is_migrated = consent.submitted.version > request.version;
                let limits = &node.context.payments.limits;
                let just = match code {
                    FaultCode::ConsentMismatch => *differing || !consent.payment_differences(payment).is_empty(),
                    FaultCode::NotFound => is_migrated,
                    FaultCode::FailsControlParameters => facts.payments.may_bar(consent, payment, facts.between),
                    _ => {
                        !payment.transfer.immediate_payment_faults(request.product, facts.between.1, limits).is_empty()
                    }
                };
                ensure(just, unjust)
            }
            // A file that does not match its announcement ends its consent. Source: FILE-014.
            IntendedRequest::File { sent, .. } => {
                let after = facts.consent.1.as_ref().map(|it| it.state);
                let announced = facts.consent.1.as_ref().and_then(announced);
                ensure(
                    announced != Some(sent.digest) || (!sent.is_sound && after == Some(ConsentState::Rejected)),
                    unjust,
                )
            }
        }
    }
}

/// The digest of the file that a consent announces.
fn announced(consent: &Consent) -> Option<Digest> {
    Some(consent.request.payment()?.terms.instruction.file()?.hash)
}

/// Whether a refusal that names no fault has a reason.
fn is_just_as_a_whole(request: &SentRequest, kind: RefusalKind, facts: &RequestFacts) -> bool {
    let (before, after) = &facts.consent;
    let stood = |it: &Option<Consent>, state: ConsentState| it.as_ref().is_some_and(|it| it.state == state);
    let deleted = after.as_ref().is_some_and(|it| it.deleted_at.is_some());
    let unmoved = before.as_ref().map(|it| it.epoch) == after.as_ref().map(|it| it.epoch);
    match (&request.asked, kind) {
        (_, RefusalKind::NotFound) => {
            deleted || matches!(request.asked, IntendedRequest::Consent(_)) && request.product.reuses_consents()
        }
        (IntendedRequest::Order { .. }, RefusalKind::ConsentState) => {
            deleted || !stood(before, ConsentState::Authorised) || !unmoved
        }
        (IntendedRequest::File { .. }, RefusalKind::ConsentState) => {
            !stood(before, ConsentState::AwaitingUpload) || !unmoved
        }
        _ => false,
    }
}

/// Whether a consent request may be refused for its contents during this time.
fn is_faulty(node: &Node, terms: &PaymentConsentRequest, between: (Timestamp, Timestamp)) -> bool {
    let limits = &node.context.payments.limits;
    [between.0, between.1].into_iter().any(|at| !terms.faults(at, limits).is_empty())
}
