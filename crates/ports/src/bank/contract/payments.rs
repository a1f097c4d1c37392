//! The contract of payments.

use super::facts::PaymentFacts;
use super::promise::{BankContractViolation, Proceed, Promise, ensure, promises, walk};
use crate::bank::{Bank, CallContext, EntryFilter, OrderUpdate, Payer, PaymentOrder, StatusUpdate};
use lombard_domain::account::{BalanceType, EntryStatus};
use lombard_domain::ids::OrderId;
use lombard_domain::money::Amount;
use lombard_domain::payment::order::{PayeeConfirmation, PaymentStatus};
use lombard_domain::payment::transfer::NamedAccount;
use std::collections::BTreeSet;

/// The largest number of status updates requested at a time.
const NEWS: u32 = 10_000;

/// The promises of payments that only read.
pub(super) const READING: &[Promise] = promises! {
    Payments, Reads:
    "payers are found by id and number", "The payers of a customer are the same by id and by number, and each has enough signatories."
        => payers_are_found_by_id_and_number;
    "conditions are consistent", "The execution is not after the settlement, no charge is zero, and only a payment with a cut-off can be late."
        => conditions_are_consistent;
    "a payee is confirmed by name", "A bank that confirms payees says Match to the name that it tells of an account, however it is spelled."
        => a_payee_is_confirmed_by_name;
};

/// The promises of orders.
pub(super) const WRITING: &[Promise] = promises! {
    Payments, Writes:
    "a repeated order is answered like the first", "An order that is submitted again has the same answer."
        => a_repeated_order_is_answered_like_the_first;
    "an order is taken once", "An order that is submitted repeatedly is executed and debited once."
        => an_order_is_taken_once;
    "an order is reported to its end", "The status updates of an order lead to a final status."
        => an_order_is_reported_to_its_end;
    "status updates are numbered without gaps", "The status updates of an order are numbered from 1, each number once."
        => status_updates_are_numbered_without_gaps;
    "status updates come until they are acknowledged", "An update is answered again until it is acknowledged, and not afterwards."
        => status_updates_come_until_they_are_acknowledged;
    "money moves with an entry", "The entries that a payment adds are the difference of the booked balance."
        => money_moves_with_an_entry;
    "an order without funds is rejected", "An order for more than is available ends rejected and moves nothing."
        => an_order_without_funds_is_rejected;
};

/// A bank that confirms payees answers that the holder's name of each payer's account matches, also in capital letters. A close
/// match contains a name.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn a_payee_is_confirmed_by_name(
    bank: &dyn Bank,
    (facts, _): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "a payee is confirmed by name";
    let call = CallContext::default();
    for payer in bank.list_payers(&call, &facts.psu).await? {
        for number in payer.account.identifications.iter().filter(|it| it.name.is_some()) {
            let name = number.name.clone().unwrap_or_default();
            for spelled in [name.clone(), name.to_uppercase()] {
                let payee = NamedAccount::under_name(number.clone(), spelled);
                let answer = bank.confirm_payee(&call, &payee).await?;
                let kept = matches!(answer, PayeeConfirmation::Match | PayeeConfirmation::Unavailable(_));
                ensure(kept, PROMISE, &answer)?;
            }
            let payee = NamedAccount::under_name(number.clone(), "Qzxw Jvkq Wxqz".to_owned());
            let answer = bank.confirm_payee(&call, &payee).await?;
            let kept = matches!(answer, PayeeConfirmation::NoMatch | PayeeConfirmation::Unavailable(_));
            ensure(kept, "another name does not match", &answer)?;
        }
    }
    Ok(())
}

/// The payers of a customer are the same by id and by number, and each has enough signatories.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn payers_are_found_by_id_and_number(
    bank: &dyn Bank,
    (facts, _): (&PaymentFacts, &dyn Proceed),
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
pub(super) async fn conditions_are_consistent(
    bank: &dyn Bank,
    (facts, _): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    let said = bank.quote_conditions(&CallContext::default(), &facts.terms).await?;
    let in_order = said.execution_at.zip(said.settlement_at).is_none_or(|(leaves, arrives)| leaves <= arrives);
    ensure(in_order, "a payment is executed before it is settled", (said.execution_at, said.settlement_at))?;
    let charged = said.charges.iter().all(|charge| charge.amount.minor() > 0);
    ensure(charged, "no charge is zero", &said.charges)?;
    let on_time = said.execution_at.is_none_or(|leaves| !said.is_too_late(leaves));
    ensure(on_time || said.cut_off.is_some(), "only a payment with a cut-off can be late", said.cut_off)
}

/// The order under an id for one check.
pub(super) fn order_for(facts: &PaymentFacts, check: &str) -> PaymentOrder {
    let id = OrderId::from(format!("{}-{check}", facts.order.id.as_str()));
    PaymentOrder { id, ..facts.order.clone() }
}

