//! The sandbox: everything that stands in for the world around the bank.
#![warn(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

mod bank;
pub mod controls;
pub mod data_file;
mod documents;
mod identity;
pub mod seed;
#[cfg(test)]
mod tests;
pub mod trust;

pub use bank::BuiltInBank;
pub use bank::diary::Diary;
pub use bank::market;
pub use bank::payments;
pub use identity::SandboxIdentity;
