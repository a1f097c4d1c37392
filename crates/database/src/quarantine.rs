//! Tables of quarantined work, and the condition by which queries for due work exclude it. Each crate with workers declares
//! one.

use crate::readable::leave_out;
use crate::session::SqlTransaction;
use crate::statement::SqlStatement;
use crate::value::SqlRow;
use jiff::Timestamp;
use lombard_domain::code::StoredCode;
use lombard_ports::store::{DueRows, FailedWork, QuarantinedWork, StoreError, WorkKind};

/// The SQL condition that this table has no quarantined work of this kind with this subject, an SQL expression.
#[macro_export]
macro_rules! not_quarantined {
    ($table:literal, $kind:literal, $subject:expr) => {
        concat!(
            "NOT EXISTS (SELECT 1 FROM ",
            $table,
            " WHERE ",
            $table,
            ".kind = '",
            $kind,
            "' AND ",
            $table,
            ".subject IN (",
            $subject,
            "))"
        )
    };
}

/// The statements of a table of quarantined work.
#[derive(Debug)]
pub struct QuarantineTable {
    /// Adds a row unless one of the same kind and subject exists.
    pub add: &'static SqlStatement,
    /// The rows after a number.
    pub after: &'static SqlStatement,
    /// The number of rows of each kind.
    pub counts: &'static SqlStatement,
    /// Removes one row.
    pub release: &'static SqlStatement,
    /// Removes all rows.
    pub release_all: &'static SqlStatement,
}

/// Declares a table of quarantined work: its statements, for the test that prepares them, and the port's implementation for
/// the rows of a transaction, a type that dereferences to a [`SqlTransaction`].
#[macro_export]
macro_rules! quarantine {
    ($table:literal, $rows:ty) => {
        $crate::statements! { $table =>
            ADD = $crate::statement::both(concat!(
                "INSERT INTO ", $table, " (kind, subject, cause, since) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (kind, subject) DO NOTHING"));
            AFTER = $crate::statement::both(concat!(
                "SELECT number, kind, subject, cause, since FROM ", $table, " WHERE number > $1 ORDER BY number LIMIT $2"));
            COUNTS = $crate::statement::both(concat!(
                "SELECT kind, COUNT(*) FROM ", $table, " GROUP BY kind ORDER BY kind"));
            RELEASE = $crate::statement::both(concat!("DELETE FROM ", $table, " WHERE number = $1"));
            RELEASE_ALL = $crate::statement::both(concat!("DELETE FROM ", $table));
        }

        const QUARANTINE: $crate::quarantine::QuarantineTable = $crate::quarantine::QuarantineTable {
            add: &ADD,
            after: &AFTER,
            counts: &COUNTS,
            release: &RELEASE,
            release_all: &RELEASE_ALL,
        };

        impl $crate::ports::QuarantineStore for $rows {
            fn quarantine_add(
                &mut self,
                work: &[$crate::ports::FailedWork],
                now: $crate::ports::Timestamp,
            ) -> Result<Vec<$crate::ports::FailedWork>, $crate::ports::StoreError> {
                QUARANTINE.add(self, work, now)
            }

            fn quarantined(
                &mut self,
                after: i64,
                limit: u32,
            ) -> Result<Vec<$crate::ports::QuarantinedWork>, $crate::ports::StoreError> {
                QUARANTINE.after(self, after, limit)
            }

            fn quarantined_counts(
                &mut self,
            ) -> Result<Vec<($crate::ports::WorkKind, u64)>, $crate::ports::StoreError> {
                QUARANTINE.counts(self)
            }

            fn quarantine_release(&mut self, number: Option<i64>) -> Result<u64, $crate::ports::StoreError> {
                QUARANTINE.release(self, number)
            }
        }
    };
}

impl QuarantineTable {
    /// Implements `QuarantineStore::quarantine_add`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn add(
        &self,
        session: &mut SqlTransaction<'_>,
        work: &[FailedWork],
        now: Timestamp,
    ) -> Result<Vec<FailedWork>, StoreError> {
        let row = |it: &'_ FailedWork| {
            // PostgreSQL stores no NUL, which a cause may quote.
            let cause = it.cause.replace('\0', "");
            vec![it.kind.code().into(), it.subject.clone().into(), cause.into(), now.into()]
        };
        let rows: Vec<_> = work.iter().map(row).collect();
        let added = session.execute_many(self.add, &rows)?;
        Ok(work.iter().zip(added).filter(|(_, added)| *added > 0).map(|(it, _)| it.clone()).collect())
    }

    /// Implements `QuarantineStore::quarantined`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn after(
        &self,
        session: &mut SqlTransaction<'_>,
        number: i64,
        limit: u32,
    ) -> Result<Vec<QuarantinedWork>, StoreError> {
        let found = session.all(self.after, &[number.into(), i64::from(limit).into()], |row| Ok(read(row)))?;
        Ok(leave_out(found))
    }

    /// Implements `QuarantineStore::quarantined_counts`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn counts(&self, session: &mut SqlTransaction<'_>) -> Result<Vec<(WorkKind, u64)>, StoreError> {
        let found = session.all(self.counts, &[], |row| Ok(read_count(row)))?;
        Ok(leave_out(found))
    }

    /// Implements `QuarantineStore::quarantine_release`.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn release(&self, session: &mut SqlTransaction<'_>, number: Option<i64>) -> Result<u64, StoreError> {
        match number {
            Some(number) => session.execute(self.release, &[number.into()]),
            None => session.execute(self.release_all, &[]),
        }
    }
}

fn read(row: &mut SqlRow<'_>) -> Result<QuarantinedWork, StoreError> {
    let number = row.integer()?;
    let work = FailedWork { kind: row.parsed(WorkKind::decode)?, subject: row.id()?, cause: row.id()? };
    Ok(QuarantinedWork { number, work, since: row.instant()? })
}

fn read_count(row: &mut SqlRow<'_>) -> Result<(WorkKind, u64), StoreError> {
    Ok((row.parsed(WorkKind::decode)?, row.number()?))
}

/// Separates the rows of due work into readable and corrupt ones. A corrupt row is identified by the id in its error, which is
/// the first column.
pub fn due_rows<T>(kind: WorkKind, found: Vec<Result<T, StoreError>>) -> DueRows<T> {
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
