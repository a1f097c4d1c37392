//! Expiry of payment consents that are not decided, and of orders that are not fully approved in time.

use crate::consents::{end_authorisations_in, reject_consent_in};
use crate::workers::end_each;
use crate::{Context, Failure};
use jiff::Timestamp;
use lombard_domain::consent::{ConsentState, ConsentStatusReason};
use lombard_domain::ids::{ConsentId, OrderId};
use lombard_ports::store::{Owned, ServerTransaction, WorkKind};

/// The number of consents or orders that one activation examines.
const BATCH: u32 = 100;

/// Rejects a batch of consents that were left undecided too long. Returns the number that were rejected or quarantined; zero
/// means that none is left. A consent that was decided meanwhile is unchanged. Source: PIS-027.
///
/// # Errors
/// Storage's failure; the next activation finds the same consents.
pub async fn reject_undecided_consents(context: &Context) -> Result<usize, Failure> {
    let ids = context.store.read(undecided_consents(context, BATCH)).await?;
    Ok(end_each(context, WorkKind::UndecidedConsent, ids, reject).await?)
}

/// Finds payment consents that were left undecided too long.
pub(crate) fn undecided_consents(
    context: &Context,
    limit: u32,
) -> impl FnMut(&mut dyn ServerTransaction) -> Result<Vec<ConsentId>, Failure> + Send + use<> {
    let (clocks, undecided) = (context.clocks.clone(), context.payments.undecided_after);
    move |tx| {
        let before = clocks.read_bank_time(tx)?.saturating_sub(undecided).unwrap_or(Timestamp::MIN);
        Ok(tx.payment_consents_undecided(before, limit)?)
    }
}

/// Finds orders whose approval deadline has passed.
pub(crate) fn lapsed_orders(
    context: &Context,
    limit: u32,
) -> impl FnMut(&mut dyn ServerTransaction) -> Result<Vec<OrderId>, Failure> + Send + use<> {
    let clocks = context.clocks.clone();
    move |tx| {
        let now = clocks.read_bank_time(tx)?;
        Ok(tx.orders_lapsed(now, limit)?)
    }
}

/// Rejects one consent. Returns whether it was still undecided.
pub(super) fn reject(tx: &mut dyn ServerTransaction, context: &Context, id: &ConsentId) -> Result<bool, Failure> {
    let Some(found) = tx.consent_any_owner(id)? else { return Ok(false) };
    match tx.consent_for_update(&found.client, id)? {
        Owned::Mine(consent)
            if matches!(consent.state, ConsentState::AwaitingUpload | ConsentState::AwaitingAuthorisation) =>
        {
            reject_consent_in(tx, context, &consent, Some(ConsentStatusReason::UndecidedTooLong))?;
            end_authorisations_in(tx, id, context.clocks.wall_now())?;
            Ok(true)
        }
        Owned::Mine(_) | Owned::Foreign | Owned::Absent => Ok(false),
    }
}

/// Rejects a batch of orders whose approval deadline has passed. Returns the number that were rejected or quarantined; zero means
/// that none is left. Source: PIS-112.
///
/// # Errors
/// Storage's failure; the next activation finds the same orders.
pub async fn reject_lapsed_orders(context: &Context) -> Result<usize, Failure> {
    let ids = context.store.read(lapsed_orders(context, BATCH)).await?;
    Ok(end_each(context, WorkKind::LapsedOrder, ids, lapse_order).await?)
}

/// Rejects one order. Returns whether it was still awaiting approval.
fn lapse_order(tx: &mut dyn ServerTransaction, context: &Context, id: &OrderId) -> Result<bool, Failure> {
    let Some(mut order) = tx.order_for_update(id)? else { return Ok(false) };
    let now = context.clocks.read_bank_time(tx)?;
    if !order.approvals.as_ref().is_some_and(|it| it.is_lapsed(now)) {
        return Ok(false);
    }
    let moved = order.lapse(now).map_err(|error| Failure::Broken(error.into()))?;
    tx.order_update(&order)?;
    context.outbox.raise_of_order(tx, &order, [moved])?;
    Ok(true)
}
