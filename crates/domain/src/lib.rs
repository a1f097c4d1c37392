//! The facts of the bank and of the standard, as types: money, ids, clients, consents, orders, accounts, the ledger.
//!
//! Pure logic only. Nothing here is `async`, does I/O, reads a clock or draws randomness; JSON names of the
//! standard live in `lombard-wire`, SQL in `lombard-store`; [`stored`] says how values stand in the documents of rows.
//! Anything a rule refuses leaves as a [`refusal::Refusal`].
#![deny(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod account;
pub mod calendar;
pub mod client;
pub mod code;
pub mod consent;
pub mod event;
pub mod exchange;
pub mod file;
pub mod frequency;
pub mod funds;
pub mod grant;
pub mod ids;
pub mod instant;
pub mod job;
pub mod ledger;
pub mod money;
pub mod network;
pub mod order;
pub mod page;
pub mod refusal;
pub mod scope;
pub mod session;
pub mod stored;
pub mod version;
pub mod vrp;
