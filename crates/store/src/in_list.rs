//! `IN` lists of ids in SQL statements.

/// The SQL condition that an id is in a list: an array on PostgreSQL, a JSON array on SQLite.
macro_rules! in_list {
    (sqlite $number:literal) => {
        concat!("IN (SELECT value FROM json_each($", $number, "))")
    };
    (postgres $number:literal) => {
        concat!("= ANY($", $number, ")")
    };
}
pub(crate) use in_list;
