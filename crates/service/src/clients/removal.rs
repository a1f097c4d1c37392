//! A worker ends the consents of a deleted client, with their grants and journeys. Source: DCR-043.
//!
//! A job records the position in the list of the client's consents up to which they have ended, so the cost of a batch does not
//! depend on the number of consents. An interrupted batch is repeated by the node that claims the job next; ended consents stay
//! ended. The TPP receives no events, because its queue is deleted.

use crate::consents::end_consent_of_deleted_client;
use crate::workers::{ClaimedJobs, claim_jobs};
use crate::{Context, Failure};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::ids::ClientId;
use lombard_domain::job::Job;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{ConsentPosition, JobQueue, ServerTransaction, StoreError};

/// The kind of the jobs.
const JOB_KIND: &str = "client-removal";
/// The number of deleted clients that a node works on at a time.
const CLIENTS: u32 = 4;
/// The number of consents of a client in one batch.
const BATCH: u32 = 200;
/// The duration of a job's lease, which is longer than a batch takes.
const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// The subject of a job: a client, and the consent up to which its consents have ended.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Progress {
    client: ClientId,
    after: Option<ConsentPosition>,
}

impl Progress {
    fn write(&self) -> String {
        let after = self.after.as_ref().map(|ConsentPosition { created_at, id }| {
            let micros = created_at.as_microsecond();
            format!(" {micros} {id}")
        });
        format!("{}{}", self.client, after.unwrap_or_default())
    }

    /// Reads the subject of a job; `None` if it has another form.
    fn read(subject: &str) -> Option<Self> {
        let mut parts = subject.splitn(3, ' ');
        let client = parts.next().filter(|client| !client.is_empty())?.into();
        let after = match (parts.next(), parts.next()) {
            (None, _) => None,
            (Some(micros), Some(id)) => {
                let created_at = Timestamp::from_microsecond(micros.parse().ok()?).ok()?;
                Some(ConsentPosition { created_at, id: id.into() })
            }
            (Some(_), None) => return None,
        };
        Some(Self { client, after })
    }
}

/// Adds the job for a client that this transaction marks as deleted.
pub(super) fn enqueue<S: JobQueue + ?Sized>(
    store: &mut S,
    ids: &IdGenerator,
    client: &ClientId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let progress = Progress { client: client.clone(), after: None };
    store.job_enqueue(&Job::new(ids.ordered(), JOB_KIND, progress.write(), now))
}

/// Ends a batch of consents of each of a few deleted clients. Returns the number of clients that were processed; zero means that
/// no work is due.
///
/// # Errors
/// [`Failure`], after every client was tried; the jobs are claimed again when the lease has ended.
pub async fn end_consents_of_deleted_clients(context: &Context) -> Result<usize, Failure> {
    let ClaimedJobs { jobs, found } = claim_jobs(context, JOB_KIND, context.clocks.wall_now(), LEASE, CLIENTS).await?;
    let mut done = Ok(());
    for job in jobs {
        done = done.and(end_batch(context, job).await);
    }
    done.map(|()| found)
}

async fn end_batch(context: &Context, job: Job) -> Result<(), Failure> {
    let Some(progress) = Progress::read(&job.subject) else {
        tracing::error!(job.id = job.id.as_str(), "a job to end the consents of a deleted client names none");
        return finish(context, job, None).await;
    };
    let (client, after) = (progress.client.clone(), progress.after.clone());
    let page = move |tx: &mut dyn ServerTransaction| tx.consents_of_client(&client, after.as_ref(), BATCH);
    let consents = context.store.read::<_, StoreError, _>(page).await?;
    for ConsentPosition { id, .. } in &consents {
        match end_consent_of_deleted_client(context, &progress.client, id).await {
            Ok(()) => {}
            // A consent that cannot be read is unusable anyway, as its client is refused, and it must not keep the others from
            // ending.
            Err(StoreError::Corrupt { .. }) => {
                tracing::error!(
                    consent.id = id.as_str(),
                    "a consent of a deleted client cannot be read and is left as it is"
                );
            }
            Err(error) => return Err(error.into()),
        }
    }
    let next = consents.last().map(|last| Progress { client: progress.client.clone(), after: Some(last.clone()) });
    if next.is_none() {
        tracing::info!(client.id = progress.client.as_str(), "the consents of a deleted client have ended");
    }
    finish(context, job, next).await
}

/// Completes a job, and adds the job that continues where this one ended.
async fn finish(context: &Context, job: Job, next: Option<Progress>) -> Result<(), Failure> {
    let (ids, now) = (context.ids.clone(), context.clocks.wall_now());
    let complete = move |tx: &mut dyn ServerTransaction| {
        // Another node may have completed the job after the lease expired; that node continues with the rest.
        if tx.job_complete(&job.id)?
            && let Some(next) = &next
        {
            tx.job_enqueue(&Job::new(ids.ordered(), JOB_KIND, next.write(), now))?;
        }
        Ok::<_, StoreError>(())
    };
    Ok(context.store.write(complete).await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_of_a_job_names_a_client_and_a_place() {
        let created_at = Timestamp::from_microsecond(1_700_000_000_123_456).unwrap();
        for after in [None, Some(ConsentPosition { created_at, id: "aac-1".into() })] {
            let progress = Progress { client: "c-1".into(), after };
            assert_eq!(Progress::read(&progress.write()), Some(progress));
        }
        for broken in ["", " 1 c", "c 1", "c x d", "c 99999999999999999999 d"] {
            assert_eq!(Progress::read(broken), None, "{broken:?}");
        }
    }
}
