//! What PostgreSQL's errors mean to the caller.

use crate::statement::SqlStatement;
use lombard_ports::store::{Source, StoreError};
use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

/// What a failed statement means.
pub(super) fn failure(statement: &SqlStatement, error: Error) -> StoreError {
    let Some(state) = error.code() else {
        return unavailable(error);
    };
    if *state == SqlState::UNIQUE_VIOLATION {
        StoreError::Duplicate(statement.table)
    } else if state.code().starts_with("23") || state.code().starts_with("22") {
        // Another constraint, or a value out of range: trying again will never help.
        StoreError::Corrupt { table: statement.table, id: String::from("?"), source: quiet(error) }
    } else {
        unavailable(error)
    }
}

/// What a failed connection, commit or migration means.
pub(super) fn unavailable(error: Error) -> StoreError {
    match error.code() {
        Some(state) if is_contention(state) => StoreError::Contended,
        _ => StoreError::Unavailable(quiet(error)),
    }
}

/// The server said nothing in time. The connection is not used again, so whatever it still says is lost.
pub(super) fn unanswered() -> StoreError {
    StoreError::Unavailable("the database did not answer in time".into())
}

/// The server's words without its details, which can quote whole rows and would end up in a log.
fn quiet(error: Error) -> Source {
    match error.as_db_error() {
        Some(said) => format!("{} {}", said.code().code(), said.message()).into(),
        None => error.into(),
    }
}

/// The server gave the transaction up in favour of another; the same one may succeed now. One that has waited for a lock
/// as long as it may is not such: who waits for the answer has waited long enough.
pub(super) fn is_contention(state: &SqlState) -> bool {
    [SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED].contains(state)
}
