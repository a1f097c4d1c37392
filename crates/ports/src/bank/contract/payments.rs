//! The contract of payments.

use super::exchange::{self, ExchangeFacts};
use super::{BankContractViolation, ensure};
use crate::bank::{Bank, CallContext, OrderUpdate, Payer, PaymentOrder, StatusUpdate};
use lombard_domain::exchange::ConversionRate;
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::{Amount, Currency};
use lombard_domain::order::{PaymentConsentRequest, PaymentStatus};
use std::collections::BTreeMap;

/// The largest number of status updates requested at a time.
const NEWS: u32 = 10_000;

/// The facts about the bank under test.
#[derive(Debug, Clone)]
pub struct PaymentFacts {
    /// A customer with at least one account to pay from.
    pub psu: PsuId,
    /// Accounts from which no payment can be made, some of them unknown.
    pub withheld: Vec<BankAccountId>,
    /// A payment request that the bank accepts now.
    pub terms: PaymentConsentRequest,
    /// Two orders with different ids that are unknown to the bank and can be paid.
    pub orders: [PaymentOrder; 2],
    /// The facts about its foreign exchange.
    pub exchange: ExchangeFacts,
}

/// Checks the contract of payments. `proceed` lets the bank execute the orders to their end.
///
/// # Errors
/// The first [`BankContractViolation`].
pub async fn every_promise(
    bank: &dyn Bank,
    facts: &PaymentFacts,
    proceed: impl AsyncFn(),
) -> Result<(), BankContractViolation> {
    payers_are_found_by_id_and_number(bank, facts).await?;
    what_is_said_to_a_payment_hangs_together(bank, facts).await?;
    exchange::every_promise(bank, &facts.exchange).await?;
    an_order_is_taken_once(bank, facts, &proceed).await?;
    status_updates_come_until_they_are_acknowledged(bank, facts, &proceed).await
}

/// The payers of a customer are the same by id and by number, and each has enough signatories.
///
/// # Errors
/// [`BankContractViolation`].
pub async fn payers_are_found_by_id_and_number(
    bank: &dyn Bank,
    facts: &PaymentFacts,
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "payers are found by id and number";
    let payers = bank.list_payers(&CallContext::default(), &facts.psu).await?;
    let ids = |payers: &[Payer]| payers.iter().map(|it| it.account.id.clone()).collect::<Vec<_>>();
    ensure(!payers.is_empty() && ids(&payers).is_sorted(), PROMISE, ids(&payers))?;
    for payer in &payers {
        let id = &payer.account.id;
        ensure(bank.find_payer(&CallContext::default(), id).await?.as_ref() == Some(payer), PROMISE, id)?;
        for number in &payer.account.identifications {
            ensure(
                bank.find_payer_by_number(&CallContext::default(), number).await?.as_ref() == Some(payer),
                PROMISE,
                id,
            )?;
        }
        let enough = payer.authorisers >= 1 && payer.signatories.len() >= usize::from(payer.authorisers);
        ensure(enough && !payer.holder.is_empty(), "enough customers may agree", id)?;
        ensure(payer.available.currency() == payer.account.currency, PROMISE, id)?;
    }
    for id in &facts.withheld {
        ensure(
            bank.find_payer(&CallContext::default(), id).await?.is_none(),
            "nothing is paid from withheld accounts",
            id,
        )?;
    }
    Ok(())
}

/// Conditions are consistent: the execution is not after the settlement, no charge is zero, and only a payment with a
/// cut-off can be late (PIS-102, PIS-106).
///
/// # Errors
/// [`BankContractViolation`].
pub async fn what_is_said_to_a_payment_hangs_together(
    bank: &dyn Bank,
    facts: &PaymentFacts,
) -> Result<(), BankContractViolation> {
    let said = bank.quote_conditions(&CallContext::default(), &facts.terms).await?;
    let in_order = said.execution_at.zip(said.settlement_at).is_none_or(|(leaves, arrives)| leaves <= arrives);
    ensure(in_order, "a payment is executed before it is settled", (said.execution_at, said.settlement_at))?;
    let charged = said.charges.iter().all(|charge| charge.amount.minor() > 0);
    ensure(charged, "no charge is zero", &said.charges)?;
    let on_time = said.execution_at.is_none_or(|leaves| !said.is_too_late(leaves));
    ensure(on_time || said.cut_off.is_some(), "only a payment with a cut-off can be late", said.cut_off)
}

