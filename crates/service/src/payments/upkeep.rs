//! What time does to payments: consents nobody decides on, and orders not everybody agrees to in time.

use super::approvals::told;
use crate::consents::reject_in;
use crate::events::Outbox;
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::consent::State;
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_ports::store::{Owned, Transaction};

/// How many of each are looked at by one activation.
const BATCH: u32 = 100;

/// Rejects a batch of consents that were left undecided too long. Returns how many; none means nothing is left. One that
/// was decided meanwhile stays as it is. Source: PIS-027.
///
/// # Errors
/// Storage's failure; the next activation finds the same.
pub async fn reject_undecided(context: &Context) -> Result<usize, Failure> {
    let before = context.clocks.bank().saturating_sub(context.payments.undecided).unwrap_or(Timestamp::MIN);
    let ids = context.store.read(move |tx| Ok::<_, Failure>(tx.payment_consents_undecided(before, BATCH)?)).await?;
    let mut rejected = 0_usize;
    for id in ids {
        let inside = context.clone();
        let done = context.store.write(move |tx| reject(tx, &inside, &id)).await;
        rejected = rejected.saturating_add(usize::from(done.unwrap_or_else(passed_over)));
    }
    Ok(rejected)
}

/// One that cannot be ended holds up no other.
fn passed_over(failure: Failure) -> bool {
    tracing::warn!(error = &failure as &dyn std::error::Error, "what is over was not ended");
    metrics::counter!("lombard_payment_upkeep_failures_total").increment(1);
    false
}

/// Whether the consent was still undecided.
fn reject(tx: &mut dyn Transaction, context: &Context, id: &ConsentId) -> Result<bool, Failure> {
    let Some(found) = tx.consent_any_owner(id)? else { return Ok(false) };
    match tx.consent_for_update(&found.client, id)? {
        Owned::Mine(consent) if consent.state == State::AwaitingAuthorisation => {
            reject_in(tx, context, &consent)?;
            tx.interactions_finish_of_consent(id, None)?;
            Ok(true)
        }
        Owned::Mine(_) | Owned::Foreign | Owned::Absent => Ok(false),
    }
}

/// Ends a batch of orders that not everybody agreed to in time. Returns how many; none means nothing is left.
/// Source: PIS-112.
///
/// # Errors
/// Storage's failure; the next activation finds the same.
pub async fn lapse(context: &Context) -> Result<usize, Failure> {
    let now = context.clocks.bank();
    let ids = context.store.read(move |tx| Ok::<_, Failure>(tx.orders_lapsed(now, BATCH)?)).await?;
    let mut lapsed = 0_usize;
    for id in ids {
        let outbox = context.outbox.clone();
        let done = context.store.write(move |tx| end(tx, &outbox, &id, now)).await;
        lapsed = lapsed.saturating_add(usize::from(done.unwrap_or_else(passed_over)));
    }
    Ok(lapsed)
}

/// Whether the order still waited.
fn end(tx: &mut dyn Transaction, outbox: &Outbox, id: &OrderId, now: Timestamp) -> Result<bool, Failure> {
    let Some(mut order) = tx.order_for_update(id)? else { return Ok(false) };
    let Ok(moved) = order.lapse(now) else { return Ok(false) };
    tx.order_update(&order)?;
    outbox.raise_all(tx, &told(&order, moved))?;
    Ok(true)
}
