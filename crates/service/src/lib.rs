//! The use-cases of the server: consents, account information, payments, confirmation of funds, events, and background workers.
//!
//! Every use-case takes the [`Context`], or the part that it needs when it runs inside a transaction of its caller, and follows
//! the sequence of the standard. No HTTP, no JSON, no SQL.

pub mod accounts;
pub mod client_records;
pub mod clients;
pub mod consents;
mod context;
pub mod due_work;
pub mod events;
mod failure;
pub mod funds;
pub mod page_answers;
pub mod payments;
pub mod purge;
pub mod workers;

pub use context::Context;
pub use failure::Failure;
