//! Shared code of workers that call the bank: time limits, and the release of failed jobs.

use super::quarantine::{is_permanent, quarantine_work};
use crate::{Context, Failure};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::job::Job;
use lombard_ports::store::{FailedWork, WorkKind};
use std::time::Duration;

/// The time for which a worker waits for an answer of the bank. After that the bank counts as unavailable and the call is
/// retried.
const BANK_TIMEOUT: Duration = Duration::from_secs(10);
/// The longest delay before a job is retried.
const WAIT_MAX: SignedDuration = SignedDuration::from_secs(60);
/// The number of attempts after which a job with a permanent failure is quarantined.
const ATTEMPTS_MAX: i64 = 5;

/// Waits for an answer of the bank up to the time limit.
///
/// # Errors
/// [`Failure::Unavailable`] if the bank does not answer in time; otherwise the bank's failure.
pub(crate) async fn call_bank_within_limit<T, E: Into<Failure>>(
    asked: impl Future<Output = Result<T, E>> + Send,
) -> Result<T, Failure> {
    let answered = tokio::time::timeout(BANK_TIMEOUT, asked).await;
    answered.map_err(|late| Failure::Unavailable(late.into()))?.map_err(Into::into)
}

/// Releases a failed job, which is retried with growing delay from `now`, by the clock that its kind is due on. A permanent
/// failure is quarantined after some attempts.
///
/// # Errors
/// Storage's failure; the lease of the job expires then.
pub(crate) async fn release_failed_job(
    context: &Context,
    job: &Job,
    error: &Failure,
    now: Timestamp,
) -> Result<(), Failure> {
    if is_permanent(error) && job.attempts >= ATTEMPTS_MAX {
        let failed = vec![FailedWork::new(WorkKind::Job, job.id.as_str(), error)];
        if let Err(error) = quarantine_work(&context.store, &context.clocks, failed).await {
            tracing::warn!(error = &error as &dyn std::error::Error, "a job was not put in quarantine");
        }
    }
    let wait = WAIT_MAX.min(SignedDuration::from_secs(job.attempts.saturating_mul(job.attempts)));
    let (id, due_at) = (job.id.clone(), now.saturating_add(wait).unwrap_or(Timestamp::MAX));
    context.store.write(move |tx| Ok::<_, Failure>(tx.job_release(&id, due_at)?)).await
}
