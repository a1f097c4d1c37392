//! The quarantine of work, and how queries for work that is due leave it out.

use super::codes::Code;
use super::readable::leave_out;
use super::session::{Session, Sql};
use super::statement::{both, statements};
use super::value::Row;
use jiff::Timestamp;
use lombard_ports::store::{DueRows, FailedWork, QuarantineStore, QuarantinedWork, StoreError, WorkKind};

/// A condition: no work of this kind with this subject, an SQL expression, is in quarantine.
macro_rules! not_quarantined {
    ($kind:literal, $subject:expr) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM quarantined_work WHERE quarantined_work.kind = '",
            $kind,
            "' AND quarantined_work.subject IN (",
            $subject,
            "))"
        )
    };
}
pub(super) use not_quarantined;

statements! { "quarantined_work" =>
    ADD = both(
        "INSERT INTO quarantined_work (kind, subject, cause, since) VALUES ($1, $2, $3, $4) \
         ON CONFLICT (kind, subject) DO NOTHING");
    AFTER = both(
        "SELECT number, kind, subject, cause, since FROM quarantined_work WHERE number > $1 ORDER BY number LIMIT $2");
    COUNTS = both("SELECT kind, COUNT(*) FROM quarantined_work GROUP BY kind ORDER BY kind");
    RELEASE = both("DELETE FROM quarantined_work WHERE number = $1");
    RELEASE_ALL = both("DELETE FROM quarantined_work");
}

impl<S: Sql> QuarantineStore for Session<S> {
    fn quarantine_add(&mut self, work: &[FailedWork], now: Timestamp) -> Result<Vec<FailedWork>, StoreError> {
        let row = |it: &'_ FailedWork| {
            // PostgreSQL stores no NUL, which a cause may quote.
            let cause = it.cause.replace('\0', "");
            vec![it.kind.code().into(), it.subject.clone().into(), cause.into(), now.into()]
        };
        let rows: Vec<_> = work.iter().map(row).collect();
        let added = self.execute_many(&ADD, &rows)?;
        Ok(work.iter().zip(added).filter(|(_, added)| *added > 0).map(|(it, _)| it.clone()).collect())
    }

    fn quarantined(&mut self, after: i64, limit: u32) -> Result<Vec<QuarantinedWork>, StoreError> {
        let found = self.all(&AFTER, &[after.into(), i64::from(limit).into()], |row| Ok(read(row)))?;
        Ok(leave_out(found))
    }

    fn quarantined_counts(&mut self) -> Result<Vec<(WorkKind, u64)>, StoreError> {
        let found = self.all(&COUNTS, &[], |row| Ok(read_count(row)))?;
        Ok(leave_out(found))
    }

    fn quarantine_release(&mut self, number: Option<i64>) -> Result<u64, StoreError> {
        match number {
            Some(number) => self.execute(&RELEASE, &[number.into()]),
            None => self.execute(&RELEASE_ALL, &[]),
        }
    }
}

fn read(row: &mut Row<'_>) -> Result<QuarantinedWork, StoreError> {
    let number = row.integer()?;
    let work = FailedWork { kind: row.parsed(WorkKind::decode)?, subject: row.id()?, cause: row.id()? };
    Ok(QuarantinedWork { number, work, since: row.instant()? })
}

fn read_count(row: &mut Row<'_>) -> Result<(WorkKind, u64), StoreError> {
    Ok((row.parsed(WorkKind::decode)?, row.number()?))
}

/// Rows of due work of a kind: those that cannot be read are told apart by the id in their error, the first column's.
pub(super) fn due_rows<T>(kind: WorkKind, found: Vec<Result<T, StoreError>>) -> DueRows<T> {
    let mut due = DueRows::default();
    for row in found {
        match row {
            Ok(row) => due.rows.push(row),
            Err(error) => {
                let subject = match &error {
                    StoreError::Corrupt { id, .. } => id.clone(),
                    StoreError::Contended | StoreError::Unavailable(_) | StoreError::Duplicate(_) => String::new(),
                };
                due.unreadable.push(FailedWork::new(kind, subject, &error));
            }
        }
    }
    due
}

#[cfg(test)]
mod tests {
    use super::super::statements;
    use super::*;

    /// Whatever can be put in quarantine is left out by a query for due work.
    #[test]
    fn every_kind_of_work_is_left_out_by_a_query() {
        for kind in WorkKind::ALL {
            let condition = format!("quarantined_work.kind = '{}'", kind.name());
            let queries = statements().filter(|it| it.sqlite.contains(&condition) && it.postgres.contains(&condition));
            assert_eq!(queries.count(), 1, "{condition}");
            assert_eq!(WorkKind::from_code(kind.code()), Some(kind));
        }
    }
}