/// An order that is submitted repeatedly is executed and debited once.
///
/// # Errors
/// [`BankContractViolation`].
pub async fn an_order_is_taken_once(
    bank: &dyn Bank,
    facts: &PaymentFacts,
    proceed: &impl AsyncFn(),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "an order is taken once";
    let order = &facts.orders[0];
    let before = available(bank, order).await?;
    for _ in 0..3 {
        bank.submit(&CallContext::default(), std::slice::from_ref(order)).await?;
        bank.submit(&CallContext::default(), std::slice::from_ref(order)).await?;
        proceed().await;
    }
    let updates = of_order(bank.fetch_status_updates(&CallContext::default(), NEWS).await?, &order.id);
    let credited = updates.iter().filter(|it| status(it) == Some(PaymentStatus::Credited)).count();
    ensure(credited == 1, PROMISE, &updates)?;
    let payer = bank.find_payer(&CallContext::default(), &order.debtor).await?;
    let unit = payer.map_or(order.transfer.amount.currency(), |it| it.account.currency);
    let price = bank.quote_exchange_price(&CallContext::default(), order.transfer.pair(unit)).await?;
    let needs = i128::from(needs(order, unit, price)?.minor());
    let after = available(bank, order).await?;
    ensure(before.checked_sub(needs) == Some(after), PROMISE, (before, after, needs))
}

/// Status updates are numbered from 1 without gaps, and are returned until they are acknowledged.
///
/// # Errors
/// [`BankContractViolation`].
pub async fn status_updates_come_until_they_are_acknowledged(
    bank: &dyn Bank,
    facts: &PaymentFacts,
    proceed: &impl AsyncFn(),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "status updates come until they are acknowledged";
    bank.submit(&CallContext::default(), &facts.orders).await?;
    proceed().await;
    let told = bank.fetch_status_updates(&CallContext::default(), NEWS).await?;
    ensure(bank.fetch_status_updates(&CallContext::default(), NEWS).await? == told, PROMISE, told.len())?;
    let mut acknowledged: BTreeMap<OrderId, u32> = BTreeMap::new();
    for one in &told {
        let next = acknowledged.get(&one.order).map_or(1, |number| number.saturating_add(1));
        ensure(one.number == next, "status updates are numbered without gaps", one)?;
        acknowledged.insert(one.order.clone(), one.number);
    }
    let [first, second] = &facts.orders;
    ensure(acknowledged.contains_key(&first.id) && acknowledged.contains_key(&second.id), PROMISE, &acknowledged)?;
    // Acknowledges a part of the updates of one order, and all of the other.
    bank.acknowledge_updates(&CallContext::default(), &[(first.id.clone(), 1)]).await?;
    bank.acknowledge_updates(&CallContext::default(), &[(first.id.clone(), 1), (second.id.clone(), u32::MAX)]).await?;
    let left = bank.fetch_status_updates(&CallContext::default(), NEWS).await?;
    let expected: Vec<_> = of_order(told, &first.id).into_iter().skip(1).collect();
    ensure(of_order(left.clone(), &first.id) == expected, PROMISE, &left)?;
    ensure(of_order(left, &second.id).is_empty(), PROMISE, &second.id)?;
    let all: Vec<_> = acknowledged.into_iter().collect();
    bank.acknowledge_updates(&CallContext::default(), &all).await?;
    proceed().await;
    let left = bank.fetch_status_updates(&CallContext::default(), NEWS).await?;
    ensure(left.iter().all(|it| it.order != first.id && it.order != second.id), PROMISE, &left)
}

/// The total debit of a payment in the account's currency, at the quoted rate or at the bank's price.
fn needs(order: &PaymentOrder, unit: Currency, price: Option<ConversionRate>) -> Result<Amount, BankContractViolation> {
    let rate = order.transfer.rate(unit, order.conditions.quote.as_ref(), price);
    let total_debit = rate.and_then(|rate| order.transfer.total_debit(unit, &order.conditions, rate).ok());
    ensure(total_debit.is_some(), "the facts name orders that can be paid", &order.transfer)?;
    Ok(total_debit.map_or(order.transfer.amount, |total_debit| total_debit.amount()))
}

async fn available(bank: &dyn Bank, order: &PaymentOrder) -> Result<i128, BankContractViolation> {
    let payer = bank.find_payer(&CallContext::default(), &order.debtor).await?;
    ensure(payer.is_some(), "the facts name orders that can be paid", &order.debtor)?;
    Ok(payer.map_or(0, |it| i128::from(it.available.minor())))
}

fn of_order(updates: Vec<StatusUpdate>, order: &OrderId) -> Vec<StatusUpdate> {
    updates.into_iter().filter(|it| it.order == *order).collect()
}

fn status(update: &StatusUpdate) -> Option<PaymentStatus> {
    match &update.change {
        OrderUpdate::PaymentChanged(payment) => Some(payment.status),
        OrderUpdate::Warehoused
        | OrderUpdate::Refused(_)
        | OrderUpdate::Cancelled(_)
        | OrderUpdate::TimesChanged { .. } => None,
    }
}
