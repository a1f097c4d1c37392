//! A transaction in progress, as closures use it on every engine.
//!
//! Once a statement has failed, no further statement is executed and nothing is committed. PostgreSQL behaves like that itself;
//! for SQLite this module enforces it. An unreadable row fails a transaction that writes, but not a read-only transaction.

pub use crate::driver::Query;
use crate::driver::{Definition, SqlDriver};
use crate::statement::SqlStatement;
use crate::value::{SqlRow, SqlValue};
use lombard_domain::ids::ClientId;
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The closure that runs in a transaction. It stores its result itself and returns a verdict. It may run more than once.
pub type Work = Box<dyn FnMut(&mut SqlTransaction<'_>) -> TransactionVerdict + Send>;

/// The access mode of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransactionAccess {
    Read(SnapshotScope),
    Write,
}

/// The part of a read-only transaction that sees one snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SnapshotScope {
    /// All statements of the transaction.
    Transaction,
    /// The only query of the transaction. No transaction is begun on the engine.
    Query,
}

/// The way in which a transaction ends.
#[derive(Debug)]
pub(crate) enum TransactionEnding {
    /// Commit, then wake the clients for whom events were queued.
    Commit {
        /// The clients, one entry per event.
        queued: Vec<ClientId>,
    },
    /// Roll back; the closure has stored its own error.
    RollBack,
    /// Roll back and run the closure again, because of contention.
    Again,
    /// Roll back and return this error.
    Fail(StoreError),
}

/// A transaction in progress.
pub struct SqlTransaction<'c> {
    sql: &'c mut dyn SqlDriver,
    access: TransactionAccess,
    /// The number of queries that may still be run; `None` if the number is not limited.
    queries_left: Option<usize>,
    failed: bool,
    contended: bool,
    /// The clients for whom events were queued, one entry per event.
    queued: Vec<ClientId>,
}

impl fmt::Debug for SqlTransaction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("access", &self.access).field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl<'c> SqlTransaction<'c> {
    pub(crate) fn new(sql: &'c mut dyn SqlDriver, access: TransactionAccess) -> Self {
        let queries_left = (access == TransactionAccess::Read(SnapshotScope::Query)).then_some(1);
        Self { sql, access, queries_left, failed: false, contended: false, queued: Vec::new() }
    }

    /// Runs a closure in the transaction and returns how to end it. A panic of the closure is caught.
    pub(crate) fn run(mut self, work: &mut Work) -> TransactionEnding {
        let verdict = catch_unwind(AssertUnwindSafe(|| work(&mut self)));
        match verdict {
            Err(_) => TransactionEnding::Fail(StoreError::Unavailable("the transaction panicked".into())),
            Ok(_) if self.contended => TransactionEnding::Again,
            Ok(TransactionVerdict::RollBack) => TransactionEnding::RollBack,
            Ok(TransactionVerdict::Commit) if self.failed => TransactionEnding::Fail(StoreError::Unavailable(
                "the transaction went on after storage had failed".into(),
            )),
            Ok(TransactionVerdict::Commit) => TransactionEnding::Commit { queued: self.queued },
        }
    }

