//! The bank's offer of foreign exchange.

use super::ExchangeRateType;
use crate::money::Currency;
use jiff::SignedDuration;

/// The bank's offer of foreign exchange, published for TPPs. Source: PIS-021.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExchangeLimits {
    /// The currencies of transfer.
    pub transfers: Vec<Currency>,
    /// The currencies of debtor accounts.
    pub units: Vec<Currency>,
    /// The kinds of rate; `Agreed` must be among them. Source: INT-015.
    pub kinds: Vec<ExchangeRateType>,
    /// The time for which the bank holds an actual rate. Source: INT-021.
    pub lifetime: SignedDuration,
}

/// The default offer. Source: INT-015, INT-021.
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
