//! Payments at the built-in bank.

use super::BuiltInBank;
use async_trait::async_trait;
use lombard_domain::account::Identification;
use lombard_domain::ids::{BankAccountId, OrderId, PsuId};
use lombard_domain::order::{Conditions, PaymentTerms};
use lombard_ports::bank::{BankError, News, Payer, PaymentBank, PaymentOrder};

#[async_trait]
impl PaymentBank for BuiltInBank {
    async fn conditions(&self, _: &PaymentTerms) -> Result<Conditions, BankError> {
        Ok(Conditions::default())
    }
    async fn payers(&self, _: &PsuId) -> Result<Vec<Payer>, BankError> {
        Ok(Vec::new())
    }
    async fn payer(&self, _: &BankAccountId) -> Result<Option<Payer>, BankError> {
        Ok(None)
    }
    async fn payer_by_number(&self, _: &Identification) -> Result<Option<Payer>, BankError> {
        Ok(None)
    }
    async fn order(&self, _: &PaymentOrder) -> Result<(), BankError> {
        Ok(())
    }
    async fn news(&self, _: u32) -> Result<Vec<News>, BankError> {
        Ok(Vec::new())
    }
    async fn news_heard(&self, _: &[(OrderId, u32)]) -> Result<(), BankError> {
        Ok(())
    }
}
