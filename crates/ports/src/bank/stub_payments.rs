//! Payments at the stub bank; each call follows the script.

use super::{
    BankError, CallContext, OrderStanding, OrdersReceived, Payer, PaymentBank, PaymentCall, PaymentOrder, StatusUpdate,
    StubBank, SubmittedOrder,
};
use crate::failed_work::FailedWork;
use async_trait::async_trait;
use jiff::SignedDuration;
use lombard_domain::account::AccountIdentification;
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{
    AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote, RequestedRate,
};
use lombard_domain::payment::order::{PayeeConfirmation, PaymentConsentRequest, UnconfirmedReason};
use lombard_domain::payment::transfer::{NamedAccount, PaymentConditions};

/// The time for which the stub bank holds a rate.
const RATE_HELD: SignedDuration = SignedDuration::from_mins(30);

impl StubBank {
    fn payers_that(&self, fit: impl Fn(&Payer) -> bool) -> Result<Vec<Payer>, BankError> {
        let script = self.payment_script();
        script.begin(PaymentCall::Payers)?;
        let all = self.held(|_, _| true).into_iter().map(|(holder, account)| script.payer(&holder, &account));
        Ok(all.filter(fit).collect())
    }
}

impl StubBank {
    /// Waits for ever if the script lists this call as silent.
    async fn answer_at_all(&self, call: PaymentCall) {
        let is_silent = self.payment_script().silent_calls.contains(&call);
        if is_silent {
            self.payment_script().unanswered += 1;
            std::future::pending::<()>().await;
        }
    }
}

#[async_trait]
impl PaymentBank for StubBank {
    async fn quote_conditions(
        &self,
        _: &CallContext,
        _: &PaymentConsentRequest,
    ) -> Result<PaymentConditions, BankError> {
        let script = self.payment_script();
        script.begin(PaymentCall::Conditions)?;
        Ok(script.conditions.clone())
    }

    async fn list_payers(&self, _: &CallContext, psu: &PsuId) -> Result<Vec<Payer>, BankError> {
        self.payers_that(|payer| payer.signatories.contains(psu))
    }

    async fn find_payer(&self, _: &CallContext, account: &BankAccountId) -> Result<Option<Payer>, BankError> {
        Ok(self.payers_that(|payer| payer.account.id == *account)?.pop())
    }

    async fn find_payer_by_number(
        &self,
        _: &CallContext,
        number: &AccountIdentification,
    ) -> Result<Option<Payer>, BankError> {
        let known = |payer: &Payer| payer.account.identifications.iter().any(|it| it.is_same_account(number));
        Ok(self.payers_that(known)?.pop())
    }

    async fn quote_rate(
        &self,
        _: &CallContext,
        rate_request: &ExchangeRateRequest,
        transfer: Currency,
    ) -> Result<Option<Quote>, BankError> {
        let script = self.payment_script();
        script.begin(PaymentCall::Conditions)?;
        let price = script.prices.get(&rate_request.currency_pair(transfer)).copied();
        let price = if let RequestedRate::Agreed(deal) = &rate_request.basis {
            price.filter(|it| *it == deal.rate)
        } else {
            price
        };
        Ok(price.map(|price| rate_request.quote(transfer, price, RATE_HELD, script.now)))
    }

    async fn has_agreed_rate(&self, _: &CallContext, psu: &PsuId, _: &AgreedRate) -> Result<bool, BankError> {
        let script = self.payment_script();
        script.begin(PaymentCall::Conditions)?;
        Ok(script.agreed_rate_customers.as_ref().is_none_or(|parties| parties.contains(psu)))
    }

    async fn quote_exchange_price(
        &self,
        _: &CallContext,
        pair: CurrencyPair,
    ) -> Result<Option<ConversionRate>, BankError> {
        let script = self.payment_script();
        script.begin(PaymentCall::Conditions)?;
        Ok(script.prices.get(&pair).copied())
    }

    async fn confirm_payee(&self, _: &CallContext, _: &NamedAccount) -> Result<PayeeConfirmation, BankError> {
        self.answer_at_all(PaymentCall::ConfirmPayee).await;
        let script = self.payment_script();
        script.begin(PaymentCall::ConfirmPayee)?;
        Ok(script.payee.clone().unwrap_or(PayeeConfirmation::Unavailable(UnconfirmedReason::NotOffered)))
    }

    async fn submit_orders(&self, _: &CallContext, orders: &[PaymentOrder]) -> Result<Vec<SubmittedOrder>, BankError> {
        self.answer_at_all(PaymentCall::Submit).await;
        let mut script = self.payment_script();
        script.submissions = script.submissions.saturating_add(1);
        script.begin(PaymentCall::Submit)?;
        for order in orders {
            if script.orders.iter().all(|known| known.id != order.id) {
                script.orders.push(order.clone());
            }
        }
        script.end(PaymentCall::Submit)?;
        let core_state = script.order_state.clone();
        Ok(orders.iter().map(|order| SubmittedOrder { id: order.id.clone(), core_state: core_state.clone() }).collect())
    }

    async fn fetch_status_updates(&self, _: &CallContext, limit: u32) -> Result<Vec<StatusUpdate>, BankError> {
        self.answer_at_all(PaymentCall::StatusUpdates).await;
        let script = self.payment_script();
        script.begin(PaymentCall::StatusUpdates)?;
        Ok(script.updates.iter().take(usize::try_from(limit).unwrap_or(usize::MAX)).cloned().collect())
    }

    async fn quarantine_updates(&self, _: &CallContext, work: Vec<FailedWork>) -> Result<usize, BankError> {
        Ok(work.len())
    }

    async fn acknowledge_updates(&self, _: &CallContext, acknowledged: &[(OrderId, u32)]) -> Result<(), BankError> {
        let mut script = self.payment_script();
        script.begin(PaymentCall::AcknowledgeUpdates)?;
        let is_acknowledged = |one: &StatusUpdate| {
            acknowledged.iter().any(|(order, number)| one.order == *order && one.number <= *number)
        };
        let (done, left): (Vec<_>, Vec<_>) = std::mem::take(&mut script.updates).into_iter().partition(is_acknowledged);
        script.updates = left;
        script.acknowledged_updates.extend(done);
        script.end(PaymentCall::AcknowledgeUpdates)
    }

    async fn find_orders(&self, _: &CallContext, ids: &[OrderId]) -> Result<Vec<OrderStanding>, BankError> {
        let script = self.payment_script();
        script.begin(PaymentCall::Standings)?;
        let all = script.standings();
        Ok(ids.iter().filter_map(|id| all.iter().find(|order| order.id == *id)).cloned().collect())
    }

    async fn list_orders(&self, _: &CallContext, asked: &OrdersReceived) -> Result<Vec<OrderStanding>, BankError> {
        let script = self.payment_script();
        script.begin(PaymentCall::Standings)?;
        let follows = |it: &OrderStanding| {
            it.received_at > asked.from
                || it.received_at == asked.from && asked.after.as_ref().is_none_or(|after| it.id > *after)
        };
        let limit = usize::try_from(asked.limit).unwrap_or(usize::MAX);
        Ok(script.standings().into_iter().filter(follows).take(limit).collect())
    }
}
