#![doc = include_str!("../README.md")]
#![warn(clippy::arithmetic_side_effects, clippy::float_arithmetic, clippy::wildcard_enum_match_arm)]

pub mod controls;
pub mod data_file;
mod identity;
pub mod joint;
pub mod seed;
#[cfg(test)]
mod tests;
pub mod trust;

pub use identity::SandboxIdentity;
