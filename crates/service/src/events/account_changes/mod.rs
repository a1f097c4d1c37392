//! Raises an event for every consent that shares an account when the bank closes, switches or blocks it.
//!
//! The bank numbers its changes of accounts and keeps them until they are acknowledged. The events of a change and the number up
//! to which changes are applied are stored in one transaction, and the change is acknowledged after it: a change that is fetched
//! again, late, or by two nodes at once raises its events once.

use crate::context::Outbox;
use crate::workers::{ClaimedJobs, call_bank_within_limit, claim_jobs, is_permanent, release_failed_job};
use crate::{Context, Failure};
use jiff::SignedDuration;
use lombard_domain::event::{AccountReason, ResourceChange};
use lombard_domain::ids::{BankAccountId, FapiInteractionId};
use lombard_domain::job::Job;
use lombard_ports::bank::AccountChange;
use lombard_ports::clock::Clocks;
use lombard_ports::store::{ServerTransaction, StoreError};

/// The number of consents that are read at a time.
const CONSENTS: u32 = 200;
/// The largest number of changes fetched from the bank at a time.
const BATCH: u32 = 100;
/// The largest allowed difference between the number of a change and the last applied number. After a number that is far too
/// high, every later change would be taken for an applied one.
const JUMP_MAX: u64 = 1_000_000;
/// The setting with the number of the last change that was applied.
const APPLIED: &str = "bank.account_changes_applied";
/// The setting that a transaction writes first, so that concurrent transactions that apply changes wait for it.
const APPLIED_AT: &str = "bank.account_changes_applied_at";
/// The kind of job that applies a change which could not be applied when it was fetched; due on the wall clock.
pub(crate) const JOB_KIND: &str = "account-change";
/// The duration of the lease of such jobs, after which another node may claim them.
const LEASE: SignedDuration = SignedDuration::from_secs(30);

/// Applies a batch of the bank's changes of accounts, and those that could not be applied before and are due again. Returns the
/// number of new changes; zero means that none is left, or that the bank repeats applied changes. The function may run twice and
/// on several nodes. A change that can never be applied becomes a job, which is quarantined after some attempts and does not
/// delay others.
///
/// # Errors
/// The bank's failure, or storage's; changes that were not applied are delivered again. [`Failure::Broken`] if the bank skips
/// implausibly many numbers; the change and those after it wait until the bank corrects the numbers.
pub async fn apply_account_changes(context: &Context) -> Result<usize, Failure> {
    let deferred = tell_deferred_changes(context).await?;
    // The number is read before the bank is called, because the bank does not repeat changes that another node applies meanwhile.
    let applied_before = context.store.read(|tx| Ok::<_, Failure>(read_applied(tx)?)).await?;
    let changes = call_bank_within_limit(context.bank.fetch_account_changes(&context.call, BATCH)).await?;
    let Some(upto) = changes.iter().map(|change| change.number).max() else { return Ok(deferred) };
    // The applied number only increases, so a change with a lower number needs no transaction.
    let (repeated, unapplied): (Vec<_>, Vec<_>) = changes.into_iter().partition(|it| it.number <= applied_before);
    let only_repeated = unapplied.is_empty();
    let (mut applied, mut new) = (applied_before, 0_usize);
    for change in unapplied {
        let number = change.number;
        if applied > 0 && number.saturating_sub(applied) > JUMP_MAX {
            let jump = format!("the bank numbers a change of an account {number} after {applied}");
            return Err(Failure::Broken(jump.into()));
        }
        new = new.saturating_add(usize::from(apply_change(context, change).await?));
        applied = applied.max(number);
    }
    metrics::counter!("lombard_account_changes_repeated_total").increment(repeated.len() as u64);
    if only_repeated {
        tracing::warn!(
            account_change.number = upto,
            applied,
            repeated = repeated.len(),
            "the bank answers no change of an account that was not applied before"
        );
    }
    call_bank_within_limit(context.bank.acknowledge_account_changes(&context.call, upto)).await?;
    Ok(deferred.saturating_add(new))
}

/// Applies a change, unless it or a later one was applied before. Returns whether it was new.
async fn apply_change(context: &Context, change: AccountChange) -> Result<bool, Failure> {
    let (outbox, clocks, number) = (context.outbox.clone(), context.clocks.clone(), change.number);
    let told = AccountEnd::of_change(&change);
    let applied = context.store.write(move |tx| {
        let is_new = take_number(tx, &clocks, number)?;
        if is_new {
            told.raise(tx, &outbox, &clocks)?;
        }
        Ok::<_, Failure>(is_new)
    });
    match applied.await {
        Err(failure) if is_permanent(&failure) => {
            tracing::error!(
                account_change.number = number,
                error = &failure as &dyn std::error::Error,
                "a change of an account cannot be told now"
            );
            defer_change(context, &change).await
        }
        applied => applied,
    }
}

/// Stores a change as a job, to be applied later. Returns whether the change was new.
async fn defer_change(context: &Context, change: &AccountChange) -> Result<bool, Failure> {
    let (job, clocks, number) = (deferred_job(context, change), context.clocks.clone(), change.number);
    let defer = move |tx: &mut dyn ServerTransaction| {
        let is_new = take_number(tx, &clocks, number)?;
        if is_new {
            tx.job_enqueue(&job)?;
        }
        Ok::<_, Failure>(is_new)
    };
    context.store.write(defer).await
}

