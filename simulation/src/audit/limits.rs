//! Invariants of VRP limits: the usage consists of exactly the payments that are not rejected.

use super::observed::{Audit, ObservedOrder};
use crate::fault_injection::block_on;
use crate::intents::{IntendedRequest, SentRequest};
use crate::limits::{CountedPayment, Payments};
use crate::model::ExpectedState;
use crate::promise::{InvariantViolation, ensure};
use crate::world::World;
use jiff::Timestamp;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_domain::payment::order::SummaryStatus;
use lombard_ports::store::{IdempotencyClaim, KeyClaim, StoreError};
use lombard_service::payments::IdempotentRequest;
use std::collections::BTreeSet;

/// The result of a read in a transaction that is rolled back.
enum RolledBackRead {
    Found(Option<OrderId>),
    Failed(StoreError),
}

impl From<StoreError> for RolledBackRead {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// The VRP orders of requests that have not been answered yet, found by their idempotency keys.
///
/// # Errors
/// The failure of storage.
pub(super) fn placed(
    world: &World,
    model: &ExpectedState,
    doubtful: &[usize],
) -> Result<Vec<OrderId>, InvariantViolation> {
    let asks = |request: &&SentRequest| matches!(request.asked, IntendedRequest::Order { payment: Some(_), .. });
    let doubtful = doubtful.iter().filter_map(|sent| model.requests.get(*sent)).filter(asks);
    let found: Result<Vec<_>, InvariantViolation> = doubtful.map(|request| by_key(world, request.once())).collect();
    Ok(found?.into_iter().flatten().collect())
}

fn by_key(world: &World, once: IdempotentRequest) -> Result<Option<OrderId>, InvariantViolation> {
    let now = world.clocks.bank_now();
    let peeked: Result<(), RolledBackRead> = block_on(world.store.write(move |tx| {
        let IdempotentRequest { key, body_digest } = &once;
        let claim = KeyClaim {
            key,
            body: body_digest,
            resource: "peek",
            now,
            window_start: Timestamp::MIN,
            other_operation: None,
        };
        let found = match tx.idempotency_claim(&claim)? {
            IdempotencyClaim::Replay { resource } => Some(OrderId::new(resource)),
            IdempotencyClaim::New | IdempotencyClaim::Mismatch => None,
        };
        Err(RolledBackRead::Found(found))
    }));
    match peeked {
        Err(RolledBackRead::Found(found)) => Ok(found),
        Err(RolledBackRead::Failed(error)) => Err(error.into()),
        Ok(()) => Ok(None),
    }
}

impl Audit {
    /// All payments that were ever made under a consent, in their present state.
    pub(crate) fn payments_of(&self, consent: &ConsentId) -> Payments {
        let of_it = self.seen.values().map(|seen| &seen.order).filter(|order| order.consent == *consent);
        Payments(
            of_it
                .filter_map(|order| {
                    let at = order.created_at;
                    let rejected = order.summary_status() == SummaryStatus::Rejected;
                    Some(CountedPayment { at, minor: order.instruction.transfer()?.amount.minor(), rejected })
                })
                .collect(),
        )
    }

    /// Checks for these consents that the counted usage equals the payments that are not rejected, and never exceeds the limits.
    pub(super) fn are_within_limits(
        &self,
        world: &World,
        consents: &BTreeSet<ConsentId>,
    ) -> Result<(), InvariantViolation> {
        for id in consents {
            let Some(consent) = self.consents.get(id) else { continue };
            let payments = self.payments_of(id);
            let counters = payments.counters(consent);
            let asked = id.clone();
            let usage = block_on(world.store.read(move |tx| tx.vrp_usage(&asked, &counters)))?;
            payments.are_counted(consent, &usage)?;
        }
        Ok(())
    }

    /// Checks the same for all VRP consents, whether or not anything has changed.
    pub(super) fn all_are_within_limits(&self, world: &World) -> Result<(), InvariantViolation> {
        let reused = self.consents.values().filter(|it| it.vrp_limits().is_some());
        let all: BTreeSet<_> = reused.map(|it| it.id.clone()).collect();
        self.are_within_limits(world, &all)?;
        let paid = self.seen.values().filter(|seen| seen.order.product.reuses_consents());
        let keys = |seen: &ObservedOrder| all.contains(&seen.order.consent);
        ensure(paid.into_iter().all(keys), || "a payment within limits is under no such consent".to_owned())
    }
}
