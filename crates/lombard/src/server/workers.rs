//! Background workers: each runs periodically, some also when notified; a stop takes effect between two activations.

use super::Core;
use lombard_auth::AuthorisationServer;
use lombard_auth::authorisation::backchannel::{advance_provider_logins, send_notifications};
use lombard_auth::callers::CallerResolver;
use lombard_auth::keys::Keyring;
use lombard_ports::bank::Scheduler;
use lombard_ports::notification::NotificationSender;
use lombard_sandbox::controls::BankClock;
use lombard_service::events::EventPolling;
use lombard_service::workers::Quarantines;
use lombard_service::{Context, consents, events, payments, workers};
use metrics_exporter_prometheus::PrometheusHandle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

/// The interval at which a node reads keys that other nodes added. Source: AS-008.
const KEYS_EVERY: Duration = Duration::from_secs(60);
/// The interval at which a node reads the bank's clock offset.
const CLOCK_EVERY: Duration = Duration::from_millis(500);
/// The interval of the built-in bank's scheduler.
const SCHEDULER_EVERY: Duration = Duration::from_millis(500);
/// The interval at which orders of other nodes, and orders to be retried, are submitted to the bank.
const SUBMISSION_EVERY: Duration = Duration::from_millis(500);
/// The interval at which status updates are polled.
const STATUS_UPDATES_EVERY: Duration = Duration::from_millis(500);
/// The interval at which expired payment consents are rejected and orders lapse, short because testers move the bank's clock.
/// Usually it costs two index look-ups without a result.
const PAYMENTS_EVERY: Duration = Duration::from_secs(2);
/// The interval at which changes of consents are reported to the bank.
const REPORTS_EVERY: Duration = Duration::from_millis(500);
/// The interval at which decoupled logins at the identity provider are looked at.
const PROVIDER_LOGINS_EVERY: Duration = Duration::from_millis(500);
/// The interval at which clients are notified of answered backchannel requests.
const NOTIFICATIONS_EVERY: Duration = Duration::from_millis(500);
/// The interval at which changes of accounts are fetched from the bank.
const ACCOUNT_CHANGES_EVERY: Duration = Duration::from_secs(2);
/// How often expired rows are purged.
const PURGE_EVERY: Duration = Duration::from_secs(60);

/// How often the quarantine is counted.
const MEASURE_EVERY: Duration = Duration::from_secs(15);

/// How often the last use of consents is stored.
const USES_EVERY: Duration = Duration::from_secs(30);

/// How often deliveries of events are stored.
const DELIVERIES_EVERY: Duration = Duration::from_secs(1);

/// How often histogram samples are moved to their buckets. Until then they use memory: about 54 bytes per request.
const METRICS_EVERY: Duration = Duration::from_secs(1);

/// The workers of a server.
#[derive(Debug)]
pub(super) struct Workers {
    tasks: TaskTracker,
    stopping: CancellationToken,
}

