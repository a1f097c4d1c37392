//! A queue of work that is processed in groups. While some work is in progress, new work waits, and all waiting work is then
//! processed together.

use parking_lot::Mutex;
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The time without progress after which new work no longer waits for the turns in progress, because one of them may never end.
const STALLED: Duration = Duration::from_millis(50);

/// The queue of one kind of work. Clones share it.
pub(super) struct GroupQueue<W>(Arc<SharedQueue<W>>);

struct SharedQueue<W> {
    limits: GroupLimits,
    state: Mutex<QueueState<W>>,
}

/// The limits that determine when another turn begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct GroupLimits {
    /// The largest number of concurrent turns.
    pub(super) turns_max: usize,
    /// While fewer pieces of work than this are in progress, and recent groups were smaller, new work is sent at once in a turn
    /// of its own, which is fastest. With more work in progress, it waits for the next group, which costs least.
    pub(super) few: usize,
    /// The largest number of pieces of work in one group. If this many wait, another turn begins.
    pub(super) group_max: usize,
}

/// The waiting work, and the work in progress.
struct QueueState<W> {
    waiting: VecDeque<W>,
    turns: usize,
    under_way: usize,
    /// The size of the largest recent group. It decreases by a quarter with each later group.
    recent: usize,
    /// The time at which a turn last began, continued or ended.
    moved_at: Instant,
}

/// The right and duty of one caller to process the queue. If it is dropped before it is over, the waiting work is dropped, so
/// that the callers of that work are told that it will not be done.
pub(super) struct GroupTurn<W> {
    queue: GroupQueue<W>,
    /// The number of pieces of work that this turn has in progress.
    size: usize,
    is_over: bool,
}

impl<W> Clone for GroupQueue<W> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<W> GroupQueue<W> {
    pub(super) fn new(limits: GroupLimits) -> Self {
        let state =
            QueueState { waiting: VecDeque::new(), turns: 0, under_way: 0, recent: 0, moved_at: Instant::now() };
        Self(Arc::new(SharedQueue { limits, state: Mutex::new(state) }))
    }

    /// Adds work to the queue. A caller that gets a turn must process all waiting work; otherwise another caller processes it.
    pub(super) fn wait(&self, work: W) -> Option<GroupTurn<W>> {
        let mut state = self.0.state.lock();
        state.waiting.push_back(work);
        self.begin(&mut state, 0)
    }

    /// Returns a turn, if one may begin. Otherwise the work is added to the queue and another caller processes it. A caller that
    /// gets the turn processes the work itself and then all waiting work. If other work waits already, the work is queued behind
    /// it also in this case.
    pub(super) fn begin_or_wait(&self, work: impl FnOnce() -> W) -> Option<GroupTurn<W>> {
        let mut state = self.0.state.lock();
        let is_first = state.waiting.is_empty();
        let turn = self.begin(&mut state, usize::from(is_first));
        if turn.is_none() || !is_first {
            state.waiting.push_back(work());
        }
        turn
    }

    /// Begins a turn with this many pieces of work in progress.
    fn begin(&self, state: &mut QueueState<W>, size: usize) -> Option<GroupTurn<W>> {
        let GroupLimits { turns_max, few, group_max } = self.0.limits;
        let are_few = state.under_way.max(state.recent) < few;
        let goes_on = || state.waiting.len() < group_max && state.moved_at.elapsed() <= STALLED;
        let may_begin = state.turns == 0 || state.turns < turns_max && (are_few || !goes_on());
        may_begin.then(|| {
            state.moved_at = Instant::now();
            state.turns = state.turns.saturating_add(1);
            state.under_way = state.under_way.saturating_add(size);
            GroupTurn { queue: self.clone(), size, is_over: false }
        })
    }
}

impl<W> GroupTurn<W> {
    /// Removes a group from the waiting work by `take`, which gets the largest number that it may take. If it takes nothing, the
    /// turn is over.
    pub(super) fn next_group(&mut self, take: impl FnOnce(&mut VecDeque<W>, usize) -> Vec<W>) -> Option<Vec<W>> {
        let group_max = self.queue.0.limits.group_max;
        let mut group = Vec::new();
        self.go_on(|state| {
            group = take(&mut state.waiting, group_max);
            group.len()
        });
        (!group.is_empty()).then_some(group)
    }

    /// The same turn, unless no work waits: then the turn is over.
    pub(super) fn if_any_waits(mut self) -> Option<Self> {
        let mut waits = false;
        self.go_on(|state| {
            waits = !state.waiting.is_empty();
            usize::from(waits)
        });
        waits.then_some(self)
    }

