//! What may be asked of an exchange: the rules that need no customer, and those that need his account's currency.

use super::{
    AgentCode, ConversionError, ConversionRate, CurrencyPair, ExchangeFault, ExchangeField, ExchangeRateType,
    International, RequestedRate, default_charge_bearer,
};
use crate::account::AccountScheme;
use crate::money::{Amount, Currency};
use crate::order::Instrument;
use crate::refusal::FaultCode;
use jiff::SignedDuration;

/// What is offered of foreign exchange. Facts for TPPs to read. Source: PIS-021.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeLimits {
    /// The currencies that can be sent.
    pub transfers: Vec<Currency>,
    /// The currencies accounts to pay from are kept in.
    pub units: Vec<Currency>,
    /// The kinds of rate; agreed ones must be among them. Source: INT-015.
    pub kinds: Vec<ExchangeRateType>,
    /// How long an actual rate is held. Source: INT-021.
    pub lifetime: SignedDuration,
}

/// Offered unless the operator says otherwise. Source: INT-015, INT-021.
impl Default for ExchangeLimits {
    fn default() -> Self {
        let currencies = vec![Currency::GBP, Currency::EUR, Currency::USD];
        Self {
            transfers: currencies.clone(),
            units: currencies,
            kinds: ExchangeRateType::ALL.to_vec(),
            lifetime: SignedDuration::from_mins(30),
        }
    }
}

impl International {
    /// Judges the payment by the rules of exchange that need no customer; `rail` is the one it would run on.
    ///
    /// Returns every fault found. What is said of any payment (accounts, ceilings, texts) is not judged here.
    /// Source: PIS-103, PIS-119, PIS-123, INT-004, INT-015, INT-023.
    pub fn exchange_faults(&self, amount: Amount, rail: Instrument, limits: &ExchangeLimits) -> Vec<ExchangeFault> {
        let mut faults = Vec::new();
        let carried = rail.currency().is_none_or(|only| only == self.transfer);
        if !carried || !limits.transfers.contains(&self.transfer) {
            let message = "Payments of this kind cannot be sent in this currency.";
            faults.push(ExchangeFault::new(FaultCode::UnsupportedCurrency, ExchangeField::TransferCurrency, message));
        }
        self.rate_request_faults(limits, &mut faults);
        if !self.takes_amount_in(amount.currency(), limits) {
            faults.push(ConversionError::ThirdCurrency.into());
        }
        if default_charge_bearer(rail, self.bearer).is_none() {
            let message = "The charges of a payment of this kind cannot be borne in this way.";
            faults.push(ExchangeFault::new(FaultCode::FieldInvalid, ExchangeField::ChargeBearer, message));
        }
        self.agent_faults(&mut faults);
        faults
    }

    /// The faults that show once the account to pay from is known, by its currency. Source: INT-012, INT-023.
    pub fn account_faults(&self, amount: Amount, account: Currency) -> Vec<ExchangeFault> {
        let named = self.exchange.as_ref().map(|wish| wish.unit);
        if named.is_some_and(|unit| unit != account) {
            let message = "This is not the currency of the account to pay from.";
            return vec![ExchangeFault::new(FaultCode::FieldInvalid, ExchangeField::UnitCurrency, message)];
        }
        match self.pair(account).leg_of(amount.currency()) {
            Some(_) => Vec::new(),
            None => vec![ConversionError::ThirdCurrency.into()],
        }
    }

    /// The currencies it exchanges, from an account in this one.
    pub const fn pair(&self, account: Currency) -> CurrencyPair {
        CurrencyPair { unit: account, transfer: self.transfer }
    }

    fn rate_request_faults(&self, limits: &ExchangeLimits, faults: &mut Vec<ExchangeFault>) {
        let Some(wish) = &self.exchange else { return };
        if !limits.units.contains(&wish.unit) {
            let message = "There are no accounts in this currency to pay from.";
            faults.push(ExchangeFault::new(FaultCode::UnsupportedCurrency, ExchangeField::UnitCurrency, message));
        }
        if !limits.kinds.contains(&wish.kind()) {
            let message = "Rates of this kind are not offered.";
            faults.push(ExchangeFault::new(FaultCode::FieldInvalid, ExchangeField::RateType, message));
        }
        match &wish.basis {
            RequestedRate::Agreed(deal)
                if self.pair(wish.unit).is_single_currency() && deal.rate != ConversionRate::ONE =>
            {
                let message = "The rate between a currency and itself must be 1.";
                faults.push(ExchangeFault::new(FaultCode::FieldInvalid, ExchangeField::Rate, message));
            }
            RequestedRate::Agreed(_) | RequestedRate::Actual | RequestedRate::Indicative => {}
        }
    }

    /// Whether the amount may be in a currency: the one that is sent, the payer's if it was named, else any that accounts
    /// are kept in. Source: INT-023.
    fn takes_amount_in(&self, currency: Currency, limits: &ExchangeLimits) -> bool {
        currency == self.transfer
            || match &self.exchange {
                Some(wish) => wish.unit == currency,
                None => limits.units.contains(&currency),
            }
    }

    /// An IBAN says where it is kept; other numbers need the bank's name. Source: INT-004, PIS-119.
    fn agent_faults(&self, faults: &mut Vec<ExchangeFault>) {
        if self.agent.is_none() && self.credit.creditor.scheme != AccountScheme::Iban {
            let message = "The payee's bank is needed for an account that is not named by its IBAN.";
            faults.push(ExchangeFault::new(FaultCode::FieldExpected, ExchangeField::CreditorAgent, message));
        }
        let code = self.agent.as_ref().and_then(|agent| agent.code.as_ref());
        if code.is_some_and(|code: &AgentCode| !code.is_sound()) {
            let code = FaultCode::UnsupportedAccountIdentifier;
            faults.push(ExchangeFault::new(code, ExchangeField::AgentIdentification, "This is not a BIC."));
        }
    }
}
