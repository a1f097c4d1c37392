//! The core API: what a bank's core and the server say to each other, as JSON, declared once for both ends of the wire.
//!
//! `form` derives parsing, serialisation and the schema from one declaration; `records` declares the records of accounts, which
//! the sandbox's data file shares. This crate has no HTTP and no I/O.
#![warn(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod form;
pub mod records;