/// Records that the change with this number is applied. Returns whether it was not applied before; the caller then applies it in the
/// same transaction.
fn take_number(tx: &mut dyn ServerTransaction, clocks: &Clocks, number: u64) -> Result<bool, StoreError> {
    // The setting is written before the number is read, so that transactions of other nodes wait here.
    tx.setting_put(APPLIED_AT, &clocks.wall_now().to_string())?;
    let applied = read_applied(tx)?;
    if number <= applied {
        return Ok(false);
    }
    if number > applied.saturating_add(1) && applied > 0 {
        tracing::warn!(account_change.number = number, applied, "the bank has left out numbers of changes of accounts");
    }
    tx.setting_put(APPLIED, &number.to_string())?;
    Ok(true)
}

/// The number of the last change that was applied; 0 if none was.
fn read_applied(tx: &mut dyn ServerTransaction) -> Result<u64, StoreError> {
    match tx.setting(APPLIED)? {
        Some(text) => text.parse().map_err(|error: std::num::ParseIntError| tx.setting_corrupt(APPLIED, error.into())),
        None => Ok(0),
    }
}

/// An account that is no longer open to third parties, as reported to its TPPs.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AccountEnd {
    account: BankAccountId,
    reason: Option<AccountReason>,
    interaction_id: Option<FapiInteractionId>,
}

/// The codes of reasons in the subject of a job.
const REASONS: [(Option<AccountReason>, &str); 3] =
    [(Some(AccountReason::Closure), "closed"), (Some(AccountReason::Cass), "switched"), (None, "other")];

impl AccountEnd {
    fn of_change(change: &AccountChange) -> Self {
        Self { account: change.account.clone(), reason: change.reason, interaction_id: change.interaction_id.clone() }
    }

    /// Raises one event for each consent that now (bank clock) gives access to the account or allows payments from it. Source:
    /// SET-032, SET-033, SET-040, VRP-087.
    fn raise(&self, tx: &mut dyn ServerTransaction, outbox: &Outbox, clocks: &Clocks) -> Result<(), StoreError> {
        let (now, outbox) = (clocks.read_bank_time(tx)?, outbox.caused_by(self.interaction_id.as_ref()));
        let mut after = None;
        loop {
            let consents = tx.consents_sharing(&self.account, after.as_ref(), CONSENTS)?;
            let Some(last) = consents.last() else { return Ok(()) };
            after = Some(last.id.clone());
            let changes: Vec<ResourceChange> = consents
                .iter()
                .filter(|consent| consent.check_access(now).is_ok())
                .filter_map(|consent| consent.linked_account_change(&self.account, self.reason))
                .collect();
            outbox.raise_all(tx, &changes)?;
        }
    }

    /// The subject of its job. An account's id may contain any characters, so it comes last; an interaction id with a slash is
    /// omitted.
    fn write(&self) -> String {
        let reason = REASONS.iter().find(|(reason, _)| *reason == self.reason).map_or("other", |(_, name)| name);
        let interaction_id = self
            .interaction_id
            .as_ref()
            .map(FapiInteractionId::as_str)
            .filter(|interaction_id| !interaction_id.contains('/'));
        format!("{reason}/{}/{}", interaction_id.unwrap_or_default(), self.account)
    }

    fn read(subject: &str) -> Option<Self> {
        let mut parts = subject.splitn(3, '/');
        let (reason, interaction_id, account) = (parts.next()?, parts.next()?, parts.next()?);
        let (reason, _) = REASONS.into_iter().find(|(_, name)| *name == reason)?;
        let interaction_id = (!interaction_id.is_empty()).then(|| FapiInteractionId::new(interaction_id));
        Some(Self { account: account.into(), reason, interaction_id })
    }
}

fn deferred_job(context: &Context, change: &AccountChange) -> Job {
    let subject = AccountEnd::of_change(change).write();
    Job::new(context.ids.ordered(), JOB_KIND, subject, context.clocks.wall_now())
}

/// Applies the deferred changes that are due again. Returns the number of claimed jobs.
async fn tell_deferred_changes(context: &Context) -> Result<usize, Failure> {
    let now = context.clocks.wall_now();
    let ClaimedJobs { jobs, found } = claim_jobs(context, JOB_KIND, now, LEASE, BATCH).await?;
    for job in jobs {
        let (outbox, clocks, id) = (context.outbox.clone(), context.clocks.clone(), job.id.clone());
        let end = AccountEnd::read(&job.subject);
        let told = context.store.write(move |tx| {
            let end = end.as_ref().ok_or_else(|| Failure::Broken("a job names no change of an account".into()))?;
            // A node whose lease expired finds that the job is completed.
            if tx.job_complete(&id)? {
                end.raise(tx, &outbox, &clocks)?;
            }
            Ok::<_, Failure>(())
        });
        if let Err(failure) = told.await {
            release_failed_job(context, &job, &failure, now).await?;
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests;
