//! A transaction that is one statement: it needs neither `BEGIN` nor `COMMIT`, which the server would answer one by one.
//!
//! Inserts into several tables are made one statement. They do not see each other's rows, so only a transaction that has read
//! nothing and does nothing else is written so. Foreign keys are checked at the end of the statement.

use super::errors::{failure, unavailable};
use super::exchange::{ExchangeError, bound};
use super::round_trip::OwnedStatement;
use crate::statement::SqlStatement;
use crate::traffic::TrafficCounters;
use crate::value::SqlValue;
use deadpool_postgres::Client;
use std::borrow::Cow;
use std::fmt::Write as _;
use tokio_postgres::Error;

/// Most inserts of one statement.
const INSERTS_MAX: usize = 4;

/// Statements of a transaction that are sent as one.
pub(super) struct LoneStatement<'s> {
    text: Cow<'static, str>,
    parts: &'s [OwnedStatement],
}

impl<'s> LoneStatement<'s> {
    /// All statements of a transaction as one, if they can be: a single one, or inserts into different tables.
    pub(super) fn of(parts: &'s [OwnedStatement]) -> Option<Self> {
        if let [only] = parts {
            return Some(Self { text: Cow::Borrowed(only.statement().postgres), parts });
        }
        let has_own_table = |place: usize, it: &OwnedStatement| {
            let earlier = parts.iter().take(place);
            is_insert(it.statement())
                && earlier.into_iter().all(|other| other.statement().table != it.statement().table)
        };
        let are_inserts =
            parts.len() <= INSERTS_MAX && parts.iter().enumerate().all(|(place, it)| has_own_table(place, it));
        let (last, before) = parts.split_last().filter(|_| are_inserts)?;
        let mut text = String::with_capacity(1024);
        let mut taken = 0_usize;
        for (place, it) in before.iter().enumerate() {
            text.push_str(if place == 0 { "WITH " } else { ", " });
            let _ = write!(text, "insert_{place} AS (");
            push_renumbered(&mut text, it.statement().postgres, taken);
            text.push(')');
            taken = taken.saturating_add(it.parameters().len());
        }
        text.push(' ');
        push_renumbered(&mut text, last.statement().postgres, taken);
        Some(Self { text: Cow::Owned(text), parts })
    }

    /// Sends it and waits for its outcome. `false` if the server refused it because of a row, and did not say of which table: the statements
    /// must be sent one by one. Nothing was written.
    pub(super) async fn execute(&self, client: &Client, traffic: &TrafficCounters) -> Result<bool, ExchangeError> {
        let unprepared = |error| ExchangeError::of(error, unavailable);
        let prepared = client.prepare_cached(&self.text).await.map_err(unprepared)?;
        traffic.count_round_trip(1);
        let parameters: Vec<&SqlValue<'_>> = self.parts.iter().flat_map(OwnedStatement::parameters).collect();
        match client.execute(&prepared, &bound(parameters)).await {
            Ok(_) => Ok(true),
            Err(error) => match self.concerned_by(&error) {
                Some(statement) => Err(ExchangeError::of(error, |error| failure(statement, error))),
                None if is_of_row(&error) => Ok(false),
                None => Err(ExchangeError::of(error, unavailable)),
            },
        }
    }

    /// The statement that failed: the only one, or that of the table that the server names.
    fn concerned_by(&self, error: &Error) -> Option<&SqlStatement> {
        let table = error.as_db_error().and_then(|said| said.table());
        match self.parts {
            [only] => Some(only.statement()),
            parts => parts.iter().map(OwnedStatement::statement).find(|it| Some(it.table) == table),
        }
    }
}

/// Whether a row's values or a constraint are the reason.
fn is_of_row(error: &Error) -> bool {
    error.code().is_some_and(|state| state.code().starts_with("22") || state.code().starts_with("23"))
}

/// Whether it inserts into the table that it is said to be of.
fn is_insert(statement: &SqlStatement) -> bool {
    let table = statement.postgres.strip_prefix("INSERT INTO ").and_then(|rest| rest.split_once([' ', '(']));
    table.is_some_and(|(table, _)| table == statement.table)
}

/// Adds the text of a statement whose parameters come behind so many others.
fn push_renumbered(text: &mut String, statement: &str, taken: usize) {
    let mut pieces = statement.split('$');
    text.push_str(pieces.next().unwrap_or_default());
    for piece in pieces {
        let (number, rest) = piece.split_at(piece.find(|it: char| !it.is_ascii_digit()).unwrap_or(piece.len()));
        match number.parse::<usize>() {
            Ok(number) => {
                let _ = write!(text, "${}{rest}", number.saturating_add(taken));
            }
            Err(_) => {
                let _ = write!(text, "${piece}");
            }
        }
    }
}
