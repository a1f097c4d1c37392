//! Payment orders and the built-in bank's orders.

use super::session::{Session, Sql};
use jiff::Timestamp;
use lombard_domain::ids::{BankAccountId, ClientId, ConsentId, OrderId};
use lombard_domain::order::{Execution, Order};
use lombard_ports::bank::News;
use lombard_ports::store::{BankOrder, BankOrderStore, OrderStore, Owned, StoreError};

fn later<T>() -> Result<T, StoreError> {
    Err(StoreError::Unavailable("not there yet".into()))
}

impl<S: Sql> OrderStore for Session<S> {
    fn order_insert(&mut self, _: &Order) -> Result<(), StoreError> {
        later()
    }
    fn order(&mut self, _: &ClientId, _: &OrderId) -> Result<Owned<Order>, StoreError> {
        later()
    }
    fn order_for_update(&mut self, _: &OrderId) -> Result<Option<Order>, StoreError> {
        later()
    }
    fn order_update(&mut self, _: &Order) -> Result<(), StoreError> {
        later()
    }
    fn order_news_heard(&mut self, _: &OrderId, _: u32) -> Result<bool, StoreError> {
        later()
    }
    fn order_of_consent(&mut self, _: &ConsentId) -> Result<Option<OrderId>, StoreError> {
        later()
    }
    fn orders_awaiting(&mut self, _: &[BankAccountId], _: u32) -> Result<Vec<Order>, StoreError> {
        later()
    }
    fn orders_lapsed(&mut self, _: Timestamp, _: u32) -> Result<Vec<OrderId>, StoreError> {
        later()
    }
    fn execution_put(&mut self, _: &Execution) -> Result<(), StoreError> {
        later()
    }
    fn execution(&mut self, _: &OrderId, _: u32) -> Result<Option<Execution>, StoreError> {
        later()
    }
    fn executions(&mut self, _: &OrderId, _: u32, _: u32) -> Result<Vec<Execution>, StoreError> {
        later()
    }
    fn payment_consents_undecided(&mut self, _: Timestamp, _: u32) -> Result<Vec<ConsentId>, StoreError> {
        later()
    }
}

impl<S: Sql> BankOrderStore for Session<S> {
    fn bank_order_insert(&mut self, _: &BankOrder) -> Result<bool, StoreError> {
        later()
    }
    fn bank_order_for_update(&mut self, _: &OrderId) -> Result<Option<BankOrder>, StoreError> {
        later()
    }
    fn bank_order_update(&mut self, _: &BankOrder) -> Result<(), StoreError> {
        later()
    }
    fn bank_orders_due(&mut self, _: Timestamp, _: u32) -> Result<Vec<BankOrder>, StoreError> {
        Ok(Vec::new())
    }
    fn bank_news_append(&mut self, _: &[News]) -> Result<(), StoreError> {
        later()
    }
    fn bank_news(&mut self, _: u32) -> Result<Vec<News>, StoreError> {
        Ok(Vec::new())
    }
    fn bank_news_drop(&mut self, _: &[(OrderId, u32)]) -> Result<(), StoreError> {
        later()
    }
}
