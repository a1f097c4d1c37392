//! What an account earns and costs, and its statement period that is under way.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// The terms an account is kept on, and the period that is under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountTerms {
    /// What credit earns, hundredths of a per cent a year.
    pub earns_per_10k: i64,
    /// What debt costs, hundredths of a per cent a year.
    pub owes_per_10k: i64,
    /// What card purchases bring back, hundredths of a per cent.
    pub cashback_per_10k: i64,
    /// The day of the month on which a card's debt is collected; only cards have one.
    pub collected_on: Option<i8>,
    /// The first instant of the period, microseconds since 1970.
    pub starts_at: i64,
    /// Booked minor units at the start of the period.
    pub opening: i64,
    /// The number of the statement that comes next, from 1.
    pub number: u32,
}

impl AccountTerms {
    /// Opens the next period, at this time and with so many minor units booked.
    pub fn open_next(&mut self, starts_at: Timestamp, opening: i64) {
        self.starts_at = starts_at.as_microsecond();
        self.opening = opening;
        self.number = self.number.saturating_add(1);
    }
}
