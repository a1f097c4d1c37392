//! Converts statements that add one row into statements that add several rows.
//!
//! A statement that runs a trigger has its own journal. With one statement for each row, large sets spent most of their time on
//! such journals.

/// The number of rows that one converted statement adds.
pub(super) const ROWS: usize = 64;

/// The statement with its row of values repeated [`ROWS`] times. `None` if the row of values has another form than parameters in
/// their order, with only names and numbers beside them.
pub(super) fn for_many_rows(statement: &str) -> Option<String> {
    let (head, rest) = statement.split_once("VALUES (")?;
    let (values, tail) = rest.split_once(')')?;
    if values.contains('(') || head.contains('$') || tail.contains('$') {
        return None;
    }
    let mut parameters = 0_usize;
    let mut row = String::with_capacity(values.len());
    for value in values.split(", ") {
        if !row.is_empty() {
            row.push_str(", ");
        }
        match value.strip_prefix('$') {
            Some(number) => {
                parameters = parameters.saturating_add(1);
                (number.parse() == Ok(parameters)).then_some(())?;
                row.push('?');
            }
            None => row.push_str(value),
        }
    }
    let rows = vec![format!("({row})"); ROWS].join(", ");
    Some(format!("{head}VALUES {rows}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_values_is_repeated() {
        let many =
            for_many_rows("INSERT INTO t (a, b, c) VALUES ($1, 0, $2) ON CONFLICT (a) DO NOTHING RETURNING a").unwrap();
        assert!(many.starts_with("INSERT INTO t (a, b, c) VALUES (?, 0, ?), (?, 0, ?), "));
        assert!(many.ends_with(", (?, 0, ?) ON CONFLICT (a) DO NOTHING RETURNING a"));
        assert_eq!(many.matches('?').count(), ROWS * 2);
    }

    #[test]
    fn other_statements_stay_as_they_are() {
        for statement in [
            "UPDATE t SET a = $1 WHERE b = $2",
            "INSERT INTO t (a, b) VALUES ($2, $1)",
            "INSERT INTO t (a) VALUES (coalesce($1, 0))",
            "INSERT INTO t (a, b) VALUES ($1, $1)",
            "INSERT INTO t (a) VALUES ($1) ON CONFLICT (a) DO UPDATE SET a = $1",
        ] {
            assert_eq!(for_many_rows(statement), None, "{statement}");
        }
    }
}