impl Workers {
    /// Starts all workers; with a movable clock also those of a sandbox.
    pub(super) fn start(
        context: Context,
        keys: Keyring,
        callers: CallerResolver,
        clock: Option<BankClock>,
        core: &Core,
    ) -> Self {
        let workers = Self { tasks: TaskTracker::new(), stopping: CancellationToken::new() };
        workers.every(KEYS_EVERY, move || {
            let keys = keys.clone();
            async move {
                if let Err(error) = keys.refresh_keys().await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "signing keys were not refreshed");
                }
            }
        });
        workers.run_bank_workers(&context, core.scheduler.clone());
        let quarantines = Quarantines::new(context.store.clone(), core.quarantine.clone());
        workers.every(MEASURE_EVERY, move || measure(quarantines.clone()));
        workers.every(PURGE_EVERY, move || purge(context.clone()));
        workers.every(USES_EVERY, move || {
            let callers = callers.clone();
            async move { write_consent_uses(&callers).await }
        });
        if let Some(clock) = clock {
            workers.run_clock(clock);
        }
        workers
    }

    /// Starts the workers of the built-in bank in a process of its own: its scheduler and its clock.
    pub(super) fn start_bank(clock: BankClock, scheduler: Arc<dyn Scheduler>) -> Self {
        let workers = Self { tasks: TaskTracker::new(), stopping: CancellationToken::new() };
        workers.run_scheduler(scheduler, Arc::default());
        workers.run_clock(clock);
        workers
    }

    /// Starts the worker that follows the bank's clock.
    fn run_clock(&self, clock: BankClock) {
        let is_lost = Arc::<AtomicBool>::default();
        self.every(CLOCK_EVERY, move || follow_bank_clock(clock.clone(), Arc::clone(&is_lost)));
    }

    /// Starts the worker of the built-in bank's scheduled work, which notifies when some was done.
    fn run_scheduler(&self, scheduler: Arc<dyn Scheduler>, told: Arc<Notify>) {
        let running = Arc::clone(&scheduler);
        self.whenever(
            SCHEDULER_EVERY,
            move || {
                let scheduler = Arc::clone(&scheduler);
                async move { scheduler.wait_until_due().await }
            },
            move || run_due(Arc::clone(&running), Arc::clone(&told)),
        );
    }

    /// Starts the workers that the bank takes part in: submission of orders, the built-in bank's scheduler, status updates, changes of
    /// consents and of accounts, and expiry.
    fn run_bank_workers(&self, context: &Context, scheduler: Option<Arc<dyn Scheduler>>) {
        // Notified after work that may have produced status updates.
        let told = Arc::new(Notify::new());
        let (giving, ordered, tells) = (context.clone(), Arc::clone(&context.payments.order_notify), Arc::clone(&told));
        self.whenever(
            SUBMISSION_EVERY,
            move || Arc::clone(&ordered).notified_owned(),
            move || run_submission(giving.clone(), Arc::clone(&tells)),
        );
        if let Some(scheduler) = scheduler {
            self.run_scheduler(scheduler, Arc::clone(&told));
        }
        let hearing = context.clone();
        self.whenever(
            STATUS_UPDATES_EVERY,
            move || Arc::clone(&told).notified_owned(),
            move || run_status_updates(hearing.clone()),
        );
        let reporting = context.clone();
        self.every(REPORTS_EVERY, move || run_consent_reports(reporting.clone()));
        let telling = context.clone();
        self.every(ACCOUNT_CHANGES_EVERY, move || run_account_changes(telling.clone()));
        let keeping = context.clone();
        self.every(PAYMENTS_EVERY, move || run_payment_workers(keeping.clone()));
    }

    /// Bounds the memory of the metrics while `/metrics` is not read.
    pub(super) fn run_metric_workers(&self, metrics: PrometheusHandle) {
        self.every(METRICS_EVERY, move || {
            metrics.run_upkeep();
            std::future::ready(())
        });
    }

    /// Stores deliveries, and drops expired events.
    pub(super) fn run_event_workers(&self, polling: EventPolling) {
        let (writing, dropping) = (polling.clone(), polling);
        self.every(DELIVERIES_EVERY, move || {
            let polling = writing.clone();
            async move { write_deliveries(&polling).await }
        });
        self.every(PURGE_EVERY, move || {
            let polling = dropping.clone();
            async move {
                if let Err(error) = polling.drop_expired_events().await {
                    tracing::warn!(error = &error as &dyn std::error::Error, "old events were not dropped");
                }
            }
        });
    }

    /// Puts backchannel requests to customers through the identity provider, and notifies clients of answered ones.
    pub(super) fn run_backchannel_workers(&self, auth: AuthorisationServer, sender: Arc<dyn NotificationSender>) {
        let asking = auth.clone();
        self.every(PROVIDER_LOGINS_EVERY, move || run_provider_logins(asking.clone()));
        self.every(NOTIFICATIONS_EVERY, move || run_notifications(auth.clone(), Arc::clone(&sender)));
    }

    /// Runs work at a fixed interval.
    fn every<F>(&self, period: Duration, work: impl FnMut() -> F + Send + 'static)
    where
        F: Future<Output = ()> + Send,
    {
        self.whenever(period, std::future::pending, work);
    }

    /// Runs periodically and when notified. A notification during a run starts another run.
    fn whenever<B, F>(
        &self,
        period: Duration,
        mut notify: impl FnMut() -> B + Send + 'static,
        mut work: impl FnMut() -> F + Send + 'static,
    ) where
        B: Future<Output = ()> + Send,
        F: Future<Output = ()> + Send,
    {
        let stopping = self.stopping.clone();
        self.tasks.spawn(async move {
            let mut due = interval(period);
            due.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let mut activated = async || {
                tokio::select! {
                    _ = due.tick() => {}
                    () = notify() => {}
                }
            };
            while stopping.run_until_cancelled(activated()).await.is_some() {
                work().await;
            }
        });
    }

    /// Waits for the running activations to finish, up to this limit.
    pub(super) async fn stop(&self, within: Duration) {
        self.stopping.cancel();
        self.tasks.close();
        if tokio::time::timeout(within, self.tasks.wait()).await.is_err() {
            tracing::warn!("a worker did not finish in time");
        }
    }
}

