//! The choice of the requests whose traces are recorded.
//!
//! A caller chooses its trace id and its sampled flag, so neither may decide alone: the share of all requests is drawn by chance here, not from
//! the id, and the flags of strangers are obeyed a few times a second.

use crate::headers::CallerTrace;
use parking_lot::Mutex;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Whether the sampled flag of a caller decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallerTrust {
    /// Anybody can call. The flag is obeyed a limited number of times a second.
    Stranger,
    /// Only the bank's own programs can call. The flag decides.
    Own,
}

/// Chooses the requests whose traces are recorded.
pub struct TraceChoice {
    /// The share of requests, of 2^64.
    share: u64,
    requested: RequestedTraces,
    /// Draws are hashes of their numbers, whose key is random. The entropy port is not needed, because nothing secret depends on them.
    random: RandomState,
    draws: AtomicU64,
}

impl fmt::Debug for TraceChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TraceChoice").field("share", &self.share).finish_non_exhaustive()
    }
}

impl TraceChoice {
    /// Chooses this many requests of a million by chance, and per second this many more whose callers, who may be strangers, ask for it.
    pub fn new(per_million: u32, requested_per_sec: u32) -> Self {
        let share = u128::from(per_million.min(MILLION)).saturating_mul(u128::from(u64::MAX)) / u128::from(MILLION);
        Self {
            share: u64::try_from(share).unwrap_or(u64::MAX),
            requested: RequestedTraces { per_sec: requested_per_sec, admitted: Mutex::default() },
            random: RandomState::new(),
            draws: AtomicU64::new(0),
        }
    }

    /// Whether a request is recorded. Only programs of the bank can prevent it.
    pub(crate) fn chooses(&self, caller: Option<&CallerTrace>, trust: CallerTrust) -> bool {
        match (caller, trust) {
            (Some(caller), CallerTrust::Own) => caller.is_sampled(),
            (Some(caller), CallerTrust::Stranger) => {
                self.draw() || (caller.is_sampled() && self.requested.admit(Instant::now()))
            }
            (None, CallerTrust::Own | CallerTrust::Stranger) => self.draw(),
        }
    }

    /// Draws by chance, with the chance of the share.
    pub(crate) fn draw(&self) -> bool {
        match self.share {
            0 => false,
            u64::MAX => true,
            share => self.random.hash_one(self.draws.fetch_add(1, Ordering::Relaxed)) < share,
        }
    }
}

const MILLION: u32 = 1_000_000;

/// Admits a limited number of requested traces in each second.
#[derive(Debug)]
struct RequestedTraces {
    per_sec: u32,
    /// When the current second began, and how many traces were admitted in it.
    admitted: Mutex<Option<(Instant, u32)>>,
}

impl RequestedTraces {
    fn admit(&self, now: Instant) -> bool {
        if self.per_sec == 0 {
            return false;
        }
        let mut admitted = self.admitted.lock();
        let (since, count) = match *admitted {
            Some((since, count)) if now.saturating_duration_since(since) < Duration::from_secs(1) => (since, count),
            Some(_) | None => (now, 0),
        };
        let is_admitted = count < self.per_sec;
        *admitted = Some((since, count.saturating_add(u32::from(is_admitted))));
        is_admitted
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requested_traces_are_admitted_up_to_the_limit_of_each_second() {
        let requested = RequestedTraces { per_sec: 2, admitted: Mutex::default() };
        let begin = Instant::now();
        let admitted = |after_ms| requested.admit(begin + Duration::from_millis(after_ms));
        assert_eq!([0, 300, 600, 999].map(admitted), [true, true, false, false]);
        assert_eq!([1000, 1500, 1900].map(admitted), [true, true, false]);
        let none = RequestedTraces { per_sec: 0, admitted: Mutex::default() };
        assert!(!none.admit(begin));
    }

    #[test]
    fn the_share_is_drawn_by_chance() {
        let drawn = |per_million| {
            let choice = TraceChoice::new(per_million, 0);
            (0..10_000).filter(|_| choice.draw()).count()
        };
        assert_eq!((drawn(0), drawn(1_000_000)), (0, 10_000));
        let half = drawn(500_000);
        assert!((4_500..5_500).contains(&half), "{half}");
    }
}
