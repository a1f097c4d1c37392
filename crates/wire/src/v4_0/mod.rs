//! Version 4.0.1 of the standard, where it differs from 3.1.11.
//!
//! An unchanged type is re-exported from [`crate::v3_1`]; a changed one is defined here. Both versions are rendered
//! from the domain, never from each other's JSON.

mod accounts;
mod balances;
mod bank_codes;
pub(crate) mod consents;
mod direct_debits;
mod forms;
pub(crate) mod frequency;
mod funds_confirmations;
mod mandate;
pub mod names;
mod parts;
pub mod payments;
pub(crate) mod proxy;
mod standing_orders;
#[cfg(test)]
mod tests;

use crate::StandardVersion;
use crate::v3_1::write;
use lombard_domain::version::Version;

/// Version 4.0.1.
#[derive(Debug, Clone, Copy)]
pub struct V4_0;

impl StandardVersion for V4_0 {
    const VERSION: Version = Version::V4_0;
}
