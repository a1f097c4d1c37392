//! What the statements of migrations do to tables: which lock PostgreSQL takes, who waits for it, and for how long.
//!
//! The reader knows the statements that migrations use and no others. A statement that it does not know is an error, which fails a test,
//! so that no plan is a guess. Source: PostgreSQL 15 documentation, section 13.3.1 and the pages of `ALTER TABLE` and `CREATE INDEX`.

mod alter;
mod effect;
mod words;

pub use effect::TableLock;
pub(crate) use effect::{Effect, StatementWork};

use crate::sql_text::{StatementText, statements};
use std::collections::BTreeMap;
use std::fmt;
use words::Words;

/// A statement whose effects are not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UnknownStatement(pub(crate) String);

impl fmt::Display for UnknownStatement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the effects of this statement are not known: {}", self.0)
    }
}

/// The index that a statement makes or drops outside a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ConcurrentStatement<'t> {
    /// `CREATE INDEX CONCURRENTLY` with the name of the index.
    CreateIndex(&'t str),
    /// `DROP INDEX CONCURRENTLY`.
    DropIndex,
}

impl<'t> ConcurrentStatement<'t> {
    /// Reads a statement; `None` if it runs in a transaction.
    pub(crate) fn read(statement: &StatementText<'t>) -> Option<Self> {
        let mut words = Words::of(statement);
        if words.take(&["DROP", "INDEX", "CONCURRENTLY"]) {
            return Some(Self::DropIndex);
        }
        let is_index = words.take(&["CREATE", "INDEX"]) || words.take(&["CREATE", "UNIQUE", "INDEX"]);
        if !is_index || !words.take(&["CONCURRENTLY"]) {
            return None;
        }
        words.take(&["IF", "NOT", "EXISTS"]);
        Some(Self::CreateIndex(words.name()?))
    }
}

/// Whether a migration with this text on PostgreSQL runs outside a transaction.
pub(crate) fn is_concurrent(text: &str) -> bool {
    statements(text).iter().any(|statement| ConcurrentStatement::read(statement).is_some())
}

/// Reads the effects of statements in the order of a schema's migrations, and remembers to which table an index belongs.
#[derive(Debug, Default)]
pub(crate) struct EffectReader {
    tables_of_indexes: BTreeMap<String, String>,
}

impl EffectReader {
    /// The effects of all statements of a text.
    pub(crate) fn read_text(&mut self, text: &str) -> Result<Vec<Effect>, UnknownStatement> {
        let mut effects = Vec::new();
        for statement in statements(text) {
            effects.extend(self.read(&statement)?);
        }
        Ok(effects)
    }

    /// The effects of a statement.
    pub(crate) fn read(&mut self, statement: &StatementText<'_>) -> Result<Vec<Effect>, UnknownStatement> {
        self.effects(statement).ok_or_else(|| UnknownStatement(statement.text.to_owned()))
    }

    fn effects(&mut self, statement: &StatementText<'_>) -> Option<Vec<Effect>> {
        let mut words = Words::of(statement);
        if words.take(&["CREATE"]) {
            return self.created(words);
        }
        if words.take(&["DROP"]) {
            return self.dropped(words);
        }
        if words.take(&["ALTER", "TABLE"]) {
            return alter::effects(words);
        }
        if words.take(&["INSERT", "INTO"]) {
            return inserted(words);
        }
        let change = |table, action| Effect::new(table, action, TableLock::RowExclusive, StatementWork::ChangeOfRows);
        if words.take(&["UPDATE"]) {
            return words.name().map(|table| vec![change(table, "changes rows")]);
        }
        if words.take(&["DELETE", "FROM"]) {
            return words.name().map(|table| vec![change(table, "deletes rows")]);
        }
        None
    }

    fn created(&mut self, mut words: Words<'_>) -> Option<Vec<Effect>> {
        if words.take(&["TABLE"]) {
            let table = words.name()?;
            let new = Effect::new(table, "makes the table", TableLock::None, StatementWork::Instant);
            let references = words.names_after("REFERENCES").map(Effect::of_reference);
            return Some(std::iter::once(new).chain(references).collect());
        }
        if words.take(&["FUNCTION"]) || words.take(&["OR", "REPLACE", "FUNCTION"]) {
            let function = words.name()?;
            let action = format!("makes the function {function}");
            return Some(vec![Effect::new("", action, TableLock::None, StatementWork::Instant)]);
        }
        if words.take(&["TRIGGER"]) {
            let trigger = words.name()?;
            let table = words.names_after("ON").next()?;
            let action = format!("makes the trigger {trigger}");
            return Some(vec![Effect::new(table, action, TableLock::ShareRowExclusive, StatementWork::Instant)]);
        }
        let is_unique = words.take(&["UNIQUE"]);
        if !words.take(&["INDEX"]) {
            return None;
        }
        let is_concurrent = words.take(&["CONCURRENTLY"]);
        words.take(&["IF", "NOT", "EXISTS"]);
        let index = words.name()?;
        if !words.take(&["ON"]) {
            return None;
        }
        let table = words.name()?;
        self.tables_of_indexes.insert(index.to_owned(), table.to_owned());
        let (lock, work) = if is_concurrent {
            (TableLock::ShareUpdateExclusive, StatementWork::Scan(2))
        } else {
            (TableLock::Share, StatementWork::Scan(1))
        };
        // Rows that earlier programs write may violate a unique index.
        let unique = if is_unique { "unique " } else { "" };
        let effect = Effect::new(table, format!("makes the {unique}index {index}"), lock, work);
        Some(vec![if is_unique { effect.narrowing() } else { effect }])
    }

    fn dropped(&mut self, mut words: Words<'_>) -> Option<Vec<Effect>> {
        if words.take(&["TABLE"]) {
            words.take(&["IF", "EXISTS"]);
            let table = words.name()?;
            let effect = Effect::new(table, "drops the table", TableLock::AccessExclusive, StatementWork::Instant);
            return Some(vec![effect.narrowing()]);
        }
        if !words.take(&["INDEX"]) {
            return None;
        }
        let is_concurrent = words.take(&["CONCURRENTLY"]);
        words.take(&["IF", "EXISTS"]);
        let index = words.name()?;
        let table = self.tables_of_indexes.remove(index)?;
        let lock = if is_concurrent { TableLock::ShareUpdateExclusive } else { TableLock::AccessExclusive };
        let action = format!("drops the index {index}");
        Some(vec![Effect::new(&table, action, lock, StatementWork::Instant).narrowing()])
    }
}

fn inserted(mut words: Words<'_>) -> Option<Vec<Effect>> {
    let table = words.name()?;
    // The rows of a table that is read are not locked, but reading them takes time.
    let is_read = words.contains("SELECT");
    let work = if is_read { StatementWork::Scan(1) } else { StatementWork::Instant };
    let source = words.names_after("FROM").next().filter(|_| is_read);
    let action = match source {
        Some(source) => format!("adds rows that are read from {source}"),
        None => "adds rows".to_owned(),
    };
    let effect = Effect::new(table, action, TableLock::RowExclusive, work);
    Some(vec![Effect { rows_of: source.map(str::to_owned), ..effect }])
}

#[cfg(test)]
mod tests;
