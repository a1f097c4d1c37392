//! The interest terms of an account, and its current statement period.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The interest and cashback rates of an account, and its current statement period.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountTerms {
    /// The annual credit interest rate in hundredths of a per cent.
    #[serde(rename = "earns_per_10k")]
    pub credit_interest_per_10k: i64,
    /// The annual debit interest rate in hundredths of a per cent.
    #[serde(rename = "owes_per_10k")]
    pub debit_interest_per_10k: i64,
    /// The cashback rate on card purchases in hundredths of a per cent.
    pub cashback_per_10k: i64,
    /// The day of the month on which a card's balance is collected; cards only.
    pub collected_on: Option<i8>,
    /// The first instant of the period, microseconds since 1970.
    pub starts_at: i64,
    /// The booked balance at the start of the period in minor units.
    pub opening: i64,
    /// The number of the next statement, from 1.
    #[serde(rename = "number")]
    pub next_statement_number: u32,
}

impl AccountTerms {
    /// Opens the next period, which starts at this time with this booked balance in minor units.
    pub fn open_next(&mut self, starts_at: Timestamp, opening: i64) {
        self.starts_at = starts_at.as_microsecond();
        self.opening = opening;
        self.next_statement_number = self.next_statement_number.saturating_add(1);
    }
}
