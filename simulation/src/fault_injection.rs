//! The gate before every port call. At the gate, the scheduler may switch to another action; the call may fail before or after its work, or
//! its node may crash.

use crate::random::SeededRandom;
use lombard_service::payments::files::FileThreads;
use parking_lot::Mutex;
use std::future::{pending, poll_fn};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};
use std::thread::{self, Thread, ThreadId};
use std::time::{Duration, Instant};

/// A time that is longer than any thread needs to read a file.
const LONG: Duration = Duration::from_secs(60);

/// Fault rates.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FaultRates {
    /// The number of calls in a thousand that fail or crash their node.
    pub(crate) mishaps_per_mille: usize,
    /// The number of writes in a thousand that are confirmed but not made. No invariant can hold on such a database, so this tests the
    /// simulation itself.
    pub(crate) false_confirmations_per_mille: usize,
    /// Whether money is exchanged at other rates than the bank's. This also tests the simulation itself.
    pub(crate) other_prices: bool,
}

impl FaultRates {
    /// The rates without any faults.
    pub(crate) const CALM: Self = Self { mishaps_per_mille: 0, false_confirmations_per_mille: 0, other_prices: false };
}

/// The injected result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallOutcome {
    /// The call is executed and answered.
    Well,
    /// The call fails without being executed.
    FailsBefore,
    /// The call is executed, and its answer is lost.
    FailsAfter,
    /// The call is executed, and the node crashes before the answer.
    DiesAfter,
}

/// The gate of a node between a start and a crash. Clones share it.
#[derive(Debug, Clone)]
pub(crate) struct FaultGate(Arc<Mutex<GateState>>);

#[derive(Debug)]
struct GateState {
    /// The thread on which everything runs, except the reading of files.
    home: ThreadId,
    chance: SeededRandom,
    odds: FaultRates,
    dead: bool,
    mishaps: usize,
    commits: usize,
    /// The number of times that the scheduler could switch.
    stops: usize,
    /// The number of calls from threads that read files.
    calls_away: usize,
}

impl FaultGate {
    /// Creates a gate with these fault rates.
    pub(crate) fn new(chance: SeededRandom, odds: FaultRates) -> Self {
        let home = thread::current().id();
        Self(Arc::new(Mutex::new(GateState {
            home,
            chance,
            odds,
            dead: false,
            mishaps: 0,
            commits: 0,
            stops: 0,
            calls_away: 0,
        })))
    }

    /// Stops all faults from now on.
    pub(crate) fn calm(&self) {
        self.0.lock().odds = FaultRates::CALM;
    }

    /// Whether a write is confirmed but not made.
    pub(crate) fn lies(&self) -> bool {
        let mut inside = self.0.lock();
        let lies_per_mille = inside.odds.false_confirmations_per_mille;
        lies_per_mille > 0 && inside.chance.per_mille(lies_per_mille)
    }

