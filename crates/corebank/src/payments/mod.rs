//! Payments at the built-in bank. `submit` only stores an order; the scheduler accepts or rejects it and executes it, one item
//! after another in the order of due time, so that no two orders use the same money concurrently.

mod arrangements;
mod earlier;
mod entries;
mod execution;
mod funds;
mod international;
mod money;
mod outcome;
mod payee;
mod payee_confirmation;
mod payee_location;
mod payers;
mod pricing;
mod processor;
mod rail_timing;
mod rails;
mod status_updates;
mod step_needs;
mod stored_text;
#[cfg(test)]
#[allow(clippy::arithmetic_side_effects, reason = "the sums of tests are small")]
mod tests;
mod timing;
mod triggers;

pub(super) use funds::order_of_cause;
pub use outcome::{OutcomeError, force_outcome};
pub(super) use processor::{has_bank_order, process_order};
pub use rail_timing::{CreditTime, RailTiming, TimeOfDay};
pub use rails::{Rail, RailCutOff, Rails};
pub(super) use step_needs::step_needs;
pub use triggers::{TRIGGERS, TestTrigger, TriggerRow};

use crate::bank::BuiltInBank;
use crate::error::bank_error;
use crate::storage::{BankTransaction as Tables, OrderAtBank};
use async_trait::async_trait;
use execution::OrderExecution;
use lombard_domain::account::AccountIdentification;
use lombard_domain::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::ids::{BankAccountId, ConsentId, OrderId, PsuId};
use lombard_domain::money::Currency;
use lombard_domain::order::{NamedAccount, PayeeConfirmation, PaymentConditions, PaymentConsentRequest};
use lombard_ports::bank::{BankError, CallContext, Payer, PaymentBank, PaymentOrder, StatusUpdate, SubmittedOrder};
use lombard_ports::controls::OrderPlan;
use lombard_ports::store::{DueRows, FailedWork, StoreError};
use lombard_service::workers;
use payee_location::{PayeeLocation, locate_payee};
use std::collections::{BTreeMap, BTreeSet};

#[async_trait]
impl PaymentBank for BuiltInBank {
    async fn quote_conditions(
        &self,
        _: &CallContext,
        terms: &PaymentConsentRequest,
    ) -> Result<PaymentConditions, BankError> {
        Ok(self.rails.conditions(terms, &self.market, self.clocks.bank_now()))
    }

    async fn list_payers(&self, _: &CallContext, psu: &PsuId) -> Result<Vec<Payer>, BankError> {
        let psu = psu.clone();
        self.store.read(move |tx| payers::of_customer(tx, &psu)).await.map_err(bank_error)
    }

    async fn find_payer(&self, _: &CallContext, account: &BankAccountId) -> Result<Option<Payer>, BankError> {
        let account = account.clone();
        self.store.read(move |tx| payers::one(tx, &account)).await.map_err(bank_error)
    }

    async fn find_payer_by_number(
        &self,
        _: &CallContext,
        number: &AccountIdentification,
    ) -> Result<Option<Payer>, BankError> {
        let number = number.clone();
        let read = move |tx: &mut dyn Tables| match tx.bank_account_by_number(&number)? {
            Some(account) => payers::one(tx, &account),
            None => Ok(None),
        };
        self.store.read(read).await.map_err(bank_error)
    }

    async fn quote_rate(
        &self,
        _: &CallContext,
        rate_request: &ExchangeRateRequest,
        transfer: Currency,
    ) -> Result<Option<Quote>, BankError> {
        Ok(self.market.quote(rate_request, transfer, self.clocks.bank_now()))
    }

    async fn has_agreed_rate(&self, _: &CallContext, psu: &PsuId, deal: &AgreedRate) -> Result<bool, BankError> {
        Ok(self.market.has_agreed_rate(psu, deal))
    }

    async fn quote_exchange_price(
        &self,
        _: &CallContext,
        pair: CurrencyPair,
    ) -> Result<Option<ConversionRate>, BankError> {
        Ok(self.market.customer_rate(pair, self.clocks.bank_now()))
    }

    async fn confirm_payee(&self, call: &CallContext, payee: &NamedAccount) -> Result<PayeeConfirmation, BankError> {
        let (psu, payee) = (call.psu.clone(), payee.clone());
        let read = move |tx: &mut dyn Tables| payee_confirmation::confirm(tx, psu.as_ref(), &payee);
        self.store.read(read).await.map_err(bank_error)
    }

