//! The options of a check: what is checked, and the time limits.

use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_ports::bank::contract::ExchangeFacts;
use std::time::Duration;

/// The longest time between two questions what became of an order.
const PAUSE_MAX: Duration = Duration::from_millis(250);

/// How often the core is asked at least.
const ROUNDS_MIN: u32 = 5;

/// What is checked.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// A customer with at least two accounts that have entries and statements.
    pub customer: PsuId,
    /// Accounts that are closed or blocked. One that does not exist is always checked.
    pub closed: Vec<BankAccountId>,
    /// The sort code and account number that orders are paid to.
    pub payee: String,
    /// What foreign exchange is checked with; it is not checked without.
    pub exchange: Option<ExchangeFacts>,
    /// Whether orders are submitted, each of one unit of the currency of the account that pays.
    pub writes: bool,
    /// How long an order may take to its end.
    pub order_time_max: Duration,
}

impl CheckOptions {
    /// The time between two questions what became of an order.
    pub(super) fn pause(&self) -> Duration {
        self.order_time_max.checked_div(ROUNDS_MIN).unwrap_or_default().clamp(Duration::from_millis(1), PAUSE_MAX)
    }

    /// How often the core is asked.
    pub(super) fn rounds(&self) -> u32 {
        let rounds = self.order_time_max.as_millis().checked_div(self.pause().as_millis());
        u32::try_from(rounds.unwrap_or_default()).unwrap_or(u32::MAX).max(ROUNDS_MIN)
    }
}
