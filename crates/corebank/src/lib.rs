#![doc = include_str!("../README.md")]
#![warn(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

mod account_availability;
pub mod account_terms;
mod balances;
mod bank;
mod batch;
pub mod booking;
pub mod channel;
mod documents;
mod due_work_lock;
pub mod entry;
mod error;
pub mod market;
pub mod names;
mod payee_names;
pub mod payments;
pub mod routine_plan;
mod scheduler;
pub mod statement;
mod statement_files;
mod status_update_record;
pub mod storage;
mod tables;

pub use account_availability::is_shareable;
pub use bank::BuiltInBank;
pub use due_work_lock::lock_due_work;
pub use scheduler::BankScheduler;
#[cfg(any(test, feature = "testing"))]
pub use tables::open_temporary_store;
pub use tables::{BankRows, SCHEMA, STORED_DATA, open_bank_store};
