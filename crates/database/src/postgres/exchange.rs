//! One round trip: statements that are sent together, and their answers.
//!
//! The server runs the statements of a connection in the order in which they were sent, and runs no further statement of a
//! transaction after a failure. Statements that do not depend on each other's answers need not wait for them.

use super::errors::{failure, unavailable};
use crate::statement::SqlStatement;
use crate::traffic::TrafficCounters;
use crate::value::SqlValue;
use deadpool_postgres::Client;
use futures_util::future::{MaybeDone, OptionFuture, maybe_done};
use lombard_ports::store::StoreError;
use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Error, Row as PgRow, Statement};

/// The part of a statement's result that is needed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// The number of rows that the statement changed.
    Count,
    /// The rows that the statement returns.
    Rows,
}

/// A statement to send.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outgoing<'p> {
    pub(super) statement: SqlStatement,
    pub(super) parameters: &'p [SqlValue<'p>],
    pub(super) wanted: Wanted,
}

/// The answer to a statement.
#[derive(Debug)]
pub(super) enum Answer {
    Count(u64),
    Rows(Vec<PgRow>),
}

impl Answer {
    pub(super) fn count(&self) -> u64 {
        match self {
            Self::Count(count) => *count,
            Self::Rows(rows) => u64::try_from(rows.len()).unwrap_or(u64::MAX),
        }
    }

    pub(super) fn into_rows(self) -> Vec<PgRow> {
        match self {
            Self::Count(_) => Vec::new(),
            Self::Rows(rows) => rows,
        }
    }

    pub(super) fn rows(&self) -> &[PgRow] {
        match self {
            Self::Count(_) => &[],
            Self::Rows(rows) => rows,
        }
    }
}

/// The statements that begin and end a transaction in the same round trip.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Bounds {
    pub(super) begin: Option<&'static str>,
    pub(super) end: Option<&'static str>,
}

/// A failed round trip.
#[derive(Debug)]
pub(super) struct ExchangeError {
    pub(super) error: StoreError,
    /// Whether the server refused a statement. Otherwise the state of the connection is unknown.
    pub(super) is_refusal: bool,
    /// Whether the server has become read-only, because another server is the primary now.
    pub(super) is_read_only: bool,
}

impl ExchangeError {
    /// The error for a connection whose state is unknown.
    pub(super) const fn lost(error: StoreError) -> Self {
        Self { error, is_refusal: false, is_read_only: false }
    }

    pub(super) fn of(error: Error, told: impl FnOnce(Error) -> StoreError) -> Self {
        let is_read_only = error.code() == Some(&SqlState::READ_ONLY_SQL_TRANSACTION);
        Self { is_refusal: error.as_db_error().is_some(), is_read_only, error: told(error) }
    }
}

