//! The exchange rate that a TPP requests. Source: INT-010, `OBExchangeRate1`.

use super::{ConversionRate, CurrencyPair, ExchangeFault};
use crate::ids::PsuId;
use crate::money::Currency;
use crate::refusal::{ExchangeField, FaultCode};
use serde::{Deserialize, Serialize};

/// The kinds of rate. Source: INT-010.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ExchangeRateType {
    /// The bank's price, held until an expiry.
    Actual,
    /// A rate agreed with the debtor beforehand.
    Agreed,
    /// The bank's price on the day of the debit.
    Indicative,
}

impl ExchangeRateType {
    /// Every kind.
    pub const ALL: [Self; 3] = [Self::Actual, Self::Agreed, Self::Indicative];
}

/// A rate that was agreed beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AgreedRate {
    /// The agreed rate.
    pub rate: ConversionRate,
    /// The contract identification, at most 256 characters.
    pub contract: String,
}

/// A rate agreed between the bank and a customer. Source: INT-013.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RateAgreement {
    /// The currencies.
    pub pair: CurrencyPair,
    /// The rate and its contract.
    pub deal: AgreedRate,
    /// The customer it was agreed with; `None` for a sandbox deal that every customer may use.
    pub holder: Option<PsuId>,
}

/// The kind of rate requested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RequestedRate {
    /// The bank's price, held until an expiry.
    Actual,
    /// The agreed rate.
    Agreed(AgreedRate),
    /// The bank's price on the day of the debit.
    Indicative,
}

/// The exchange rate requested by a TPP.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExchangeRateRequest {
    /// The unit currency; the debtor account must have it. Source: INT-011, INT-012.
    pub unit: Currency,
    /// The kind of rate requested.
    pub basis: RequestedRate,
}

impl ExchangeRateRequest {
    /// Makes a request from its four members. An agreed rate needs the rate and the contract; the other kinds must have
    /// neither. Source: INT-013, INT-014.
    ///
    /// # Errors
    /// A fault at each member that is missing or unexpected.
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

    /// The fault when the bank has no rate for the request. Source: INT-013, INT-015.
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