    /// Ends the work in progress and begins the given number of further pieces; with none, the turn is over. No work can be added
    /// in between, so work that is added later gets a turn.
    fn go_on(&mut self, begin: impl FnOnce(&mut QueueState<W>) -> usize) {
        if self.is_over {
            return;
        }
        let mut state = self.queue.0.state.lock();
        let size = begin(&mut state);
        state.under_way = state.under_way.saturating_sub(self.size).saturating_add(size);
        state.moved_at = Instant::now();
        state.recent = size.max(state.recent.saturating_sub(state.recent.div_ceil(4)));
        self.size = size;
        if size == 0 {
            self.is_over = true;
            state.turns = state.turns.saturating_sub(1);
        }
    }
}

impl<W> Drop for GroupTurn<W> {
    fn drop(&mut self) {
        let mut left = VecDeque::new();
        self.go_on(|state| {
            std::mem::swap(&mut left, &mut state.waiting);
            0
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: GroupLimits = GroupLimits { turns_max: 3, few: 2, group_max: 4 };

    fn take(waiting: &mut VecDeque<u32>, most: usize) -> Vec<u32> {
        let count = waiting.len().min(most);
        waiting.drain(..count).collect()
    }

    #[test]
    fn what_comes_while_enough_is_under_way_waits_and_is_taken_together() {
        let queue = GroupQueue::new(LIMITS);
        let mut first = queue.begin_or_wait(|| 1).unwrap();
        let second = queue.begin_or_wait(|| 2).unwrap();
        assert!((3..=5).all(|work| queue.begin_or_wait(|| work).is_none()), "two are under way");
        assert_eq!(first.next_group(take), Some(vec![3, 4, 5]));
        assert!((6..=9).all(|work| queue.begin_or_wait(|| work).is_none()), "four are under way");
        let third = queue.begin_or_wait(|| 10).expect("a whole group waits");
        assert!(queue.begin_or_wait(|| 11).is_none(), "as many turns as there may be");
        assert_eq!(first.next_group(take), Some(vec![6, 7, 8, 9]));
        let mut second = second.if_any_waits().expect("two wait");
        assert_eq!(second.next_group(take), Some(vec![10, 11]), "nobody overtakes those that wait");
        assert!(third.if_any_waits().is_none());
        assert_eq!((first.next_group(take), second.next_group(take)), (None, None));
        assert_eq!(queue.wait(12).and_then(|mut turn| turn.next_group(take)), Some(vec![12]));
    }

    #[test]
    fn after_large_groups_there_is_one_turn_until_few_come_again() {
        let queue = GroupQueue::new(LIMITS);
        let mut turn = queue.begin_or_wait(|| 0).unwrap();
        let other = queue.begin_or_wait(|| 0).unwrap();
        assert!((1..=4).all(|work| queue.begin_or_wait(|| work).is_none()));
        assert!(turn.next_group(take).is_some());
        assert!(other.if_any_waits().is_none() && turn.next_group(take).is_none());
        let alone = queue.begin_or_wait(|| 5).expect("nothing is under way");
        assert!(queue.begin_or_wait(|| 6).is_none(), "there were four a moment ago");
        let mut alone = alone.if_any_waits().expect("one waits");
        assert_eq!((alone.next_group(take), alone.next_group(take)), (Some(vec![6]), None));
        let one = queue.begin_or_wait(|| 7);
        assert!(one.is_some() && queue.begin_or_wait(|| 8).is_some(), "few came since");
    }

    #[test]
    fn a_turn_that_stands_still_keeps_nobody_waiting() {
        let queue = GroupQueue::new(LIMITS);
        let stuck = queue.begin_or_wait(|| 0).unwrap();
        let other = queue.begin_or_wait(|| 0).unwrap();
        assert!((1..=4).all(|work| queue.begin_or_wait(|| work).is_none()));
        assert!(other.if_any_waits().and_then(|mut turn| turn.next_group(take)).is_some());
        assert!(queue.begin_or_wait(|| 5).is_none(), "one is under way since a moment ago");
        queue.0.state.lock().moved_at = Instant::now().checked_sub(STALLED * 2).unwrap();
        let mut relief = queue.begin_or_wait(|| 6).expect("it stands still");
        assert_eq!(relief.next_group(take), Some(vec![5, 6]));
        assert!(queue.begin_or_wait(|| 7).is_none(), "another one has begun");
        drop(stuck);
    }

    #[test]
    fn a_turn_that_is_given_up_lets_go_what_waits() {
        let queue = GroupQueue::new(GroupLimits { turns_max: 1, ..LIMITS });
        let waits = Arc::new(());
        let given_up = queue.begin_or_wait(|| Arc::clone(&waits)).unwrap();
        assert!(queue.begin_or_wait(|| Arc::clone(&waits)).is_none());
        assert_eq!(Arc::strong_count(&waits), 2);
        drop(given_up);
        assert_eq!(Arc::strong_count(&waits), 1);
        assert!(queue.begin_or_wait(|| waits).is_some());
    }
}
