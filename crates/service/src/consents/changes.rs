//! Stores changed consents. Every change is stored by this module, so that it is reported to a bank that wants reports, and so
//! that the expiry of a consent raises its event.
//!
//! The change and its jobs are stored in one transaction: one job reports the change to the bank, and one is due when the consent
//! ends. A job contains the change and its number; the state of the consent is read when the job is executed.

use crate::Context;
use jiff::Timestamp;
use lombard_domain::consent::Consent;
use lombard_domain::ids::ConsentId;
use lombard_domain::job::Job;
use lombard_ports::bank::{ConsentChange, ConsentChangeKind};
use lombard_ports::clock::Clocks;
use lombard_ports::entropy::IdGenerator;
use lombard_ports::store::{ServerTransaction, StoreError};

/// The kind of job that reports a change of a consent; due on the wall clock.
pub(crate) const CHANGE_JOB_KIND: &str = "consent-change";
/// The kind of job that raises the event of a consent's expiry and reports the expiry; due on the bank's clock.
pub(crate) const EXPIRY_JOB_KIND: &str = "consent-expiry";

/// The means to report changes of consents and to notice their expiry.
#[derive(Debug, Clone)]
pub struct ConsentReports {
    /// Whether the bank wants reports. Events of expiries are raised in any case.
    pub is_wanted: bool,
    /// The generator of job ids.
    pub ids: IdGenerator,
    /// The clocks by which jobs are due.
    pub clocks: Clocks,
}

impl Context {
    /// The means to report changes of consents to this context's bank.
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

/// Stores a consent in which only the reason for its status changed, which is not reported to the bank.
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
    let Some(change) = ConsentChangeKind::between(before, after) else { return Ok(()) };
    if reports.is_wanted {
        let number = ConsentChange::number_of(after);
        let subject = JobSubject { change, number, consent: after.id.clone() }.write();
        tx.job_enqueue(&Job::new(reports.ids.ordered(), CHANGE_JOB_KIND, subject, reports.clocks.wall_now()))?;
    }
    let is_expiry_noticed = reports.is_wanted || after.expiry_change().is_some();
    match (change, after.access_ends_at().filter(|_| is_expiry_noticed)) {
        (ConsentChangeKind::Authorised | ConsentChangeKind::Changed, Some(end)) => {
            tx.job_enqueue(&expiry_job(&reports.ids, after, end))
        }
        (ConsentChangeKind::Authorised | ConsentChangeKind::Changed, None)
        | (ConsentChangeKind::Revoked | ConsentChangeKind::Expired, _) => Ok(()),
    }
}

/// The job of a consent's expiry, due when it ends.
pub(crate) fn expiry_job(ids: &IdGenerator, consent: &Consent, end: Timestamp) -> Job {
    let number = ConsentChange::number_of(consent).saturating_add(1);
    let subject = JobSubject { change: ConsentChangeKind::Expired, number, consent: consent.id.clone() };
    Job::new(ids.ordered(), EXPIRY_JOB_KIND, subject.write(), end)
}

/// The change that a job reports, parsed from the job's subject.
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