pub(super) async fn submit(bank: &dyn Bank, order: &PaymentOrder) -> Result<(), BankContractViolation> {
    bank.submit_orders(&CallContext::default(), std::slice::from_ref(order)).await?;
    Ok(())
}

/// Lets the bank work until an order is final or the allowed rounds are used up. Returns the order's updates.
pub(super) async fn finish(
    bank: &dyn Bank,
    order: &PaymentOrder,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<Vec<StatusUpdate>, BankContractViolation> {
    let mut updates = Vec::new();
    for _ in 0..facts.rounds_max {
        proceed.proceed().await;
        let all = bank.fetch_status_updates(&CallContext::default(), NEWS).await?;
        updates = all.into_iter().filter(|it| it.order == order.id).collect();
        if updates.iter().any(is_final) {
            break;
        }
    }
    Ok(updates)
}

/// An order that is submitted again has the same answer, whatever its status is by then.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn a_repeated_order_is_answered_like_the_first(
    bank: &dyn Bank,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    let order = order_for(facts, "again");
    let first = bank.submit_orders(&CallContext::default(), std::slice::from_ref(&order)).await?;
    for _ in 0..2 {
        let again = bank.submit_orders(&CallContext::default(), std::slice::from_ref(&order)).await?;
        ensure(first == again, "a repeated order is answered like the first", (&first, &again))?;
        finish(bank, &order, (facts, proceed)).await?;
    }
    Ok(())
}

/// An order that is submitted repeatedly is executed and debited once.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn an_order_is_taken_once(
    bank: &dyn Bank,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "an order is taken once";
    let order = order_for(facts, "once");
    let before = available(bank, &order).await?;
    let mut updates = Vec::new();
    for _ in 0..3 {
        submit(bank, &order).await?;
        submit(bank, &order).await?;
        updates = finish(bank, &order, (facts, proceed)).await?;
    }
    let credited = updates.iter().filter(|it| status(it) == Some(PaymentStatus::Credited)).count();
    ensure(credited <= 1, PROMISE, &updates)?;
    let needs = needs(bank, &order).await?;
    let after = available(bank, &order).await?;
    ensure(before.checked_sub(needs) == Some(after), PROMISE, Debit { before, after, needs })
}

/// The status updates of an order lead to a final status.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn an_order_is_reported_to_its_end(
    bank: &dyn Bank,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    let order = order_for(facts, "end");
    submit(bank, &order).await?;
    let updates = finish(bank, &order, (facts, proceed)).await?;
    let credited = updates.iter().filter(|it| status(it) == Some(PaymentStatus::Credited)).count();
    ensure(credited == 1, "an order is reported to its end", &updates)
}

/// The status updates of an order are numbered from 1, each number once.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn status_updates_are_numbered_without_gaps(
    bank: &dyn Bank,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    let order = order_for(facts, "numbers");
    submit(bank, &order).await?;
    let updates = finish(bank, &order, (facts, proceed)).await?;
    let in_sequence = updates.iter().map(|it| it.number).eq((1_u32..).take(updates.len()));
    ensure(in_sequence && !updates.is_empty(), "status updates are numbered without gaps", &updates)
}

/// Status updates are returned until they are acknowledged, and not afterwards.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn status_updates_come_until_they_are_acknowledged(
    bank: &dyn Bank,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "status updates come until they are acknowledged";
    let [first, second] = ["kept", "taken"].map(|name| order_for(facts, name));
    bank.submit_orders(&CallContext::default(), &[first.clone(), second.clone()]).await?;
    let told = finish(bank, &first, (facts, proceed)).await?;
    let of_second = finish(bank, &second, (facts, proceed)).await?;
    ensure(!told.is_empty() && !of_second.is_empty(), PROMISE, (&told, &of_second))?;
    ensure(of_order(bank, &first.id).await? == told, PROMISE, &told)?;
    // Acknowledges a part of the updates of one order, and all of the other.
    bank.acknowledge_updates(&CallContext::default(), &[(first.id.clone(), 1)]).await?;
    bank.acknowledge_updates(&CallContext::default(), &[(first.id.clone(), 1), (second.id.clone(), u32::MAX)]).await?;
    let left = of_order(bank, &first.id).await?;
    ensure(told.get(1..) == Some(left.as_slice()), PROMISE, &left)?;
    let left = of_order(bank, &second.id).await?;
    ensure(left.is_empty(), PROMISE, &left)?;
    bank.acknowledge_updates(&CallContext::default(), &[(first.id.clone(), u32::MAX)]).await?;
    proceed.proceed().await;
    let left = of_order(bank, &first.id).await?;
    ensure(left.is_empty(), PROMISE, &left)
}

