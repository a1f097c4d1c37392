//! Jobs, claimed by lease.

use crate::rows::Rows;
use jiff::Timestamp;
use lombard_database::not_quarantined;
use lombard_database::quarantine::due_rows;
use lombard_database::statement::{SqlText, both};
use lombard_database::statements;
use lombard_database::value::SqlRow;
use lombard_domain::ids::JobId;
use lombard_domain::job::Job;
use lombard_ports::store::{DueRows, JobQueue, StoreError, WorkKind};

macro_rules! claim {
    ($some:literal, $lock:literal, $end:literal) => {
        concat!(
            "UPDATE jobs SET lease_until = $1, attempts = attempts + 1 WHERE id ",
            $some,
            "SELECT id FROM jobs WHERE jobs.kind = $2 AND due_at <= $3 AND lease_until <= $3 AND ",
            not_quarantined!("quarantined_work", "job", "jobs.id"),
            " ",
            "ORDER BY due_at, id LIMIT $4",
            $lock,
            $end,
            " RETURNING id, kind, subject, due_at, attempts"
        )
    };
}

statements! { "jobs" =>
    ENQUEUE = both(
        "INSERT INTO jobs (id, kind, subject, due_at, lease_until, attempts) VALUES ($1, $2, $3, $4, 0, $5)");
    // `ARRAY` makes PostgreSQL evaluate the sub-query once; otherwise the planner might run it again and lock more rows than
    // the limit.
    CLAIM = SqlText {
        sqlite: claim!("IN (", "", ")"),
        postgres: claim!("= ANY (ARRAY(", " FOR UPDATE SKIP LOCKED", "))"),
    };
    COMPLETE = both("DELETE FROM jobs WHERE id = $1");
    RELEASE = both("UPDATE jobs SET due_at = $1, lease_until = 0 WHERE id = $2");
}

impl JobQueue for Rows<'_, '_> {
    fn job_enqueue(&mut self, job: &Job) -> Result<(), StoreError> {
        let parameters =
            [(&job.id).into(), (&job.kind).into(), (&job.subject).into(), job.due_at.into(), job.attempts.into()];
        self.execute(&ENQUEUE, &parameters).map(drop)
    }

    fn jobs_claim(
        &mut self,
        kind: &str,
        now: Timestamp,
        lease_until: Timestamp,
        limit: u32,
    ) -> Result<DueRows<Job>, StoreError> {
        let parameters = [lease_until.into(), kind.into(), now.into(), i64::from(limit).into()];
        let claimed = self.all_changed(&CLAIM, &parameters, |row| Ok(read(row)))?;
        let mut due = due_rows(WorkKind::Job, claimed);
        // `RETURNING` gives rows in no defined order.
        due.rows.sort_by(|a, b| (a.due_at, &a.id).cmp(&(b.due_at, &b.id)));
        Ok(due)
    }

    fn job_complete(&mut self, id: &JobId) -> Result<bool, StoreError> {
        Ok(self.execute(&COMPLETE, &[id.into()])? > 0)
    }

    fn job_release(&mut self, id: &JobId, due_at: Timestamp) -> Result<(), StoreError> {
        self.execute(&RELEASE, &[due_at.into(), id.into()]).map(drop)
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<Job, StoreError> {
    Ok(Job { id: row.id()?, kind: row.id()?, subject: row.id()?, due_at: row.instant()?, attempts: row.integer()? })
}
