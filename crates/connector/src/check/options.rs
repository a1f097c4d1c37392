//! The options of a check: its scope and its time limits.

use lombard_domain::ids::{BankAccountId, PsuId};
use lombard_ports::bank::contract::ExchangeFacts;
use std::time::Duration;

/// The longest time between two queries of an order's status.
const PAUSE_MAX: Duration = Duration::from_millis(250);

/// The least number of queries of an order's status.
const ROUNDS_MIN: u32 = 5;

/// The scope and the time limits of a check.
#[derive(Debug, Clone)]
pub struct CheckOptions {
    /// A customer with at least two accounts that have entries and statements.
    pub customer: PsuId,
    /// Accounts that are closed or blocked. An account that does not exist is always checked too.
    pub closed: Vec<BankAccountId>,
    /// The sort code and account number that orders are paid to.
    pub payee: String,
    /// The facts for the check of foreign exchange, which is skipped without them.
    pub exchange: Option<ExchangeFacts>,
    /// Whether orders are submitted, each of one unit of the currency of the account that pays.
    pub writes: bool,
    /// The longest time until an order reaches its final status.
    pub order_time_max: Duration,
}

impl CheckOptions {
    /// The time between two queries of an order's status.
    pub(super) fn pause(&self) -> Duration {
        self.order_time_max.checked_div(ROUNDS_MIN).unwrap_or_default().clamp(Duration::from_millis(1), PAUSE_MAX)
    }

    /// The number of queries of an order's status.
    pub(super) fn rounds(&self) -> u32 {
        let rounds = self.order_time_max.as_millis().checked_div(self.pause().as_millis());
        u32::try_from(rounds.unwrap_or_default()).unwrap_or(u32::MAX).max(ROUNDS_MIN)
    }
}
