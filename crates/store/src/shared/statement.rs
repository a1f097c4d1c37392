//! SQL as data: every statement is a named constant that knows its table and its text on each engine.
//!
//! Parameters are `$1`, `$2`, … and are numbered in the order in which they first appear, which makes the same text
//! bind alike on both engines. Each engine's tests prepare every statement of `super::statements`.

/// One SQL statement.
#[derive(Debug)]
pub(crate) struct Statement {
    /// The table it is about, for errors.
    pub(crate) table: &'static str,
    /// Its text on SQLite.
    pub(crate) sqlite: &'static str,
    /// Its text on PostgreSQL.
    pub(crate) postgres: &'static str,
}

/// The text of a statement on each engine.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Text {
    pub(crate) sqlite: &'static str,
    pub(crate) postgres: &'static str,
}

/// The same text on both engines.
pub(crate) const fn both(text: &'static str) -> Text {
    Text { sqlite: text, postgres: text }
}

/// A query that locks the rows it finds until the transaction ends; SQLite's one writer needs no lock.
macro_rules! locking {
    ($($text:expr),+) => {
        $crate::shared::statement::Text { sqlite: concat!($($text),+), postgres: concat!($($text),+, " FOR UPDATE") }
    };
}

/// Declares the statements of one table and the list of them.
macro_rules! statements {
    ($table:literal => $($name:ident = $text:expr;)+) => {
        $(const $name: $crate::shared::statement::Statement = {
            let text: $crate::shared::statement::Text = $text;
            $crate::shared::statement::Statement { table: $table, sqlite: text.sqlite, postgres: text.postgres }
        };)+
        /// Every statement of this file, for the test that prepares them.
        #[cfg(test)]
        pub(in crate::shared) const STATEMENTS: &[&$crate::shared::statement::Statement] = &[$(&$name),+];
    };
}

pub(crate) use {locking, statements};
