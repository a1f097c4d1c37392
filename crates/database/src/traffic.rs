//! Counts the round trips to a database server.

use std::sync::atomic::{AtomicU64, Ordering};

/// The traffic with a database server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct DatabaseTraffic {
    /// The number of awaited answers. Preparing a statement, which happens once on each connection, is not counted.
    pub round_trips: u64,
    /// The number of statements sent, including those that begin and end transactions.
    pub statements: u64,
}

impl DatabaseTraffic {
    /// The difference to an earlier count.
    #[must_use]
    pub const fn since(self, earlier: Self) -> Self {
        Self {
            round_trips: self.round_trips.saturating_sub(earlier.round_trips),
            statements: self.statements.saturating_sub(earlier.statements),
        }
    }
}

/// The counters of one engine.
#[derive(Debug, Default)]
pub(crate) struct TrafficCounters {
    round_trips: AtomicU64,
    statements: AtomicU64,
}

impl TrafficCounters {
    /// Counts a round trip with this many statements.
    pub(crate) fn count_round_trip(&self, statements: usize) {
        self.round_trips.fetch_add(1, Ordering::Relaxed);
        self.count_unanswered(statements);
    }

    /// Counts statements whose answers are not awaited.
    pub(crate) fn count_unanswered(&self, statements: usize) {
        self.statements.fetch_add(u64::try_from(statements).unwrap_or(u64::MAX), Ordering::Relaxed);
    }

    pub(crate) fn so_far(&self) -> DatabaseTraffic {
        DatabaseTraffic {
            round_trips: self.round_trips.load(Ordering::Relaxed),
            statements: self.statements.load(Ordering::Relaxed),
        }
    }
}
