#![doc = include_str!("../README.md")]

pub mod accounts;
pub mod audit;
pub mod client_records;
pub mod clients;
pub mod consents;
mod context;
pub mod customers;
pub mod due_work;
pub mod events;
mod failure;
pub mod funds;
pub mod maintenance;
pub mod page_answers;
pub mod payments;
pub mod purge;
pub mod support;
pub mod workers;

pub use context::Context;
pub use failure::Failure;