    async fn submit(&self, _: &CallContext, orders: &[PaymentOrder]) -> Result<Vec<SubmittedOrder>, BankError> {
        let submitted = orders.iter().map(SubmittedOrder::without_state).collect();
        let (bank, orders) = (self.clone(), orders.to_vec());
        let insert = move |tx: &mut dyn Tables| {
            let now = bank.clocks.read_bank_time(tx)?;
            let plans = if bank.has_order_plans { plans_of(tx, &orders)? } else { BTreeMap::new() };
            let mut records = Vec::with_capacity(orders.len());
            for order in &orders {
                let currency = debit_currency(tx, order)?;
                let mut execution = OrderExecution::new(order, currency, &bank.rails, now);
                if let Some(plan) = consent_of(order).and_then(|consent| plans.get(consent)) {
                    execution = execution.planned(*plan);
                }
                records.push(record_order(tx, order, execution)?);
            }
            Ok(tx.bank_orders_insert(&records)?.contains(&true))
        };
        let is_new = self.store.write(insert).await.map_err(bank_error)?;
        if is_new {
            self.due_work_notify.notify_one();
        }
        Ok(submitted)
    }

    async fn fetch_status_updates(&self, _: &CallContext, limit: u32) -> Result<Vec<StatusUpdate>, BankError> {
        loop {
            let found = self.store.read(move |tx| tx.bank_updates(limit)).await.map_err(bank_error)?;
            let DueRows { rows, unreadable } = found;
            let added = workers::quarantine_work(&self.store, &self.clocks, unreadable).await.map_err(bank_error)?;
            // Rows that cannot be read may have filled the whole limit.
            if !rows.is_empty() || added == 0 {
                return Ok(rows);
            }
        }
    }

    async fn quarantine_updates(&self, _: &CallContext, work: Vec<FailedWork>) -> Result<usize, BankError> {
        workers::quarantine_work(&self.store, &self.clocks, work).await.map_err(bank_error)
    }

    async fn acknowledge_updates(&self, _: &CallContext, acknowledged: &[(OrderId, u32)]) -> Result<(), BankError> {
        let acknowledged = acknowledged.to_vec();
        self.store.write(move |tx| tx.bank_updates_drop(&acknowledged)).await.map_err(bank_error)
    }
}

/// The bank's record of a new order.
///
/// # Errors
/// [`StoreError`].
fn record_order(
    tx: &mut dyn Tables,
    order: &PaymentOrder,
    mut execution: OrderExecution,
) -> Result<OrderAtBank, StoreError> {
    // The TPP's word for where an account is held is not repeated for accounts of this bank.
    if execution.agent.is_some() && !matches!(locate_payee(tx, &order.debtor, &execution)?, PayeeLocation::OtherBank) {
        execution.agent = None;
    }
    Ok(OrderAtBank {
        id: order.id.clone(),
        debtor: order.debtor.clone(),
        due_at: execution.due_at(),
        last_update: 0,
        execution: execution.write(),
    })
}

/// The plans of testers for orders, by the consent.
///
/// # Errors
/// [`StoreError`].
fn plans_of(tx: &mut dyn Tables, orders: &[PaymentOrder]) -> Result<BTreeMap<ConsentId, OrderPlan>, StoreError> {
    let consents: BTreeSet<_> = orders.iter().filter_map(consent_of).collect();
    Ok(tx.order_plans(&consents.into_iter().collect::<Vec<_>>())?.into_iter().collect())
}

fn consent_of(order: &PaymentOrder) -> Option<&ConsentId> {
    order.call.consent.as_ref().map(|consent| &consent.id)
}

/// The currency of the debtor account. For a domestic payment it is the payment's currency; for a missing account it does not
/// matter, since the order is refused.
fn debit_currency(tx: &mut dyn Tables, order: &PaymentOrder) -> Result<Currency, StoreError> {
    let transfer = &order.transfer;
    if transfer.international_details().is_none() {
        return Ok(transfer.amount.currency());
    }
    let found = tx.bank_accounts(std::slice::from_ref(&order.debtor))?.pop();
    Ok(found.map_or(transfer.amount.currency(), |record| record.account.currency))
}
