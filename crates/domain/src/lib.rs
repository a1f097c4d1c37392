//! The domain types of the bank and of the standard: money, ids, clients, consents, orders, accounts, the ledger.
//!
//! Pure logic only: nothing here is `async`, does I/O, reads a clock or draws randomness. The standard's JSON names are
//! in `lombard-wire`, SQL is in `lombard-store`, and [`stored`] defines how values are stored in the JSON documents of
//! rows. A request that violates a rule yields a [`refusal::Refusal`].
#![deny(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod account;
pub mod authentication;
pub mod backchannel;
pub mod calendar;
pub mod client;
pub mod code;
pub mod consent;
pub mod core_state;
pub mod event;
pub mod frequency;
pub mod funds;
pub mod grant;
pub mod ids;
pub mod instant;
pub mod job;
pub mod ledger;
pub mod money;
pub mod network;
pub mod operator_changes;
pub mod page;
pub mod payment;
pub mod pending_registration;
pub mod portal;
pub mod provider_login;
pub mod refusal;
pub mod registration;
pub mod scope;
pub mod security_profile;
pub mod session;
pub mod stored;
pub mod submitted;
pub mod text;
pub mod version;
