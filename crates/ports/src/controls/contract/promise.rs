//! The error of a broken promise of the controls' contract.

use crate::controls::ControlError;
use std::fmt;

/// A violation of the contract.
#[derive(Debug)]
pub struct ControlsContractViolation {
    /// The promise violated.
    pub promise: &'static str,
    /// What was observed.
    pub seen: String,
}

impl fmt::Display for ControlsContractViolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.promise, self.seen)
    }
}

impl std::error::Error for ControlsContractViolation {}

impl From<ControlError> for ControlsContractViolation {
    fn from(error: ControlError) -> Self {
        Self { promise: "what is possible is done", seen: error.to_string() }
    }
}

pub(super) fn ensure(
    kept: bool,
    promise: &'static str,
    seen: impl fmt::Debug,
) -> Result<(), ControlsContractViolation> {
    if kept { Ok(()) } else { Err(ControlsContractViolation { promise, seen: format!("{seen:?}") }) }
}
