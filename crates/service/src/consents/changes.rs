//! The one place where a consent is stored again, so that every change of it reaches a bank that wants to be told.
//!
//! The change and the job that reports it are stored in one transaction. The job holds what changed and the number of the change;
//! how the consent stands is read when it is reported.

use crate::Context;
use lombard_domain::consent::Consent;
use lombard_domain::ids::ConsentId;
use lombard_domain::job::Job;
use lombard_ports::bank::{ConsentChange, ConsentChangeKind};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{ServerTransaction, StoreError};

/// The kind of job that reports a change of a consent; due on the wall clock.
pub(crate) const CHANGE_JOB_KIND: &str = "consent-change";
/// The kind of job that reports the expiry of a consent; due on the bank's clock.
pub(crate) const EXPIRY_JOB_KIND: &str = "consent-expiry";

/// What it takes to have changes of consents reported.
#[derive(Debug, Clone)]
pub struct ConsentReports {
    /// Whether the bank wants to be told.
    pub is_wanted: bool,
    /// The ids of jobs.
    pub ids: IdGenerator,
    /// When they are due.
    pub clocks: Clocks,
}

impl Context {
    /// How changes of consents are reported to this context's bank.
    pub fn consent_reports(&self) -> ConsentReports {
        let is_wanted = self.bank.takes_consent_changes();
        ConsentReports { is_wanted, ids: self.ids.clone(), clocks: self.clocks.clone() }
    }
}

/// Stores a changed consent.
///
/// # Errors
/// As [`ConsentStore::consent_update`](lombard_ports::store::ConsentStore::consent_update).
#[expect(clippy::disallowed_methods, reason = "the change is reported here")]
pub(crate) fn store_consent(
    tx: &mut dyn ServerTransaction,
    context: &Context,
    before: &Consent,
    after: &Consent,
) -> Result<(), StoreError> {
    tx.consent_update(after)?;
    enqueue_reports(tx, &context.consent_reports(), before, after)
}

/// Stores a consent in the form of a newer version.
///
/// # Errors
/// As [`ConsentStore::consent_migrate`](lombard_ports::store::ConsentStore::consent_migrate).
#[expect(clippy::disallowed_methods, reason = "the change is reported here")]
pub(crate) fn store_migrated_consent(
    tx: &mut dyn ServerTransaction,
    reports: &ConsentReports,
    before: &Consent,
    after: &Consent,
) -> Result<(), StoreError> {
    tx.consent_migrate(after)?;
    enqueue_reports(tx, reports, before, after)
}

/// Stores a consent of which nothing changed that concerns the bank: the reason for its status.
///
/// # Errors
/// As [`ConsentStore::consent_update`](lombard_ports::store::ConsentStore::consent_update).
#[expect(clippy::disallowed_methods, reason = "a bank is not told of reasons")]
pub fn store_status_reason(tx: &mut dyn ServerTransaction, consent: &Consent) -> Result<(), StoreError> {
    tx.consent_update(consent)
}

fn enqueue_reports(
    tx: &mut dyn ServerTransaction,
    reports: &ConsentReports,
    before: &Consent,
    after: &Consent,
) -> Result<(), StoreError> {
    if !reports.is_wanted {
        return Ok(());
    }
    let Some(change) = ConsentChangeKind::between(before, after) else { return Ok(()) };
    let number = ConsentChange::number_of(after);
    let job = |kind, change, number, due_at| {
        let subject = JobSubject { change, number, consent: after.id.clone() };
        Job::new(reports.ids.ordered(), kind, subject.write(), due_at)
    };
    tx.job_enqueue(&job(CHANGE_JOB_KIND, change, number, reports.clocks.wall_now()))?;
    match (change, after.access_ends_at()) {
        (ConsentChangeKind::Authorised | ConsentChangeKind::Changed, Some(end)) => {
            let expiry = (ConsentChangeKind::Expired, number.saturating_add(1));
            tx.job_enqueue(&job(EXPIRY_JOB_KIND, expiry.0, expiry.1, end))
        }
        (ConsentChangeKind::Authorised | ConsentChangeKind::Changed, None)
        | (ConsentChangeKind::Revoked | ConsentChangeKind::Expired, _) => Ok(()),
    }
}

/// The change that a job reports, as its subject names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JobSubject {
    pub(super) change: ConsentChangeKind,
    pub(super) number: i64,
    pub(super) consent: ConsentId,
}

const KINDS: [(ConsentChangeKind, &str); 4] = [
    (ConsentChangeKind::Authorised, "authorised"),
    (ConsentChangeKind::Changed, "changed"),
    (ConsentChangeKind::Revoked, "revoked"),
    (ConsentChangeKind::Expired, "expired"),
];

impl JobSubject {
    fn write(&self) -> String {
        let name = KINDS.iter().find(|(kind, _)| *kind == self.change).map_or("", |(_, name)| name);
        format!("{name}/{}/{}", self.number, self.consent)
    }

    /// Reads the subject of a job; `None` if it has another form.
    pub(super) fn read(subject: &str) -> Option<Self> {
        let mut parts = subject.splitn(3, '/');
        let (name, number, consent) = (parts.next()?, parts.next()?, parts.next()?);
        let (change, _) = KINDS.into_iter().find(|(_, known)| *known == name)?;
        Some(Self { change, number: number.parse().ok()?, consent: consent.into() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_subject_of_a_job_reads_back() {
        for (change, _) in KINDS {
            let subject = JobSubject { change, number: 8, consent: "a/b".into() };
            assert_eq!(JobSubject::read(&subject.write()), Some(subject));
        }
        for other in ["", "changed/8", "changed/x/c", "forgotten/8/c"] {
            assert_eq!(JobSubject::read(other), None, "{other}");
        }
    }
}
