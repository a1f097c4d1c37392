//! The bank's answer to a rate request: a rate and its expiry. Source: table of section 5.1, `OBExchangeRate2`.

use super::{ConversionRate, CurrencyPair, ExchangeFault, ExchangeRateRequest, ExchangeRateType, RequestedRate};
use crate::instant;
use crate::money::Currency;
use crate::refusal::{ExchangeField, FaultCode};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// The kind of a quoted rate.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuoteBasis {
    /// The bank holds the rate until its expiry.
    Actual {
        /// The expiry (bank clock); an order at this instant is late already. Source: PIS-109.
        #[serde(with = "crate::stored")]
        expires_at: Timestamp,
    },
    /// The rate was agreed beforehand; it does not expire.
    Agreed {
        /// The contract.
        contract: String,
    },
    /// The rate may be different on the day of the debit.
    Indicative,
}

/// A rate that the bank quoted, shown in the consent and its order. Source: INT-010, INT-021.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredQuote")]
pub struct Quote {
    /// The currencies; the first is the unit currency that the TPP named. Source: INT-024.
    #[serde(flatten)]
    pub pair: CurrencyPair,
    /// The rate.
    pub rate: ConversionRate,
    /// The kind of rate.
    pub basis: QuoteBasis,
}

/// The stored form of a [`Quote`], whose two currencies are separate members.
#[derive(Deserialize)]
struct StoredQuote {
    unit: Currency,
    transfer: Currency,
    rate: ConversionRate,
    basis: QuoteBasis,
}

impl From<StoredQuote> for Quote {
    fn from(StoredQuote { unit, transfer, rate, basis }: StoredQuote) -> Self {
        Self { pair: CurrencyPair { unit, transfer }, rate, basis }
    }
}

impl ExchangeRateRequest {
    /// The bank's quote. `price` is the bank's present price for the currencies
    /// ([`RateSpread::apply_to`](super::RateSpread::apply_to)). An agreed rate does not use it, and with a single
    /// currency the rate is one. Source: INT-002, INT-021, INT-024.
    pub fn quote(&self, transfer: Currency, price: ConversionRate, lifetime: SignedDuration, now: Timestamp) -> Quote {
        let price = if self.currency_pair(transfer).is_single_currency() { ConversionRate::ONE } else { price };
        let (rate, basis) = match &self.basis {
            RequestedRate::Actual => {
                let expires_at = now.checked_add(lifetime).map_or(instant::LAST, instant::truncate_to_micros);
                (price, QuoteBasis::Actual { expires_at })
            }
            RequestedRate::Agreed(deal) => (deal.rate, QuoteBasis::Agreed { contract: deal.contract.clone() }),
            RequestedRate::Indicative => (price, QuoteBasis::Indicative),
        };
        Quote { pair: self.currency_pair(transfer), rate, basis }
    }
}

impl Quote {
    /// The kind of rate.
    pub const fn kind(&self) -> ExchangeRateType {
        match &self.basis {
            QuoteBasis::Actual { .. } => ExchangeRateType::Actual,
            QuoteBasis::Agreed { .. } => ExchangeRateType::Agreed,
            QuoteBasis::Indicative => ExchangeRateType::Indicative,
        }
    }

    /// The contract of an agreed rate.
    pub fn contract(&self) -> Option<&str> {
        match &self.basis {
            QuoteBasis::Agreed { contract } => Some(contract),
            QuoteBasis::Actual { .. } | QuoteBasis::Indicative => None,
        }
    }

    /// The expiry; only an actual rate has one. Source: table of section 5.1.
    pub const fn expires_at(&self) -> Option<Timestamp> {
        match &self.basis {
            QuoteBasis::Actual { expires_at } => Some(*expires_at),
            QuoteBasis::Agreed { .. } | QuoteBasis::Indicative => None,
        }
    }

    /// The fault of an order after the expiry; its consent is unchanged. Source: INT-020.
    pub fn expiry_fault(&self, now: Timestamp) -> Option<ExchangeFault> {
        let late = self.expires_at().is_some_and(|end| end <= now);
        late.then_some(ExchangeFault::new(
            FaultCode::AfterCutOff,
            ExchangeField::QuoteExpiry,
            "The rate was held until this time, which has passed.",
        ))
    }

    /// The rate that is independent of later prices. `None` for an indicative rate between two currencies, because the account is
    /// then debited at the price of the day. Source: table of section 5.1.
    pub fn fixed_rate(&self) -> Option<ConversionRate> {
        match &self.basis {
            QuoteBasis::Actual { .. } | QuoteBasis::Agreed { .. } => Some(self.rate),
            QuoteBasis::Indicative => self.pair.is_single_currency().then_some(ConversionRate::ONE),
        }
    }
}
