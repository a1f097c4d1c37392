//! Jobs, claimed by lease.

use crate::in_list::{in_list, list_ids};
use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::not_quarantined;
use lombard_database::quarantine::due_rows;
use lombard_database::statement::{SqlStatement, SqlText, both};
use lombard_database::statements;
use lombard_database::value::{SqlRow, SqlValue};
use lombard_domain::ids::JobId;
use lombard_domain::job::Job;
use lombard_ports::store::{DueRows, JobQueue, JobsLeft, StoreError, WorkKind};

/// The condition of jobs of the kind `$2` that are due at `$3` and can be claimed.
macro_rules! claimable {
    () => {
        concat!(
            "jobs.kind = $2 AND due_at <= $3 AND lease_until <= $3 AND ",
            not_quarantined!("quarantined_work", "job", "jobs.id")
        )
    };
}

macro_rules! claim {
    ($some:literal, $which:expr, $limit:literal, $lock:literal, $end:literal) => {
        concat!(
            "UPDATE jobs SET lease_until = $1, attempts = attempts + 1 WHERE id ",
            $some,
            "SELECT id FROM jobs WHERE ",
            claimable!(),
            $which,
            " ORDER BY due_at, id LIMIT ",
            $limit,
            $lock,
            $end,
            " RETURNING id, kind, subject, due_at, attempts"
        )
    };
    ($which:expr, $limit:literal) => {
        // `ARRAY` makes PostgreSQL evaluate the sub-query once; otherwise the planner might run it again and lock more rows than
        // the limit.
        SqlText {
            sqlite: claim!("IN (", $which, $limit, "", ")"),
            postgres: claim!("= ANY (ARRAY(", $which, $limit, " FOR UPDATE SKIP LOCKED", "))"),
        }
    };
}

/// Selects, of these jobs, the first `$4` of each client whose backchannel request is the subject.
macro_rules! first_of_each_client {
    () => {
        concat!(
            " AND id IN (SELECT ranked.id FROM (SELECT jobs.id, ROW_NUMBER() OVER \
             (PARTITION BY backchannel_requests.client_id ORDER BY due_at, jobs.id) AS place \
             FROM jobs LEFT JOIN backchannel_requests ON backchannel_requests.id = jobs.subject WHERE ",
            claimable!(),
            ") AS ranked WHERE place <= $4)"
        )
    };
}

statements! { "jobs" =>
    ENQUEUE = both(
        "INSERT INTO jobs (id, kind, subject, due_at, lease_until, attempts) VALUES ($1, $2, $3, $4, 0, $5)");
    CLAIM = claim!("", "$4");
    // SQLite numbers parameters in the order in which they first appear in the text.
    CLAIM_BY_CLIENT = claim!(first_of_each_client!(), "$5");
    LEFT = both(concat!(
        "SELECT COALESCE(SUM(CASE WHEN due_at <= $1 THEN 1 ELSE 0 END), 0), \
         COALESCE(SUM(CASE WHEN due_at > $1 AND attempts > 0 THEN 1 ELSE 0 END), 0) FROM jobs WHERE jobs.kind = $2 AND ",
        not_quarantined!("quarantined_work", "job", "jobs.id")));
    EXISTING = SqlText {
        sqlite: concat!("SELECT id FROM jobs WHERE id ", in_list!(sqlite 1)),
        postgres: concat!("SELECT id FROM jobs WHERE id ", in_list!(postgres 1)),
    };
    COMPLETE = both("DELETE FROM jobs WHERE id = $1");
    COMPLETE_ALL = SqlText {
        sqlite: concat!("DELETE FROM jobs WHERE id ", in_list!(sqlite 1)),
        postgres: concat!("DELETE FROM jobs WHERE id ", in_list!(postgres 1)),
    };
    RELEASE = both("UPDATE jobs SET due_at = $1, lease_until = 0 WHERE id = $2");
}

impl JobQueue for Rows<'_, '_> {
    fn job_enqueue(&mut self, job: &Job) -> Result<(), StoreError> {
        self.execute_later(&ENQUEUE, &insert_parameters(job))
    }

    fn jobs_claim(
        &mut self,
        kind: &str,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u32,
    ) -> Result<DueRows<Job>, StoreError> {
        self.claim(&CLAIM, &[lease_until.into(), kind.into(), now.into(), i64::from(limit).into()])
    }

    fn jobs_claim_by_client(
        &mut self,
        kind: &str,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u32,
        of_client: u32,
    ) -> Result<DueRows<Job>, StoreError> {
        let [limit, of_client] = [limit, of_client].map(|bound| i64::from(bound).into());
        self.claim(&CLAIM_BY_CLIENT, &[lease_until.into(), kind.into(), now.into(), of_client, limit])
    }

    fn jobs_existing(&mut self, ids: &[JobId]) -> Result<Vec<JobId>, StoreError> {
        self.all(&EXISTING, &[list_ids(ids.iter().map(JobId::as_str))], |row| row.id())
    }

    fn jobs_left(&mut self, kind: &str, now: Timestamp) -> Result<JobsLeft, StoreError> {
        let parameters = [now.into(), kind.into()];
        let read = |row: &mut SqlRow<'_>| Ok(JobsLeft { due: row.integer()?, deferred: row.integer()? });
        Ok(self.one(&LEFT, &parameters, read)?.unwrap_or_default())
    }

    fn job_complete(&mut self, id: &JobId) -> Result<bool, StoreError> {
        Ok(self.execute(&COMPLETE, &[id.into()])? > 0)
    }

    fn jobs_complete(&mut self, ids: &[JobId]) -> Result<(), StoreError> {
        self.execute_later(&COMPLETE_ALL, &[list_ids(ids.iter().map(JobId::as_str))])
    }

    fn job_release(&mut self, id: &JobId, due_at: Timestamp) -> Result<(), StoreError> {
        self.execute_later(&RELEASE, &[due_at.into(), id.into()])
    }
}

impl Rows<'_, '_> {
    fn claim(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<DueRows<Job>, StoreError> {
        let claimed = self.all_changed(statement, parameters, |row| Ok(read(row)))?;
        let mut due = due_rows(WorkKind::Job, claimed);
        // `RETURNING` returns rows in no defined order.
        due.rows.sort_by(|a, b| (a.due_at, &a.id).cmp(&(b.due_at, &b.id)));
        Ok(due)
    }
}

/// The columns of a new job.
pub(crate) fn insert_parameters(job: &Job) -> [SqlValue<'_>; 5] {
    [(&job.id).into(), (&job.kind).into(), (&job.subject).into(), job.due_at.into(), job.attempts.into()]
}

fn read(row: &mut SqlRow<'_>) -> Result<Job, StoreError> {
    Ok(Job { id: row.id()?, kind: row.id()?, subject: row.id()?, due_at: row.instant()?, attempts: row.integer()? })
}
