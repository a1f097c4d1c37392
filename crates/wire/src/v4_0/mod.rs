//! Version 4.0.1 of the standard, where it differs from 3.1.11.
//!
//! The parts that the versions share have one implementation ([`crate::accounts`], [`crate::payments`], [`crate::vrp`]), which
//! uses the forms that are defined here. Both versions are rendered from the domain, never from each other's JSON.

mod account;
mod arrangements;
mod bank_codes;
mod consents;
mod forms;
mod frequency;
mod mandate;
pub mod names;
mod parts;
pub mod payments;
#[cfg(test)]
mod tests;
mod upgrade;
mod vrp_migration;

pub use upgrade::upgrade;
pub(crate) use upgrade::upgraded;
pub use vrp_migration::{read_migrated_vrp_consent, read_patched_vrp_consent, upgrade_vrp_consent};

use crate::StandardVersion;
use lombard_domain::version::Version;

/// Version 4.0.1.
#[derive(Debug, Clone, Copy)]
pub struct V4_0;

impl StandardVersion for V4_0 {
    const VERSION: Version = Version::V4_0;
}
