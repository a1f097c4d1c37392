//! What account holders and their TPPs see of orders that are kept: a scheduled payment or a standing order under the order's
//! own id, always as it stands with the order. Source: AIS-171, AIS-173.
//!
//! Such an arrangement is never carried out by itself: the order is due at the same instant, comes first, and moves it on.

use super::super::names;
use super::international::CrossBorderPayment;
use super::money::PayeeLocation;
use super::processor::OrderProcessor;
use super::timing::OrderTiming;
use crate::storage::{Arrangement, ArrangementKind, BankTransaction as Tables};
use jiff::Timestamp;
use lombard_domain::account::{
    ArrangementStatus, BankIdentification, Instalment, ScheduledPayment, ScheduledType, StandingOrder,
};
use lombard_domain::ids::RecordId;
use lombard_domain::order::{Occurrence, ScheduleEnd};
use lombard_ports::store::StoreError;

/// Shows an order that was taken into keeping.
///
/// # Errors
/// [`StoreError`].
pub(super) fn put(tx: &mut dyn Tables, case: &OrderProcessor<'_>) -> Result<(), StoreError> {
    let (Some(upcoming), Some(at)) = (case.execution.upcoming(), case.execution.begins_at()) else { return Ok(()) };
    let agent = agent(tx, case)?;
    let (account, payee) = (case.order.debtor.clone(), case.execution.payee.account());
    let reference = case.execution.reference.clone();
    let arrangement: Arrangement = match &case.execution.timing {
        OrderTiming::Now => return Ok(()),
        OrderTiming::On(_) => ScheduledPayment {
            id: id(case),
            account,
            at,
            kind: ScheduledType::Execution,
            reference,
            debtor_reference: None,
            amount: upcoming.amount,
            agent,
            payee,
        }
        .into(),
        OrderTiming::StandingOrder(turns) => {
            let schedule = turns.schedule(case.execution.currency);
            let first = Instalment { at, amount: upcoming.amount };
            let last_amount = schedule.last.or(schedule.regular).unwrap_or(upcoming.amount);
            let (end, payments) = match schedule.end {
                ScheduleEnd::Open => (None, None),
                ScheduleEnd::After(count) => (None, Some(u32::from(count.get()))),
                ScheduleEnd::On(day) => {
                    let at = case.execution.days().morning_of(day);
                    (Some(Instalment { at, amount: last_amount }), None)
                }
            };
            StandingOrder {
                id: id(case),
                account,
                frequency: schedule.frequency,
                reference,
                first: Some(first),
                next: Some(first),
                last: None,
                end,
                payments,
                status: ArrangementStatus::Active,
                agent,
                payee,
            }
            .into()
        }
    };
    tx.arrangements_put(&[arrangement])
}

/// Moves on what is shown after a payment was begun, or could not be.
///
/// # Errors
/// [`StoreError`].
pub(super) fn after(
    tx: &mut dyn Tables,
    case: &OrderProcessor<'_>,
    made: &Occurrence,
    paid: bool,
    at: Timestamp,
) -> Result<(), StoreError> {
    let Some(mut shown) = standing_order(tx, case)? else { return remove(tx, case) };
    if paid {
        shown.last = Some(Instalment { at, amount: made.amount });
    }
    let next = case.execution.upcoming().zip(case.execution.begins_at());
    shown.next = next.map(|(it, at)| Instalment { at, amount: it.amount });
    shown.status = if next.is_some() { ArrangementStatus::Active } else { ArrangementStatus::Inactive };
    tx.arrangements_put(&[shown.into()])
}

/// Ends what is shown of an order that was taken back.
///
/// # Errors
/// [`StoreError`].
pub(super) fn end(tx: &mut dyn Tables, case: &OrderProcessor<'_>) -> Result<(), StoreError> {
    match standing_order(tx, case)? {
        Some(shown) => {
            let ended = StandingOrder { status: ArrangementStatus::Inactive, next: None, ..shown };
            tx.arrangements_put(&[ended.into()])
        }
        None => remove(tx, case),
    }
}

fn standing_order(tx: &mut dyn Tables, case: &OrderProcessor<'_>) -> Result<Option<StandingOrder>, StoreError> {
    if !matches!(case.execution.timing, OrderTiming::StandingOrder(_)) {
        return Ok(None);
    }
    let found = tx.arrangement(ArrangementKind::StandingOrder, &case.order.debtor, &id(case))?;
    Ok(found.and_then(<StandingOrder as crate::storage::ArrangementVariant>::from_arrangement))
}

fn remove(tx: &mut dyn Tables, case: &OrderProcessor<'_>) -> Result<(), StoreError> {
    tx.arrangement_remove(ArrangementKind::ScheduledPayment, &case.order.debtor, &id(case)).map(drop)
}

fn agent(tx: &mut dyn Tables, case: &OrderProcessor<'_>) -> Result<Option<BankIdentification>, StoreError> {
    Ok(match case.money().whereabouts(tx)? {
        PayeeLocation::ThisBank(_) | PayeeLocation::Unusable => Some(names::own_agent()),
        PayeeLocation::OtherBank => case.execution.international.as_ref().and_then(CrossBorderPayment::agent),
    })
}

fn id(case: &OrderProcessor<'_>) -> RecordId {
    RecordId::new(case.order.id.as_str())
}
