//! The bank's answer to a rate request: a rate and its expiry. Source: table of section 5.1, `OBExchangeRate2`.

use super::{
    ConversionRate, CurrencyPair, ExchangeFault, ExchangeField, ExchangeRateRequest, ExchangeRateType, RequestedRate,
};
use crate::instant;
use crate::money::Currency;
use crate::refusal::FaultCode;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

/// How binding a quoted rate is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuoteBasis {
    /// The bank holds it.
    Actual {
        /// Until when (bank clock); the instant itself is late already, as with every deadline. Source: PIS-109.
        #[serde(with = "crate::stored")]
        expires_at: Timestamp,
    },
    /// It was agreed; it has no end.
    Agreed {
        /// The contract.
        contract: String,
    },
    /// It may be another on the day the account is debited.
    Indicative,
}

/// A rate the bank has told, in the consent and in its order alike. Source: INT-010, INT-021.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "StoredQuote")]
pub struct Quote {
    /// The currencies; the first is the one the TPP named. Source: INT-024.
    #[serde(flatten)]
    pub pair: CurrencyPair,
    /// The rate.
    pub rate: ConversionRate,
    /// What it is worth.
    pub basis: QuoteBasis,
}

/// A [`Quote`] as it is read: its currencies are stored among its own members.
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
    /// The bank's answer. `price` is the bank's rate for the currencies now ([`RateSpread::apply_to`](super::RateSpread::apply_to));
    /// an agreed rate does not ask for it, and where nothing is exchanged it is one. Source: INT-002, INT-021, INT-024.
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

    /// The contract, of an agreed rate.
    pub fn contract(&self) -> Option<&str> {
        match &self.basis {
            QuoteBasis::Agreed { contract } => Some(contract),
            QuoteBasis::Actual { .. } | QuoteBasis::Indicative => None,
        }
    }

    /// When it ends: of an actual rate always, of the others never. Source: table of section 5.1.
    pub const fn expires_at(&self) -> Option<Timestamp> {
        match &self.basis {
            QuoteBasis::Actual { expires_at } => Some(*expires_at),
            QuoteBasis::Agreed { .. } | QuoteBasis::Indicative => None,
        }
    }

    /// The fault of an order that comes after the quote's end; its consent stays as it is. Source: INT-020.
    pub fn expiry_fault(&self, now: Timestamp) -> Option<ExchangeFault> {
        let late = self.expires_at().is_some_and(|end| end <= now);
        late.then_some(ExchangeFault::new(
            FaultCode::AfterCutOff,
            ExchangeField::QuoteExpiry,
            "The rate was held until this time, which has passed.",
        ))
    }

    /// The rate that holds whatever the bank's price becomes; none of an indication, unless nothing is exchanged: then the
    /// account is debited at the bank's price of that day. Source: table of section 5.1.
    pub fn fixed_rate(&self) -> Option<ConversionRate> {
        match &self.basis {
            QuoteBasis::Actual { .. } | QuoteBasis::Agreed { .. } => Some(self.rate),
            QuoteBasis::Indicative => self.pair.is_single_currency().then_some(ConversionRate::ONE),
        }
    }
}
