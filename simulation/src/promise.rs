//! Violations of the program's invariants.

/// The description of a violated invariant.
#[derive(Debug)]
pub(crate) struct InvariantViolation(pub(crate) String);

impl From<lombard_ports::store::StoreError> for InvariantViolation {
    fn from(error: lombard_ports::store::StoreError) -> Self {
        Self(format!("the database itself cannot be read: {error:?}"))
    }
}

impl From<lombard_ports::controls::ControlError> for InvariantViolation {
    fn from(error: lombard_ports::controls::ControlError) -> Self {
        Self(format!("the bank's clock cannot be moved: {error:?}"))
    }
}

/// Fails with a message unless the condition holds.
pub(crate) fn ensure(it: bool, otherwise: impl FnOnce() -> String) -> Result<(), InvariantViolation> {
    if it { Ok(()) } else { Err(InvariantViolation(otherwise())) }
}