/// Takes decoupled logins a step further, batch by batch, until none is due.
async fn run_provider_logins(auth: AuthorisationServer) {
    loop {
        match advance_provider_logins(&auth).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                return tracing::warn!(error = &error as &dyn std::error::Error, "decoupled logins were not looked at");
            }
        }
    }
}

/// Sends notifications, batch by batch, until none is due.
async fn run_notifications(auth: AuthorisationServer, sender: Arc<dyn NotificationSender>) {
    loop {
        match send_notifications(&auth, &*sender).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                return tracing::warn!(error = &error as &dyn std::error::Error, "clients were not notified");
            }
        }
    }
}

/// Writes down which consents were used since the last time.
pub(super) async fn write_consent_uses(callers: &CallerResolver) {
    if let Err(error) = callers.write_consent_uses().await {
        tracing::warn!(error = &error as &dyn std::error::Error, "the last use of consents was not stored");
    }
}

/// Writes down which events were delivered since the last time.
pub(super) async fn write_deliveries(polling: &EventPolling) {
    if let Err(error) = polling.write_deliveries().await {
        tracing::warn!(error = &error as &dyn std::error::Error, "event deliveries were not stored");
    }
}

/// Counts what is in quarantine.
async fn measure(quarantines: Quarantines) {
    if let Err(error) = quarantines.measure().await {
        tracing::warn!(error = &error as &dyn std::error::Error, "the quarantine was not counted");
    }
}

/// Adopts the stored offset of the bank's clock. A failure is logged once, until the clock is read again.
async fn follow_bank_clock(clock: BankClock, is_lost: Arc<AtomicBool>) {
    match clock.adopt_stored_offset().await {
        Ok(_) => is_lost.store(false, Ordering::Relaxed),
        Err(error) => {
            if !is_lost.swap(true, Ordering::Relaxed) {
                tracing::warn!(error = &error as &dyn std::error::Error, "the bank's clock offset is not read");
            }
        }
    }
}

/// Submits orders to the bank, batch by batch, until none is due.
async fn run_submission(context: Context, told: Arc<Notify>) {
    loop {
        match payments::execution::submit_orders(&context).await {
            Ok(0) => return,
            Ok(_) => told.notify_one(),
            Err(error) => {
                return tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "orders were not submitted to the bank"
                );
            }
        }
    }
}

/// Applies status updates batch by batch until none is left.
async fn run_status_updates(context: Context) {
    loop {
        match payments::execution::apply_status_updates(&context).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                return tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the bank's status updates were not applied"
                );
            }
        }
    }
}

/// Reports changes of consents to the bank, batch by batch, until none is due.
async fn run_consent_reports(context: Context) {
    loop {
        match consents::report_consent_changes(&context).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                return tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "changes of consents were not reported to the bank"
                );
            }
        }
    }
}

/// Applies the bank's changes of accounts, batch by batch, until none is left.
async fn run_account_changes(context: Context) {
    loop {
        match events::apply_account_changes(&context).await {
            Ok(0) => return,
            Ok(_) => {}
            Err(error) => {
                return tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "the bank's changes of accounts were not applied"
                );
            }
        }
    }
}

/// Rejects expired consents and lapsed orders, batch by batch, until none is left. A failure of one kind does not stop the
/// other.
async fn run_payment_workers(context: Context) {
    loop {
        let (rejected, lapsed) = tokio::join!(
            payments::expiry::reject_undecided_consents(&context),
            payments::expiry::reject_lapsed_orders(&context)
        );
        let mut done = 0_usize;
        for result in [rejected, lapsed] {
            match result {
                Ok(count) => done = done.saturating_add(count),
                Err(error) => {
                    tracing::warn!(error = &error as &dyn std::error::Error, "expired payments were not rejected");
                }
            }
        }
        if done == 0 {
            return;
        }
    }
}

/// Runs the scheduler, batch by batch, until nothing is due.
async fn run_due(scheduler: Arc<dyn Scheduler>, told: Arc<Notify>) {
    loop {
        match scheduler.run_due().await {
            Ok(0) => return,
            Ok(_) => told.notify_one(),
            Err(error) => {
                return tracing::warn!(
                    error = &error as &dyn std::error::Error,
                    "due work of the built-in bank was not done"
                );
            }
        }
    }
}

/// Purges ended rows. Failures are logged, and the rows are tried again.
async fn purge(context: Context) {
    // Each failure has been logged.
    let _failed = workers::purge_ended_rows(&context).await;
}
