//! One effect of a statement on one table: the lock, the work, and whether earlier programs notice.

/// A lock on a table of PostgreSQL, weakest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TableLock {
    /// The statement locks no table that is in use.
    None,
    /// The lock of every statement that changes rows. It blocks neither reads nor writes of other rows.
    RowExclusive,
    /// It blocks other changes of the schema only.
    ShareUpdateExclusive,
    /// It blocks writes.
    Share,
    /// It blocks writes, and itself.
    ShareRowExclusive,
    /// It blocks reads and writes.
    AccessExclusive,
}

impl TableLock {
    /// The name that PostgreSQL's documentation uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::RowExclusive => "ROW EXCLUSIVE",
            Self::ShareUpdateExclusive => "SHARE UPDATE EXCLUSIVE",
            Self::Share => "SHARE",
            Self::ShareRowExclusive => "SHARE ROW EXCLUSIVE",
            Self::AccessExclusive => "ACCESS EXCLUSIVE",
        }
    }

    /// Whether writes wait while the lock is held.
    #[cfg(feature = "testing")]
    pub(crate) const fn blocks_writes(self) -> bool {
        matches!(self, Self::Share | Self::ShareRowExclusive | Self::AccessExclusive)
    }
}

/// How the duration of a statement depends on the rows of its table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StatementWork {
    /// It takes an instant, however many rows there are.
    Instant,
    /// It reads all rows this many times.
    Scan(u8),
    /// It writes all rows, or those that its condition selects.
    ChangeOfRows,
    /// It writes the table again.
    Rewrite,
}

/// One effect of a statement on one table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Effect {
    /// The table.
    pub(crate) table: String,
    /// What is done, such as `adds the column cause`.
    pub(crate) action: String,
    /// The lock that PostgreSQL takes on the table.
    pub(crate) lock: TableLock,
    /// How long it takes once the lock is there.
    pub(crate) work: StatementWork,
    /// The table whose rows are counted, if it is another one.
    pub(crate) rows_of: Option<String>,
    /// Whether earlier programs may fail after this statement, because it removes or forbids something that they use.
    pub(crate) narrows: bool,
}

impl Effect {
    pub(super) fn new(table: &str, action: impl Into<String>, lock: TableLock, work: StatementWork) -> Self {
        Self { table: table.to_owned(), action: action.into(), lock, work, rows_of: None, narrows: false }
    }

    pub(super) fn narrowing(self) -> Self {
        Self { narrows: true, ..self }
    }

    /// The lock on a table to which a foreign key refers. Its rows are not read, because the referring column is new.
    pub(super) fn of_reference(table: &str) -> Self {
        Self::new(table, "is referred to by a new foreign key", TableLock::ShareRowExclusive, StatementWork::Instant)
    }
}
