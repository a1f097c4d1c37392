//! `IN` lists of ids in SQL statements.

use lombard_database::value::SqlValue;

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

/// A list of ids, without those that contain a NUL. Callers choose ids, no stored id has a NUL, and PostgreSQL refuses a NUL in a
/// comparison.
pub(crate) fn list_ids<'i>(ids: impl Iterator<Item = &'i str>) -> SqlValue<'i> {
    SqlValue::List(ids.filter(|id| !id.contains('\0')).collect())
}
