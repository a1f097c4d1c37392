//! What a TPP asks of the exchange. Source: INT-010, `OBExchangeRate1`.

use super::{ConversionRate, CurrencyPair, ExchangeFault, ExchangeField};
use crate::ids::PsuId;
use crate::money::Currency;
use crate::refusal::FaultCode;
use serde::{Deserialize, Serialize};

/// The kinds of rate. Source: INT-010.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExchangeRateType {
    /// The bank's price, which it holds for a while.
    Actual,
    /// A price agreed with the payer beforehand.
    Agreed,
    /// The bank's price of the day the account is debited.
    Indicative,
}

impl ExchangeRateType {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Actual, Self::Agreed, Self::Indicative];
}

/// A rate that was agreed beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedRate {
    /// The rate.
    pub rate: ConversionRate,
    /// The contract, at most 256 characters.
    pub contract: String,
}

/// A rate the bank has agreed to beforehand. Source: INT-013.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateAgreement {
    /// The currencies.
    pub pair: CurrencyPair,
    /// The rate, and the contract it stands in.
    pub deal: AgreedRate,
    /// The customer it was agreed with; a sandbox's own deals are every customer's.
    pub holder: Option<PsuId>,
}

/// The kind of rate requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestedRate {
    /// The bank's price, held for a while.
    Actual,
    /// The one that was agreed.
    Agreed(AgreedRate),
    /// The bank's price of the day the account is debited.
    Indicative,
}

/// What a TPP asks of the exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeRateRequest {
    /// The currency of the account to pay from; no account in another one will do. Source: INT-011, INT-012.
    pub unit: Currency,
    /// The kind of rate requested.
    pub basis: RequestedRate,
}

impl ExchangeRateRequest {
    /// The request from its four members: an agreed rate comes with its contract, the others come with neither.
    /// Source: INT-013, INT-014.
    ///
    /// # Errors
    /// A fault at each member that is absent or too much.
    pub fn new(
        unit: Currency,
        kind: ExchangeRateType,
        rate: Option<ConversionRate>,
        contract: Option<String>,
    ) -> Result<Self, Vec<ExchangeFault>> {
        let basis = match (kind, rate, contract) {
            (ExchangeRateType::Agreed, Some(rate), Some(contract)) => {
                RequestedRate::Agreed(AgreedRate { rate, contract })
            }
            (ExchangeRateType::Actual, None, None) => RequestedRate::Actual,
            (ExchangeRateType::Indicative, None, None) => RequestedRate::Indicative,
            (ExchangeRateType::Agreed, rate, contract) => {
                let missing = "An agreed rate needs the rate and its contract.";
                let fault = |at| ExchangeFault::new(FaultCode::FieldExpected, at, missing);
                return Err(at_each(rate.is_none(), contract.is_none()).map(fault).collect());
            }
            (ExchangeRateType::Actual | ExchangeRateType::Indicative, rate, contract) => {
                let unwanted = "Only an agreed rate comes with the rate and its contract.";
                let fault = |at| ExchangeFault::new(FaultCode::FieldUnexpected, at, unwanted);
                return Err(at_each(rate.is_some(), contract.is_some()).map(fault).collect());
            }
        };
        Ok(Self { unit, basis })
    }

    /// The fault of a request for which the bank has no rate. Source: INT-013, INT-015.
    pub const fn no_rate_fault(&self) -> ExchangeFault {
        match &self.basis {
            RequestedRate::Agreed(_) => ExchangeFault::unknown_deal(),
            RequestedRate::Actual | RequestedRate::Indicative => ExchangeFault::new(
                FaultCode::UnsupportedCurrency,
                ExchangeField::TransferCurrency,
                "There is no rate for these currencies.",
            ),
        }
    }

    /// The kind of rate.
    pub const fn kind(&self) -> ExchangeRateType {
        match &self.basis {
            RequestedRate::Actual => ExchangeRateType::Actual,
            RequestedRate::Agreed(_) => ExchangeRateType::Agreed,
            RequestedRate::Indicative => ExchangeRateType::Indicative,
        }
    }

    /// The currencies of the exchange.
    pub const fn currency_pair(&self, transfer: Currency) -> CurrencyPair {
        CurrencyPair { unit: self.unit, transfer }
    }
}

fn at_each(rate: bool, contract: bool) -> impl Iterator<Item = ExchangeField> {
    let fields = [(rate, ExchangeField::Rate), (contract, ExchangeField::Contract)];
    fields.into_iter().filter(|(wrong, _)| *wrong).map(|(_, field)| field)
}
