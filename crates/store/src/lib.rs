//! Storage: SQLite and PostgreSQL behind the port of `lombard-ports` (D4 to D8).
//!
//! `shared` holds the SQL text, the row records and one implementation of every aggregate; `sqlite` and `postgres`
//! bind them to an engine and hold what truly differs: group commit here, row locks and retries there. `contract` is
//! the suite of promises both engines keep. Nothing here knows a rule of the standard.

pub mod contract;
mod metrics;
mod migrations;
mod options;
mod postgres;
mod retry;
mod shared;
mod sqlite;

pub use options::{Options, Waits, migrate, open, open_temporary, open_temporary_with, pending_migrations};
