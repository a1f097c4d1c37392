//! What is asked of an exchange, and what the bank answered. Rates are decimal texts.

use lombard_database::records::read_instant;
use lombard_domain::code::Word;
use lombard_domain::exchange::{AgreedRate, Basis, ExchangeRateRequest, Pair, Quote, QuoteBasis, Rate};
use lombard_domain::instant;
use lombard_domain::money::Currency;
use lombard_ports::store::Source;
use serde::{Deserialize, Serialize};

/// What a TPP asks for.
#[derive(Serialize, Deserialize)]
pub(super) struct RateRequestRecord {
    unit: Word<Currency>,
    basis: BasisRecord,
}

/// One variant per kind of rate.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum BasisRecord {
    Actual,
    Agreed { rate: String, contract: String },
    Indicative,
}

impl RateRequestRecord {
    pub(super) fn of(it: &ExchangeRateRequest) -> Self {
        let basis = match &it.basis {
            Basis::Actual => BasisRecord::Actual,
            Basis::Agreed(deal) => BasisRecord::Agreed { rate: write_rate(deal.rate), contract: deal.contract.clone() },
            Basis::Indicative => BasisRecord::Indicative,
        };
        Self { unit: Word(it.unit), basis }
    }

    pub(super) fn into_domain(self) -> Result<ExchangeRateRequest, Source> {
        let basis = match self.basis {
            BasisRecord::Actual => Basis::Actual,
            BasisRecord::Agreed { rate, contract } => Basis::Agreed(AgreedRate { rate: rate.parse()?, contract }),
            BasisRecord::Indicative => Basis::Indicative,
        };
        Ok(ExchangeRateRequest { unit: self.unit.0, basis })
    }
}

/// What the bank answered.
#[derive(Serialize, Deserialize)]
pub(super) struct QuoteRecord {
    unit: Word<Currency>,
    transfer: Word<Currency>,
    rate: String,
    basis: QuoteBasisRecord,
}

/// One variant per kind of rate.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum QuoteBasisRecord {
    Actual { expires_at: i64 },
    Agreed { contract: String },
    Indicative,
}

impl QuoteRecord {
    pub(super) fn of(it: &Quote) -> Self {
        let basis = match &it.basis {
            QuoteBasis::Actual { expires_at } => {
                QuoteBasisRecord::Actual { expires_at: instant::to_micros(*expires_at) }
            }
            QuoteBasis::Agreed { contract } => QuoteBasisRecord::Agreed { contract: contract.clone() },
            QuoteBasis::Indicative => QuoteBasisRecord::Indicative,
        };
        Self { unit: Word(it.pair.unit), transfer: Word(it.pair.transfer), rate: write_rate(it.rate), basis }
    }

    pub(super) fn into_domain(self) -> Result<Quote, Source> {
        let basis = match self.basis {
            QuoteBasisRecord::Actual { expires_at } => QuoteBasis::Actual { expires_at: read_instant(expires_at)? },
            QuoteBasisRecord::Agreed { contract } => QuoteBasis::Agreed { contract },
            QuoteBasisRecord::Indicative => QuoteBasis::Indicative,
        };
        let pair = Pair { unit: self.unit.0, transfer: self.transfer.0 };
        Ok(Quote { pair, rate: self.rate.parse()?, basis })
    }
}

fn write_rate(rate: Rate) -> String {
    rate.decimal().to_string()
}
