//! Mapping of PostgreSQL's errors to [`StoreError`].

use crate::statement::SqlStatement;
use lombard_ports::store::{Source, StoreError};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// The error of a failed statement.
pub(super) fn failure(statement: &SqlStatement, error: Error) -> StoreError {
    let Some(state) = error.code() else {
        return unavailable(error);
    };
    if *state == SqlState::UNIQUE_VIOLATION {
        StoreError::Duplicate(statement.table)
    } else if state.code().starts_with("23") || state.code().starts_with("22") {
        // Another constraint, or a value out of range: a retry cannot succeed.
        StoreError::Corrupt { table: statement.table, id: String::from("?"), source: quiet(error) }
    } else {
        unavailable(error)
    }
}

/// The error of a failed connection, commit or migration.
pub(super) fn unavailable(error: Error) -> StoreError {
    match error.code() {
        Some(state) if is_contention(state) => StoreError::Contended,
        _ => StoreError::Unavailable(quiet(error)),
    }
}

/// The error when the server did not answer in time. The connection is discarded, so a late answer is lost.
pub(super) fn unanswered() -> StoreError {
    StoreError::Unavailable("the database did not answer in time".into())
}

/// A copy of a failure for another caller whose statement was sent in the same group.
pub(super) fn repeated(failure: &StoreError) -> StoreError {
    match failure {
        StoreError::Contended => StoreError::Contended,
        StoreError::Unavailable(cause) => StoreError::Unavailable(cause.to_string().into()),
        other => StoreError::Unavailable(other.to_string().into()),
    }
}

/// Whether the failure is caused by the values of a row or by a constraint.
pub(super) fn is_of_row(error: &Error) -> bool {
    error.code().is_some_and(|state| state.code().starts_with("22") || state.code().starts_with("23"))
}

/// The server's message without its details. The details may quote whole rows and must not be logged.
fn quiet(error: Error) -> Source {
    match error.as_db_error() {
        Some(said) => format!("{} {}", said.code().code(), said.message()).into(),
        None => error.into(),
    }
}

/// Whether the server aborted the transaction in favour of another, so that a retry may succeed. A lock timeout is not
/// contention: the caller has waited long enough already.
pub(super) fn is_contention(state: &SqlState) -> bool {
    [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(state)
}

/// Whether the server refused a statement because of its rows, or in favour of another transaction.
pub(super) const fn is_of_rows(error: &StoreError) -> bool {
    match error {
        StoreError::Contended | StoreError::Duplicate(_) | StoreError::Corrupt { .. } => true,
        StoreError::Unavailable(_) => false,
    }
}
