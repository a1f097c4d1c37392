//! Version 4.0.1 of the standard, as far as it differs from 3.1.11.
//!
//! A type that has not changed is taken from [`crate::v3_1`]; one that has is defined here. Nothing is made from v3.1's
//! JSON: both versions are written from the domain.

mod accounts;
mod balances;
mod consents;
pub mod names;
#[cfg(test)]
mod tests;

use crate::StandardVersion;
use crate::v3_1::write;
use lombard_domain::version::Version;

/// This version.
#[derive(Debug, Clone, Copy)]
pub struct V4_0;

impl StandardVersion for V4_0 {
    const VERSION: Version = Version::V4_0;
}
