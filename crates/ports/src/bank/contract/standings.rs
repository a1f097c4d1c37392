//! The contract of how orders stand.

use super::facts::PaymentFacts;
use super::payments::{finish, order_for, submit};
use super::promise::{BankContractViolation, Proceed, Promise, ensure, promises};
use crate::bank::{Bank, CallContext, OrderStanding, OrdersReceived, PaymentOrder};
use lombard_domain::ids::OrderId;
use std::collections::BTreeSet;

/// The number of orders requested at a time; small, so that there are several pages.
const PAGE: u32 = 2;
/// The largest number of pages that are read.
const PAGES_MAX: usize = 10_000;

/// The promises of how orders stand.
pub(super) const WRITING: &[Promise] = promises! {
    Payments, Writes:
    "how an order stands is told by its updates", "The standing of an order has all its status updates, before and after they are acknowledged."
        => how_an_order_stands_is_told_by_its_updates;
    "an order that was never submitted does not stand", "Of the orders that are asked about, those that the core does not hold are left out."
        => an_order_that_was_never_submitted_does_not_stand;
    "orders are listed by the time of their receipt", "The list has every order once, by time, then by id, on pages that join."
        => orders_are_listed_by_the_time_of_their_receipt;
};

async fn standing(bank: &dyn Bank, order: &PaymentOrder) -> Result<Option<OrderStanding>, BankContractViolation> {
    Ok(bank.find_orders(&CallContext::default(), std::slice::from_ref(&order.id)).await?.pop())
}

/// The standing of an order has all its status updates, before and after they are acknowledged.
///
/// # Errors
/// [`BankContractViolation`].
async fn how_an_order_stands_is_told_by_its_updates(
    bank: &dyn Bank,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "how an order stands is told by its updates";
    let order = order_for(facts, "stands");
    submit(bank, &order).await?;
    let updates = finish(bank, &order, (facts, proceed)).await?;
    let last = updates.last().map_or(0, |update| update.number);
    for acknowledged in [0, 1, last] {
        bank.acknowledge_updates(&CallContext::default(), &[(order.id.clone(), acknowledged)]).await?;
        let standing = standing(bank, &order).await?;
        let is_told = standing.as_ref().is_some_and(|it| {
            (&it.id, &it.debtor, it.amount) == (&order.id, &order.debtor, order.transfer.amount)
                && (it.last_update, it.acknowledged) == (last, acknowledged)
                && it.updates == updates
        });
        ensure(is_told, PROMISE, (&standing, acknowledged, &updates))?;
    }
    Ok(())
}

/// Orders that the bank does not hold are left out of the answer; the others come in the sequence of the request.
///
/// # Errors
/// [`BankContractViolation`].
async fn an_order_that_was_never_submitted_does_not_stand(
    bank: &dyn Bank,
    (facts, _): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    let [first, second] = ["asked-b", "asked-a"].map(|name| order_for(facts, name));
    submit(bank, &first).await?;
    submit(bank, &second).await?;
    let never = order_for(facts, "never-submitted");
    let ids = [never.id, first.id.clone(), second.id.clone()];
    let found = bank.find_orders(&CallContext::default(), &ids).await?;
    let found: Vec<_> = found.into_iter().map(|it| it.id).collect();
    ensure(found == [first.id, second.id], "an order that was never submitted does not stand", &found)?;
    let none = bank.find_orders(&CallContext::default(), &[]).await?;
    ensure(none.is_empty(), "an order that was never submitted does not stand", none)
}

/// The list has every order once, by time, then by id, on pages that join.
///
/// # Errors
/// [`BankContractViolation`].
async fn orders_are_listed_by_the_time_of_their_receipt(
    bank: &dyn Bank,
    (facts, _): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "orders are listed by the time of their receipt";
    let orders: Vec<_> = (0..5).map(|number| order_for(facts, &format!("listed-{number}"))).collect();
    submit(bank, orders.first().unwrap_or(&facts.order)).await?;
    let Some(first) = orders.first() else { return Ok(()) };
    let from = standing(bank, first).await?.map(|it| it.received_at);
    let Some(from) = from else { return ensure(false, PROMISE, &first.id) };
    bank.submit_orders(&CallContext::default(), orders.get(1..).unwrap_or_default()).await?;
    let mut part = Some(OrdersReceived { from, after: None, limit: PAGE });
    let mut listed: Vec<OrderStanding> = Vec::new();
    let mut pages = 0_usize;
    while let Some(asked) = part {
        let page = bank.list_orders(&CallContext::default(), &asked).await?;
        pages = pages.saturating_add(1);
        let is_bounded = u32::try_from(page.len()).is_ok_and(|count| count <= PAGE) && pages <= PAGES_MAX;
        ensure(is_bounded, PROMISE, (page.len(), pages))?;
        part = asked.following(&page);
        listed.extend(page);
    }
    let is_sorted = listed.is_sorted_by(|one, other| (one.received_at, &one.id) < (other.received_at, &other.id));
    let is_in_time = listed.iter().all(|it| it.received_at >= from);
    let ids: BTreeSet<&OrderId> = listed.iter().map(|it| &it.id).collect();
    let is_complete = orders.iter().all(|order| ids.contains(&order.id));
    ensure(is_sorted && is_in_time && is_complete, PROMISE, &ids)
}
