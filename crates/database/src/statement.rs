//! SQL as data: every statement is a named constant that knows its table and its text on each engine.
//!
//! Parameters are `$1`, `$2`, … and are numbered in the order in which they first appear, which makes the same text
//! bind alike on both engines. Whoever declares statements has [`crate::testing`] prepare every one of them.

/// One SQL statement.
#[derive(Debug)]
pub struct SqlStatement {
    /// The table it is about, for errors.
    pub table: &'static str,
    /// Its text on SQLite.
    pub sqlite: &'static str,
    /// Its text on PostgreSQL.
    pub postgres: &'static str,
}

/// The text of a statement on each engine.
#[derive(Debug, Clone, Copy)]
pub struct SqlText {
    /// On SQLite.
    pub sqlite: &'static str,
    /// On PostgreSQL.
    pub postgres: &'static str,
}

/// The same text on both engines.
pub const fn both(text: &'static str) -> SqlText {
    SqlText { sqlite: text, postgres: text }
}

/// A query that locks the rows it finds until the transaction ends; SQLite's one writer needs no lock.
#[macro_export]
macro_rules! locking {
    ($($text:expr),+) => {
        $crate::statement::SqlText { sqlite: concat!($($text),+), postgres: concat!($($text),+, " FOR UPDATE") }
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
        /// Every statement of this file, for the test that prepares them.
        #[cfg(test)]
        pub(crate) const STATEMENTS: &[&$crate::statement::SqlStatement] = &[$(&$name),+];
    };
}
