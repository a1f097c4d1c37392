//! The payments of the built-in bank: answers the `PaymentBank` port.

use super::BuiltInBank;
use crate::error::bank_error;
use crate::payments;
use crate::storage::BankTransaction as Tables;
use async_trait::async_trait;
use lombard_domain::account::AccountIdentification;
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::money::Currency;
use lombard_domain::payment::exchange::{AgreedRate, ConversionRate, CurrencyPair, ExchangeRateRequest, Quote};
use lombard_domain::payment::order::{PayeeConfirmation, PaymentConsentRequest};
use lombard_domain::payment::transfer::{NamedAccount, PaymentConditions};
use lombard_ports::bank::{
    BankError, CallContext, OrderStanding, OrdersReceived, Payer, PaymentBank, PaymentOrder, STANDINGS_MAX,
    StatusUpdate, SubmittedOrder,
};
use lombard_ports::store::{DueRows, FailedWork};
use lombard_service::workers;

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
        self.store.read(move |tx| payments::payers_of_customer(tx, &psu)).await.map_err(bank_error)
    }

    async fn find_payer(&self, _: &CallContext, account: &BankAccountId) -> Result<Option<Payer>, BankError> {
        let account = account.clone();
        self.store.read(move |tx| payments::find_payer(tx, &account)).await.map_err(bank_error)
    }

    async fn find_payer_by_number(
        &self,
        _: &CallContext,
        number: &AccountIdentification,
    ) -> Result<Option<Payer>, BankError> {
        let number = number.clone();
        let read = move |tx: &mut dyn Tables| match tx.bank_account_by_number(&number)? {
            Some(account) => payments::find_payer(tx, &account),
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
        let read = move |tx: &mut dyn Tables| payments::confirm_payee(tx, psu.as_ref(), &payee);
        self.store.read(read).await.map_err(bank_error)
    }

    async fn submit_orders(&self, _: &CallContext, orders: &[PaymentOrder]) -> Result<Vec<SubmittedOrder>, BankError> {
        let submitted = orders.iter().map(SubmittedOrder::without_state).collect();
        let bank = self.clone();
        let orders = orders.to_vec();
        let insert = move |tx: &mut dyn Tables| {
            let now = bank.clocks.read_bank_time(tx)?;
            payments::insert_orders(tx, &orders, &bank.rails, bank.has_order_plans, now)
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
            // Rows that cannot be read may have used up the whole limit.
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

    async fn find_orders(&self, _: &CallContext, ids: &[OrderId]) -> Result<Vec<OrderStanding>, BankError> {
        let ids = ids.to_vec();
        let find = move |tx: &mut dyn Tables| {
            let orders = tx.bank_orders(&ids)?;
            payments::standings(tx, orders)
        };
        self.store.read(find).await.map_err(bank_error)
    }

    async fn list_orders(&self, _: &CallContext, asked: &OrdersReceived) -> Result<Vec<OrderStanding>, BankError> {
        let OrdersReceived { from, after, limit } = asked.clone();
        let list = move |tx: &mut dyn Tables| {
            let after = after.as_ref().map_or("", OrderId::as_str);
            let orders = tx.bank_orders_received(from, after, limit.min(STANDINGS_MAX))?;
            payments::standings(tx, orders)
        };
        self.store.read(list).await.map_err(bank_error)
    }
}