/// A debit is visible in the entries: the entries that a payment adds sum to the difference of the booked balance.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn money_moves_with_an_entry(
    bank: &dyn Bank,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "money moves with an entry";
    let order = order_for(facts, "entry");
    let filter = EntryFilter::for_accounts(vec![order.debtor.clone()]);
    let (before, known) = (booked(bank, &order).await?, walk(bank, &filter, 500).await?);
    let known: BTreeSet<_> = known.into_iter().map(|entry| entry.id).collect();
    submit(bank, &order).await?;
    finish(bank, &order, (facts, proceed)).await?;
    let needs = needs(bank, &order).await?;
    let after = booked(bank, &order).await?;
    ensure(before.checked_sub(needs) == Some(after), PROMISE, Debit { before, after, needs })?;
    let entries = walk(bank, &filter, 500).await?;
    let added = entries.iter().filter(|it| it.status == EntryStatus::Booked && !known.contains(&it.id));
    let added = added.fold(0_i128, |sum, entry| sum.saturating_add(i128::from(entry.sum.minor())));
    ensure(before.checked_add(added) == Some(after), PROMISE, (before, after, added))
}

/// An order for more than the available amount is rejected, and no money moves.
///
/// # Errors
/// [`BankContractViolation`].
pub(super) async fn an_order_without_funds_is_rejected(
    bank: &dyn Bank,
    (facts, proceed): (&PaymentFacts, &dyn Proceed),
) -> Result<(), BankContractViolation> {
    const PROMISE: &str = "an order without funds is rejected";
    let mut order = order_for(facts, "unfunded");
    let before = available(bank, &order).await?;
    let Ok(all) = u64::try_from(before) else { return Ok(()) };
    // Ten times the amount in the payment's own currency, which exceeds the account's funds in any common currency.
    let minor = all.saturating_mul(10).saturating_add(1_000_000);
    order.transfer.amount = Amount::from_minor(minor, order.transfer.amount.currency());
    submit(bank, &order).await?;
    let updates = finish(bank, &order, (facts, proceed)).await?;
    ensure(updates.iter().any(is_final), PROMISE, &updates)?;
    let credited = updates.iter().any(|it| status(it) == Some(PaymentStatus::Credited));
    ensure(!credited, PROMISE, &updates)?;
    let after = available(bank, &order).await?;
    ensure(before == after, PROMISE, Debit { before, after, needs: 0 })
}

/// The expected debit of an account, in minor units of its currency.
#[derive(Debug)]
#[expect(dead_code, reason = "shown in violations")]
struct Debit {
    before: i128,
    after: i128,
    needs: i128,
}

/// The total debit of a payment in the account's currency, at the quoted rate or at the bank's price.
async fn needs(bank: &dyn Bank, order: &PaymentOrder) -> Result<i128, BankContractViolation> {
    let payer = bank.find_payer(&CallContext::default(), &order.debtor).await?;
    let unit = payer.map_or(order.transfer.amount.currency(), |it| it.account.currency);
    let price = bank.quote_exchange_price(&CallContext::default(), order.transfer.pair(unit)).await?;
    let rate = order.transfer.rate(unit, order.conditions.quote.as_ref(), price);
    let total_debit = rate.and_then(|rate| order.transfer.total_debit(unit, &order.conditions, rate).ok());
    ensure(total_debit.is_some(), "the facts name an order that can be paid", &order.transfer)?;
    Ok(total_debit.map_or(0, |total_debit| i128::from(total_debit.amount().minor())))
}

async fn available(bank: &dyn Bank, order: &PaymentOrder) -> Result<i128, BankContractViolation> {
    let payer = bank.find_payer(&CallContext::default(), &order.debtor).await?;
    ensure(payer.is_some(), "the facts name an order that can be paid", &order.debtor)?;
    Ok(payer.map_or(0, |it| i128::from(it.available.minor())))
}

async fn booked(bank: &dyn Bank, order: &PaymentOrder) -> Result<i128, BankContractViolation> {
    let balances = bank.list_balances(&CallContext::default(), std::slice::from_ref(&order.debtor)).await?;
    let booked = balances.iter().find(|it| it.kind == BalanceType::InterimBooked);
    ensure(booked.is_some(), "every open account has two balances", &balances)?;
    Ok(booked.map_or(0, |it| i128::from(it.sum.minor())))
}

async fn of_order(bank: &dyn Bank, order: &OrderId) -> Result<Vec<StatusUpdate>, BankContractViolation> {
    let all = bank.fetch_status_updates(&CallContext::default(), NEWS).await?;
    Ok(all.into_iter().filter(|it| it.order == *order).collect())
}

fn is_final(update: &StatusUpdate) -> bool {
    let ended = [PaymentStatus::Credited, PaymentStatus::Rejected, PaymentStatus::Cancelled];
    match update.change {
        OrderUpdate::Refused(_) | OrderUpdate::Cancelled(_) => true,
        _ => status(update).is_some_and(|it| ended.contains(&it)),
    }
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
