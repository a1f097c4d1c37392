//! Invariants of consents and their orders.

use super::observed::{Audit, is_final};
use crate::intents::IntendedRequest;
use crate::model::ExpectedState;
use crate::promise::{InvariantViolation, ensure};
use crate::world::World;
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::OrderId;
use lombard_domain::payment::exchange::Quote;
use lombard_domain::payment::order::Order;

impl Audit {
    /// Checks that a consent has exactly one order if it is consumed and none otherwise, unless it is reusable. Also checks that each
    /// decision on it raised one event, and that its reported content has not changed.
    pub(super) fn consent(
        &mut self,
        world: &World,
        model: &ExpectedState,
        consent: Consent,
        order: Option<OrderId>,
    ) -> Result<(), InvariantViolation> {
        let id = consent.id.clone();
        let state = consent.state;
        let reused = consent.request.payment().is_some_and(|it| it.terms.product().reuses_consents());
        let fits =
            if reused { state != ConsentState::Consumed } else { (state == ConsentState::Consumed) == order.is_some() };
        ensure(fits, || format!("consent {id} is {state:?} with {order:?}"))?;
        let before = self.consents.get(&id);
        let was = before.map_or(ConsentState::AwaitingAuthorisation, |it| it.state);
        let decided = self.decided.entry(id.clone()).or_default();
        *decided = decided.saturating_add(usize::from(is_told(was, state)));
        let due = *decided;
        let told = self.events.get(id.as_str()).copied().unwrap_or(0);
        ensure(told == due, || format!("consent {id} is {state:?} and was told {told} times instead of {due}"))?;
        if let Some(before) = before {
            let terms = |it: &Consent| it.request.payment().map(|it| (it.terms.clone(), it.conditions.quote.clone()));
            let same = terms(before) == terms(&consent);
            let forward = before.submitted.version <= consent.submitted.version;
            ensure(forward, || format!("consent {id} went back to an older version"))?;
            let migrated = before.submitted.version < consent.submitted.version;
            ensure((migrated || !is_final(before)) && same, || format!("consent {id} was {was:?} and is {state:?}"))?;
        }
        let waited = before.is_none_or(|it| it.state == ConsentState::AwaitingUpload);
        if waited && state != ConsentState::AwaitingUpload {
            super::files::is_whole(world, model, &consent)?;
        }
        self.consents.insert(id, consent);
        Ok(())
    }
}

/// Whether the TPP receives an event for this change of state, which a customer, the bank or the time has caused.
fn is_told(was: ConsentState, is: ConsentState) -> bool {
    let undecided = matches!(was, ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation);
    let decided = undecided && matches!(is, ConsentState::Rejected | ConsentState::Authorised);
    decided || (was == ConsentState::Authorised && matches!(is, ConsentState::Revoked(_)))
}

/// Checks that an order matches its consent, uses the quoted rate, and was created in time. Source: PIS-165, INT-020, INT-021.
pub(super) fn is_of(order: &Order, consent: &Consent) -> Result<(), InvariantViolation> {
    let id = &order.id;
    let Some(payment) = consent.request.payment() else {
        return Err(InvariantViolation(format!("order {id} is of no payment")));
    };
    let whose = consent.debtor().is_some_and(|debtor| debtor.account == order.debtor);
    let what = if order.product.reuses_consents() {
        let creditor = payment.terms.instruction.creditor();
        creditor.is_none_or(|creditor| order.instruction.creditor() == Some(creditor))
    } else {
        consent.state == ConsentState::Consumed && payment.terms.instruction == order.instruction
    };
    ensure(whose && what, || format!("order {id} is not its consent's"))?;
    let told = &payment.conditions.quote;
    let quote = &order.conditions.quote;
    ensure(told == quote, || format!("order {id} is at {quote:?}, and {told:?} was told"))?;
    let ended = quote.as_ref().and_then(Quote::expires_at).is_some_and(|end| end <= order.created_at);
    ensure(!ended, || format!("order {id} was made {} at {quote:?}", order.created_at))
}

/// Checks that a TPP has requested the order.
pub(super) fn was_asked_for(model: &ExpectedState, order: &Order) -> Result<(), InvariantViolation> {
    let asks = |asked: &IntendedRequest| match asked {
        IntendedRequest::Order { consent, differing, payment } => {
            let what = payment.as_ref().map(|payment| &payment.transfer);
            *consent == order.consent
                && !differing
                && what.is_none_or(|what| order.instruction.transfer() == Some(what))
        }
        IntendedRequest::Consent(_) | IntendedRequest::File { .. } => false,
    };
    ensure(model.requests.iter().any(|request| asks(&request.asked)), || {
        format!("nobody asked for order {}: {:?}", order.id, order.instruction)
    })
}
