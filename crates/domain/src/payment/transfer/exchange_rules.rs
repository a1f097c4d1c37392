//! Validation of a requested exchange: the rules that do not need the PSU, and those that need the debtor account's
//! currency.

use super::{AgentCode, Instrument, International, default_charge_bearer};
use crate::account::AccountScheme;
use crate::money::{Amount, Currency};
use crate::payment::exchange::{
    ConversionError, ConversionRate, CurrencyPair, ExchangeFault, ExchangeLimits, RequestedRate,
};
use crate::refusal::{ExchangeField, FaultCode};

impl International {
    /// Validates the payment by the exchange rules that do not need the PSU; `rail` is the rail that it would use.
    ///
    /// Returns every fault. The rules common to all payments (accounts, ceilings, texts) are not checked here. Source:
    /// PIS-103, PIS-119, PIS-123, INT-004, INT-015, INT-023.
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

    /// The faults that depend on the currency of the debtor account. Source: INT-012, INT-023.
    pub fn account_faults(&self, amount: Amount, account: Currency) -> Vec<ExchangeFault> {
        let named = self.exchange.as_ref().map(|rate_request| rate_request.unit);
        if named.is_some_and(|unit| unit != account) {
            let message = "This is not the currency of the account to pay from.";
            return vec![ExchangeFault::new(FaultCode::FieldInvalid, ExchangeField::UnitCurrency, message)];
        }
        match self.pair(account).leg_of(amount.currency()) {
            Some(_) => Vec::new(),
            None => vec![ConversionError::ThirdCurrency.into()],
        }
    }

    /// The currencies of the exchange from an account in this currency.
    pub const fn pair(&self, account: Currency) -> CurrencyPair {
        CurrencyPair { unit: account, transfer: self.transfer }
    }

    fn rate_request_faults(&self, limits: &ExchangeLimits, faults: &mut Vec<ExchangeFault>) {
        let Some(rate_request) = &self.exchange else { return };
        if !limits.units.contains(&rate_request.unit) {
            let message = "There are no accounts in this currency to pay from.";
            faults.push(ExchangeFault::new(FaultCode::UnsupportedCurrency, ExchangeField::UnitCurrency, message));
        }
        if !limits.kinds.contains(&rate_request.kind()) {
            let message = "Rates of this kind are not offered.";
            faults.push(ExchangeFault::new(FaultCode::FieldInvalid, ExchangeField::RateType, message));
        }
        match &rate_request.basis {
            RequestedRate::Agreed(deal)
                if self.pair(rate_request.unit).is_single_currency() && deal.rate != ConversionRate::ONE =>
            {
                let message = "The rate between a currency and itself must be 1.";
                faults.push(ExchangeFault::new(FaultCode::FieldInvalid, ExchangeField::Rate, message));
            }
            RequestedRate::Agreed(_) | RequestedRate::Actual | RequestedRate::Indicative => {}
        }
    }

    /// Whether the amount may be in a currency: the currency of transfer, or the unit currency; if none is named, any
    /// currency of debtor accounts. Source: INT-023.
    fn takes_amount_in(&self, currency: Currency, limits: &ExchangeLimits) -> bool {
        currency == self.transfer
            || match &self.exchange {
                Some(rate_request) => rate_request.unit == currency,
                None => limits.units.contains(&currency),
            }
    }

    /// The faults of the creditor agent. An IBAN and a sort code name the bank; other account numbers need the agent.
    /// Source: INT-004, PIS-119.
    fn agent_faults(&self, faults: &mut Vec<ExchangeFault>) {
        let scheme = self.credit.creditor.scheme;
        if self.agent.is_none() && !matches!(scheme, AccountScheme::Iban | AccountScheme::SortCodeAccountNumber) {
            let message = "The payee's bank is needed for an account that is named by neither an IBAN nor a sort code.";
            faults.push(ExchangeFault::new(FaultCode::FieldExpected, ExchangeField::CreditorAgent, message));
        }
        let code = self.agent.as_ref().and_then(|agent| agent.code.as_ref());
        if code.is_some_and(|code: &AgentCode| !code.is_sound()) {
            let code = FaultCode::UnsupportedAccountIdentifier;
            faults.push(ExchangeFault::new(code, ExchangeField::AgentIdentification, "This is not a BIC."));
        }
    }
}
