//! The values that the closure of a transaction draws from clocks and randomness. A closure that is run again draws the
//! same values, so that its statements are the same.

use jiff::Timestamp;
use std::cell::RefCell;

/// Most random bytes of one draw that are repeated; no id and no secret has more.
const RANDOM_BYTES_MAX: usize = 32;

thread_local!(static CURRENT: RefCell<Option<Run>> = const { RefCell::new(None) });

/// What a closure has drawn.
#[derive(Default)]
pub struct Draws(Vec<Draw>);

impl std::fmt::Debug for Draws {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Secrets are among them.
        f.debug_struct("Draws").field("count", &self.0.len()).finish_non_exhaustive()
    }
}

#[derive(Clone, Copy)]
enum Draw {
    Time(Timestamp),
    Random { bytes: [u8; RANDOM_BYTES_MAX], length: usize },
}

/// A run of a closure on this thread.
struct Run {
    draws: Draws,
    /// How many draws it has repeated.
    next: usize,
}

impl Draws {
    /// Runs a closure, which draws from clocks and randomness what is here, and new values when that is used up; these are added.
    /// One that does not draw the same kinds of values in the same order gets new ones from there on.
    pub fn repeat<R>(&mut self, work: impl FnOnce() -> R) -> R {
        let begun = Run { draws: std::mem::take(self), next: 0 };
        let outer = CURRENT.with(|current| current.replace(Some(begun)));
        let ended = EndedRun { draws: self, outer };
        let result = work();
        drop(ended);
        result
    }
}

/// Takes back the draws when a run ends, by a panic too.
struct EndedRun<'d> {
    draws: &'d mut Draws,
    outer: Option<Run>,
}

impl Drop for EndedRun<'_> {
    fn drop(&mut self) {
        if let Some(run) = CURRENT.with(|current| current.replace(self.outer.take())) {
            *self.draws = run.draws;
        }
    }
}

impl Run {
    /// The next value, which is the one at this place if that is of its kind.
    fn draw<T>(&mut self, known: impl FnOnce(&Draw) -> Option<T>, new: impl FnOnce() -> (T, Draw)) -> T {
        let place = self.next;
        self.next = place.saturating_add(1);
        if let Some(value) = self.draws.0.get(place).and_then(known) {
            return value;
        }
        let (value, draw) = new();
        self.draws.0.truncate(place);
        self.draws.0.push(draw);
        value
    }
}

/// The time of a clock, or the one that the running closure drew at this place before.
pub(crate) fn time(now: impl FnOnce() -> Timestamp) -> Timestamp {
    CURRENT.with(|current| match current.borrow_mut().as_mut() {
        None => now(),
        Some(run) => {
            let known = |draw: &Draw| if let Draw::Time(at) = draw { Some(*at) } else { None };
            run.draw(known, || {
                let at = now();
                (at, Draw::Time(at))
            })
        }
    })
}

/// Fills the buffer from a source of randomness, or with what the running closure drew at this place before.
pub(crate) fn random(buffer: &mut [u8], fill: impl FnOnce(&mut [u8])) {
    CURRENT.with(|current| match current.borrow_mut().as_mut() {
        Some(run) if buffer.len() <= RANDOM_BYTES_MAX => {
            let wanted = buffer.len();
            let known = |draw: &Draw| match draw {
                Draw::Random { bytes, length } if *length == wanted => Some(*bytes),
                Draw::Random { .. } | Draw::Time(_) => None,
            };
            let mut new = [0; RANDOM_BYTES_MAX];
            let drawn = run.draw(known, || {
                fill(new.get_mut(..wanted).unwrap_or_default());
                (new, Draw::Random { bytes: new, length: wanted })
            });
            buffer.copy_from_slice(drawn.get(..wanted).unwrap_or_default());
        }
        _ => fill(buffer),
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::{Clocks, ManualClock};
    use crate::entropy::{CountingEntropy, IdGenerator};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    #[test]
    fn a_closure_that_runs_again_draws_the_same_again() {
        let clock = Arc::new(ManualClock::starting_at(Timestamp::UNIX_EPOCH));
        let clocks = Clocks::new(Arc::clone(&clock) as Arc<_>);
        let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), clocks.clone());
        let mut draws = Draws::default();
        let run = |draws: &mut Draws, count: usize| {
            let drawn = draws.repeat(|| {
                let each = |_| (ids.generate_ordered_id(), clocks.bank_now(), ids.random_secret());
                (0..count).map(each).collect::<Vec<_>>()
            });
            clock.advance(jiff::SignedDuration::from_secs(1));
            drawn
        };
        let first = run(&mut draws, 2);
        let outside = (ids.random_id(), clocks.wall_now());
        let again = run(&mut draws, 3);
        assert_eq!((first.as_slice(), again.len()), (&again[..2], 3));
        assert!(!again[2].0.is_nil() && again[2].1 > again[1].1 && outside.1 > again[1].1, "what is new is new");
        assert_eq!(run(&mut draws, 3), again);
        // Another order: what does not fit is drawn anew, and repeated from then on.
        let other = |draws: &mut Draws| draws.repeat(|| (ids.random_id(), clocks.wall_now(), ids.random_secret()));
        let changed = other(&mut draws);
        assert_ne!(changed.2, again[0].2);
        assert_eq!(other(&mut draws), changed);
    }

    #[test]
    fn draws_outlast_a_panic_and_reach_no_other_closure() {
        let ids = IdGenerator::new(Arc::new(CountingEntropy::default()), Clocks::system());
        let (mut draws, mut inner) = (Draws::default(), Draws::default());
        let panicked = catch_unwind(AssertUnwindSafe(|| draws.repeat(|| panic!("{}", ids.random_id()))));
        let first = panicked.unwrap_err().downcast_ref::<String>().cloned().unwrap();
        let (again, nested, after) =
            draws.repeat(|| (ids.random_id(), inner.repeat(|| ids.random_id()), ids.random_id()));
        assert_eq!(again.to_string(), first);
        assert_eq!(inner.repeat(|| ids.random_id()), nested);
        assert_eq!(draws.repeat(|| (ids.random_id(), ids.random_id())), (again, after));
        assert_ne!(ids.random_id(), again, "outside of closures everything is new");
        assert_eq!(format!("{draws:?}"), "Draws { count: 2, .. }");
    }
}
