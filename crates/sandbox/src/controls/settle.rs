//! Runs all due work, so that a tester who has moved the clock sees the results at once.
//!
//! The workers would do the same work a moment later; they may run at the same time.

use lombard_ports::controls::BankControls;
use lombard_service::Context;
use lombard_service::due_work::{DueWork, RemainingWork};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// The name under which the bank's own work is reported.
const BANK_WORK: &str = "bank-work";

/// The time between two checks of work that a worker is doing.
const LOOK_AGAIN: Duration = Duration::from_millis(20);

/// The number of attempts after which failing work is reported as left.
const ATTEMPTS_MAX: u32 = 3;

/// Runs due work and the work that results from it, until nothing is due, no remaining work can be done now, or the time is over. Returns
/// the names of the kinds of work that are left.
pub(super) async fn run_due_work(context: &Context, bank: &dyn BankControls, within: Duration) -> Vec<&'static str> {
    let started = Instant::now();
    let mut attempts = 0_u32;
    loop {
        let round = run_round(context, bank, || started.elapsed() >= within).await;
        let left = look(context, bank).await;
        let is_over = started.elapsed() >= within;
        if round.done == 0 && !round.has_failed && left.iter().all(|(_, left)| *left == RemainingWork::Nothing) {
            return Vec::new();
        }
        let may_go_on = round.done > 0 || left.iter().any(|(_, left)| *left == RemainingWork::Due);
        attempts = if round.done > 0 { 0 } else { attempts.saturating_add(u32::from(round.has_failed)) };
        if is_over || !may_go_on || attempts >= ATTEMPTS_MAX {
            return names(&left);
        }
        if round.done == 0 {
            sleep(LOOK_AGAIN).await;
        }
    }
}

/// Returns the names of the kinds of work that are left, without running any work.
pub(super) async fn pending_work(context: &Context, bank: &dyn BankControls) -> Vec<&'static str> {
    names(&look(context, bank).await)
}

/// The result of a round.
#[derive(Debug, Default)]
struct Round {
    done: usize,
    has_failed: bool,
}

impl Round {
    fn note<E: std::error::Error + 'static>(&mut self, name: &'static str, done: Result<usize, E>) {
        match done {
            Ok(done) => self.done = self.done.saturating_add(done),
            Err(error) => {
                self.has_failed = true;
                let error = &error as &dyn std::error::Error;
                tracing::warn!(work.kind = name, error, "due work was not carried out after the clock had moved");
            }
        }
    }
}

/// Runs one batch of each kind of work, until the time is over.
async fn run_round(context: &Context, bank: &dyn BankControls, is_over: impl Fn() -> bool) -> Round {
    let mut round = Round::default();
    let done = bank.due_work_run().await.map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    round.note(BANK_WORK, done);
    for kind in DueWork::ALL {
        if is_over() {
            break;
        }
        round.note(kind.name(), kind.run(context).await);
    }
    round
}

/// Returns how much work of each kind is left. A kind whose state cannot be read counts as deferred.
async fn look(context: &Context, bank: &dyn BankControls) -> Vec<(&'static str, RemainingWork)> {
    let of_bank = match bank.due_work_exists().await {
        Ok(true) => RemainingWork::Due,
        Ok(false) => RemainingWork::Nothing,
        Err(error) => unseen(BANK_WORK, &error),
    };
    let mut left = vec![(BANK_WORK, of_bank)];
    for kind in DueWork::ALL {
        let of_kind = kind.remaining(context).await.unwrap_or_else(|error| unseen(kind.name(), &error));
        left.push((kind.name(), of_kind));
    }
    left
}

fn unseen(name: &'static str, error: &(dyn std::error::Error + 'static)) -> RemainingWork {
    tracing::warn!(work.kind = name, error, "it is not known what is left of due work");
    RemainingWork::Deferred
}

fn names(left: &[(&'static str, RemainingWork)]) -> Vec<&'static str> {
    left.iter().filter(|(_, left)| *left != RemainingWork::Nothing).map(|(name, _)| *name).collect()
}
