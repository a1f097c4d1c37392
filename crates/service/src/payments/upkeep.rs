//! What time does to payments: consents nobody decides on, and orders not everybody agrees to in time.

use super::approvals::told;
use crate::consents::reject_in;
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::consent::State;
use lombard_ports::store::Owned;

/// How many of each are looked at by one activation.
const BATCH: u32 = 100;

/// Rejects a batch of consents that were left undecided too long. Returns how many; none means nothing is left.
/// Source: PIS-027.
///
/// # Errors
/// Storage's failure; the next activation finds the same.
pub async fn reject_undecided(context: &Context) -> Result<usize, Failure> {
    let before = context.clocks.bank().saturating_sub(context.payments.undecided).unwrap_or(Timestamp::MIN);
    let ids = context.store.read(move |tx| Ok::<_, Failure>(tx.payment_consents_undecided(before, BATCH)?)).await?;
    for id in &ids {
        let (id, inside) = (id.clone(), context.clone());
        context
            .store
            .write(move |tx| {
                let Some(found) = tx.consent_any_owner(&id)? else { return Ok(()) };
                if let Owned::Mine(consent) = tx.consent_for_update(&found.client, &id)?
                    && consent.state == State::AwaitingAuthorisation
                {
                    reject_in(tx, &inside, &consent)?;
                    tx.interactions_finish_of_consent(&id, None)?;
                }
                Ok::<_, Failure>(())
            })
            .await?;
    }
    Ok(ids.len())
}

/// Ends a batch of orders that not everybody agreed to in time. Returns how many. Source: PIS-112.
///
/// # Errors
/// Storage's failure; the next activation finds the same.
pub async fn lapse(context: &Context) -> Result<usize, Failure> {
    let now = context.clocks.bank();
    let ids = context.store.read(move |tx| Ok::<_, Failure>(tx.orders_lapsed(now, BATCH)?)).await?;
    for id in &ids {
        let (id, outbox) = (id.clone(), context.outbox.clone());
        context
            .store
            .write(move |tx| {
                let Some(mut order) = tx.order_for_update(&id)? else { return Ok(()) };
                if let Ok(moved) = order.lapse(now) {
                    tx.order_update(&order)?;
                    outbox.raise_all(tx, &told(&order, moved))?;
                }
                Ok::<_, Failure>(())
            })
            .await?;
    }
    Ok(ids.len())
}
