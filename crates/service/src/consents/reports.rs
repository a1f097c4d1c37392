//! Reports changes of consents to a bank that wants reports, each until the bank has accepted it, and raises the events of
//! expired consents. Source: AIS-078, SET-035.

use super::changes::{CHANGE_JOB_KIND, EXPIRY_JOB_KIND, JobSubject, expiry_job};
use crate::workers::{ClaimedJobs, call_bank_within_limit, claim_jobs, release_failed_job};
use crate::{Context, Failure};
use jiff::{SignedDuration, Timestamp};
use lombard_domain::consent::{Consent, ConsentState};
use lombard_domain::ids::ConsentId;
use lombard_domain::job::Job;
use lombard_ports::bank::{CallContext, CallingClient, ConsentChange, ConsentChangeKind, CoreState};
use lombard_ports::store::{Owned, ServerTransaction};
use std::collections::BTreeMap;

/// The number of changes that are reported at a time.
const BATCH: u32 = 64;
/// The duration of the lease of one batch, after which another node may claim it: long enough for several calls of the bank.
const LEASE: SignedDuration = SignedDuration::from_secs(60);

/// Executes a batch of jobs: raises the events of expired consents, and reports changes to a bank that wants reports. Returns the
/// number of claimed jobs; zero means that none is due now. The function may run twice and on several nodes: an event is raised
/// once, and the bank ignores a change that it has already accepted. The changes of one consent are reported one after another,
/// by number. A failed report is retried with growing delay, and quarantined if the failure is permanent.
///
/// # Errors
/// Storage's failure; the next activation finds the same changes.
pub async fn report_consent_changes(context: &Context) -> Result<usize, Failure> {
    let changes = if context.bank.takes_consent_changes() {
        report_jobs(context, CHANGE_JOB_KIND, context.clocks.wall_now()).await?
    } else {
        0
    };
    let bank_now = context.clocks.bank_now();
    Ok(changes.saturating_add(report_jobs(context, EXPIRY_JOB_KIND, bank_now).await?))
}

async fn report_jobs(context: &Context, kind: &'static str, now: Timestamp) -> Result<usize, Failure> {
    let ClaimedJobs { jobs, found } = claim_jobs(context, kind, now, LEASE, BATCH).await?;
    let mut of_consents: BTreeMap<Option<ConsentId>, Vec<(Option<JobSubject>, Job)>> = BTreeMap::new();
    for job in jobs {
        let subject = JobSubject::read(&job.subject);
        let consent = subject.as_ref().map(|subject| subject.consent.clone());
        of_consents.entry(consent).or_default().push((subject, job));
    }
    let in_order = of_consents.into_values().map(|mut changes| async move {
        changes.sort_by_key(|(subject, _)| subject.as_ref().map(|subject| subject.number));
        for (subject, job) in changes {
            report_job(context, subject, job, now).await;
        }
    });
    futures_util::future::join_all(in_order).await;
    Ok(found)
}

/// Raises the event of a claimed job's expiry and reports its change.
async fn report_job(context: &Context, subject: Option<JobSubject>, job: Job, now: Timestamp) {
    let reported = match subject {
        Some(subject) => raise_and_report(context, &subject).await.map(|state| (state, subject.consent)),
        None => Err(Failure::Broken("a job names no change of a consent".into())),
    };
    let done = match reported {
        Ok((state, consent)) => {
            let complete = move |tx: &mut dyn ServerTransaction| {
                if let Some(state) = &state {
                    tx.consent_set_core_state(&consent, state)?;
                }
                Ok::<_, Failure>(tx.job_complete(&job.id).map(drop)?)
            };
            context.store.write(complete).await
        }
        Err(error) => {
            tracing::warn!(error = &error as &dyn std::error::Error, "a change of a consent was not reported");
            metrics::counter!("lombard_consent_changes_not_reported_total").increment(1);
            release_failed_job(context, &job, &error, now).await
        }
    };
    if let Err(error) = done {
        tracing::warn!(error = &error as &dyn std::error::Error, "a job was neither completed nor released");
    }
}

/// Raises the event and reports the change. The event does not depend on the bank: it is raised even if the report fails.
async fn raise_and_report(context: &Context, subject: &JobSubject) -> Result<Option<CoreState>, Failure> {
    if subject.change == ConsentChangeKind::Expired {
        raise_expiry(context, &subject.consent).await?;
    }
    if !context.bank.takes_consent_changes() {
        return Ok(None);
    }
    call_bank_within_limit(report(context, subject)).await
}

/// Raises the event of an expired consent, once for each expiry time. No event is raised for a revoked or deleted consent. A
/// consent that expires later, for example if its job was created by the migration of the database, gets another job. Source:
/// AIS-078, SET-035, SET-036.
async fn raise_expiry(context: &Context, consent: &ConsentId) -> Result<(), Failure> {
    let (id, inside) = (consent.clone(), context.clone());
    let raise = move |tx: &mut dyn ServerTransaction| {
        let Some(found) = tx.consent_any_owner(&id)? else { return Ok(()) };
        let Owned::Mine(consent) = tx.consent_for_update(&found.client, &id)? else { return Ok(()) };
        let (Some(change), Some(end)) = (consent.expiry_change(), consent.access_ends_at()) else { return Ok(()) };
        if consent.state != ConsentState::Authorised {
            return Ok(());
        }
        if end > inside.clocks.read_bank_time(tx)? {
            tx.job_enqueue(&expiry_job(&inside.ids, &consent, end))?;
        } else if tx.consent_record_expiry(&id, end)? {
            inside.outbox.raise(tx, &change)?;
        }
        Ok::<_, Failure>(())
    };
    context.store.write(raise).await
}

/// Reports a change, if the consent still has the state that the change describes. Returns the state that the core sets on the
/// consent.
async fn report(context: &Context, subject: &JobSubject) -> Result<Option<CoreState>, Failure> {
    let (id, clocks) = (subject.consent.clone(), context.clocks.clone());
    let found = context.store.read(move |tx| {
        let Some(consent) = tx.consent_any_owner(&id)? else { return Ok(None) };
        let client = tx.client(&consent.client)?;
        let client = client.map(|client| CallingClient { id: client.id, organisation: client.org_id });
        Ok::<_, Failure>(Some((client, consent, clocks.read_bank_time(tx)?)))
    });
    let Some((client, consent, now)) = found.await? else { return Ok(None) };
    let Some(number) = number_to_report(subject, &consent, now) else { return Ok(None) };
    let call = CallContext::under_consent(client, &consent);
    let change = ConsentChange::new(&consent, number, subject.change, now);
    Ok(context.bank.report_consent_change(&call, &change).await?)
}

/// The number of a change; `None` if it is obsolete: the consent has ended since, which a later change reports, or it has not
/// expired.
fn number_to_report(subject: &JobSubject, consent: &Consent, now: Timestamp) -> Option<i64> {
    let is_live = consent.state == ConsentState::Authorised && consent.deleted_at.is_none();
    let is_over = consent.access_ends_at().is_some_and(|end| end <= now);
    match subject.change {
        ConsentChangeKind::Authorised | ConsentChangeKind::Changed => {
            let has_ended = consent.deleted_at.is_some() || matches!(consent.state, ConsentState::Revoked(_));
            (!has_ended).then_some(subject.number)
        }
        ConsentChangeKind::Revoked => Some(subject.number),
        // Changes after the one that set this end have increased the number.
        ConsentChangeKind::Expired => (is_live && is_over).then(|| ConsentChange::number_of(consent).saturating_add(1)),
    }
}
