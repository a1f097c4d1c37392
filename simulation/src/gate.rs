//! The gate that every call of a port goes through: there the scheduler may let somebody else go first, and there a call
//! may fail, before or after its work is done, or the whole node may die.

use crate::chance::Chance;
use parking_lot::Mutex;
use std::future::{pending, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread};

/// How much goes wrong.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Odds {
    /// How many calls in a thousand fail or kill their node.
    pub(crate) mishaps_per_mille: usize,
    /// How many writes in a thousand are confirmed and not made: no promise can be kept over such a database, so this is
    /// for trying the simulation itself.
    pub(crate) lies_per_mille: usize,
}

impl Odds {
    /// Nothing goes wrong.
    pub(crate) const CALM: Self = Self { mishaps_per_mille: 0, lies_per_mille: 0 };
}

/// What becomes of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It is carried out and answered.
    Well,
    /// It fails, and nothing was done.
    FailsBefore,
    /// It is carried out, and its answer is lost.
    FailsAfter,
    /// It is carried out, and the node dies before it hears.
    DiesAfter,
}

/// The gate of one life of a node. Cloning shares it.
#[derive(Debug, Clone)]
pub(crate) struct Gate(Arc<Mutex<Inside>>);

#[derive(Debug)]
struct Inside {
    chance: Chance,
    odds: Odds,
    dead: bool,
    mishaps: usize,
    commits: usize,
}

impl Gate {
    /// A gate at which so much goes wrong.
    pub(crate) fn new(chance: Chance, odds: Odds) -> Self {
        Self(Arc::new(Mutex::new(Inside { chance, odds, dead: false, mishaps: 0, commits: 0 })))
    }

    /// Everything goes well from now on.
    pub(crate) fn calm(&self) {
        self.0.lock().odds = Odds::CALM;
    }

    /// Whether a write is confirmed and not made.
    pub(crate) fn lies(&self) -> bool {
        let mut inside = self.0.lock();
        let lies_per_mille = inside.odds.lies_per_mille;
        lies_per_mille > 0 && inside.chance.per_mille(lies_per_mille)
    }

    /// Lets the scheduler go on with somebody else, and says what becomes of the call then.
    pub(crate) async fn pass(&self) -> Fate {
        let mut waited = false;
        poll_fn(|cx| {
            if waited {
                return Poll::Ready(());
            }
            waited = true;
            cx.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
        let drawn = self.draw();
        match drawn {
            Some(fate) => fate,
            None => self.die().await,
        }
    }

    /// The end of a call: if the node dies with it, it never comes.
    pub(crate) async fn end(&self, fate: Fate) {
        if fate == Fate::DiesAfter {
            self.die().await
        }
    }

    /// `None` if the node dies now.
    fn draw(&self) -> Option<Fate> {
        let mut inside = self.0.lock();
        let mishaps_per_mille = inside.odds.mishaps_per_mille;
        if !inside.chance.per_mille(mishaps_per_mille) {
            return Some(Fate::Well);
        }
        inside.mishaps = inside.mishaps.saturating_add(1);
        match inside.chance.below(6) {
            0 | 1 => Some(Fate::FailsBefore),
            2 | 3 => Some(Fate::FailsAfter),
            4 => Some(Fate::DiesAfter),
            _ => None,
        }
    }

    async fn die<T>(&self) -> T {
        self.0.lock().dead = true;
        pending().await
    }

    /// Whether the node has died.
    pub(crate) fn is_dead(&self) -> bool {
        self.0.lock().dead
    }

    /// How many calls have not gone well.
    pub(crate) fn mishaps(&self) -> usize {
        self.0.lock().mishaps
    }

    /// Something may have been written.
    pub(crate) fn wrote(&self) {
        let mut inside = self.0.lock();
        inside.commits = inside.commits.saturating_add(1);
    }

    /// How often something may have been written.
    pub(crate) fn commits(&self) -> usize {
        self.0.lock().commits
    }
}

/// Wakes a thread. It remembers for whom: what is waited for may itself wait on the same thread meanwhile, and take the
/// thread's own token.
struct Unpark {
    thread: Thread,
    woken: AtomicBool,
}

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

/// Waits on this thread: what is behind the gate happens in one go, so that only the seed decides who comes next.
pub(crate) fn at_once<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let unpark = Arc::new(Unpark { thread: thread::current(), woken: AtomicBool::new(false) });
    let waker = Waker::from(Arc::clone(&unpark));
    let mut cx = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut cx) {
            Poll::Ready(output) => return output,
            Poll::Pending => {
                while !unpark.woken.swap(false, Ordering::SeqCst) {
                    thread::park();
                }
            }
        }
    }
}
