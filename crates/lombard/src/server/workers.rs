//! What runs beside requests: each on its period, each ended between two activations.

use lombard_auth::callers::Callers;
use lombard_auth::keys::Keyring;
use lombard_sandbox::Diary;
use lombard_sandbox::controls::BankClock;
use lombard_service::events::{Desk, Keeping};
use lombard_service::{Context, workers};
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// How soon a node sees a key that another one added. Source: AS-008.
const KEYS_EVERY: Duration = Duration::from_secs(60);
/// How soon a node follows the bank's clock that was moved on another.
const CLOCK_EVERY: Duration = Duration::from_millis(500);
/// How soon the built-in bank does what is due on its clock.
const DIARY_EVERY: Duration = Duration::from_millis(500);
/// How often what has ended is removed.
const PURGE_EVERY: Duration = Duration::from_secs(60);

/// How often it is written down which consents were used.
const USES_EVERY: Duration = Duration::from_secs(30);

/// How often it is written down which events were delivered.
const DELIVERIES_EVERY: Duration = Duration::from_secs(1);

/// The workers of a server.
#[derive(Debug)]
pub(super) struct Workers {
    tasks: TaskTracker,
    stopping: CancellationToken,
}

impl Workers {
    /// Starts them all; those of a sandbox if it has a clock to move.
    pub(super) fn start(context: Context, keys: Keyring, callers: Callers, clock: Option<BankClock>) -> Self {
        let workers = Self { tasks: TaskTracker::new(), stopping: CancellationToken::new() };
        workers.every(KEYS_EVERY, move || {
            let keys = keys.clone();
            async move {
                if let Err(error) = keys.refresh().await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "signing keys were not refreshed");
                }
            }
        });
        let diary = Diary::new(context.store.clone(), context.clocks.clone());
        workers.every(DIARY_EVERY, move || turn(diary.clone()));
        workers.every(PURGE_EVERY, move || purge(context.clone()));
        workers.every(USES_EVERY, move || {
            let callers = callers.clone();
            async move { keep_uses(&callers).await }
        });
        if let Some(clock) = clock {
            workers.every(CLOCK_EVERY, move || follow(clock.clone()));
        }
        workers
    }

    /// Writes down what was delivered, and drops what nobody wants any more.
    pub(super) fn keep_events(&self, desk: Desk, keeping: Keeping) {
        let (writing, dropping) = (desk.clone(), desk);
        self.every(DELIVERIES_EVERY, move || {
            let desk = writing.clone();
            async move { write_down(&desk).await }
        });
        self.every(PURGE_EVERY, move || {
            let desk = dropping.clone();
            async move {
                if let Err(error) = desk.drop_old(keeping).await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "old events were not dropped");
                }
            }
        });
    }

    fn every<F>(&self, period: Duration, mut work: impl FnMut() -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send,
    {
        let stopping = self.stopping.clone();
        self.tasks.spawn(async move {
            let mut due = interval(period);
            due.set_missed_tick_behavior(MissedTickBehavior::Delay);
            while stopping.run_until_cancelled(due.tick()).await.is_some() {
                work().await;
            }
        });
    }

    /// Lets the activations under way finish, for this long.
    pub(super) async fn stop(&self, within: Duration) {
        self.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(within, self.tasks.wait()).await.is_err() {
            tracing::warn!("a worker did not finish in time");
        }
    }
}

/// Writes down which consents were used since the last time.
pub(super) async fn keep_uses(callers: &Callers) {
    if let Err(error) = callers.keep_uses().await {
        tracing::warn!(error = &error as &dyn std::error::Error, "uses of consents were not written down");
    }
}

/// Writes down which events were delivered since the last time.
pub(super) async fn write_down(desk: &Desk) {
    if let Err(error) = desk.write_down().await {
        tracing::warn!(error = &error as &dyn std::error::Error, "deliveries were not written down");
    }
}

/// Takes over where the bank's clock was moved to.
async fn follow(clock: BankClock) {
    if let Err(error) = clock.follow().await {
        tracing::warn!(error = &error as &dyn std::error::Error, "the bank's clock was not followed");
    }
}

/// Does batch after batch of what is due at the bank until nothing is left.
async fn turn(diary: Diary) {
    loop {
        match diary.turn().await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                return tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "what is due at the bank was not done"
                );
            }
        }
    }
}

/// Removes batch after batch until nothing is left.
async fn purge(context: Context) {
    loop {
        match workers::purge(&context).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                return tracing::warn!(error = &error as &dyn std::error::Error, "what has ended was not removed");
            }
        }
    }
}
