//! A transaction in progress: what every engine's closure runs on.
//!
//! It keeps one promise for both engines: once a statement has failed, nothing more is done and nothing is committed.
//! PostgreSQL works like that by itself; SQLite would carry on.

use crate::statement::SqlStatement;
use crate::value::{SqlRow, SqlValue};
use lombard_domain::ids::ClientId;
use lombard_ports::store::{StoreError, TransactionVerdict};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// What runs in a transaction: it keeps its result to itself and gives a verdict. It may run more than once.
pub type Work = Box<dyn FnMut(&mut SqlTransaction<'_>) -> TransactionVerdict + Send>;

/// What an engine's driver can do. Row functions are given every row in order.
pub(crate) trait SqlDriver {
    /// Lets the statements of this transaction take as long as they need, on an engine that bounds them.
    fn take_time(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Runs a statement and says how many rows it changed.
    fn execute(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError>;

    /// Runs a statement once for each set of parameters, in as few round trips as the engine can.
    fn execute_many(&mut self, statement: &SqlStatement, sets: &[Vec<SqlValue<'_>>]) -> Result<Vec<u64>, StoreError>;

    /// Runs a query.
    fn query(
        &mut self,
        statement: &SqlStatement,
        parameters: &[SqlValue<'_>],
        read: ReadRow<'_>,
    ) -> Result<(), StoreError>;

    /// Runs a query once for each set of parameters, in as few round trips as the engine can. The row function is told
    /// which set a row belongs to; sets come in their order.
    fn query_many(
        &mut self,
        statement: &SqlStatement,
        sets: &[Vec<SqlValue<'_>>],
        read: ReadRowOf<'_>,
    ) -> Result<(), StoreError>;
}

/// Is given each row of a query.
pub(crate) type ReadRow<'f> = &'f mut dyn FnMut(&mut SqlRow<'_>) -> Result<(), StoreError>;

/// Is given each row of several queries, with the number of the query.
pub(crate) type ReadRowOf<'f> = &'f mut dyn FnMut(usize, &mut SqlRow<'_>) -> Result<(), StoreError>;

/// What a transaction may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TransactionAccess {
    Read,
    Write,
}

/// How a transaction is to end.
#[derive(Debug)]
pub(crate) enum TransactionEnding {
    /// Make it durable, then wake those whose queues got longer: one for each event.
    Commit {
        /// Their owners.
        queued: Vec<ClientId>,
    },
    /// Leave no trace; the closure keeps its own error.
    RollBack,
    /// Leave no trace and run it again: others were faster.
    Again,
    /// Leave no trace and say why.
    Fail(StoreError),
}

/// A transaction in progress.
pub struct SqlTransaction<'c> {
    sql: &'c mut dyn SqlDriver,
    access: TransactionAccess,
    failed: bool,
    contended: bool,
    /// Whose queues got longer, one for each event.
    queued: Vec<ClientId>,
}

impl fmt::Debug for SqlTransaction<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("access", &self.access).field("failed", &self.failed).finish_non_exhaustive()
    }
}

impl<'c> SqlTransaction<'c> {
    pub(crate) fn new(sql: &'c mut dyn SqlDriver, access: TransactionAccess) -> Self {
        Self { sql, access, failed: false, contended: false, queued: Vec::new() }
    }

    /// Runs a closure on it and says how to end the transaction. A panic ends with the closure.
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

    /// Notes that events were added to these queues.
    pub fn queued_for<'i>(&mut self, clients: impl Iterator<Item = &'i ClientId>) {
        self.queued.extend(clients.cloned());
    }

    /// Which of two queries to use: the plain one where nothing may be locked.
    pub fn may_lock<'s>(&self, plain: &'s SqlStatement, locking: &'s SqlStatement) -> &'s SqlStatement {
        match self.access {
            TransactionAccess::Read => plain,
            TransactionAccess::Write => locking,
        }
    }

    /// Records that the transaction cannot succeed and passes the reason on.
    pub fn fail(&mut self, error: StoreError) -> StoreError {
        self.failed = true;
        self.contended |= matches!(error, StoreError::Contended);
        error
    }

    fn guard<T>(&mut self, work: impl FnOnce(&mut dyn SqlDriver) -> Result<T, StoreError>) -> Result<T, StoreError> {
        if self.failed {
            return Err(StoreError::Unavailable("an earlier statement of the transaction failed".into()));
        }
        work(self.sql).map_err(|error| self.fail(error))
    }

    fn guard_write<T>(
        &mut self,
        work: impl FnOnce(&mut dyn SqlDriver) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        match self.access {
            TransactionAccess::Write => self.guard(work),
            TransactionAccess::Read => Err(self.fail(StoreError::Unavailable("the transaction is read-only".into()))),
        }
    }

    /// Lets the statements of this transaction take as long as they need: for rare work on whole tables.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn take_time(&mut self) -> Result<(), StoreError> {
        self.guard_write(|sql| sql.take_time())
    }

    /// Runs a statement and says how many rows it changed.
    ///
    /// # Errors
    /// [`StoreError`].
    pub fn execute(&mut self, statement: &SqlStatement, parameters: &[SqlValue<'_>]) -> Result<u64, StoreError> {
        self.guard_write(|sql| sql.execute(statement, parameters))
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

    /// The error for a row that had to be there.
    pub fn no_row(&mut self, statement: &SqlStatement, id: &str) -> StoreError {
        let (table, id) = (statement.table, id.to_owned());
        self.fail(StoreError::Corrupt { table, id, source: "there is no such row".into() })
    }

    /// Runs a statement once for each set of parameters and says how many rows each changed.
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
        self.guard(|sql| {
            sql.query(statement, parameters, &mut |row| {
                if found.is_none() {
                    found = Some(read(row)?);
                }
                Ok(())
            })
        })?;
        Ok(found)
    }

    /// The first row of a query, which is locked until the transaction ends unless nothing may be locked.
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
        self.guard(|sql| {
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
        self.guard(|sql| {
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
