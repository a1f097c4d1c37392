//! Lists of ids in statements.

/// A test whether an id is in a list: an array on PostgreSQL, a JSON array on SQLite.
macro_rules! in_list {
    (sqlite $number:literal) => {
        concat!("IN (SELECT value FROM json_each($", $number, "))")
    };
    (postgres $number:literal) => {
        concat!("= ANY($", $number, ")")
    };
}
pub(super) use in_list;
