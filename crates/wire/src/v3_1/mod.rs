//! Version 3.1.11 of the standard.

mod consents;
mod forms;
mod frequency;
pub mod names;
mod parts;
pub mod payments;
#[cfg(test)]
pub(crate) mod tests;

use crate::StandardVersion;
use lombard_domain::version::Version;

/// Version 3.1.11.
#[derive(Debug, Clone, Copy)]
pub struct V3_1;

impl StandardVersion for V3_1 {
    const VERSION: Version = Version::V3_1;
}
