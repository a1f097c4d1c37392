//! The effects of `ALTER TABLE`.

use super::effect::{Effect, StatementWork, TableLock};
use super::words::Words;

/// The effects of the actions of a statement, of which the words `ALTER TABLE` have been read.
pub(super) fn effects(mut words: Words<'_>) -> Option<Vec<Effect>> {
    words.take(&["ONLY"]);
    let table = words.name()?;
    let mut effects = Vec::new();
    for action in words.parts() {
        effects.extend(action_effects(table, action)?);
    }
    Some(effects)
}

fn action_effects(table: &str, mut action: Words<'_>) -> Option<Vec<Effect>> {
    let effect = |action: String, work| Effect::new(table, action, TableLock::AccessExclusive, work);
    if action.take(&["RENAME"]) {
        return Some(vec![effect("renames what programs use".to_owned(), StatementWork::Instant).narrowing()]);
    }
    if action.take(&["VALIDATE", "CONSTRAINT"]) {
        let name = action.name()?;
        let validated = format!("checks the rows for the constraint {name}");
        return Some(vec![Effect::new(table, validated, TableLock::ShareUpdateExclusive, StatementWork::Scan(1))]);
    }
    if action.take(&["ADD", "CONSTRAINT"]) {
        let name = action.name()?;
        let references = action.names_after("REFERENCES").map(Effect::of_reference);
        let is_unchecked = action.contains("VALID");
        let work = if is_unchecked { StatementWork::Instant } else { StatementWork::Scan(1) };
        // Rows that earlier programs write may violate it.
        let added = effect(format!("adds the constraint {name}"), work).narrowing();
        return Some(std::iter::once(added).chain(references).collect());
    }
    if action.take(&["DROP", "CONSTRAINT"]) {
        action.take(&["IF", "EXISTS"]);
        let name = action.name()?;
        return Some(vec![effect(format!("drops the constraint {name}"), StatementWork::Instant)]);
    }
    if action.take(&["DROP"]) {
        action.take(&["COLUMN"]);
        action.take(&["IF", "EXISTS"]);
        let column = action.name()?;
        return Some(vec![effect(format!("drops the column {column}"), StatementWork::Instant).narrowing()]);
    }
    if action.take(&["ALTER"]) {
        action.take(&["COLUMN"]);
        return altered_column(table, action);
    }
    if !action.take(&["ADD"]) {
        return None;
    }
    action.take(&["COLUMN"]);
    action.take(&["IF", "NOT", "EXISTS"]);
    let column = action.name()?;
    let references = action.names_after("REFERENCES").map(Effect::of_reference);
    let added = effect(format!("adds the column {column}"), work_of_new_column(&action));
    // Earlier programs leave the column out when they add a row.
    let is_required = action.contains("NOT") && !action.contains("DEFAULT") && !action.contains("GENERATED");
    let added = if is_required { added.narrowing() } else { added };
    Some(std::iter::once(added).chain(references).collect())
}

/// A constant default is kept in the catalogue. Another one is evaluated for each row, which is written again.
fn work_of_new_column(column: &Words<'_>) -> StatementWork {
    let is_constant = |value: &str| {
        let is_literal = value.starts_with(|it: char| it == '\'' || it == '-' || it.is_ascii_digit());
        is_literal || ["TRUE", "FALSE", "NULL"].iter().any(|it| value.eq_ignore_ascii_case(it))
    };
    let is_computed = column.contains("GENERATED") || !column.names_after("DEFAULT").all(is_constant);
    if is_computed {
        StatementWork::Rewrite
    } else if ["CHECK", "UNIQUE", "PRIMARY"].iter().any(|word| column.contains(word)) {
        StatementWork::Scan(1)
    } else {
        StatementWork::Instant
    }
}

fn altered_column(table: &str, mut action: Words<'_>) -> Option<Vec<Effect>> {
    let column = action.name()?;
    let effect = |action: String, work| Effect::new(table, action, TableLock::AccessExclusive, work);
    let effect = if action.take(&["TYPE"]) || action.take(&["SET", "DATA", "TYPE"]) {
        effect(format!("changes the type of the column {column}"), StatementWork::Rewrite).narrowing()
    } else if action.take(&["SET", "NOT", "NULL"]) {
        effect(format!("requires a value of the column {column}"), StatementWork::Scan(1)).narrowing()
    } else if action.take(&["DROP", "NOT", "NULL"]) {
        // Earlier programs may read a row without a value.
        effect(format!("allows the column {column} to have no value"), StatementWork::Instant).narrowing()
    } else if action.take(&["SET", "DEFAULT"]) {
        effect(format!("sets the default of the column {column}"), StatementWork::Instant)
    } else if action.take(&["DROP", "DEFAULT"]) {
        // Earlier programs may leave the column out.
        effect(format!("drops the default of the column {column}"), StatementWork::Instant).narrowing()
    } else {
        return None;
    };
    Some(vec![effect])
}