/// Sends statements together and waits for all their answers. The first failure is returned.
///
/// If a statement cannot be sent, the transaction is rolled back instead of being ended as requested, because the server would
/// not know that a statement is missing.
pub(super) async fn exchange(
    client: &Client,
    traffic: &TrafficCounters,
    bounds: Bounds,
    statements: &[Outgoing<'_>],
) -> Result<Vec<Answer>, ExchangeError> {
    if let ([only], None, None) = (statements, bounds.begin, bounds.end) {
        let failed = |error| ExchangeError::of(error, |error| failure(&only.statement, error));
        let prepared = client.prepare_cached(only.statement.postgres).await.map_err(failed)?;
        traffic.count_round_trip(1);
        return Ok(vec![send(client, only, &prepared, &bound(only.parameters)).await.map_err(failed)?]);
    }
    let mut prepared = Vec::with_capacity(statements.len());
    for it in statements {
        let one = client.prepare_cached(it.statement.postgres).await;
        prepared.push(one.map_err(|error| ExchangeError::of(error, |error| failure(&it.statement, error)))?);
    }
    let count = |text: Option<&str>| usize::from(text.is_some());
    traffic.count_round_trip(statements.len() + count(bounds.begin) + count(bounds.end));
    let bound: Vec<_> = statements.iter().map(|it| bound(it.parameters)).collect();
    let control = |text: Option<&'static str>| OptionFuture::from(text.map(|text| client.batch_execute(text)));
    let mut begun = Box::pin(maybe_done(control(bounds.begin)));
    let each = statements.iter().zip(&prepared).zip(&bound);
    let mut sent: Vec<_> =
        each.map(|((it, prepared), bound)| Box::pin(maybe_done(send(client, it, prepared, bound)))).collect();
    // A statement is sent when its future is polled first.
    poll_fn(|cx| {
        let _ = begun.as_mut().poll(cx);
        for it in &mut sent {
            let _ = it.as_mut().poll(cx);
        }
        Poll::Ready(())
    })
    .await;
    let is_incomplete = sent.iter().any(|it| matches!(it.as_ref().get_ref(), MaybeDone::Done(Err(_))));
    let end = bounds.end.map(|end| if is_incomplete { ROLL_BACK } else { end });
    let mut ended = Box::pin(maybe_done(control(end)));
    poll_fn(|cx| {
        let _ = ended.as_mut().poll(cx);
        Poll::Ready(())
    })
    .await;
    let mut failed = control_outcome(begun.as_mut()).await.err();
    let mut answers = Vec::with_capacity(sent.len());
    for (it, mut sent) in statements.iter().zip(sent) {
        sent.as_mut().await;
        match sent.as_mut().take_output() {
            Some(Ok(answer)) => answers.push(answer),
            Some(Err(error)) => {
                failed.get_or_insert_with(|| ExchangeError::of(error, |error| failure(&it.statement, error)));
            }
            None => {}
        }
    }
    let ended = control_outcome(ended.as_mut()).await;
    match failed {
        // The first failure is returned; the last one determines whether the connection can be used again.
        Some(failed) => Err(ExchangeError {
            is_refusal: failed.is_refusal && ended.as_ref().err().is_none_or(|it| it.is_refusal),
            ..failed
        }),
        None => ended.map(|()| answers),
    }
}

/// Sends a statement that takes a set of rows, one array for each column, and waits for its rows.
pub(super) async fn exchange_set(
    client: &Client,
    traffic: &TrafficCounters,
    statement: &SqlStatement,
    rows: &[&[SqlValue<'_>]],
) -> Result<Answer, ExchangeError> {
    let failed = |error| ExchangeError::of(error, |error| failure(statement, error));
    let prepared = client.prepare_cached(statement.postgres).await.map_err(failed)?;
    let width = rows.first().map_or(0, |row| row.len());
    let column = |place| -> Vec<&SqlValue<'_>> { rows.iter().filter_map(|row| row.get(place)).collect() };
    let columns: Vec<_> = (0..width).map(column).collect();
    let bound: Vec<_> = columns.iter().map(|column| column as &(dyn ToSql + Sync)).collect();
    traffic.count_round_trip(1);
    client.query(&prepared, &bound).await.map(Answer::Rows).map_err(failed)
}

/// The statement that ends a transaction without changes.
pub(super) const ROLL_BACK: &str = "ROLLBACK";

async fn control_outcome<F>(mut control: Pin<&mut MaybeDone<OptionFuture<F>>>) -> Result<(), ExchangeError>
where
    F: Future<Output = Result<(), Error>>,
{
    control.as_mut().await;
    match control.take_output().flatten() {
        Some(outcome) => outcome.map_err(|error| ExchangeError::of(error, unavailable)),
        None => Ok(()),
    }
}

async fn send(
    client: &Client,
    it: &Outgoing<'_>,
    prepared: &Statement,
    bound: &[&(dyn ToSql + Sync)],
) -> Result<Answer, Error> {
    match it.wanted {
        Wanted::Rows if finds_nothing(it) => Ok(Answer::Rows(Vec::new())),
        Wanted::Rows => client.query(prepared, bound).await.map(Answer::Rows),
        Wanted::Count => client.execute(prepared, bound).await.map(Answer::Count),
    }
}

/// Whether a query has a text parameter with a NUL, which no row of PostgreSQL can contain (SQLite stores it). Callers choose the
/// ids they query, so PostgreSQL's refusal must not become an internal error (RW-102). A statement that writes such a text still
/// fails.
fn finds_nothing(it: &Outgoing<'_>) -> bool {
    let holds_nul = |parameter: &SqlValue<'_>| parameter.as_text().is_some_and(|text| text.contains('\0'));
    it.statement.postgres.starts_with("SELECT") && it.parameters.iter().any(holds_nul)
}

fn bound<'p>(parameters: impl IntoIterator<Item = &'p SqlValue<'p>>) -> Vec<&'p (dyn ToSql + Sync)> {
    parameters.into_iter().map(|parameter| parameter as &(dyn ToSql + Sync)).collect()
}
