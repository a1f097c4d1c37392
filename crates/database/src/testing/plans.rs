//! Checks of query plans: every statement on the path of a request reads only rows of one owner, found by equality with a key.

use super::{Raw, TestDatabase, postgres_plan};
use crate::statement::SqlStatement;
use std::collections::BTreeSet;
use tokio_postgres::Client;

/// Statements that read rows of many owners, by their table and a part of their text on SQLite: the server's own work, such as
/// purging and due work, and operators' lists.
#[derive(Debug, Clone, Copy)]
pub struct ForAllOwners {
    /// The table.
    pub table: &'static str,
    /// A part of the statement's text; empty for all statements of the table.
    pub part: &'static str,
}

impl ForAllOwners {
    fn covers(&self, statement: &SqlStatement) -> bool {
        statement.table == self.table && statement.sqlite.contains(self.part)
    }
}

impl TestDatabase {
    /// Checks that every statement finds its rows by equality with the first column of an index, such as an owner or an id, so
    /// that rows of other owners add no cost. The named statements are excepted; each of them must exist.
    pub async fn finds_rows_by_key(
        &self,
        statements: impl Iterator<Item = &'static SqlStatement>,
        exceptions: &[ForAllOwners],
    ) {
        let tables = self.tables().await;
        let (mut wrong, mut is_used) = (Vec::new(), vec![false; exceptions.len()]);
        for statement in statements {
            let mut is_excepted = false;
            for (exception, is_used) in exceptions.iter().zip(&mut is_used) {
                if exception.covers(statement) {
                    (is_excepted, *is_used) = (true, true);
                }
            }
            let text = match &self.raw {
                Raw::Sqlite { .. } => statement.sqlite,
                Raw::Postgres(_) => statement.postgres,
            };
            if is_excepted || !has_plan(text) {
                continue;
            }
            let mut found = match &self.raw {
                Raw::Sqlite { .. } => unkeyed_in_sqlite(&self.plan(statement).await, &tables),
                Raw::Postgres(client) => unkeyed_in_any_plan(client, text).await,
            };
            // A plan of SQLite names a table by its alias.
            found.extend(tables.iter().map(|table| format!(" {table} AS ")).filter(|alias| text.contains(alias)));
            if !found.is_empty() {
                wrong.push(format!("{}: {}\n  {text}", statement.table, found.join("\n  ")));
            }
        }
        let unused = exceptions.iter().zip(is_used).filter(|(_, is_used)| !is_used);
        wrong.extend(unused.map(|(exception, _)| format!("{exception:?} covers no statement")));
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    }
}

/// Whether a statement has a plan; `DO` has none.
fn has_plan(text: &str) -> bool {
    ["SELECT", "INSERT", "UPDATE", "DELETE", "WITH"].iter().any(|verb| text.trim_start().starts_with(verb))
}

/// The steps of SQLite's plan that read a table in another way than by equality with the first column of an index.
fn unkeyed_in_sqlite(plan: &str, tables: &BTreeSet<String>) -> Vec<String> {
    let steps = plan.split("; ").filter(|step| {
        let Some(("SEARCH" | "SCAN", read)) = step.split_once(' ') else { return false };
        let is_table = tables.contains(read.split(' ').next().unwrap_or_default());
        // The search condition is in parentheses: `(client_id=? AND created_at>?)`, or `(<expr>=?)` by an index of an expression.
        let key = read.rsplit_once('(').map_or("", |(_, key)| key);
        let is_column = |key: &str| key.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let by_equality = key
            .split_once('=')
            .is_some_and(|(key, value)| value.starts_with('?') && (is_column(key) || key == "<expr>"));
        is_table && !by_equality
    });
    steps.map(str::to_owned).collect()
}

/// The steps that [`unkeyed_in_postgres`] finds in the best plan for a statement. For the planner all indexes of an empty table
/// are equally good. Therefore an index that it reads as a whole is dropped, in a transaction that is rolled back, to see whether
/// another index finds the rows by key.
async fn unkeyed_in_any_plan(client: &Client, text: &str) -> Vec<String> {
    let mut dropped = Vec::new();
    loop {
        client.batch_execute("BEGIN; SET LOCAL enable_sort = on").await.unwrap();
        for index in &dropped {
            client.batch_execute(&format!("DROP INDEX {index}")).await.unwrap();
        }
        let plan = postgres_plan(client, text, "").await;
        let found = unkeyed_in_postgres(&plan);
        let whole = found.iter().find_map(|step| step.split_once(" using ")?.1.split(' ').next());
        // The index of a constraint cannot be dropped.
        let is_droppable = match whole {
            Some(index) => client.batch_execute(&format!("DROP INDEX {index}")).await.is_ok(),
            None => false,
        };
        client.batch_execute("ROLLBACK").await.unwrap();
        match whole {
            Some(index) if is_droppable => dropped.push(index.to_owned()),
            _ => return found,
        }
    }
}

/// The steps of PostgreSQL's plan that read a table in another way than by equality with a column of an index.
fn unkeyed_in_postgres(plan: &str) -> Vec<String> {
    let lines: Vec<_> = plan.lines().map(|line| line.trim_start_matches([' ', '-', '>'])).collect();
    let mut found = Vec::new();
    for (number, line) in lines.iter().enumerate() {
        let is_index_scan = line.starts_with("Index Scan") || line.starts_with("Index Only Scan");
        let conditions = lines.get(number + 1).and_then(|next| next.strip_prefix("Index Cond: "));
        let by_equality = conditions.is_some_and(|conditions| conditions.contains(" = "));
        if line.starts_with("Seq Scan ") || is_index_scan && !by_equality {
            found.push(format!("{line}: {}", conditions.unwrap_or("no condition")));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_or_a_scan_is_no_key() {
        let tables = ["a", "b"].map(str::to_owned).into();
        let plan =
            "SEARCH a USING INDEX a_by_client (client_id=? AND at>?); SEARCH b USING INTEGER PRIMARY KEY (rowid=?)";
        assert_eq!(unkeyed_in_sqlite(plan, &tables), [""; 0]);
        let plan =
            "SEARCH a USING INDEX a_by_end (expires_at<?); SCAN b USING INDEX b_by_end; SCAN CONSTANT ROW; SCAN it";
        assert_eq!(unkeyed_in_sqlite(plan, &tables).len(), 2);
    }

    #[test]
    fn an_index_scan_of_postgresql_says_its_condition() {
        let plan =
            "Limit\n  ->  Index Scan using a_by_client on a\n        Index Cond: ((client_id = $1) AND (at > $2))";
        assert_eq!(unkeyed_in_postgres(plan), [""; 0]);
        let plan = "Index Scan using a_by_end on a\n  Index Cond: (at < $2)\nIndex Only Scan using b on b\n  Filter: (x = 1)\nSeq Scan on c";
        assert_eq!(unkeyed_in_postgres(plan).len(), 3);
    }
}
