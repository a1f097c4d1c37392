//! The rows of one customer as JSON, for a subject access request. A crate with tables declares a query for each table; each row of a query
//! is one JSON object, which the engine makes.

use crate::SqlTransaction;
use crate::statement::SqlStatement;
use jiff::Timestamp;
use lombard_domain::ids::PsuId;
use lombard_ports::store::{CustomerRecords, StoreError};
use serde_json::{Map, Value};

/// A query for the rows of a table that meet a condition on `$1`, the customer, each as a JSON object; at most `$2`.
#[macro_export]
macro_rules! exported_rows {
    ($table:literal where $condition:expr => $first:ident $(, $column:ident)*) => {
        $crate::statement::SqlText {
            sqlite: concat!("SELECT json_object('", stringify!($first), "', ", stringify!($first)
                $(, ", '", stringify!($column), "', ", stringify!($column))*, ") FROM ", $table, " WHERE ", $condition, " LIMIT $2"),
            postgres: concat!("SELECT json_build_object('", stringify!($first), "', ", stringify!($first)
                $(, ", '", stringify!($column), "', ", stringify!($column))*, ")::text FROM ", $table, " WHERE ", $condition, " LIMIT $2"),
        }
    };
}

/// Reads at most `limit` rows of each of these tables that belong to a customer.
///
/// # Errors
/// [`StoreError`].
pub fn read_exported(
    session: &mut SqlTransaction<'_>,
    queries: &[(&'static str, &SqlStatement)],
    psu: &PsuId,
    limit: u32,
) -> Result<Vec<CustomerRecords>, StoreError> {
    let wanted = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut records = Vec::with_capacity(queries.len());
    for (table, statement) in queries {
        let parameters = [psu.into(), i64::from(limit).saturating_add(1).into()];
        let mut rows = session.all(statement, &parameters, |row| row.parsed(readable_row))?;
        let is_complete = rows.len() <= wanted;
        rows.truncate(wanted);
        records.push(CustomerRecords { table: (*table).to_owned(), rows, is_complete });
    }
    Ok(records)
}

/// Columns of instants whose name does not end in `_at`.
const INSTANTS: [&str; 3] = ["since", "approve_by", "auth_time"];

/// A row as its reader wants it: stored documents as JSON, instants as RFC 3339. Other values stay as they are stored.
fn readable_row(text: &str) -> Result<Value, serde_json::Error> {
    let mut row: Map<String, Value> = serde_json::from_str(text)?;
    for (name, value) in &mut row {
        let converted = match value {
            Value::String(text) if text.starts_with(['{', '[']) => serde_json::from_str(text).ok(),
            Value::Number(micros) if name.ends_with("_at") || INSTANTS.contains(&name.as_str()) => micros
                .as_i64()
                .and_then(|micros| Timestamp::from_microsecond(micros).ok())
                .map(|at| at.to_string().into()),
            _ => None,
        };
        if let Some(converted) = converted {
            *value = converted;
        }
    }
    Ok(Value::Object(row))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_row_shows_documents_as_json_and_instants_as_text() {
        let stored = r#"{"id":"1","terms":"{\"a\":1}","submitted":"{spoilt","created_at":1000000,"since":0,"minor":7,"deleted_at":null}"#;
        let shown = json!({
            "id": "1", "terms": {"a": 1}, "submitted": "{spoilt", "created_at": "1970-01-01T00:00:01Z",
            "since": "1970-01-01T00:00:00Z", "minor": 7, "deleted_at": null,
        });
        assert_eq!(readable_row(stored).unwrap(), shown);
    }
}