    /// Lets the scheduler switch to another action, and then returns the outcome of the call. A thread that reads a file is not
    /// interrupted, so no other action continues meanwhile.
    pub(crate) async fn pass(&self) -> CallOutcome {
        if self.is_away() {
            return self.pass_away();
        }
        let mut waited = false;
        poll_fn(|cx| {
            if waited {
                return Poll::Ready(());
            }
            waited = true;
            let mut inside = self.0.lock();
            inside.stops = inside.stops.saturating_add(1);
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

    /// Ends a call. If the node crashes with the call, the future never completes.
    pub(crate) async fn end(&self, fate: CallOutcome) {
        if fate != CallOutcome::DiesAfter {
            return;
        }
        if self.is_away() {
            self.0.lock().dead = true;
        } else {
            self.die().await
        }
    }

    fn is_away(&self) -> bool {
        self.0.lock().home != thread::current().id()
    }

    /// A thread cannot stop for ever when its node crashes. Its calls fail instead, and no task receives the failures.
    fn pass_away(&self) -> CallOutcome {
        let mut inside = self.0.lock();
        inside.calls_away = inside.calls_away.saturating_add(1);
        drop(inside);
        if self.is_dead() {
            return CallOutcome::FailsBefore;
        }
        let drawn = self.draw();
        drawn.unwrap_or_else(|| {
            self.0.lock().dead = true;
            CallOutcome::FailsBefore
        })
    }

    /// Draws the outcome of a call; `None` if the node crashes now.
    fn draw(&self) -> Option<CallOutcome> {
        let mut inside = self.0.lock();
        let mishaps_per_mille = inside.odds.mishaps_per_mille;
        if !inside.chance.per_mille(mishaps_per_mille) {
            return Some(CallOutcome::Well);
        }
        inside.mishaps = inside.mishaps.saturating_add(1);
        match inside.chance.below(6) {
            0 | 1 => Some(CallOutcome::FailsBefore),
            2 | 3 => Some(CallOutcome::FailsAfter),
            4 => Some(CallOutcome::DiesAfter),
            _ => None,
        }
    }

    async fn die<T>(&self) -> T {
        self.0.lock().dead = true;
        pending().await
    }

    /// Whether the node has crashed.
    pub(crate) fn is_dead(&self) -> bool {
        self.0.lock().dead
    }

    /// Records a call that failed for a reason outside the gate.
    pub(crate) fn note_mishap(&self) {
        let mut inside = self.0.lock();
        inside.mishaps = inside.mishaps.saturating_add(1);
    }

    /// The number of calls that have failed.
    pub(crate) fn mishaps(&self) -> usize {
        self.0.lock().mishaps
    }

    /// The number of times that the scheduler could switch.
    pub(crate) fn stops(&self) -> usize {
        self.0.lock().stops
    }

    /// The number of calls from threads that read files.
    fn calls_away(&self) -> usize {
        self.0.lock().calls_away
    }

    /// Records that a call may have written data.
    pub(crate) fn wrote(&self) {
        let mut inside = self.0.lock();
        inside.commits = inside.commits.saturating_add(1);
    }

    /// The number of calls that may have written data.
    pub(crate) fn commits(&self) -> usize {
        self.0.lock().commits
    }
}

/// Wakes a thread and records for which future. The awaited future may itself wait on the same thread meanwhile, and use up the thread's
/// own token.
struct ThreadWaker {
    thread: Thread,
    woken: AtomicBool,
}

impl ThreadWaker {
    fn here() -> Arc<Self> {
        Arc::new(Self { thread: thread::current(), woken: AtomicBool::new(false) })
    }

    fn is_woken(&self) -> bool {
        self.woken.swap(false, Ordering::SeqCst)
    }
}

impl Wake for ThreadWaker {
    fn wake(self: Arc<Self>) {
        self.woken.store(true, Ordering::SeqCst);
        self.thread.unpark();
    }
}

/// Blocks this thread until the future completes. The work behind the gate thus runs without interruption, and only the seed decides the
/// order.
pub(crate) fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let unpark = ThreadWaker::here();
    let waker = Waker::from(Arc::clone(&unpark));
    let mut cx = Context::from_waker(&waker);
    loop {
        match future.as_mut().poll(&mut cx) {
            Poll::Ready(output) => return output,
            Poll::Pending => {
                while !unpark.is_woken() {
                    thread::park();
                }
            }
        }
    }
}

/// The error that an action never reaches its next port call.
#[derive(Debug)]
pub(crate) struct NoNextCall;

/// Continues an action up to its next port call or its end. The result is `None` if the action stops at a gate, waits for another action of
/// its node, or its node crashes. If a thread of `readers` reads a file for the action, the function waits for that thread.
///
/// # Errors
/// [`NoNextCall`] if that thread never ends.
pub(crate) fn advance_to_next_call<T>(
    mut doing: Pin<&mut dyn Future<Output = T>>,
    gate: &FaultGate,
    readers: &FileThreads,
) -> Result<Option<T>, NoNextCall> {
    let unpark = ThreadWaker::here();
    let waker = Waker::from(Arc::clone(&unpark));
    let idle = readers.available();
    let calls = gate.calls_away();
    loop {
        let stops = gate.stops();
        let polled = doing.as_mut().poll(&mut Context::from_waker(&waker));
        if let Poll::Ready(output) = polled {
            return Ok(Some(output));
        }
        // A reader that has already ended has made its calls before.
        let is_read = readers.available() < idle || gate.calls_away() > calls;
        let began = Instant::now();
        while is_read && !gate.is_dead() && gate.stops() == stops && !unpark.is_woken() {
            thread::park_timeout(LONG);
            if began.elapsed() >= LONG {
                return Err(NoNextCall);
            }
        }
        if !is_read || gate.is_dead() || gate.stops() != stops {
            return Ok(None);
        }
    }
}
