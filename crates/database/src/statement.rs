//! SQL statements as constants, each with its table and its text for each engine.
//!
//! Parameters are `$1`, `$2`, … and are numbered in the order in which they first appear, so the same text binds its parameters
//! in the same way on both engines. A crate that declares statements tests with [`crate::testing`] that each can be prepared.

/// One SQL statement.
#[derive(Debug, Clone, Copy)]
pub struct SqlStatement {
    /// The table, for error messages.
    pub table: &'static str,
    /// Its text on SQLite.
    pub sqlite: &'static str,
    /// Its text on PostgreSQL.
    pub postgres: &'static str,
}

/// The text of a statement on each engine.
#[derive(Debug, Clone, Copy)]
pub struct SqlText {
    /// The text for SQLite.
    pub sqlite: &'static str,
    /// The text for PostgreSQL.
    pub postgres: &'static str,
}

/// The same text on both engines.
pub const fn both(text: &'static str) -> SqlText {
    SqlText { sqlite: text, postgres: text }
}

/// A query that locks its rows until the transaction ends. SQLite has one writer and needs no lock.
#[macro_export]
macro_rules! locking {
    ($($text:expr),+) => {
        $crate::statement::SqlText { sqlite: concat!($($text),+), postgres: concat!($($text),+, " FOR UPDATE") }
    };
}

/// A statement that must change exactly one row, for `SqlTransaction::execute_later_on`. On PostgreSQL the statement fails
/// otherwise, by a division by zero, because its sender does not wait for the number of rows.
#[macro_export]
macro_rules! must_change_one {
    ($($text:expr),+) => {
        $crate::statement::SqlText {
            sqlite: concat!($($text),+),
            postgres: concat!("WITH changed AS (", $($text),+, " RETURNING 1) SELECT 1 / COUNT(*) FROM changed"),
        }
    };
}

/// The names of columns as a list, each with a prefix: empty, or the name of the table and a dot if tables are joined.
#[macro_export]
macro_rules! listed_columns {
    ($of:literal, $first:ident $(, $more:ident)* $(,)?) => {
        concat!($of, stringify!($first) $(, ", ", $of, stringify!($more))*)
    };
}

/// The PostgreSQL text of a statement that must change exactly one row for each row of a set, from the set's array `$n` and the
/// statement.
#[macro_export]
macro_rules! must_change_all {
    ($array:literal, $($text:expr),+) => {
        concat!(
            "WITH changed AS (", $($text),+, " RETURNING 1) \
             SELECT 1 / CASE WHEN COUNT(*) = cardinality(", $array, ") THEN 1 ELSE 0 END FROM changed"
        )
    };
}

/// Declares the statements of one table and the list of them.
#[macro_export]
macro_rules! statements {
    ($table:literal => $($name:ident = $text:expr;)+) => {
        $(const $name: $crate::statement::SqlStatement = {
            let text: $crate::statement::SqlText = $text;
            $crate::statement::SqlStatement { table: $table, sqlite: text.sqlite, postgres: text.postgres }
        };)+
        /// Every statement declared here, for the test that prepares them.
        #[cfg(test)]
        pub(crate) const STATEMENTS: &[&$crate::statement::SqlStatement] = &[$(&$name),+];
    };
}