    /// Records that events were added to the queues of these clients.
    pub fn queued_for<'i>(&mut self, clients: impl Iterator<Item = &'i ClientId>) {
        self.queued.extend(clients.cloned());
    }

    /// Chooses between two queries: the plain query in a read-only transaction, which cannot lock rows, and the locking query
    /// otherwise.
    pub fn may_lock<'s>(&self, plain: &'s SqlStatement, locking: &'s SqlStatement) -> &'s SqlStatement {
        match self.access {
            TransactionAccess::Read(_) => plain,
            TransactionAccess::Write => locking,
        }
    }

    /// Marks the transaction as failed and returns the error. An unreadable row does not fail a read-only transaction: nothing is
    /// committed, and a caller that reads a list omits the row and continues.
    pub fn fail(&mut self, error: StoreError) -> StoreError {
        let is_unreadable_row = matches!(error, StoreError::Corrupt { .. });
        self.failed |= self.access == TransactionAccess::Write || !is_unreadable_row;
        self.contended |= matches!(error, StoreError::Contended);
        error
    }

    fn guard<T>(
        &mut self,
        queries: usize,
        work: impl FnOnce(&mut dyn SqlDriver) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if self.failed {
            return Err(StoreError::Unavailable("an earlier statement of the transaction failed".into()));
        }
        if let Some(left) = self.queries_left {
            let Some(left) = left.checked_sub(queries) else {
                return Err(self.fail(StoreError::Unavailable("a second query in a read of one query".into())));
            };
            self.queries_left = Some(left);
        }
        work(self.sql).map_err(|error| self.fail(error))
    }

    fn guard_write<T>(
        &mut self,
        work: impl FnOnce(&mut dyn SqlDriver) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self.access {
            TransactionAccess::Write => self.guard(0, work),
            TransactionAccess::Read(_) => {
                Err(self.fail(StoreError::Unavailable("the transaction is read-only".into())))
            }
        }
    }

    /// Removes the statement timeout for this transaction, for rare work on whole tables.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn take_time(&mut self) -> Result<(), StoreError> {
        self.guard_write(|sql| sql.take_time())
    }

    /// Runs a statement that is composed at run time.
    pub(crate) fn define(&mut self, definition: &Definition) -> Result<(), StoreError> {
        self.guard_write(|sql| sql.define(definition))
    }

    /// Runs a statement and returns how many rows it changed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn execute(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        self.guard_write(|sql| sql.execute(statement, parameters))
    }

    /// Runs a statement whose result is not awaited. If the statement fails, the transaction fails at its next statement or at
    /// the commit. An engine may delay the statement in order to send it together with later ones. Later statements see its
    /// effects.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn execute_later(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<(), StoreError> {
        self.guard_write(|sql| sql.execute_later(statement, parameters))
    }

    /// Like [`Self::execute_later`], for a statement that must change exactly one row. The statement is declared by
    /// [`must_change_one`](crate::must_change_one): on PostgreSQL it fails, and with it the transaction, if it changes no row.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn execute_later_on(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        id: &str,
    ) -> Result<(), StoreError> {
        if self.guard_write(|sql| sql.require_one_later(statement, parameters))? {
            return Ok(());
        }
        Err(self.no_row(statement, id))
    }

    /// Runs a statement that must change exactly one row.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn execute_on(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        id: &str,
    ) -> Result<(), StoreError> {
        match self.execute(statement, parameters)? {
            1 => Ok(()),
            _ => Err(self.no_row(statement, id)),
        }
    }

    /// The error for a row that must exist and does not.
    pub fn no_row(&mut self, statement: &SqlStatement, id: &str) -> StoreError {
        let (table, id) = (statement.table, id.to_owned());
        self.fail(StoreError::Corrupt { table, id, source: "there is no such row".into() })
    }

    /// Runs a statement once for each set of parameters and returns how many rows each changed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn execute_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
    ) -> Result<Vec<u64>, StoreError> {
        if sets.is_empty() {
            return Ok(Vec::new());
        }
        self.guard_write(|sql| sql.execute_many(statement, sets))
    }

    /// Like [`Self::execute_later`], once for each set of parameters.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn execute_many_later(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
    ) -> Result<(), StoreError> {
        if sets.is_empty() {
            return Ok(());
        }
        self.guard_write(|sql| sql.execute_many_later(statement, sets))
    }

    /// Runs a statement that adds a set of rows, without waiting for the result, like [`Self::execute_later`]. The statement has
    /// one parameter for each column: an array on PostgreSQL, which runs the statement once for all rows (`unnest`), and a value
    /// on SQLite.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn insert_set_later(&mut self, statement: &SqlStatement, rows: &[Vec<SqlValue<'_>>]) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        self.guard_write(|sql| sql.insert_set_later(statement, rows))
    }

    /// Like [`Self::insert_set_later`], for a statement that must change exactly one row for each row of the set
    /// ([`must_change_all`](crate::must_change_all)). `id` names a row in the error.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn update_set_later<'i>(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
        id: impl FnOnce(usize) -> Option<&'i str>,
    ) -> Result<(), StoreError> {
        if rows.is_empty() {
            return Ok(());
        }
        match self.guard_write(|sql| sql.update_set_later(statement, rows))? {
            None => Ok(()),
            Some(place) => Err(self.no_row(statement, id(place).unwrap_or("?"))),
        }
    }

    /// Like [`Self::insert_set_later`], for a statement that returns rows. The rows are awaited and returned in no defined order.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn all_of_set<T>(
        &mut self,
        statement: &SqlStatement,
        rows: &[Vec<SqlValue<'_>>],
        read: impl Fn(&mut SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        if !rows.is_empty() {
            self.guard_write(|sql| {
                sql.query_set(statement, rows, &mut |row| {
                    found.push(read(row)?);
                    Ok(())
                })
            })?;
        }
        Ok(found)
    }

    /// Waits until every statement so far has been executed, so that a failure is known now.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn confirm(&mut self) -> Result<(), StoreError> {
        self.guard_write(|sql| sql.confirm())
    }

    /// The first row of a query.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn one<T>(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: impl Fn(&mut SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let mut found = None;
        self.guard(1, |sql| {
            sql.query(statement, parameters, &mut |row| {
                if found.is_none() {
                    found = Some(read(row)?);
                }
                Ok(())
            })
        })?;
        Ok(found)
    }

    /// The first row of a query. It is locked until the transaction ends, unless the transaction is read-only.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn one_locked<T>(
        &mut self,
        plain: &SqlStatement,
        locking: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: impl Fn(&mut SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Option<T>, StoreError> {
        let statement = self.may_lock(plain, locking);
        self.one(statement, parameters, read)
    }

    /// All rows of a query.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn all<T>(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: impl Fn(&mut SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        let mut found = Vec::new();
        self.guard(1, |sql| {
            sql.query(statement, parameters, &mut |row| {
                found.push(read(row)?);
                Ok(())
            })
        })?;
        Ok(found)
    }

    /// All rows of a statement that changes rows and returns them.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn all_changed<T>(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: impl Fn(&mut SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<T>, StoreError> {
        self.guard_write(|_| Ok(()))?;
        self.all(statement, parameters, read)
    }

    /// Runs several queries, in one round trip if the engine has a server. The row function gets the number of the query.
    ///
    /// # Errors
    /// [`StoreError`], or the error of the row function.
    pub fn query_together(
        &mut self,
        queries: &[Query<'_>],
        mut read: impl FnMut(usize, &mut SqlRow<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.guard(queries.len(), |sql| sql.query_together(queries, &mut read))
    }

    /// Like [`Self::query_together`], but some of the statements may change rows and return them.
    ///
    /// # Errors
    /// As [`Self::query_together`].
    pub fn change_together(
        &mut self,
        queries: &[Query<'_>],
        mut read: impl FnMut(usize, &mut SqlRow<'_>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.guard_write(|sql| sql.query_together(queries, &mut read))
    }

    /// All rows of a query for each set of parameters.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn all_of_many<T>(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: impl Fn(&mut SqlRow<'_>) -> Result<T, StoreError>,
    ) -> Result<Vec<Vec<T>>, StoreError> {
        let mut found: Vec<Vec<T>> = sets.iter().map(|_| Vec::new()).collect();
        self.guard(sets.len(), |sql| {
            sql.query_many(statement, sets, &mut |set, row| {
                let value = read(row)?;
                if let Some(rows) = found.get_mut(set) {
                    rows.push(value);
                }
                Ok(())
            })
        })?;
        Ok(found)
    }
}
